"""Clock times, and the ways in which German and English express them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from num2words import num2words

from keras_transformer.translation.measures import RANGE

HOUR = r"(\d{1,2})(?:[:.](\d\d))?"
TIME = re.compile(HOUR)
JOINED_TIME = re.compile(r"(\d{1,2}(?:[:.]\d\d)?)([ap])m", re.IGNORECASE)  # 6am
HALF_OF_DAY = re.compile(r"\s*([ap])\.?m\b", re.IGNORECASE)
# The rest of a range, whose end has the half of the day or "Uhr" of both times.
END_OF_RANGE = re.compile(rf"\s*{RANGE}\s*{HOUR}{HALF_OF_DAY.pattern}", re.IGNORECASE)
END_BEFORE_UHR = re.compile(rf"\s*{RANGE}\s*{HOUR}\s*Uhr\b")
TIME_AROUND_UHR = re.compile(r"(\d{1,2}) Uhr (\d\d)")
O_CLOCK = re.compile(r"\s*o'clock\b", re.IGNORECASE)
UHR = re.compile(r"\s*Uhr\b")
QUARTERS = {  # {minute: phrases before this hour, phrases before the next hour}
    "15": (("Viertel nach", "viertel nach"), ("Viertel", "viertel")),
    "30": ((), ("halb", "Halb")),
    "45": ((), ("Viertel vor", "viertel vor", "Dreiviertel", "dreiviertel")),
}


class Words(NamedTuple):
    """The words of a language that relate minutes to an hour.

    Attributes:
        lang: code of the language.
        past, to: the words after the number of minutes.
        fractions: {minutes: word}, for those that are not numbers.
    """

    lang: str
    past: str
    to: str
    fractions: Mapping[int, str] = {}


GERMAN = Words("de", "nach", "vor")
ENGLISH = Words("en", "past", "to", {15: "quarter", 30: "half"})
AFTERNOON = "p.m.", "pm", "P.M.", "PM"
MORNING = "a.m.", "am", "A.M.", "AM"


class ClockTime(NamedTuple):
    """A time of day.

    Attributes:
        hour: the hour, from 0 to 24.
        minute: two digits, or "" if the text names none.
        is_exact: whether the half of the day is known.
    """

    hour: int
    minute: str = ""
    is_exact: bool = True

    @property
    def german_number(self) -> str:
        """The time in German without "Uhr": 14.30, or 14."""
        return f"{self.hour}.{self.minute}" if self.minute else str(self.hour)

    @property
    def english_number(self) -> str:
        """The time in English: 2:30, and from 13 o'clock on 2:30 p.m."""
        if 0 < self.hour <= 12:
            return f"{self.hour}:{self._minute}"
        return f"{self._hour}:{self._minute} {self.halves[0]}"

    def german_forms(self) -> Iterator[str]:
        """Yield the ways to write the time in German."""
        yield from self._german_forms()
        if not self.is_exact:
            yield from self._replace(hour=self.hour % 12 + 12)._german_forms()

    def english_forms(self) -> Iterator[str]:
        """Yield the ways to write the time in English."""
        yield from self._english_forms()
        if not self.is_exact:
            yield from self._replace(hour=self.hour % 12 + 12)._english_forms()

    def _english_forms(self) -> Iterator[str]:
        words = num2words(self._hour, lang="en")
        if self._minute == "00":
            yield from (f"{hour} o'clock" for hour in (str(self._hour), words))
            yield from (words, *_names(self.hour, "midnight", "noon"))
        yield from (*self.english_digits(), f"{self.hour}:{self._minute}")
        yield from _relative(int(self._minute), *self._hours("en"), ENGLISH)

    def german_digits(self) -> Iterator[str]:
        """Yield the time in digits, without "Uhr"."""
        yield from (f"{self.hour}.{self._minute}", f"{self.hour}:{self._minute}")
        if self._minute == "00":
            yield str(self.hour)

    def english_digits(self) -> Iterator[str]:
        """Yield the time on a clock of 12 hours, with and without the half of the day."""
        numbers = [f"{self._hour}:{self._minute}"]
        numbers += [str(self._hour)] if self._minute == "00" else []
        for number in numbers:
            yield from (*_with_halves(number, self.halves), number)

    @property
    def _minute(self) -> str:
        return self.minute or "00"

    @property
    def _hour(self) -> int:
        """The hour on a clock of 12 hours."""
        return self.hour % 12 or 12

    @property
    def halves(self) -> tuple[str, ...]:
        """The names of the half of the day, the usual one first."""
        return AFTERNOON if self.hour % 24 >= 12 else MORNING

    def _hours(self, lang: str) -> tuple[str, str]:
        """The hour and the next hour in words, on a clock of 12 hours."""
        return num2words(self._hour, lang=lang), num2words(self._hour % 12 + 1, lang=lang)

    def _german_forms(self) -> Iterator[str]:
        yield from (f"{self.hour}.{self._minute}", f"{self.hour}:{self._minute}")
        minutes = [self._minute, num2words(int(self._minute), lang="de")]
        if self._minute == "00":
            minutes = [""]
            yield f"um {num2words(self._hour, lang='de')}"
            yield from _names(self.hour, "Mitternacht", "Mittag", "mittags")
        for hour in self._german_hours():
            yield from (f"{hour} Uhr {minute}".rstrip() for minute in minutes)
        yield from self._german_quarters()
        yield from _relative(int(self._minute), *self._hours("de"), GERMAN)

    def _german_hours(self) -> list[str]:
        """Return the hour in digits, and in words of a clock of 24 and of 12 hours."""
        hours = dict.fromkeys([self.hour, self._hour])
        return [str(self.hour), *("ein" if h == 1 else num2words(h, lang="de") for h in hours)]

    def _german_quarters(self) -> Iterator[str]:
        """Yield the forms that name the hour to which a quarter or a half leads."""
        this, following = self._hours("de")
        before, after = QUARTERS.get(self.minute, ((), ()))
        yield from (f"{phrase} {hour}" for phrase in before for hour in (this, str(self._hour)))
        digits = str(self._hour % 12 + 1)
        yield from (f"{phrase} {hour}" for phrase in after for hour in (following, digits))


def english_time(number: str, rest: str) -> ClockTime | None:
    """Return the clock time that a number of an English text is, or None.

    Args:
        number: a token with digits.
        rest: the text after it.
    """
    if joined := JOINED_TIME.fullmatch(number):
        number, rest = joined[1], f" {joined[2]}m"
    match, half = TIME.fullmatch(number), HALF_OF_DAY.match(rest)
    if not match or int(match[1]) > 24:
        return None
    hour, minute = int(match[1]), match[2] or ""
    if half:
        return valid(ClockTime(hour_of(hour, half[1]), minute))
    if hour <= 12 and (end := END_OF_RANGE.match(rest)):
        return valid(ClockTime(first_hour(hour, hour_of(int(end[1]), end[3])), minute))
    if ":" in number or O_CLOCK.match(rest):
        return valid(ClockTime(hour, minute, is_exact=hour > 12))
    return None


def hour_of(hour: int, half: str) -> int:
    """Return the hour from 0 to 23, given the first letter of its half of the day."""
    return hour % 12 + 12 * (half.lower() == "p")


def first_hour(hour: int, end: int) -> int:
    """Return the hour at which a range begins: the last such hour before the end of the range."""
    hours = sorted((hour % 12, hour % 12 + 12))
    return hours[1] if hours[1] <= end or hours[0] > end else hours[0]


def german_time(number: str, rest: str) -> ClockTime | None:
    """Return the clock time that a number before "Uhr" is, or None; the arguments are the same.

    A full hour up to 12 is left as a number, because it is the same in both languages.
    """
    if match := TIME_AROUND_UHR.fullmatch(number):
        return valid(ClockTime(int(match[1]), match[2]))
    is_time = UHR.match(rest) or END_BEFORE_UHR.match(rest)
    match = TIME.fullmatch(number)
    if not match or not is_time or (not match[2] and int(match[1]) <= 12):
        return None
    return valid(ClockTime(int(match[1]), match[2] or ""))


def german_hour(number: str, rest: str) -> ClockTime | None:
    """Return the full hour up to 12 that a number before "Uhr" is, or None."""
    is_hour = re.fullmatch(r"\d|1[0-2]", number) and UHR.match(rest)
    return ClockTime(int(number), is_exact=False) if is_hour else None


def valid(time: ClockTime) -> ClockTime | None:
    """Return a time, or None if there is no such time."""
    return time if time.hour <= 24 and int(time.minute or 0) < 60 else None


def _with_halves(number: str, halves: Iterable[str]) -> Iterator[str]:
    """Yield a number with each name of a half of the day, with and without a space."""
    yield from (f"{number}{space}{half}" for half in halves for space in (" ", ""))


def _names(hour: int, midnight: str, *noon: str) -> tuple[str, ...]:
    """Return the names of an hour that has some."""
    return {0: (midnight,), 24: (midnight,), 12: noon}.get(hour, ())


def _relative(minute: int, this: str, following: str, words: Words) -> Iterator[str]:
    """Yield the forms that count minutes from this hour or to the following one.

    Args:
        minute: the minute.
        this, following: the hours in words.
        words: the `Words` of the language.
    """
    if 0 < minute <= 30:
        yield f"{_minutes(minute, words)} {words.past} {this}"
    if minute >= 30:
        yield f"{_minutes(60 - minute, words)} {words.to} {following}"


def _minutes(number: int, words: Words) -> str:
    return words.fractions.get(number) or num2words(number, lang=words.lang)
