"""Words for integers and ordinals, which a translation may contain in place of digits."""

import functools
import re
from collections.abc import Mapping

from num2words import CONVERTER_CLASSES, num2words

SMALL = 13  # integers below it are usually written in words
LARGEST = 10_000_000  # larger integers are assumed to be in digits
# The converter of Amharic takes forever for some integers.
LANGUAGES = frozenset(CONVERTER_CLASSES) - {"am"}
YEARS = range(1100, 2000)  # may be read in hundreds: eighteen hundred, achtzehnhundert
# {language: {integer: regular expression of its words}}, with inflected forms. Longer German words
# that begin with a number word count too: "zweimal" and "zweijährig" express 2. Words that have
# nothing to do with a number do not, such as "Zweifel", "dreist", "Achtung" and "Elfenbein".
NUMBER_WORDS: Mapping[str, Mapping[int, str]] = {
    lang: {number: around.format(words) for number, words in enumerate(line.split())}
    for lang, around, line in (
        (
            "de",
            r"\b(?i:{})",
            r"null|kein ein(?:e[mnrs]?|s|mal)?\b|erste(?:[mnrs]|ns)?\b "
            r"zwei(?!fel|g(?:e?[ns]?\b|stelle))|beide drei(?!ste?[mnrs]?\b|stigkeit)|dritt vier "
            r"fünf sechs sieb(?:en|t) acht(?!ung|sam|los|bar|et|erb) neun zehn elf(?!en|e\b) "
            r"zwölf|dutzend(?!e)",
        ),
        (
            "en",
            r"\b(?<!ty-)(?i:{})(?:th|fold)?\b",  # not in "twenty-one"
            "zero|no one|an?|once|first two|both|twice|second three|third four five|fifth six "
            "seven eight|eighth nine|ninth ten eleven twelve|twelfth|dozen",
        ),
    )
}
# What does not follow the words of a number, because it would be another one (sixty, sechzig) or
# a fraction (Viertel).
END = {
    "de": r"(?!zehn|[zß]ig|hundert|tausend|und\w*[zß]ig|s?t?el)",
    "en": (
        r"(?!teen|t(?:y|ie)|[\s-](?:one|two|three|four|five|six|seven|eight|nine|hundred|thousand|"
        r"million)\b|-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b)"
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
    if lang == "en":  # the ordinals of the other languages begin like the numbers
        forms.append(num2words(number, lang=lang, to="ordinal"))
    if lang == "en" and number in range(20, 100, 10):
        forms.append(f"{forms[0][:-1]}ies")  # in his forties
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
