"""Periods within a sentence, after ordinal numbers and abbreviations."""

import re
from collections.abc import Mapping

from keras_transformer.text.determiners import ARTICLE, DETERMINER

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
AFTER_GERMAN_ORDINAL = re.compile(rf"(?:{ARTICLE}|{DETERMINER}) (?:{OTHER_ORDINAL})?{ORDINAL}\Z")
# Words that begin a German sentence: Er kommt am 12. Sie kommt am 10.
FIRST_WORDS = re.compile(
    r"(?:ich|du|er|sie|es|wir|ihr|man|d(?:er|ie|as|en|em)|(?:k?ein|[mds]ein|unser|dies|jed)(?:e[mnrs]?)?"
    r"|w(?:er|as|ann|o|ie|arum|ohin|oher|enn)|und|aber|oder|denn|dann|danach|da|dort|hier|heute|morgen"
    r"|gestern|jetzt|bitte|ja|nein|alle|vielleicht|leider|[ai]n|[ai]m|am|auf|bei|mit|von|nach|für)\b",
    re.IGNORECASE,
)
NUMBERED = re.compile(  # Vol. 3
    r"(?<!\w)(?:approx|vols?|pp?|figs?|chs?|secs?|eds?|nr|bd|ca|env|abb|kap|t[eé]l)\.\s*\Z",
    re.IGNORECASE,
)
# {language: titles that sentencex does not know}
TITLES: Mapping[str, re.Pattern[str]] = {
    lang: re.compile(rf"(?<![\w-])(?<!\d )(?:{titles})\.\s*\Z")
    for lang, titles in {
        "fr": "MM?|Mmes?|Mlles?|Mgr|Me|Drs?|Prs?|Ste?",
        "nl": "Mevr|Mw|Dhr",
    }.items()
}


def is_within_sentence(line: str, begin: int, end: int, lang: str) -> bool:
    """Return whether a period belongs to an ordinal number or an abbreviation.

    Args:
        line: a line.
        begin: the begin of the sentence that may end with the period.
        end: the place after the period and the white space after it.
        lang: the language.
    """
    before, after = line[max(begin, end - REACH) : end], line[end : end + REACH]
    if after[:1].isdecimal():
        return NUMBERED.search(before) is not None
    if lang in TITLES and TITLES[lang].search(before):
        return after[:1].isupper()
    return lang in ORDINAL_LANGUAGES and _is_after_ordinal(before, after, lang)


def _is_after_ordinal(before: str, after: str, lang: str) -> bool:
    """Return whether a text ends with an ordinal number that belongs to the text after it."""
    if after[:1].islower():
        return AFTER_ORDINAL.search(before) is not None
    if lang != "de" or FIRST_WORDS.match(after):
        return False
    return AFTER_GERMAN_ORDINAL.search(before) is not None
