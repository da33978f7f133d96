"""Conversion of numbers, prices, clock times and dates to the format of the target language."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from keras_transformer.translation.clock_times import ClockTime
from keras_transformer.translation.measures import UNIT_WORDS, Measure

CURRENCY = re.compile(r"([€$£])(.+)")
GERMAN_PRICE = re.compile(r"(.*\d) ?([€$£])")
GERMAN_CLOCK = re.compile(r"(\d{1,2})[.:](\d\d)")
FULL_GERMAN_HOUR = re.compile(r"1[3-9]|2[0-4]")
UHR = re.compile(r"\s*Uhr\b")
CLOCK = re.compile(r"\d{1,2}:\d\d")
HALF_OF_DAY = re.compile(r"\s*([ap])\.?m\b", re.IGNORECASE)
FULL_HOUR = re.compile(r"(?<![\d:.])(\d{1,2}) ?([ap])\.?m\b\.?", re.IGNORECASE)
JOINED_TIME = re.compile(r"(\d{1,2}(?::\d\d)?)([ap])m", re.IGNORECASE)
HALF_PAST = re.compile(r"\bhalf past (\w+)", re.IGNORECASE)
REPEATED_HOUR = re.compile(r"\bUhr(?: Uhr)+\b")  # after a stand-in for a time
HALF = re.compile(r"\b(halb) (\w+)", re.IGNORECASE)
# German names the hour after a half hour: half past two is "halb drei".
HALF_TO = {
    "one": "zwei",
    "two": "drei",
    "three": "vier",
    "four": "fünf",
    "five": "sechs",
    "six": "sieben",
    "seven": "acht",
    "eight": "neun",
    "nine": "zehn",
    "ten": "elf",
    "eleven": "zwölf",
    "twelve": "eins",
}
DECIMAL = re.compile(r"\d+(?:[.,]\d+)*")
SWAPPED = str.maketrans(".,", ",.")
MONTHS = {
    "January": "Januar",
    "February": "Februar",
    "March": "März",
    "April": "April",
    "May": "Mai",
    "June": "Juni",
    "July": "Juli",
    "August": "August",
    "September": "September",
    "October": "Oktober",
    "November": "November",
    "December": "Dezember",
}
MONTH = "|".join(MONTHS)
YEAR = r"(?:,? (?P<year{}>\d{{4}})\b)"
DATE = re.compile(
    rf"\b(?P<month>{MONTH}) (?P<day>\d\d?)(?:st|nd|rd|th)?\b{YEAR.format('')}?"
    rf"|\b(?P<day_before>\d\d?)(?:st|nd|rd|th)? (?P<of>of )?(?P<month_after>{MONTH})\b"
    rf"{YEAR.format('_after')}?"
    rf"|\b(?P<month_alone>{MONTH}){YEAR.format('_alone')}"
)
# Frequent dates of the training data: day and month.
FREQUENT = (("3", "July"), ("5", "June"), ("12", "March"))


class Date(NamedTuple):
    """A date, whose day or year may be missing."""

    day: str | None
    month: str  # in English
    year: str | None

    @classmethod
    def of(cls, match: re.Match[str]) -> "Date":
        """Return the date in a match of `DATE`."""
        return cls(
            match["day"] or match["day_before"],
            match["month"] or match["month_after"] or match["month_alone"],
            match["year"] or match["year_after"] or match["year_alone"],
        )

    @property
    def german(self) -> str:
        """The date in German, such as 3. Mai 2021."""
        day = f"{self.day}." if self.day else None
        return " ".join(filter(None, (day, MONTHS[self.month], self.year)))

    def english(self, with_of: bool = False) -> str:
        """Return one of the `FREQUENT` dates in English: "July 3", or "3rd of July" with "of"."""
        if not self.day:
            return self.month
        ending = "rd" if self.day == "3" else "th"
        return f"{self.day}{ending} of {self.month}" if with_of else f"{self.month} {self.day}"


class Formats:
    """The formats of two languages, assumed to be the same: nothing is converted.

    Attributes:
        unit_words: {unit: words for it}, as far as they are known.
    """

    unit_words: Mapping[str, tuple[str, ...]] = {}

    def number(self, number: str, rest: str = "") -> str:
        """Return a number of the source in the format of the target language.

        Args:
            number: a token with digits, optionally with a currency sign.
            rest: the text after the number in the source.
        """
        return number

    def inserted(self, number: str, rest: str = "") -> str:
        """Return what `number` returns, with the words that belong to it in the target language."""
        return self.number(number, rest)

    def other_forms(self, number: str, rest: str = "") -> Iterable[str]:
        """Return other texts that express a number; the arguments are those of `number`."""
        return ()

    def dates(self, source: str) -> list[tuple[int, int, str]]:
        """Return the start and the end of each date with a named month, and its translation."""
        return []

    def masked(self, source: str) -> tuple[str, dict[str, str]]:
        """Return a sentence with dates replaced by frequent ones, and times in a frequent format.

        Returns:
            The masked sentence, and {translation of the frequent date: translation of the original
            date}.
        """
        return source, {}

    def corrected(self, source: str, translation: str) -> str:
        """Return a translation with the dates and half hours of the source."""
        return translation


class SwappedSeparators(Formats):
    """English and German: 12,450.5 becomes 12.450,5 and vice versa, €3 becomes 3 €, and 5% 5 %."""

    unit_words = UNIT_WORDS

    def number(self, number: str, rest: str = "") -> str:
        if price := CURRENCY.fullmatch(number):
            return f"{self.number(price[2])} {price[1]}"
        measure = Measure.of(number)
        if not measure or not _is_decimal(measure.amount):
            return number
        return str(measure._replace(amount=measure.amount.translate(SWAPPED)))


class EnglishToGerman(SwappedSeparators):
    """English to German: 6:45 p.m. becomes 18.45, and May 3 becomes 3. Mai."""

    def number(self, number: str, rest: str = "") -> str:
        return _clock_time(number, rest) or super().number(number, rest)

    def inserted(self, number: str, rest: str = "") -> str:
        time = _clock_time(number, rest)
        return f"{time} Uhr" if time else super().number(number, rest)

    def other_forms(self, number: str, rest: str = "") -> Iterable[str]:
        text = _clock_time(number, rest)
        if not text:
            return ()
        time = ClockTime.of(text)
        is_half_known = HALF_OF_DAY.match(rest) or time.hour > 12
        return time.german() if is_half_known else (*time.german(), *time.later().german())

    def dates(self, source: str) -> list[tuple[int, int, str]]:
        return [(*match.span(), Date.of(match).german) for match in DATE.finditer(source)]

    def masked(self, source: str) -> tuple[str, dict[str, str]]:
        originals: dict[str, str] = {}
        free = list(FREQUENT)

        def masked_date(match: re.Match[str]) -> str:
            date = Date.of(match)
            if not free:
                return match[0]
            day, month = free.pop(0)
            frequent = Date(day if date.day else None, month, None)
            originals[frequent.german] = date.german
            return frequent.english(with_of=match["of"] is not None)

        source = FULL_HOUR.sub(r"\1:00 \2.m.", source)
        return DATE.sub(masked_date, source), originals

    def corrected(self, source: str, translation: str) -> str:
        translation = _with_half_hours(source, REPEATED_HOUR.sub("Uhr", translation))
        for date in map(Date.of, DATE.finditer(source)):
            if date.day:
                month = MONTHS[date.month]
                translation = _with_date(f"{date.day}. {month}", month, translation)
            if date.day and date.year:
                translation = _with_year(f"{date.day}. {month}", date.year, translation)
        return translation


class GermanToEnglish(SwappedSeparators):
    """German to English: 2.30 Uhr becomes 2:30, 14.30 Uhr 2:30 p.m., and 3,50 € becomes €3.50."""

    def number(self, number: str, rest: str = "") -> str:
        if time := _german_clock_time(number, rest):
            return time.english_number
        if price := GERMAN_PRICE.fullmatch(number):
            return f"{price[2]}{super().number(price[1])}"
        return super().number(number, rest)

    def other_forms(self, number: str, rest: str = "") -> Iterable[str]:
        time = _german_clock_time(number, rest)
        return time.english() if time else ()


FORMATS: Mapping[tuple[str, str], Formats] = {
    ("en", "de"): EnglishToGerman(),
    ("de", "en"): GermanToEnglish(),
}


def formats(source_lang: str, target_lang: str) -> Formats:
    """Return the `Formats` of two languages, given their codes in BPEmb."""
    return FORMATS.get((source_lang, target_lang), Formats())


def _is_decimal(number: str) -> bool:
    """Return whether a token is a number and not a version or an address such as 1.2.3."""
    separators = {char for char in number if char in ".,"}
    is_version = separators == {"."} and number.count(".") > 1
    return bool(DECIMAL.fullmatch(number)) and not is_version


def _clock_time(number: str, rest: str) -> str | None:
    """Return a clock time of an English source in German, or None if a number is none.

    Args:
        number: a token with digits.
        rest: the text after it.
    """
    if joined := JOINED_TIME.fullmatch(number):  # 6am
        return _clock(joined[1], joined[2].lower())
    half = HALF_OF_DAY.match(rest)
    if half or CLOCK.fullmatch(number):
        return _clock(number, half[1].lower() if half else "")
    return None


def _clock(time: str, half: str) -> str:
    """Return a clock time in German.

    Args:
        time: hour, optionally followed by a colon and minutes.
        half: half of the day, "a", "p" or, for a 24-hour clock, "".
    """
    hour, *minutes = time.split(":")
    if half and hour.isdigit():
        hour = str(int(hour) % 12 + (12 if half == "p" else 0))
    return ".".join([hour, *minutes])


def _german_clock_time(number: str, rest: str) -> ClockTime | None:
    """Return the clock time that a number before "Uhr" is, or None; hours up to 12 are none."""
    if not UHR.match(rest):
        return None
    if match := GERMAN_CLOCK.fullmatch(number):
        return ClockTime(int(match[1]), match[2])
    return ClockTime(int(number)) if FULL_GERMAN_HOUR.fullmatch(number) else None


def _with_half_hours(source: str, translation: str) -> str:
    """Return a German translation with the half hours of an English source.

    The translation is unchanged if it contains more or fewer half hours than the source.
    """
    hours = [hour.lower() for hour in HALF_PAST.findall(source)]
    wanted = [HALF_TO[hour] for hour in hours if hour in HALF_TO]
    if not len(HALF.findall(translation)) == len(wanted) == len(hours):
        return translation
    replacements = iter(wanted)
    return HALF.sub(lambda match: f"{match[1]} {next(replacements)}", translation)


def _with_date(date: str, month: str, translation: str) -> str:
    """Return a German translation in which a wrong day of `month` is replaced by `date`."""
    if date in translation:
        return translation
    garbled = rf"\d+(?:\.|\w+)? {month}\b|{month} \d+(?:st|nd|rd|th)?\b"
    return re.sub(garbled, date, translation, count=1)


def _with_year(date: str, year: str, translation: str) -> str:
    """Return a translation in which the date, if present, is followed by its year."""
    full = f"{date} {year}"
    if full in translation or date not in translation:
        return translation
    translation = re.sub(rf",? {year}\b,?", "", translation)
    return re.sub(rf"{re.escape(date)}(?: \d+)?", full, translation)
