"""Conversion of numbers, prices, clock times and dates to the format of the target language."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from keras_transformer.text.digits import ascii_digits
from keras_transformer.translation.clock_times import english_time, german_time
from keras_transformer.translation.measures import SIGN, SPACE, UNIT_WORDS, Measure

CURRENCY = re.compile(r"([€$£])(.+)")
PRICE_BEFORE_SIGN = re.compile(rf"({SIGN}?)(.*\d){SPACE}?([€$£])")
# An amount in English; 4,99 in an English sentence is already German.
ENGLISH_AMOUNT = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
FULL_HOUR = re.compile(r"(?<![\d:.,/-])(\d{1,2}) ?([ap])\.?m\b\.?", re.IGNORECASE)
HALF_PAST = re.compile(r"\bhalf past (\w+)", re.IGNORECASE)
REPEATED_HOUR = re.compile(r"\bUhr(?: (?:um )?Uhr)+\b")  # after a stand-in or an insertion
REPEATED_HALF = re.compile(r"\b([ap]\.m\.)(?: ?[ap]\.?m\b\.?)+", re.IGNORECASE)
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
OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
IP_ADDRESS = re.compile(rf"{OCTET}(?:\.{OCTET}){{3}}")
LONG = 3  # digits of an integer that is neither an hour nor small
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
GERMAN_MONTH = rf"(?:{'|'.join(MONTHS.values())})\b"
GERMAN_DAY = re.compile(rf"(?<!\d)\d\d?\. {GERMAN_MONTH}")
REPEATED_MONTH = re.compile(rf"({GERMAN_DAY.pattern})(?:\. {GERMAN_MONTH})+")
MONTH_BEFORE_DAY = re.compile(rf"(?<!\. )\b{GERMAN_MONTH},? (?={GERMAN_DAY.pattern})")
# What may stand between two days of the same month: vom 3. bis 5. Mai.
ANOTHER_DAY = r"(?: ?(?:bis|und|oder|,|[-–])(?: zum)? ?\d\d?\.)*"  # noqa: RUF001, a dash
HOUR = re.compile(r"\d\d?(?:[.:]\d\d)?")
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

    @property
    def german_day(self) -> str:
        """The day and the month in German, such as 3. Mai."""
        return f"{self.day}. {MONTHS[self.month]}"

    def english(self, with_of: bool = False) -> str:
        """Return one of the `FREQUENT` dates in English: "July 3", or "3rd of July" with "of"."""
        if not self.day:
            return self.month
        ending = "rd" if self.day == "3" else "th"
        return f"{self.day}{ending} of {self.month}" if with_of else f"{self.month} {self.day}"


class Formats:
    """The formats of two languages of which nothing is known: only digits become 0 to 9.

    Attributes:
        unit_words: {unit: words for it}, as far as they are known.
        knows_all_forms: whether a number of a translation that is none of the forms of a value is
            wrong.
    """

    unit_words: Mapping[str, tuple[str, ...]] = {}
    knows_all_forms = False

    def number(self, number: str, rest: str = "") -> str:
        """Return a number of the source in the format of the target language.

        Args:
            number: a token with digits, optionally with a currency sign.
            rest: the text after the number in the source.
        """
        return ascii_digits(number)

    def inserted(self, number: str, rest: str = "") -> str:
        """Return what `number` returns, with the words that belong to it in the target language."""
        return self.number(number, rest)

    def other_forms(self, number: str, rest: str = "") -> Iterable[str]:
        """Return other texts that express a number; the arguments are those of `number`."""
        return ()

    def may_replace(self, written: str, wanted: str) -> bool:
        """Return whether a number of a translation may be replaced by one that is missing there.

        If not all formats are known, another number may be the same one: 18h45 for 6:45 p.m., or
        22 for 10 p.m. A longer integer of the same length is garbled.
        """
        is_plain = written.isdecimal() and wanted.isdecimal() and len(written) == len(wanted)
        return self.knows_all_forms or (is_plain and len(wanted) >= LONG)

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

    def undivided(self, translation: str) -> list[tuple[int, int]]:
        """Return the start and the end of each date in which nothing may be inserted."""
        return []

    def tidied(self, translation: str, values: Iterable[str]) -> str:
        """Return a translation without words after a value that are repeated or wrong there.

        Args:
            translation: the translation.
            values: the texts by which it may express the values of its source.
        """
        return translation


class SwappedSeparators(Formats):
    """English and German: 12,450.5 becomes 12.450,5 and vice versa."""

    unit_words = UNIT_WORDS
    knows_all_forms = True
    # A number of the source language. Others, such as 2.4.1 in English, are versions or dates.
    written = re.compile(r"\d+(?:,\d+)*(?:\.\d+)?")

    def number(self, number: str, rest: str = "") -> str:
        measure = Measure.of(number)
        if not measure or not self.written.fullmatch(measure.amount):
            return number
        return str(measure._replace(amount=measure.amount.translate(SWAPPED)))


class EnglishToGerman(SwappedSeparators):
    """English to German: 6:45 p.m. becomes 18.45, €3 becomes 3 €, and May 3 becomes 3. Mai."""

    def number(self, number: str, rest: str = "") -> str:
        if time := english_time(number, rest):
            return time.german_number
        if price := CURRENCY.fullmatch(number):
            return f"{super().number(price[2])} {price[1]}"
        price = PRICE_BEFORE_SIGN.fullmatch(number)
        if price and ENGLISH_AMOUNT.fullmatch(price[2]):
            return f"{price[1]}{super().number(price[2])} {price[3]}"
        return super().number(number, rest)

    def inserted(self, number: str, rest: str = "") -> str:
        time = english_time(number, rest)
        return f"{time.german_number} Uhr" if time else self.number(number, rest)

    def other_forms(self, number: str, rest: str = "") -> Iterable[str]:
        time = english_time(number, rest)
        return time.german_forms() if time else ()

    def tidied(self, translation: str, values: Iterable[str]) -> str:
        translation = MONTH_BEFORE_DAY.sub("", REPEATED_HOUR.sub("Uhr", translation))
        translation = REPEATED_MONTH.sub(r"\1", translation)
        return _without_hours(translation, values)

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
        translation = _with_half_hours(source, _with_full_hours(source, translation))
        dates = [date for date in map(Date.of, DATE.finditer(source)) if date.day]
        wanted = Counter(date.german_day for date in dates)
        for date in dates:
            translation = _with_date(date, wanted, translation)
        for date in dates:
            others = source.count(date.year) - 1 if date.year else 0
            translation = _with_year(date, others, translation) if date.year else translation
        return translation

    def undivided(self, translation: str) -> list[tuple[int, int]]:
        return [match.span() for match in GERMAN_DAY.finditer(translation)]


class GermanToEnglish(SwappedSeparators):
    """German to English: 2.30 Uhr becomes 2:30, 14.30 Uhr 2:30 p.m., and 3,50 € becomes €3.50."""

    written = re.compile(r"\d+(?:\.\d{3})*(?:,\d+)?")

    def number(self, number: str, rest: str = "") -> str:
        if IP_ADDRESS.fullmatch(number):
            return number
        if time := german_time(number, rest):
            return time.english_number
        if price := PRICE_BEFORE_SIGN.fullmatch(number):
            return f"{price[1]}{price[3]}{super().number(price[2])}"
        if price := CURRENCY.fullmatch(number):
            return f"{price[1]}{super().number(price[2])}"
        return super().number(number, rest).replace(" %", "%")

    def other_forms(self, number: str, rest: str = "") -> Iterable[str]:
        time = german_time(number, rest)
        if IP_ADDRESS.fullmatch(number):  # or a number
            return (number.translate(SWAPPED),)
        return time.english_forms() if time else ()

    def tidied(self, translation: str, values: Iterable[str]) -> str:
        return REPEATED_HALF.sub(r"\1", translation)


FORMATS: Mapping[tuple[str, str], Formats] = {
    ("en", "de"): EnglishToGerman(),
    ("de", "en"): GermanToEnglish(),
}


def formats(source_lang: str, target_lang: str) -> Formats:
    """Return the `Formats` of two languages, given their codes in BPEmb."""
    return FORMATS.get((source_lang, target_lang), Formats())


def _without_hours(translation: str, values: Iterable[str]) -> str:
    """Return a German translation without "Uhr" after values that are not times: 5 $ Uhr.

    A number that stands for a value while it is translated may look like an hour.
    """
    # Values in words, such as "halb sieben", may be hours too.
    others = {v for v in values if re.search(r"[\d@./]", v) and not HOUR.fullmatch(v)}
    if not others:
        return translation
    texts = "|".join(map(re.escape, sorted(others, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)({texts}) Uhr\b", r"\1", translation)


def _with_full_hours(source: str, translation: str) -> str:
    """Return a German translation with the full hours of an English source: 9 Uhr for 9 a.m.

    The network reads 9:00 a.m. and often translates the minutes.
    """
    for match in FULL_HOUR.finditer(source):
        time = english_time(match[1], f" {match[2]}.m.")
        if time and f"{match[1]}:00" not in source:
            translation = re.sub(rf"\b{time.hour}[.:]00(?= Uhr\b)", str(time.hour), translation)
    return translation


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


def _with_date(date: Date, wanted: Mapping[str, int], translation: str) -> str:
    """Return a German translation with a date, in place of a wrong day of its month if any.

    Args:
        date: a `Date` with a day.
        wanted: {`german_day` of a date of the source: how often the source has it}.
        translation: the translation.
    """
    month = MONTHS[date.month]
    if re.search(rf"(?<!\d){date.day}\.{ANOTHER_DAY} {month}\b", translation):
        return translation
    garbled = rf"\d+(?:\.|\w+)? {month}\b|{month} \d+(?:st|nd|rd|th)?\b"
    left = Counter(wanted)
    for match in re.finditer(garbled, translation):
        if not left[match[0]]:
            return translation[: match.start()] + date.german_day + translation[match.end() :]
        left[match[0]] -= 1
    return translation


def _with_year(date: Date, others: int, translation: str) -> str:
    """Return a translation in which a date, if present, is followed by its year.

    If the year stands at another place instead, it is removed there.

    Args:
        date: a `Date` with a day and a year.
        others: how often the source has the year besides.
        translation: the translation.
    """
    day = re.compile(rf"(?<!\d){re.escape(date.german_day)}\b")
    if not day.search(translation) or re.search(rf"{day.pattern} {date.year}\b", translation):
        return translation
    year = rf",? {date.year}\b,?"
    if len(re.findall(year, translation)) > others:
        translation = re.sub(year, "", translation, count=1)
    return re.sub(
        rf"{day.pattern}(?: \d+)?", f"{date.german_day} {date.year}", translation, count=1
    )
