"""Dates in digits, such as 2021-05-03, and the ways in which a translation may write them."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from num2words import num2words

from keras_transformer.corrections.dates import MONTHS, TranslatedDate
from keras_transformer.corrections.measures import AMOUNT_END

# The order of the parts of a date may be unknown: 03/05/2021.
ORDERS = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)"),
    re.compile(r"(?P<day>\d\d?)(?P<join>[./-])(?P<month>\d\d?)(?P=join)(?P<year>\d{4}|\d\d)"),
    re.compile(r"(?P<month>\d\d?)(?P<join>[/-])(?P<day>\d\d?)(?P=join)(?P<year>\d{4}|\d\d)"),
)
SLASHED = ORDERS[1:]
# Not the amounts in "12/24/36 months", nor a rule such as 10/20/30.
SLASHES = re.compile(
    r"(?<![\w.,:/-])\d\d?/\d\d?/(?:(?:1\d|20)\d\d|"
    rf"\d\d(?!{AMOUNT_END.pattern}| (?:rule|split|plan|ratio|mix)\b))(?!\w|[/-]|[.,]\d)"
)
# Before a date with slashes that ends a range whose beginning has no year: 3/14 - 3/16/2024.
RANGE_BEGINNING = re.compile(
    r"(?<![\w/])\d\d?/\d\d?(?: ?[-–] ?| to | and | until | through )$"  # noqa: RUF001, a dash
)
WITHOUT_YEAR = re.compile(r"(?P<day>\d\d?)\.(?P<month>\d\d?)(?P<year>)")  # before a period


class DigitDate(NamedTuple):
    """A date of which all parts are numbers. The year is "" if the text names none."""

    day: int
    month: int
    year: str

    def german_forms(self) -> Iterator[str]:
        """Yield the ways to write the date in German."""
        name = list(MONTHS.values())[self.month - 1]
        for day in dict.fromkeys((str(self.day), f"{self.day:02}")):
            yield f"{day}. {name} {self.year}".rstrip()
        yield from self._numeric_forms()

    def english_forms(self) -> Iterator[str]:
        """Yield the ways to write the date in English."""
        name = list(MONTHS)[self.month - 1]
        for day in (num2words(self.day, to="ordinal_num"), str(self.day)):
            for text in (f"{name} {day}", f"{day} {name}", f"{day} of {name}"):
                yield from (f"{text}, {self.year}", f"{text} {self.year}") if self.year else (text,)
        yield from self._numeric_forms()
        if not self.year:  # the end of a range: May 3 to 7
            yield from (num2words(self.day, to="ordinal_num"), str(self.day))

    def _numeric_forms(self) -> Iterator[str]:
        """Yield the date in digits: 3.5.2021, 05/03/2021, 2021-05-03."""
        if self.year:
            yield f"{self.year}-{self.month:02}-{self.day:02}"
        for width in (1, 2):
            day, month = f"{self.day:0{width}}", f"{self.month:0{width}}"
            yield f"{day}.{month}.{self.year}"
            for first, second in ((day, month), (month, day)):
                yield f"{first}/{second}/{self.year}".rstrip("/")


def digit_dates(number: str, rest: str) -> Iterator[DigitDate]:
    """Yield the dates that a token with digits may be.

    Args:
        number: the token.
        rest: the text after it.
    """
    orders = [*ORDERS, *([WITHOUT_YEAR] if rest.startswith(".") else [])]
    for order in orders:
        yield from _dates(number, order)


def slashed_dates(source: str) -> list[TranslatedDate]:
    """Return the dates with slashes of an English text, with their forms in German.

    3/14/1985 becomes 14.3.1985. The date 3/4/1985 may be in March or in April; it is left as it is
    unless another date of the text shows the order.
    """
    matches = [
        match
        for match in SLASHES.finditer(source)
        if not RANGE_BEGINNING.search(source, max(match.start() - 16, 0), match.start())
    ]
    known = [order for order in SLASHED if all(any(_dates(each[0], order)) for each in matches)]
    found = ((match.span(), _slashed_forms(match[0], known or SLASHED)) for match in matches)
    return [TranslatedDate(*span, forms) for span, forms in found if forms]


def with_german_dates(source: str, translation: str) -> str:
    """Return a German translation in which copied dates with slashes have their German forms."""
    forms = {source[each.start : each.end]: each.forms[0] for each in slashed_dates(source)}
    return SLASHES.sub(lambda match: forms.get(match[0], match[0]), translation)


def _dates(text: str, order: re.Pattern[str]) -> Iterator[DigitDate]:
    """Yield the dates that a text may be if its parts have an order."""
    match = order.fullmatch(text)
    if match and 1 <= int(match["day"]) <= 31 and 1 <= int(match["month"]) <= 12:
        year = match["year"]
        centuries = ("", "20", "19") if len(year) == 2 else ("",)
        for century in centuries:
            yield DigitDate(int(match["day"]), int(match["month"]), f"{century}{year}")


def _slashed_forms(text: str, orders: Iterable[re.Pattern[str]]) -> tuple[str, ...]:
    """Return the texts that express a date with slashes in German, the best one first."""
    dates = [date for order in orders for date in _dates(text, order)]
    year = text.rpartition("/")[2]
    best = dict.fromkeys(f"{date.day}.{date.month}.{year}" for date in dates)
    others = (form for date in dates for form in date.german_forms())
    return tuple(dict.fromkeys([*(best if len(best) == 1 else ()), text, *others])) if dates else ()
