"""Periods within a sentence: after ordinal numbers and abbreviations, and of an ellipsis."""

import re
from collections.abc import Mapping
from functools import cache

from keras_transformer.text.determiners import ARTICLE, DETERMINER, PREPOSITION
from keras_transformer.text.first_words import begins_sentence

REACH = 80  # characters on each side of a period that are searched
ORDINAL = r"(?<![\w.,:/-])\d{1,2}\.\s+"
AFTER_ORDINAL = re.compile(rf"{ORDINAL}\Z")
# Languages that mark an ordinal number by a period.
ORDINAL_LANGUAGES = frozenset(
    ("als", "bs", "cs", "da", "de", "et", "eu", "fi", "fo", "hr", "hu", "is", "lb", "lv", "nb")
    + ("nds", "nn", "no", "pl", "sk", "sl", "sr", "tr")
)
# In German, a noun after an ordinal number has a capital, and so has a word after a sentence.
OTHER_ORDINAL = rf"{ORDINAL}(?:und|oder|bis|bis zum) "
# The day, or the day and the month: am 3.5. Urlaub haben.
DAY = r"(?<![\w.,:/-])(?:\d{1,2}\.)?\d{1,2}\.\s+"
AFTER_GERMAN_ORDINAL = re.compile(rf"(?:{ARTICLE}|{DETERMINER}) (?:{OTHER_ORDINAL})?{DAY}\Z")
NUMBERED = "approx|vols?|pp?|figs?|chs?|secs?|eds?|nr|bd|ca|abb|tel"  # Vol. 3
# {language: others}. In Hungarian, "kap" and "tél" are ordinary words.
ALSO_NUMBERED = {"fr": "env|tél"} | dict.fromkeys(("de", "nl", "da", "nb", "nn", "no", "sv"), "kap")
# {language: titles and other abbreviations before nouns that sentencex does not know}
TITLES: Mapping[str, re.Pattern[str]] = {
    lang: re.compile(rf"(?<![\w-])(?<!\d )(?:{titles})\.\s*\Z")
    for lang, titles in {
        "de": "[Ii]nkl|[Ee]xkl|[Zz]zgl|[Bb]spw|[Gg]eb|[Ee]hem|[Ee]inschl",
        "fr": "MM?|Mmes?|Mlles?|Mgr|Me|Drs?|Prs?|Ste?",
        "nl": "Mevr|Mw|Dhr",
    }.items()
}
# Small words with which a surname or a noun after a title begins: Mme. de Staël, M. l'abbé.
PARTICLE = re.compile(
    r"(?:de[nrs]?|du|della|di|da|dos|le|la|les|el|van|von|vom|zu[mr]?|te[nr]?|op|in)\s"
    r"|(?:[dl]|van)['’]|['’][st]\s",
)
ELLIPSIS = re.compile(r"\.{3}[\"')“”»]*\s*\Z")
# In German, a space before an ellipsis shows that it replaces a word: Das ist ein ... Problem.
GERMAN_GAP = re.compile(rf"(?:{ARTICLE}|{DETERMINER}|\b(?:{PREPOSITION})) \.{{3}}\s+\Z")


def is_within_sentence(line: str, begin: int, end: int, lang: str) -> bool:
    """Return whether a period belongs to an ordinal number, an abbreviation or an ellipsis.

    Args:
        line: a line.
        begin: the begin of the sentence that may end with the period.
        end: the place after the period and the white space after it.
        lang: the language.
    """
    before, after = line[max(begin, end - REACH) : end], line[end : end + REACH]
    if after[:1].isdecimal():
        return _numbered(lang).search(before) is not None
    if lang in TITLES and TITLES[lang].search(before):
        return after[:1].isupper() or PARTICLE.match(after) is not None
    if ELLIPSIS.search(before):
        return after[:1].islower() or _is_after_german(GERMAN_GAP, before, after, lang)
    return lang in ORDINAL_LANGUAGES and _is_after_ordinal(before, after, lang)


@cache
def _numbered(lang: str) -> re.Pattern[str]:
    """Return the pattern of an abbreviation before a number at the end of a text."""
    words = f"{NUMBERED}|{ALSO_NUMBERED[lang]}" if lang in ALSO_NUMBERED else NUMBERED
    return re.compile(rf"(?<!\w)(?:{words})\.\s*\Z", re.IGNORECASE)


def _is_after_ordinal(before: str, after: str, lang: str) -> bool:
    """Return whether a text ends with an ordinal number that belongs to the text after it."""
    if after[:1].islower():
        return AFTER_ORDINAL.search(before) is not None
    return _is_after_german(AFTER_GERMAN_ORDINAL, before, after, lang)


def _is_after_german(pattern: re.Pattern[str], before: str, after: str, lang: str) -> bool:
    """Return whether a German noun may follow a text that ends with a match of a pattern."""
    return lang == "de" and not begins_sentence(after) and pattern.search(before) is not None
