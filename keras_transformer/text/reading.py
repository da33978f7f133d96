"""Text as the network reads it, from text as people type it."""

from keras_transformer.text.casing import without_capitals
from keras_transformer.text.normalization import (
    composed,
    with_double_quotes,
    with_straight_apostrophes,
    without_surrogates,
)


def as_read(sentence: str, lang: str) -> str:
    """Return a sentence as the network reads it: `normalized`, and not all in capitals.

    Args:
        sentence: a sentence.
        lang: its language.
    """
    return without_capitals(normalized(sentence), lang)


def normalized(text: str) -> str:
    """Return a text with composed letters, straight apostrophes and double quotation marks.

    Single quotation marks become double ones around direct speech only.
    """
    return with_double_quotes(with_straight_apostrophes(composed(without_surrogates(text))))
