"""Removal of numbers from a translation that its source does not contain.

A network that has seen few numbers often writes a second one next to the right one.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from keras_transformer.translation.formats import Formats
from keras_transformer.translation.number_words import NUMBER_WORDS
from keras_transformer.translation.values import Unit, Value, blanked, numbers, without_addresses

DIGITS = re.compile(r"\d+")
# Words that a translation may express by numbers which `NUMBER_WORDS` does not list.
LARGER = {
    "en": (
        r"(?i)\b(?:thir|four|fif|six|seven|eigh|nine)teen|\b(?:twen|thir|for|fif|six|seven|eigh|"
        r"nine)t(?:y|ie)|hundred|thousand|million|billion|dozen|centur|\b(?:noon|midnight|half|"
        r"quarter)\b"
    ),
    "de": (
        r"(?i)\wzehn|[zß]ig(?!\w*keit)|hundert|tausend|million|milliard|dutzend|mittag|"
        r"mitternacht|\bhalb\b|viertel"
    ),
}


def without_extra_numbers(
    source: str,
    found: Sequence[Value],
    translation: str,
    kept: Sequence[tuple[int, int]],
    lang: str,
    formats: Formats,
) -> str:
    """Return a translation without the numbers that do not come from its source.

    Translations of sentences without values or digits are returned unchanged, and so are those of
    languages whose number words are unknown, and of sentences with words for numbers above twelve.

    Args:
        source: the source.
        found: its values, all of which the translation has.
        translation: the translation.
        kept: the places of the values in the translation.
        lang: the language of the source.
        formats: the `Formats` of the two languages.
    """
    has_numbers = found or DIGITS.search(source)
    if not has_numbers or lang not in LARGER or re.search(LARGER[lang], source):
        return translation
    rest = blanked(source, ((value.start, value.end) for value in found))
    allowed = _allowed(rest, formats)
    written = blanked(without_addresses(translation), kept)
    extra = [unit for unit in numbers(written) if not _comes_from(unit, source, allowed, lang)]
    for unit in reversed(extra):
        translation = _without(unit, translation)
    return translation


def _allowed(source: str, formats: Formats) -> Counter[str]:
    """Return the groups of digits that stand for the numbers of a source, with their counts.

    The numbers are those that are no values, such as ordinals and numbers within words.
    """
    texts = [formats.number(unit.text, source[unit.end :]) for unit in numbers(source)]
    return Counter(DIGITS.findall(" ".join([source, *texts])))


def _comes_from(unit: Unit, source: str, allowed: Counter[str], lang: str) -> bool:
    """Return whether a number of a translation comes from the source, and use up its digits."""
    groups = Counter(DIGITS.findall(unit.text))
    if groups <= allowed:
        allowed.subtract(groups)
        return True
    return all(_is_in_words(int(group), source, NUMBER_WORDS[lang]) for group in groups)


def _is_in_words(number: int, source: str, words: Mapping[int, str]) -> bool:
    return number in words and re.search(words[number], source) is not None


def _without(unit: Unit, text: str) -> str:
    """Return a text without a unit and the space before it, or after it at the beginning."""
    before, after = text[: unit.start], text[unit.end :]
    return before.rstrip() + after if before.strip() else after.lstrip()
