"""Dates in digits, such as 2021-05-03, and the ways in which a translation may write them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from num2words import num2words

from keras_transformer.corrections.dates import MONTHS

# The order of the parts of a date may be unknown: 03/05/2021.
ORDERS = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)"),
    re.compile(r"(?P<day>\d\d?)(?P<join>[./-])(?P<month>\d\d?)(?P=join)(?P<year>\d{4}|\d\d)"),
    re.compile(r"(?P<month>\d\d?)(?P<join>[/-])(?P<day>\d\d?)(?P=join)(?P<year>\d{4}|\d\d)"),
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
    for match in filter(None, (order.fullmatch(number) for order in orders)):
        day, month, year = int(match["day"]), int(match["month"]), match["year"]
        if 1 <= day <= 31 and 1 <= month <= 12:
            centuries = ("", "20", "19") if len(year) == 2 else ("",)
            yield from (DigitDate(day, month, f"{century}{year}") for century in centuries)
