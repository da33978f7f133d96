"""Dates with a named month: English ones, and their counterparts in a German translation."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from num2words import num2words

from keras_transformer.corrections.spans import Span

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
ORDINAL_END = "(?:st|nd|rd|th)?"
# In "In May 3 people came." and "Last May 3 people came.", the number is no day, and in "In May,
# 2000 people came." no year.
LAST_MONTH = rf"(?<=\b[Ll]ast )(?:{MONTH}) \d\d? [^\W\d_]"
NO_COUNT = r"(?=\d{4}\b(?! \w))"
DATE = re.compile(
    rf"(?<!\b[Ii]n )\b(?!{LAST_MONTH})(?P<month>{MONTH}) (?P<day>\d\d?){ORDINAL_END}\b"
    rf"{YEAR.format('')}?"
    rf"|\b(?P<day_before>\d\d?){ORDINAL_END} (?P<of>of )?(?P<month_after>{MONTH})\b"
    rf"{YEAR.format('_after')}?"
    rf"|\b(?P<month_alone>{MONTH})(?: |, {NO_COUNT})(?P<year_alone>\d{{4}})\b"
)
GERMAN_MONTH = rf"(?:{'|'.join(MONTHS.values())})\b"
GERMAN_DAY = re.compile(rf"(?<!\d)\d\d?\. {GERMAN_MONTH}")
REPEATED_MONTH = re.compile(rf"({GERMAN_DAY.pattern})(?:\. {GERMAN_MONTH})+")
MONTH_BEFORE_DAY = re.compile(
    rf"(?<!\. )\b{GERMAN_MONTH},? (?={GERMAN_DAY.pattern}|\d\d?\.\d\d?\.\d\d)"
)
# What may stand between two days of the same month: vom 3. bis 5. Mai.
DAY_JOINS = " bis", " und", " oder"
ANOTHER_DAY = r"(?: ?(?:bis|und|oder|,|[-–])(?: zum)? ?\d\d?\.)*"  # noqa: RUF001, a dash


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
    def german_forms(self) -> tuple[str, ...]:
        """The date, its beginning before a later day (3. bis 5. Mai), and the day in words."""
        if not self.day:
            return (self.german,)
        joined = (f"{self.day}.{join}" for join in DAY_JOINS)
        in_words = (f"{self._ordinal}{end} {MONTHS[self.month]}" for end in ("n", "", "r"))
        return self.german, *joined, *in_words

    @property
    def _ordinal(self) -> str:
        """The day as a German word, such as "dritte"."""
        return num2words(int(self.day or 0), to="ordinal", lang="de")

    @property
    def words(self) -> str:
        """A pattern of the day in words and the month in German, such as dritten Mai."""
        return rf"(?i:\b{self._ordinal}[nr]? {MONTHS[self.month]}\b)"

    @property
    def german_day(self) -> str:
        """The day and the month in German, such as 3. Mai."""
        return f"{self.day}. {MONTHS[self.month]}"


class TranslatedDate(NamedTuple):
    """A date of a source.

    Attributes:
        start: its first position in the source.
        end: the position after it.
        forms: the texts by which a translation may express it, the best one first.
    """

    start: int
    end: int
    forms: tuple[str, ...]


def translated_dates(source: str) -> list[TranslatedDate]:
    """Return the dates of an English text, with their forms in German."""
    return [
        TranslatedDate(*match.span(), Date.of(match).german_forms)
        for match in DATE.finditer(source)
    ]


def german_days(translation: str) -> list[Span]:
    """Return the start and the end of each day with its month in a German text."""
    return [match.span() for match in GERMAN_DAY.finditer(translation)]


def with_dates(source: str, translation: str) -> str:
    """Return a German translation with the days and years of the dates of an English source."""
    dates = [date for date in map(Date.of, DATE.finditer(source)) if date.day]
    wanted = Counter(date.german_day for date in dates)
    for date in dates:
        translation = _with_date(date, wanted, translation)
    for date in dates:
        others = source.count(date.year) - 1 if date.year else 0
        translation = _with_year(date, others, translation) if date.year else translation
    return translation


def without_extra_months(translation: str) -> str:
    """Return a German translation without months that are directly before or after a date."""
    return REPEATED_MONTH.sub(r"\1", MONTH_BEFORE_DAY.sub("", translation))


def _with_date(date: Date, wanted: Mapping[str, int], translation: str) -> str:
    """Return a German translation with a date, in place of a wrong day of its month if any.

    Args:
        date: a `Date` with a day.
        wanted: {`german_day` of a date of the source: how often the source has it}.
        translation: the translation.
    """
    month = MONTHS[date.month]
    there = rf"(?<!\d){date.day}\.{ANOTHER_DAY} {month}\b|{date.words}"
    if re.search(there, translation):
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
    day = re.compile(rf"(?:(?<!\d){re.escape(date.german_day)}\b|{date.words})")
    if not day.search(translation) or re.search(rf"{day.pattern} {date.year}\b", translation):
        return translation
    year = rf",? {date.year}\b,?"
    if len(re.findall(year, translation)) > others:
        translation = re.sub(year, "", translation, count=1)
    return re.sub(rf"({day.pattern})(?: \d+)?", rf"\1 {date.year}", translation, count=1)
