"""Values of a text: numbers, prices, dates, codes, phone numbers, e-mail and web addresses.

A translation has to contain the values of its source, unchanged or in the format of the target
language.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from keras_transformer.corrections.formats import Formats
from keras_transformer.corrections.large_numbers import (
    with_large_words,
    without_large_words,
)
from keras_transformer.corrections.measures import (
    CURRENCY_SIGNS,
    NO_DIGIT,
    NUMBER_SIGN,
    PAIR,
    SPACE,
    SUFFIX,
    Measure,
    pair_forms,
)
from keras_transformer.corrections.number_words import SMALL
from keras_transformer.corrections.spans import Span, TextSpan, blanked
from keras_transformer.text.addresses import addresses
from keras_transformer.text.casing import is_in_capitals
from keras_transformer.text.digits import ascii_digits
from keras_transformer.text.touching import BEGIN, END, LETTER

# Words in capitals that do not begin a code: in the US 50 million people.
NO_CODE = "(?:A|I|PLZ|USD|EUR|GBP|CHF|JPY|US|USA|UK|EU|UN|TV|OK|AM|PM|AD|BC|WM|EM) "
# A token, optionally after the capitals of a code (LH 400), with a currency sign, a minus sign or a
# unit. Whether it has a digit is checked afterwards: a pattern that requires a digit would be slow
# for a long word.
# A number before these is an amount: I moved to NYC 10 years ago.
COUNTED = (
    r"\d[\d.,]* (?:years?|months?|weeks?|days?|hours?|minutes?|times|people|percent|million"
    r"|Jahren?|Monaten?|Wochen?|Tagen?|Stunden?|Minuten?|Mal|Leuten?|Menschen|Prozent|Millionen"
    r"|dollars?|euros?|pounds?)\b"
)
CODE_LETTERS = (
    rf"(?:{BEGIN}(?!{NO_CODE})[A-Z]{{1,3}}(?:-[A-Z]{{1,3}})? (?={LETTER}*\d)(?!(?i:{COUNTED})))?"
)
PRICE = rf"(?<=\d){SPACE}?[€$£](?:[.,]\d+)*"
# Chinese, Japanese and Korean words for powers of ten and decades, after a number.
POWER = r"(?<=\d)(?:[十百千万萬億亿兆십백천만억조]|年代|년대)"
TOKEN = re.compile(
    rf"{CODE_LETTERS}{NUMBER_SIGN}[€$£]?{LETTER}+(?:[-./:,']{LETTER}+)*"
    rf"(?:{PRICE}|{SUFFIX}|{POWER})?"
)
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
CODE = re.compile(r"(?=.*\d)(?=.*[A-Z#/]).+")
# Groups of digits with one separator between them. The first begins with + or 0, which tells a
# phone number from two numbers next to each other; it does not begin a date such as 03/05/2021.
# American numbers have three digits in parentheses: (555) 123-4567.
PHONE = re.compile(
    rf"{BEGIN}(?<![.,/-])(?!\d\d([/-])\d\d?\1\d+{END})(?:\+\d+|0\d*|\(0\d*\))"
    rf"(?:[ /-]?\(\d+\)|[ /-]\d+|(?<=\))\d+)+{END}"
    rf"|{BEGIN}(?<![.,/-])\(\d{{3}}\) ?\d{{3}}[ -]\d{{4}}{END}"
)
PHONE_DIGITS = 7  # the least number of digits
# Before a number that is surely no German time: um 6.30, 9.30 bis 5.30, 6.30 und 17.30 Uhr.
NO_TIME = (
    r"(?<!\b[Uu]m )(?<!\bbis )(?![\d.]+ bis )"
    r"(?![\d.]+(?:(?:,|,? bis|,? und|,? oder|-) ?[\d.]+)* Uhr\b)"
)
SEPARATED = re.compile(r"\d+(?:[.,]\d+)*(?:-\d+(?:[.,]\d+)*)?")
# A word after a number or a code: 5-Sterne-Hotel, 3D-Drucker. The lazy quantifier makes the time
# linear.
COMPOUND = re.compile(r"\D*\d.*?-[^\W\d_]?[^\W\d_A-ZÄÖÜ]{2,}(?:-|$)")


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

    @property
    def span(self) -> Span:
        """The start and the end in the source."""
        return self.start, self.end


def without_addresses(text: str) -> str:
    """Return a text of the same length with e-mail and web addresses replaced by fillers."""
    return blanked(text, addresses(text))


def numbers(text: str) -> list[TextSpan]:
    """Return the tokens of a text that contain digits, except ordinals."""
    # If the text is all capitals, a word before a number does not belong to a code.
    searched = text.lower() if is_in_capitals(text) and len(text.lower()) == len(text) else text
    return [
        TextSpan(text[match.start() : match.end()], *match.span())
        for match in TOKEN.finditer(searched)
        if any(map(str.isdigit, match[0])) and not ORDINAL.fullmatch(match[0])
    ]


def address_spans(text: str) -> list[TextSpan]:
    """Return the e-mail addresses and web addresses of a text."""
    return [TextSpan(text[start:end], start, end) for start, end in addresses(text)]


def phone_spans(text: str) -> list[TextSpan]:
    """Return the phone numbers of a text that consist of several groups of digits."""
    return [
        TextSpan(match[0], *match.span())
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
    found = list(map(_copied, address_spans(source)))
    rest = blanked(source, (each.span for each in found))
    for start, end, forms in formats.dates(rest):
        found.append(Value(start, end, forms[0], (*forms, source[start:end])))
    rest = blanked(rest, (each.span for each in found))
    copied = [*map(_copied, phone_spans(rest)), *_versions(rest, formats)]
    found += copied
    rest = ascii_digits(blanked(rest, (each.span for each in copied)))
    tokens = _joined(numbers(rest), rest, formats)
    found += [
        _number(each, rest, formats)
        for each in tokens
        if _is_whole(each.text) or formats.is_time(each.text)
    ]
    return sorted(found)


def _joined(tokens: list[TextSpan], text: str, formats: Formats) -> list[TextSpan]:
    """Return the tokens of a text, of which those that are one number together are one token.

    A word may be part of the number: half past 2.
    """
    for match in formats.joined.finditer(text):
        parts = [each for each in tokens if each.start < match.end() and match.start() < each.end]
        if parts:
            start, end = min(match.start(), parts[0].start), parts[-1].end
            tokens = [each for each in tokens if each not in parts]
            tokens.append(TextSpan(text[start:end], start, end))
    return tokens


def _copied(part: TextSpan) -> Value:
    """Return a value that languages write in the same way."""
    return Value(*part.span, part.text, (part.text, ascii_digits(part.text)))


def _versions(source: str, formats: Formats) -> list[Value]:
    """Return the numbers after words such as "version", which all languages write in one way."""
    return [
        _copied(TextSpan(match["number"], *match.span("number")))
        if match["number"]
        else _possibly_copied(TextSpan(match["possible"], *match.span("possible")), formats)
        for match in formats.versions.finditer(source)
    ]


def _possibly_copied(part: TextSpan, formats: Formats) -> Value:
    """Return a number that languages may write in the same way or in their formats."""
    return Value(*part.span, part.text, (part.text, formats.number(part.text)))


def is_code(token: TextSpan) -> bool:
    """Return whether a token with digits is a code, such as B-17, and not a number."""
    is_word = COMPOUND.match(token.text) or Measure.of(token.text)
    return bool(CODE.fullmatch(token.text)) and not is_word


def _is_whole(text: str) -> bool:
    """Return whether a token is a number or a code, and not a word that contains a number."""
    is_number = Measure.of(text) or PAIR.fullmatch(text)
    return bool(is_number) or all(map(str.isupper, filter(str.isalpha, text)))


def _number(number: TextSpan, source: str, formats: Formats) -> Value:
    rest = source[number.end :]
    text = formats.inserted(number.text, rest)
    return Value(*number.span, text, _number_forms(number, rest, formats))


def _number_forms(number: TextSpan, rest: str, formats: Formats) -> tuple[str, ...]:
    """Return the texts that express a number in the target language, the best one first.

    Args:
        number: the number.
        rest: the text after it in the source.
        formats: the `Formats` of the two languages.
    """
    text = formats.number(number.text, rest)
    is_copied = NO_DIGIT.sub("", text) == NO_DIGIT.sub("", number.text)  # not 19 for 7 p.m.
    texts = [text, *([number.text] if is_copied else [])]
    forms = [form for each in texts for form in _measure_forms(each, formats)]
    large = *with_large_words(text), *without_large_words(number.text, rest)
    others = *pair_forms(text), *large, *formats.other_forms(number.text, rest)
    return tuple(dict.fromkeys([*texts, *forms, *others]))


def _measure_forms(text: str, formats: Formats) -> list[str]:
    """Return the texts that express a measure or a price; none for other numbers."""
    measure = Measure.of_price(text)
    if measure is None:
        return []
    prices = [text.replace(measure.amount, each, 1) for each in measure.amounts()]
    return [*prices, *measure.forms(formats.unit_words)]


def formatted(source: str, found: Iterable[Value], translation: str) -> str:
    """Return a translation with the numbers of its source in the target format.

    A network may copy them (3,211; 19m), change only the number of a measure (68,4m), write its
    unit in capitals (10 Kg), not finish it (50 km/) or separate the minus sign (- 5 °C). What may
    be a time in German is left: um 6.30 Uhr.

    Args:
        source: the source.
        found: its values.
        translation: the translation.
    """
    for value in found:
        original = source[value.start : value.end]
        if _has_format(original, value.text):
            forms = "|".join(map(_loosely, (original, value.text)))
            guard = NO_TIME if _may_be_time(original, value) else ""
            pattern = re.compile(rf"(?<![\w.,-]){guard}(?:{forms})(?!\w|[.,]\d)", re.IGNORECASE)
            new = value.text.replace("\\", r"\\")  # `sub` interprets backslashes
            translation = pattern.sub(new, translation)
    return translation


def _loosely(number: str) -> str:
    """Return a pattern of a number, with or without spaces after its sign and before its unit."""
    amount, slash, per = re.escape(number.replace(" ", "")).partition("/")
    amount = re.sub(r"^\\-", f"-{SPACE}?", amount)
    amount = re.sub(r"(?<=\d)(?=[^\d.,\\])", f"{SPACE}?", amount)
    return f"{amount}/(?:{per})?" if slash else amount


def _may_be_time(number: str, value: Value) -> bool:
    """Return whether a number with separators may also be a clock time: 6.30."""
    return number.replace(".", ":") in value.forms


def _has_format(number: str, text: str) -> bool:
    """Return whether a number has a unit, a minus sign or other separators than in the target."""
    has_other_separators = number != text and all(map(SEPARATED.fullmatch, (number, text)))
    return has_other_separators or number.startswith("-") or _has_unit(number)


def _has_unit(number: str) -> bool:
    """Return whether a number has a unit or a currency sign."""
    measure = Measure.of(number)
    return bool(measure.unit) if measure else any(sign in number for sign in CURRENCY_SIGNS)


def is_small(value: Value) -> bool:
    """Return whether a value is an integer that is usually written in words."""
    return value.text.isdecimal() and len(value.text) <= 2 and int(value.text) < SMALL
