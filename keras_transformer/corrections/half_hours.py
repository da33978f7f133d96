"""Half hours, which German names after the following hour: half past two is "halb drei"."""

import re
from collections.abc import Mapping

from num2words import num2words

CLOCK = range(1, 13)
# {language: {an hour in words or digits: the hour}}
HOURS: Mapping[str, Mapping[str, int]] = {
    lang: {text: hour for hour in CLOCK for text in (num2words(hour, lang=lang), str(hour))}
    for lang in ("en", "de")
}
# Groups: the word before the hour, and the hour.
HALF = {
    lang: re.compile(rf"\b({word}) ({'|'.join(HOURS[lang])})(?!\w|[.,:-]\d)", re.IGNORECASE)
    for lang, word in (("en", "half past"), ("de", "halb"))
}
FOLLOWING = {"en": 0, "de": 1}  # the named hour minus the hour that has passed
BEFORE_HOUR = re.compile(r"\b(?:half past|halb) $", re.IGNORECASE)
LONGEST_BEFORE = 12  # characters that are searched for it


def with_words(source: str) -> str:
    """Return an English text in which the hours after "half past" are in words.

    A network has seen them more often than digits.
    """
    hours = HOURS["en"]
    return HALF["en"].sub(
        lambda match: f"{match[1]} {num2words(hours[match[2].lower()], lang='en')}", source
    )


def with_half_hours(source: str, translation: str, source_lang: str, target_lang: str) -> str:
    """Return a translation with the half hours of its source, in words or digits as it has them.

    The translation is unchanged if it contains more or fewer half hours than the source, or the
    same ones in another order.

    Args:
        source: the source.
        translation: the translation.
        source_lang: the language of the source, "en" or "de".
        target_lang: the other one of these languages.
    """
    wanted, found = _passed(source, source_lang), _passed(translation, target_lang)
    if len(wanted) != len(found) or sorted(wanted) == sorted(found):
        return translation
    hours = iter(wanted)
    pattern = HALF[target_lang]
    return pattern.sub(lambda match: _with_hour(match, next(hours), target_lang), translation)


def follows_half(text: str, place: int) -> bool:
    """Return whether the words before a number at a place of a text make it a half hour."""
    return BEFORE_HOUR.search(text[max(place - LONGEST_BEFORE, 0) : place]) is not None


def _passed(text: str, lang: str) -> list[int]:
    """Return the hours, from 1 to 12, that have passed at the half hours of a text."""
    named = (HOURS[lang][match[2].lower()] for match in HALF[lang].finditer(text))
    return [(hour - FOLLOWING[lang] - 1) % 12 + 1 for hour in named]


def _with_hour(match: re.Match[str], passed: int, lang: str) -> str:
    """Return the text of a half hour with another hour, given the hour that has passed."""
    hour = (passed + FOLLOWING[lang] - 1) % 12 + 1
    text = str(hour) if match[2].isdecimal() else num2words(hour, lang=lang)
    return f"{match[1]} {text}"
