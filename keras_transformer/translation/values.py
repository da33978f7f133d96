"""Values of a text: numbers, prices, dates, codes, phone numbers, e-mail and web addresses.

A translation has to contain the values of its source, unchanged or in the format of the target
language.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from keras_transformer.text.addresses import addresses
from keras_transformer.text.digits import ascii_digits
from keras_transformer.text.sentences import UNSPACED
from keras_transformer.translation.formats import Formats
from keras_transformer.translation.measures import (
    GROUPED,
    NO_DIGIT,
    NUMBER_SIGN,
    SPACE,
    SPACES,
    SUFFIX,
    Measure,
    pair_forms,
)
from keras_transformer.translation.number_words import NUMBER_WORDS, SMALL, word_pattern

# A token, optionally after the capitals of a code (LH 400), with a currency sign, a minus sign or a
# unit. Whether it has a digit is checked afterwards: a pattern that requires a digit would be slow
# for a long word.
NO_CODE = r"(?:A|I|PLZ|USD|EUR|GBP|CHF|JPY) "  # words in capitals that do not begin a code
CODE_LETTERS = rf"(?:\b(?!{NO_CODE})[A-Z]{{1,3}}(?:-[A-Z]{{1,3}})? (?=\w*\d))?"
PRICE = rf"(?<=\d){SPACE}?[€$£](?:[.,]\d+)*"
TOKEN = re.compile(rf"{CODE_LETTERS}{NUMBER_SIGN}[€$£]?\w+(?:[-./:,']\w+)*(?:{PRICE}|{SUFFIX})?")
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
CODE = re.compile(r"(?=.*\d)(?=.*[A-Z#/]).+")
# Groups of digits with one separator between them. The first begins with + or 0, which tells a
# phone number from two numbers next to each other; it does not begin a date such as 03/05/2021.
# American numbers have three digits in parentheses: (555) 123-4567.
PHONE = re.compile(
    r"(?<![\w.,/-])(?!\d\d([/-])\d\d?\1\d+\b)(?:\+\d+|0\d*|\(0\d*\))"
    r"(?:[ /-]?\(\d+\)|[ /-]\d+|(?<=\))\d+)+(?!\w)"
    r"|(?<![\w.,/-])\(\d{3}\) ?\d{3}[ -]\d{4}(?!\w)"
)
PHONE_DIGITS = 7  # the least number of digits
CURRENCY_SIGNS = "€$£"
LARGE_NUMBERS = {
    10**6: ("Million", "Millionen", "million", "millions"),
    10**9: ("Milliarde", "Milliarden", "billion", "billions"),
}
LONGEST_LARGE = 20  # characters of a number that may have such a word
IN_WORDS = re.compile(rf"\s*({'|'.join(itertools.chain(*LARGE_NUMBERS.values()))})\b")
FIRST_DAY = re.compile(r"\d+\.")
DAY_JOINS = " bis", " und", " oder"
LETTER = re.compile(r"[^\W\d_]")
DIGITS = re.compile(r"\d+")
FILLER = "."  # takes the place of text that is not to be searched; belongs to no word or token


class Unit(NamedTuple):
    """A part of a sentence, such as a name or a number."""

    text: str
    start: int
    end: int


class Value(NamedTuple):
    """A value of a source.

    Attributes:
        start: its first position in the source.
        end: the position after it.
        text: the value in the format of the target language, as it is inserted.
        forms: the texts by which a translation may express it.
    """

    start: int
    end: int
    text: str
    forms: tuple[str, ...]


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text of the same length with parts of it replaced by fillers."""
    for start, end in spans:
        text = text[:start] + FILLER * (end - start) + text[end:]
    return text


def without_addresses(text: str) -> str:
    """Return a text of the same length with e-mail and web addresses replaced by fillers."""
    return blanked(text, addresses(text))


def numbers(text: str) -> list[Unit]:
    """Return the units of a text that contain digits, except ordinals."""
    # If the text is all capitals, a word before a number does not belong to a code.
    searched = text.lower() if text.isupper() and len(text.lower()) == len(text) else text
    return [
        Unit(text[match.start() : match.end()], *match.span())
        for match in TOKEN.finditer(searched)
        if any(map(str.isdigit, match[0])) and not ORDINAL.fullmatch(match[0])
    ]


def address_units(text: str) -> list[Unit]:
    """Return the e-mail addresses and web addresses of a text."""
    return [Unit(text[start:end], start, end) for start, end in addresses(text)]


def phone_units(text: str) -> list[Unit]:
    """Return the phone numbers of a text that consist of several groups of digits."""
    return [
        Unit(match[0], *match.span())
        for match in PHONE.finditer(text)
        if sum(map(str.isdigit, match[0])) >= PHONE_DIGITS
    ]


def values(source: str, formats: Formats) -> list[Value]:
    """Return the values of a source, in order.

    Numbers within words ("2-year-old", "90s") and ordinals are left out, because languages write
    them differently.

    Args:
        source: a sentence.
        formats: the `Formats` of its language and the target language.
    """
    found = [_copied(unit) for unit in address_units(source)]
    rest = blanked(source, ((each.start, each.end) for each in found))
    for start, end, text in formats.dates(rest):
        found.append(Value(start, end, text, (text, *_first_days(text), source[start:end])))
    rest = blanked(rest, ((each.start, each.end) for each in found))
    phones = list(map(_copied, phone_units(rest)))
    found += phones
    rest = ascii_digits(blanked(rest, ((each.start, each.end) for each in phones)))
    found += [_number(unit, rest, formats) for unit in numbers(rest) if _is_whole(unit.text)]
    return sorted(found)


def _copied(unit: Unit) -> Value:
    """Return a value that languages write in the same way."""
    return Value(unit.start, unit.end, unit.text, (unit.text, ascii_digits(unit.text)))


def _first_days(date: str) -> list[str]:
    """Return how a German date begins in front of a later day of its month: 3. bis 5. Mai."""
    day = FIRST_DAY.match(date)
    return [f"{day[0]}{join}" for join in DAY_JOINS] if day else []


def is_code(unit: Unit) -> bool:
    """Return whether a unit with digits is a code, such as B-17, and not a number."""
    return bool(CODE.fullmatch(unit.text)) and not Measure.of(unit.text)


def _is_whole(text: str) -> bool:
    """Return whether a token is a number or a code, and not a word that contains a number."""
    return Measure.of(text) is not None or all(map(str.isupper, filter(str.isalpha, text)))


def _number(unit: Unit, source: str, formats: Formats) -> Value:
    rest = source[unit.end :]
    text = formats.inserted(unit.text, rest)
    return Value(unit.start, unit.end, text, _number_forms(unit, rest, formats))


def expressions(unit: Unit, rest: str, formats: Formats) -> list[str]:
    """Return the texts that express a number in the target language, the best one first.

    Args:
        unit: the number.
        rest: the text after it in the source.
        formats: the `Formats` of the two languages.
    """
    text = formats.number(unit.text, rest)
    measure = Measure.of(text)
    forms = measure.forms(formats.unit_words) if measure else pair_forms(text)
    others = *_with_large_words(text), *_without_large_words(unit.text, rest)
    return list(dict.fromkeys([text, *forms, *others, *formats.other_forms(unit.text, rest)]))


def _with_large_words(text: str) -> Iterator[str]:
    """Yield how a large number is written with the word for a million or more: 5 Millionen."""
    integer = _large_integer(text.strip(CURRENCY_SIGNS + SPACES))
    signs = "", *filter(text.__contains__, CURRENCY_SIGNS)
    for size, words in LARGE_NUMBERS.items():
        if integer >= size and integer % (size // 1000) == 0:
            amount = f"{integer / size:.10g}"
            for parts in itertools.product(signs, {amount, amount.replace(".", ",")}, words):
                yield "{}{} {}".format(*parts)


def _large_integer(number: str) -> int:
    """Return a number with separators of thousands, or 0 if it has none or is no integer."""
    amount = measure.amount if (measure := Measure.of(number)) else ""
    is_integer = GROUPED.fullmatch(amount) and len(amount) <= LONGEST_LARGE
    return int(NO_DIGIT.sub("", amount)) if is_integer else 0


def _without_large_words(number: str, rest: str) -> list[str]:
    """Return how a number before the word for a million or more is written in digits."""
    word, amount = IN_WORDS.match(rest), number.strip(CURRENCY_SIGNS + SPACES).replace(",", ".")
    if not word or not re.fullmatch(r"\d{1,4}(?:\.\d{1,3})?", amount):
        return []
    size = next(size for size, words in LARGE_NUMBERS.items() if word[1] in words)
    total = f"{round(float(amount) * size):,}"
    return [total, total.replace(",", "."), total.replace(",", "")]


def _number_forms(unit: Unit, rest: str, formats: Formats) -> tuple[str, ...]:
    """Return the `expressions` of a number, also without a currency sign or as in the source."""
    texts = formats.number(unit.text, rest), unit.text
    amounts = (text.strip(CURRENCY_SIGNS + SPACES) for text in texts)
    measures = filter(None, map(Measure.of, (unit.text, *amounts)))
    forms = (form for each in measures for form in each.forms(formats.unit_words))
    return tuple(dict.fromkeys([*expressions(unit, rest, formats), unit.text, *forms]))


def formatted(source: str, found: Iterable[Value], translation: str) -> str:
    """Return a translation with the prices and measures of its source in the target format.

    A network may copy them (19m, 68.4m), change only the number (68,4m), write the unit in capitals
    (10 Kg), not finish it (50 km/) or separate the minus sign (- 5 °C).

    Args:
        source: the source.
        found: its values.
        translation: the translation.
    """
    for value in found:
        original = source[value.start : value.end]
        if _has_unit(original) or original.startswith("-"):
            forms = "|".join(map(_loosely, (original, value.text)))
            pattern = re.compile(rf"(?<![\w.,-])(?:{forms})(?!\w)", re.IGNORECASE)
            new = value.text.replace("\\", r"\\")  # `sub` interprets backslashes
            translation = pattern.sub(new, translation)
    return translation


def _loosely(number: str) -> str:
    """Return a pattern of a number, with or without spaces after its sign and before its unit."""
    amount, slash, per = re.escape(number.replace(" ", "")).partition("/")
    amount = re.sub(r"^\\-", f"-{SPACE}?", amount)
    amount = re.sub(r"(?<=\d)(?=[^\d.,\\])", f"{SPACE}?", amount)
    return f"{amount}/(?:{per})?" if slash else amount


def _has_unit(number: str) -> bool:
    """Return whether a number has a unit or a currency sign."""
    measure = Measure.of(number)
    return bool(measure.unit) if measure else any(sign in number for sign in CURRENCY_SIGNS)


def is_small(value: Value) -> bool:
    """Return whether a value is an integer that is usually written in words."""
    return value.text.isdecimal() and len(value.text) <= 2 and int(value.text) < SMALL


def located(
    found: Sequence[Value], translation: str, lang: str
) -> tuple[list[tuple[int, int]], list[Value]]:
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
    spans: list[tuple[int, int]] = []
    missing: list[Value] = []
    for value in sorted(found, key=lambda each: -len(each.text)):
        match = _pattern(value, lang).search(translation)
        if match:
            spans.append(match.span())
            translation = blanked(translation, [match.span()])
        elif not is_small(value) or lang in NUMBER_WORDS:
            missing.append(value)
    return spans, sorted(missing)


def surely_missing(
    missing: Iterable[Value], translation: str, kept: Iterable[tuple[int, int]], lang: str
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
    if LETTER.search(text) and not Measure.of(text):  # a code or an address
        return digits.isdisjoint(DIGITS.findall(text))
    return not digits and lang not in UNSPACED and _is_in_digits(text)


def _is_in_digits(number: str) -> bool:
    """Return whether probably all languages write a number without a unit in digits."""
    measure, digits = Measure.of(number), NO_DIGIT.sub("", number)
    is_long = len(digits) >= PHONE_DIGITS or (measure is not None and not measure.unit)
    return is_long and len(digits) >= 3 and not digits.endswith("00")


def _pattern(value: Value, lang: str) -> re.Pattern[str]:
    """Return a pattern of the forms of a value that are not parts of longer values."""
    forms = [_bounded(form) + _no_other_currency(form, value) for form in value.forms]
    return re.compile("|".join([*forms, *filter(None, [_words(value, lang)])]))


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


def _bounded(form: str) -> str:
    before = r"(?<!\d)(?<!\d[.,:])" if form[0].isdigit() else r"(?<!\w)"
    after = r"(?!\d|[.,:]\d)" if form[-1].isdigit() else r"(?!\w)"
    text = re.escape(form).replace(r"\ ", SPACE)
    return f"{before}{text}{after}"
