"""Words for integers, which a translation may contain in place of digits."""

import functools
import re
from collections.abc import Mapping

from num2words import CONVERTER_CLASSES, num2words

SMALL = 13  # integers below it are usually written in words
LARGEST = 10_000_000  # larger integers are assumed to be in digits
# The converter of Amharic takes forever for some integers.
LANGUAGES = frozenset(CONVERTER_CLASSES) - {"am"}
YEARS = range(1100, 2000)  # may be read in hundreds: eighteen hundred, achtzehnhundert
# {language: {integer: regular expression of its words}}, with inflected forms. Longer words that
# begin with a number word count too: "zweimal" and "zweijährig" express 2.
NUMBER_WORDS: Mapping[str, Mapping[int, str]] = {
    lang: {number: rf"\b(?i:{words})" for number, words in enumerate(line.split())}
    for lang, line in {
        "de": (
            r"null|kein ein(?:e[mnrs]?|s|mal)?\b|erste zwei|beide drei|dritt vier fünf sechs "
            r"sieb acht neun zehn elf zwölf|dutzend"
        ),
        "en": (
            r"zero|no\b one\b|an?\b|once|first two|both|twice|second\b three|third four five|fifth "
            r"six seven eight nine|ninth ten eleven twelve|twelfth|dozen"
        ),
    }.items()
}
# What does not follow the words of a number, because it would be another one (sixty, sechzig).
END = {
    "de": r"(?!zehn|[zß]ig|hundert|tausend|und\w*[zß]ig)",
    "en": (
        r"(?!teen|t(?:y|ie)|[\s-](?:one|two|three|four|five|six|seven|eight|nine|hundred|thousand|"
        r"million)\b)"
    ),
}
OPTIONAL = {"de": re.compile("^ein(?=hundert|tausend)"), "en": re.compile("^one (?=[ht])")}


@functools.lru_cache(maxsize=10_000)
def word_pattern(number: int, lang: str) -> str | None:
    """Return a regular expression of the words for an integer, or None if they are unknown.

    Args:
        number: the integer.
        lang: code of a language.
    """
    if number in NUMBER_WORDS.get(lang, ()):
        return NUMBER_WORDS[lang][number] + END[lang]
    forms = _forms(number, lang) if number < LARGEST else []
    patterns = list(map(_flexible, [*forms, *_without_one(forms, lang)]))
    return rf"\b(?i:{'|'.join(patterns)}){END.get(lang, '')}" if patterns else None


def _forms(number: int, lang: str) -> list[str]:
    """Return the words for an integer in a language; none if they are unknown."""
    if lang not in LANGUAGES:
        return []
    try:
        forms = [num2words(number, lang=lang)]
    except Exception:  # of many kinds, for integers that a converter does not support
        return []
    if number in YEARS and lang in NUMBER_WORDS:
        forms.append(num2words(number, lang=lang, to="year"))
    if number and number % 1_000_000 == 0:
        forms.append(f"{number // 1_000_000} million")  # and Millionen
    return forms


def _without_one(forms: list[str], lang: str) -> list[str]:
    """Return forms without the "one" at their beginning: "hundred", "tausend"."""
    return [OPTIONAL[lang].sub("", form) for form in forms] if lang in OPTIONAL else []


def _flexible(words: str) -> str:
    """Return a regular expression of number words with or without commas, hyphens and "and"."""
    pattern = re.escape(words.replace(",", "")).replace(r"\ and\ ", r"\ (?:and\ )?")
    return pattern.replace(r"\-", r"[\s-]")
