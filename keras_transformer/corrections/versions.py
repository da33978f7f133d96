"""Numbers of versions, chapters and the like in English texts, which keep their period.

Otherwise, 2.0 would be a number with a decimal separator, which languages write differently.
"""

import re

from keras_transformer.corrections.measures import AMOUNT_END

LABELS = "version|release|section|chapter|paragraph|appendix"
# Words before which a number may also have a decimal separator: the figure 3.5 is wrong.
OTHER_LABELS = "figure|table|exercise|equation|theorem|lemma|article"
# A name within a sentence, such as Python 3.11, but no currency and no day, after which a time may
# follow. In a title, the word before has a capital, too.
NAME = r"\b[a-z]+ (?!(?:USD|EUR|GBP|CHF|JPY|Euros?|Dollars?|\w+day) )[A-Z]\w+"
VERSION = re.compile(
    rf"(?:\b(?i:{LABELS}) (?P<number>\d+\.\d+)|"
    rf"(?:\b(?i:{OTHER_LABELS})|{NAME}) (?P<possible>\d+\.\d+))"
    rf"(?!\w|[.,:-]\d|{AMOUNT_END.pattern})"
)
