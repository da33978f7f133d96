"""Values of a source that its translation contains, and those that are missing from it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from keras_transformer.corrections.clock_times import not_before_noun
from keras_transformer.corrections.measures import (
    CURRENCY_SIGNS,
    NO_DIGIT,
    PAIR,
    SPACE,
    SPACES,
    UNIT_WORDS,
    Measure,
    unit_after,
)
from keras_transformer.corrections.number_words import NUMBER_WORDS, word_pattern
from keras_transformer.corrections.spans import Span, blanked
from keras_transformer.corrections.values import PHONE_DIGITS, Value, is_small
from keras_transformer.text.digits import ascii_digits
from keras_transformer.text.sentences import UNSPACED

LETTER = re.compile(r"[^\W\d_]")
DIGITS = re.compile(r"\d+")
# What precedes the second number of a range whose sign precedes the first: €20-30, $20 to 30. The
# first number may have been replaced by fillers.
RANGE_BEFORE = r"(?:(?<=[\d.][-–])|(?<=[\d.] to ))"  # noqa: RUF001, the dash of ranges
BEFORE, AFTER = r"(?<!\d)(?<!\d[.,:])", r"(?!\d|[.,:]\d)"
NEVER = r"(?!)"  # matches no text
WITH_HALF = re.compile(r"(?:\d{1,2}[.,]5|1/2|\d*½)(?:(?![.,/]\d)\D.*)?")  # no date: 14.5.2024
HALF_WORDS = {"en": r"(?i:\bhalf\b)", "de": r"(?i:\bhalb|einhalb|anderthalb|hälfte)"}
# Usual words for values. For those of durations, see `durations`.
EQUIVALENTS: Mapping[str, Mapping[str, str]] = {
    "24/7": {"de": "rund um die uhr", "en": "around the clock"},
    "3/4": {"de": "drei ?viertel", "en": "three[- ]quarters?"},
    "1/4": {
        "de": r"(?:ein )?viertel\b(?! (?:vor|nach)\b)",
        "en": r"(?:a|one)[- ]quarter\b(?! (?:to|past)\b)",
    },
    "50%": {
        "de": r"hälfte\b|halb(?:e[mnrs]?)?\b(?! (?:stunde|jahr))",
        "en": r"half\b(?! (?:an|past|a)\b)",
    },
}
BETWEEN = r"[^\d,;!?]{1,20}?"  # what may separate the numbers of a pair


def located(found: Sequence[Value], translation: str, lang: str) -> tuple[list[Span], list[Value]]:
    """Find values in a translation.

    Args:
        found: the values of the source.
        translation: the translation.
        lang: its language. In a language without `NUMBER_WORDS`, small integers are assumed to be
            in the translation.

    Returns:
        The start and the end of each value in the translation, and the values that are missing.
    """
    translation = ascii_digits(translation)
    spans: list[Span] = []
    missing: list[Value] = []
    for value in sorted(found, key=lambda each: -len(each.text)):
        matches = _pattern(value, translation, lang).finditer(translation)
        match = max(matches, key=_preference, default=None)
        if match:
            spans.append(match.span())
            translation = blanked(translation, [match.span()])
        elif not is_small(value) or lang in NUMBER_WORDS:
            missing.append(value)
    return spans, sorted(missing)


def _preference(match: re.Match[str]) -> tuple[bool, int]:
    """Return the rank of a form in a translation: digits before words, and long before short."""
    return bool(DIGITS.search(match[0])), len(match[0])


def surely_missing(
    missing: Iterable[Value], translation: str, kept: Iterable[Span], lang: str
) -> list[Value]:
    """Return the missing values that a translation has in no other format, such as 18h45.

    Codes and addresses are the same in all languages, although letters may touch them in a
    language without spaces. A number may be written with other separators or, if it has few digits,
    in words.

    Args:
        missing: values that are not in the translation in a known form.
        translation: the translation.
        kept: the places of other values in it.
        lang: its language.
    """
    digits = {*DIGITS.findall(ascii_digits(blanked(translation, kept)))}
    return [
        value
        for value in missing
        if value.text not in translation and _is_in_none(value.text, digits, lang)
    ]


def _is_in_none(text: str, digits: Set[str], lang: str) -> bool:
    """Return whether no number of a translation expresses a value.

    Args:
        text: the value.
        digits: the numbers of the translation that belong to no other value.
        lang: the language of the translation.
    """
    if not text.isascii():  # part of a clause without spaces
        return False
    is_measure = Measure.of(text) or PAIR.fullmatch(text)
    if LETTER.search(text) and not is_measure:  # a code or an address
        return digits.isdisjoint(DIGITS.findall(text))
    return not digits and lang not in UNSPACED and _is_in_digits(text)


def _is_in_digits(number: str) -> bool:
    """Return whether probably all languages write a number without a unit in digits."""
    measure, digits = Measure.of(number), NO_DIGIT.sub("", number)
    is_long = len(digits) >= PHONE_DIGITS or (measure is not None and not measure.unit)
    return is_long and len(digits) >= 3 and not digits.endswith("00")


def _pattern(value: Value, translation: str, lang: str) -> re.Pattern[str]:
    """Return a pattern of the forms of a value that are not parts of longer values.

    Compiling all forms of a clock time would take long, so those that a translation does not
    contain are left out.
    """
    written = _with_plain_spaces(translation)
    present = [form for form in value.forms if _with_plain_spaces(form) in written]
    forms = [
        _bounded(form) + _no_other_currency(form, value) + not_before_noun(form) for form in present
    ]
    others = [*_shared_units(value), _pair(value, lang), _words(value, lang), _half(value, lang)]
    others += [_equivalent(value, lang)]
    return re.compile("|".join([*forms, *filter(None, others)]) or NEVER)


def _shared_units(value: Value) -> Iterator[str]:
    """Yield patterns of a number whose unit is not directly beside it: 20 in "20 bis 30 $"."""
    measure = Measure.of_price(value.text)
    if measure and measure.unit in UNIT_WORDS:
        for number in map(_bounded, measure._replace(unit="").forms({})):
            yield f"{number}(?!{SPACE}?[{CURRENCY_SIGNS}])(?={unit_after(measure.unit)})"
            yield f"{RANGE_BEFORE}{number}"


def _pair(value: Value, lang: str) -> str | None:
    """Return a pattern of the two numbers of a pair, such as 10-20, with a word between them."""
    if match := PAIR.fullmatch(value.text):
        first = _or_words(f"{BEFORE}{match[1]}", match[1], lang)
        return f"{first}{BETWEEN}{_or_words(f'{match[2]}{AFTER}', match[2], lang)}"
    return None


def _or_words(pattern: str, number: str, lang: str) -> str:
    """Return a pattern of a number in digits that also matches its words if it is short."""
    words = word_pattern(int(number), lang) if len(number) <= 2 else None
    return f"(?:{pattern}|{words})" if words else pattern


def _half(value: Value, lang: str) -> str | None:
    """Return a pattern of the words for a number with a half, such as 2.5 or 1/2."""
    return HALF_WORDS.get(lang) if WITH_HALF.fullmatch(value.text) else None


def _equivalent(value: Value, lang: str) -> str | None:
    """Return a pattern of the usual words for a value, or None if there are none."""
    words = EQUIVALENTS.get(re.sub(SPACE, "", value.text), {}).get(lang)
    return rf"\b(?i:{words})" if words else None


def _no_other_currency(form: str, value: Value) -> str:
    """Return the end of a pattern for a form of a price, which may be a number alone."""
    is_alone = form[-1].isdigit() and any(sign in value.text for sign in CURRENCY_SIGNS)
    return rf"(?!{SPACE}?[{CURRENCY_SIGNS}])" if is_alone else ""


def _words(value: Value, lang: str) -> str | None:
    """Return a pattern of the words for the integer in a value, with or without a unit."""
    measure = Measure.of(value.text.strip(CURRENCY_SIGNS + SPACES))
    integer = measure.integer() if measure else None
    pattern = None if integer is None else word_pattern(integer, lang)
    return f"minus {pattern}" if pattern and measure and measure.sign else pattern


def _with_plain_spaces(text: str) -> str:
    return re.sub(SPACE, " ", text)


def _bounded(form: str) -> str:
    before = BEFORE if form[0].isdigit() else r"(?<!\w)"
    after = AFTER if form[-1].isdigit() else r"(?!\w|[.,]\d)"
    text = re.escape(form).replace(r"\ ", SPACE)
    return f"{before}{text}{after}"
