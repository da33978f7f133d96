"""Removal of numbers from a translation that its source does not contain.

A network that has seen few numbers often writes a second one next to the right one.
"""

import re
from collections.abc import Sequence

from keras_transformer.corrections.measures import LONGEST, RANGE
from keras_transformer.corrections.number_words import word_pattern
from keras_transformer.corrections.spans import Span, TextSpan, blanked
from keras_transformer.corrections.values import Value, numbers, without_addresses

DIGITS = re.compile(r"\d+")
# Words that a translation may express by numbers which `word_pattern` does not know.
OTHER_WORDS = {
    "en": (
        r"\b[IVXL]{2,}\b|(?i:\b(?:thir|four|fif|six|seven|eigh|nine)teen|\b(?:twen|thir|for|fif|"
        r"six|seven|eigh|nine)t(?:y|ie)|hundred|thousand|million|billion|dozen|centur|fortnight|"
        r"\b(?:noon|midnight|half|quarter|couple|pair|morning|afternoon|evening|christmas|"
        r"new year|easter)\b)"
    ),
    "de": (
        r"\b[IVXL]{2,}\b|(?i:\wzehn|[zß]ig(?!\w*keit)|hundert|tausend|million|milliard|dutzend|"
        r"mittag|mitternacht|\bhalb|hälfte|viertel|einhalb|anderthalb|\bpaar\b|weihnacht|"
        r"heiligabend|silvester|ostern)"
    ),
}
# A number that is part of something else: a range, a clock time, an ordinal, or in brackets.
BEFORE, AFTER = (
    re.compile(rf"(?:\b{RANGE} ?|[(]|\b(?i:halb|half past) )$"),
    re.compile(rf" ?(?:{RANGE}\b|Uhr\b|(?i:[ap]\.?m\b))|[)]|\. [A-ZÄÖÜ]"),
)
# A word with a number: 5-Sterne-Hotel, 80er, 3rd. Other words with digits are garbled.
WORD_WITH_NUMBER = re.compile(r"\d{1,4}(?:(?:-[^\W\d]+)+|er|ern|'?s|st|nd|rd|th)")


def without_extra_numbers(
    source: str,
    found: Sequence[Value],
    translation: str,
    kept: Sequence[Span],
    lang: str,
) -> str:
    """Return a translation without the numbers that do not come from its source.

    Numbers that are part of words, ranges, clock times and ordinals stay, because the text around
    them would be broken without them.

    Args:
        source: the source.
        found: its values, all of which the translation has.
        translation: the translation.
        kept: the places of the values in the translation.
        lang: the language of the source.
    """
    rest = blanked(source, (value.span for value in found))
    if not found or not _is_known(rest, lang):
        return translation
    written = blanked(without_addresses(translation), kept)
    extra = [
        number
        for number in numbers(written)
        if _is_alone(number, translation) and not _is_in_words(number, rest, lang)
    ]
    for number in reversed(extra):
        translation = _without(number, translation)
    return translation


def _is_known(rest: str, lang: str) -> bool:
    """Return whether the number words of a source without its values are the only numbers in it."""
    has_others = DIGITS.search(rest) or lang not in OTHER_WORDS
    return not has_others and not re.search(OTHER_WORDS[lang], rest)


def _is_alone(number: TextSpan, translation: str) -> bool:
    """Return whether a number can be removed from a translation without the text around it."""
    around = BEFORE.search(translation[: number.start]) or AFTER.match(translation, number.end)
    return not WORD_WITH_NUMBER.fullmatch(number.text) and not around


def _is_in_words(number: TextSpan, source: str, lang: str) -> bool:
    """Return whether all integers in a number of a translation are words of the source."""
    groups = DIGITS.findall(number.text)
    patterns = [word_pattern(int(group), lang) for group in groups if len(group) <= LONGEST]
    return len(patterns) == len(groups) and all(p and re.search(p, source) for p in patterns)


def _without(part: TextSpan, text: str) -> str:
    """Return a text without a part and the space before it, or after it at the beginning.

    A comma before the part is removed at the end of a sentence.
    """
    before, after = text[: part.start].rstrip(), text[part.end :]
    if not after.strip(" .!?"):
        before = before.rstrip(", ")
    return before + after if before else after.lstrip()
