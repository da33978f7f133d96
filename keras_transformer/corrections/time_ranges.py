"""Ranges of clock times that are one token, such as 14-16 and 8:30-10:00."""

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from keras_transformer.corrections.clock_times import ClockTime
from keras_transformer.corrections.measures import JOINS
from keras_transformer.corrections.written_times import (
    FROM_1_TO_12,
    HALF_OF_DAY,
    HOUR,
    UHR,
    first_hour,
    hour_of,
    valid,
)

HOURS = re.compile(rf"({FROM_1_TO_12.pattern})-({FROM_1_TO_12.pattern})")
TIMES = re.compile(rf"{HOUR}-{HOUR}")
# Groups: the first time, its minutes, its half of the day if any, and those of the second.
TIME = r"(\d{1,2}(?:[:.](\d\d))?)"
JOINED_RANGE = re.compile(  # 9am-5pm, 2-4pm
    rf"(?<![\w.,:/-]){TIME}(?:([ap])m)?-{TIME}([ap])m\b", re.IGNORECASE
)


class TimeRange(NamedTuple):
    """The times at which a range begins and ends."""

    start: ClockTime
    end: ClockTime

    @property
    def german_number(self) -> str:
        """The range in German without "Uhr": 14-16, or 14:30-16:00."""
        return f"{_digits(self.start)}-{_digits(self.end)}"

    @property
    def english_number(self) -> str:
        """The range in English, with the half of the day of both times at the end: 2-4 p.m."""
        start, end = (each._replace(hour=each.hour % 12 or 12) for each in self)
        half, last = (each.halves[0] for each in self)
        first = "" if half == last else f" {half}"
        return f"{_digits(start)}{first}-{_digits(end)} {last}"

    def german_forms(self) -> Iterator[str]:
        """Yield the ways to write the range in German."""
        return _joined(*(_with_uhr(each.german_digits()) for each in self))

    def english_forms(self) -> Iterator[str]:
        """Yield the ways to write the range in English."""
        return _joined(*(each.english_digits() for each in self))


def english_range(number: str, rest: str) -> TimeRange | None:
    """Return the range that a token of an English text is before "a.m." or "p.m.", or None.

    Args:
        number: a token with digits.
        rest: the text after it.
    """
    if joined := JOINED_RANGE.fullmatch(number):
        return _joined_range(*joined.groups(default=""))
    match, half = TIMES.fullmatch(number), HALF_OF_DAY.match(rest)
    if not match or not half or max(int(match[1]), int(match[3])) > 24:
        return None
    end = hour_of(int(match[3]), half[1])
    return _range(first_hour(int(match[1]), end), match[2], end, match[4])


def ranges_after_noon(number: str) -> Iterator[str]:
    """Yield the German forms of two English numbers that may be hours: "open 9-5", "9-17 Uhr".

    Args:
        number: a token with digits.
    """
    if match := HOURS.fullmatch(number):
        start, end = map(int, match.groups())
        for first, join in itertools.product((start, start + 12), ("-", "–", " bis ")):  # noqa: RUF001
            yield f"{first}{join}{end + 12} Uhr"


def _joined_range(*parts: str) -> TimeRange | None:
    """Return the range that the groups of `JOINED_RANGE` are, or None if there is none."""
    first, minute, half, last, end_minute, end_half = parts
    hour, end = (int(re.split("[:.]", each)[0]) for each in (first, last))
    if max(hour, end) > 12:
        return None
    end = hour_of(end, end_half)
    return _range(hour_of(hour, half) if half else first_hour(hour, end), minute, end, end_minute)


def with_separate_times(source: str) -> str:
    """Return an English text with a space and "to" in ranges such as 9am-5pm.

    A range with one half of the day, such as 2-4pm, stays one word, which is translated better.
    """
    return JOINED_RANGE.sub(
        lambda match: f"{match[1]} {match[3]}m to {match[4]} {match[6]}m" if match[3] else match[0],
        source,
    )


def german_range(number: str, rest: str) -> TimeRange | None:
    """Return the range that a token is before "Uhr", or None; the arguments are the same."""
    match = TIMES.fullmatch(number) if UHR.match(rest) else None
    return _range(int(match[1]), match[2], int(match[3]), match[4]) if match else None


def _range(hour: int, minute: str | None, end: int, end_minute: str | None) -> TimeRange | None:
    """Return a range, or None if there are no such times."""
    start, last = valid(ClockTime(hour, minute or "")), valid(ClockTime(end, end_minute or ""))
    return TimeRange(start, last) if start and last else None


def _digits(time: ClockTime) -> str:
    return f"{time.hour}:{time.minute}" if time.minute else str(time.hour)


def _with_uhr(numbers: Iterable[str]) -> Iterator[str]:
    return (f"{number}{uhr}" for number in numbers for uhr in (" Uhr", ""))


def _joined(starts: Iterable[str], ends: Iterable[str]) -> Iterator[str]:
    """Yield each start with each end."""
    return ("".join(parts) for parts in itertools.product(starts, JOINS, ends))
