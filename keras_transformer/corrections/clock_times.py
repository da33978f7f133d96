"""Clock times, and the ways in which German and English express them."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from num2words import num2words

QUARTERS = {  # {minute: phrases before this hour, phrases before the next hour}
    "15": (("viertel nach",), ("viertel",)),
    "30": ((), ("halb",)),
    "45": ((), ("viertel vor", "dreiviertel")),
}
# German words for the half of the day, which are used with a clock of 12 hours.
NIGHT = "nachts", "in der Nacht"
AFTERNOON_AND_NIGHT = "mittags", "nachmittags", "am Nachmittag", "abends", "am Abend", *NIGHT


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
# What precedes an hour in words that "Uhr" does not follow: bis acht, zwischen drei und vier.
BEFORE_HOURS = "um", "bis", "ab", "seit", "nach", "vor", "gegen", "von", "zwischen", "und"
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
        for time in self._times():
            yield from _with_capitals(time._german_forms())

    def english_forms(self) -> Iterator[str]:
        """Yield the ways to write the time in English."""
        for time in self._times():
            yield from _with_capitals(time._english_forms())

    def _times(self) -> list["ClockTime"]:
        """Return the times that this one may be: two if the half of the day is unknown."""
        other = self._replace(hour=(self.hour + 12) % 24)
        return [self] if self.is_exact else [self, other]

    def _english_forms(self) -> Iterator[str]:
        words = num2words(self._hour, lang="en")
        if self._minute == "00":
            yield from (f"{hour} o'clock" for hour in (str(self._hour), words))
            yield from (words, *_names(self.hour, "midnight", "noon", "midday"))
        yield from (*self.english_digits(), f"{self.hour}:{self._minute}")
        yield from _relative(int(self._minute), self._hour, ENGLISH)

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

    def _german_forms(self) -> Iterator[str]:
        yield from self.german_digits()
        minutes = [self._minute, num2words(int(self._minute), lang="de")]
        if self._minute == "00":
            minutes = [""]
            hour = num2words(self._hour, lang="de")
            yield from (f"{before} {hour}" for before in BEFORE_HOURS)
            yield from _names(self.hour, "Mitternacht", "Mittag", "mittags")
        for hour in self._german_hours():
            yield from (f"{hour} Uhr {minute}".rstrip() for minute in minutes)
        yield from (*self._german_quarters(), *self._german_halves())
        yield from _relative(int(self._minute), self._hour, GERMAN)

    def _german_hours(self) -> list[str]:
        """Return the hour in digits, and in words of a clock of 24 and of 12 hours."""
        hours = dict.fromkeys([self.hour, self._hour])
        return [str(self.hour), *("ein" if h == 1 else num2words(h, lang="de") for h in hours)]

    def _german_quarters(self) -> Iterator[str]:
        """Yield the forms that name the hour to which a quarter or a half leads."""
        before, after = QUARTERS.get(self.minute, ((), ()))
        for phrases, hour in ((before, self._hour), (after, self._hour % 12 + 1)):
            yield from map(" ".join, itertools.product(phrases, _written(hour, "de")))

    def _german_halves(self) -> Iterator[str]:
        """Yield the time on a clock of 12 hours with the half of the day: 4 Uhr nachmittags."""
        if self.hour == self._hour:  # without the half of the day, too
            return
        numbers = self._replace(hour=self._hour).german_digits()
        times = [f"{number}{uhr}" for number in numbers for uhr in (" Uhr", "")]
        times += [f"{self._hour} Uhr {self._minute}"]
        halves = AFTERNOON_AND_NIGHT if self.hour % 24 else NIGHT
        yield from (f"{time} {half}" for time in times for half in halves)
        yield from (f"{half} um {time}" for half in halves for time in times)


def not_before_noun(form: str) -> str:
    """Return the end of a pattern of a form of a time: "und zwei Hunde" contains no hour."""
    before, _, hour = form.partition(" ")
    is_ambiguous = hour.isalpha() and before.lower() in BEFORE_HOURS[1:]
    return r"(?! [A-ZÄÖÜ])" if is_ambiguous else ""


def _with_capitals(forms: Iterable[str]) -> Iterator[str]:
    """Yield texts as they are within a sentence and at its beginning."""
    return (each for form in forms for each in (form, form[0].upper() + form[1:]))


def _with_halves(number: str, halves: Iterable[str]) -> Iterator[str]:
    """Yield a number with each name of a half of the day, with and without a space."""
    yield from (f"{number}{space}{half}" for half in halves for space in (" ", ""))


def _names(hour: int, midnight: str, *noon: str) -> tuple[str, ...]:
    """Return the names of an hour that has some."""
    return {0: (midnight,), 24: (midnight,), 12: noon}.get(hour, ())


def _relative(minute: int, hour: int, words: Words) -> Iterator[str]:
    """Yield the forms that count minutes from this hour or to the following one.

    Args:
        minute: the minute.
        hour: the hour on a clock of 12 hours.
        words: the `Words` of the language.
    """
    counts = [(minute, words.past, hour)] if 0 < minute <= 30 else []
    counts += [(60 - minute, words.to, hour % 12 + 1)] if minute >= 30 else []
    for count, word, named in counts:
        minutes, hours = _minutes(count, words), _written(named, words.lang)
        yield from map(" ".join, itertools.product(minutes, [word], hours))


def _minutes(number: int, words: Words) -> tuple[str, ...]:
    in_words, digits = _written(number, words.lang)
    return words.fractions.get(number, in_words), digits


def _written(number: int, lang: str) -> tuple[str, str]:
    """Return a number in words and in digits."""
    return num2words(number, lang=lang), str(number)
