"""Removal of numbers from a translation that its source does not contain.

A network that has seen few numbers often writes a second one next to the right one.
"""

import re
from collections.abc import Sequence

from keras_transformer.translation.number_words import word_pattern
from keras_transformer.translation.values import Unit, Value, blanked, numbers, without_addresses

DIGITS = re.compile(r"\d+")
# Words that a translation may express by numbers which `word_pattern` does not know.
OTHER_WORDS = {
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
) -> str:
    """Return a translation without the numbers that do not come from its source.

    A translation is returned unchanged if its source has no value, digits that are not part of a
    value (as in ordinals and "9-to-5"), or `OTHER_WORDS`, or if these are unknown for its language.

    Args:
        source: the source.
        found: its values, all of which the translation has.
        translation: the translation.
        kept: the places of the values in the translation.
        lang: the language of the source.
    """
    rest = blanked(source, ((value.start, value.end) for value in found))
    if not found or DIGITS.search(rest) or lang not in OTHER_WORDS:
        return translation
    if re.search(OTHER_WORDS[lang], rest):
        return translation
    written = blanked(without_addresses(translation), kept)
    extra = [unit for unit in numbers(written) if not _is_in_words(unit, rest, lang)]
    for unit in reversed(extra):
        translation = _without(unit, translation)
    return translation


def _is_in_words(number: Unit, source: str, lang: str) -> bool:
    """Return whether all integers in a number of a translation are words of the source."""
    patterns = (word_pattern(int(group), lang) for group in DIGITS.findall(number.text))
    return all(pattern and re.search(pattern, source) for pattern in patterns)


def _without(unit: Unit, text: str) -> str:
    """Return a text without a unit and the space before it, or after it at the beginning."""
    before, after = text[: unit.start], text[unit.end :]
    return before.rstrip() + after if before.strip() else after.lstrip()
