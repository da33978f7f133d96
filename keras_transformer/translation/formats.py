"""How a language writes the numbers, prices, clock times and dates of another one."""

import re
from typing import NamedTuple

CURRENCY = re.compile(r"([€$£])(.+)")
CLOCK = re.compile(r"\d{1,2}:\d\d")
HALF_OF_DAY = re.compile(r"\s*([ap])\.?m\b", re.IGNORECASE)
FULL_HOUR = re.compile(r"(?<![\d:.])(\d{1,2}) ?([ap])\.?m\b\.?", re.IGNORECASE)
JOINED_TIME = re.compile(r"(\d{1,2}(?::\d\d)?)([ap])m", re.IGNORECASE)
HALF_PAST = re.compile(r"\bhalf past (\w+)", re.IGNORECASE)
HALF = re.compile(r"\b(halb) (\w+)", re.IGNORECASE)
# German counts half hours to the full hour that follows: half past two is halb drei.
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
# Dates that the training is full of: day and month.
FREQUENT = ((3, "July"), (5, "June"), (12, "March"))


class Date(NamedTuple):
    """A date of which the day or the year may be missing."""

    day: str | int | None
    month: str  # in English
    year: str | None

    @classmethod
    def of(cls, match):
        """Return the date that `DATE` found."""
        return cls(
            match["day"] or match["day_before"],
            match["month"] or match["month_after"] or match["month_alone"],
            match["year"] or match["year_after"] or match["year_alone"],
        )

    @property
    def german(self):
        """The date in German: 3. Mai 2021."""
        day = f"{self.day}." if self.day else None
        return " ".join(filter(None, (day, MONTHS[self.month], self.year)))

    def english(self, of=None):
        """Return the day and month in English: May 3, or the 3rd `of ` May."""
        if not self.day:
            return self.month
        ending = {3: "rd"}.get(self.day, "th")
        return f"{self.day}{ending} of {self.month}" if of else f"{self.month} {self.day}"


class Formats:
    """Both languages write alike, as far as is known."""

    def number(self, number, rest=""):
        """Return a number of the source as the target language writes it.

        Args:
            number: a token with digits, perhaps with the sign of a currency.
            rest: what follows the number in the source.
        """
        return number

    def masked(self, source):
        """Return a sentence with frequent dates, and {its translation: that of the original}.

        Times are written in the way that the training is full of.
        """
        return source, {}

    def corrected(self, source, translation):
        """Return a translation with the dates and half hours of the source."""
        return translation


class SwappedSeparators(Formats):
    """English and German exchange point and comma: 12,450.5 becomes 12.450,5, €3 becomes 3 €."""

    def number(self, number, rest=""):
        if price := CURRENCY.fullmatch(number):
            return f"{self.number(price[2])} {price[1]}"
        return number.translate(SWAPPED) if _is_decimal(number) else number


class EnglishToGerman(SwappedSeparators):
    """Times have a point and 24 hours: 6:45 p.m. becomes 18.45. Dates: May 3 becomes 3. Mai."""

    def number(self, number, rest=""):
        if joined := JOINED_TIME.fullmatch(number):  # 6am
            return _clock(joined[1], joined[2].lower())
        half = HALF_OF_DAY.match(rest)
        if half or CLOCK.fullmatch(number):
            return _clock(number, half[1].lower() if half else "")
        return super().number(number, rest)

    def masked(self, source):
        originals, free = {}, list(FREQUENT)
        source = FULL_HOUR.sub(r"\1:00 \2.m.", source)

        def masked_date(match):
            date = Date.of(match)
            if not free:
                return match[0]
            day, month = free.pop(0)
            frequent = Date(day if date.day else None, month, None)
            originals[frequent.german] = date.german
            return frequent.english(match["of"])

        return DATE.sub(masked_date, source), originals

    def corrected(self, source, translation):
        translation = _with_half_hours(source, translation)
        for date in map(Date.of, DATE.finditer(source)):
            if date.day:
                month = MONTHS[date.month]
                translation = _with_date(f"{date.day}. {month}", month, translation)
            if date.day and date.year:
                translation = _with_year(f"{date.day}. {month}", date.year, translation)
        return translation


FORMATS = {("en", "de"): EnglishToGerman(), ("de", "en"): SwappedSeparators()}


def formats(source_lang, target_lang):
    """Return the `Formats` of two languages, as BPEmb names them."""
    return FORMATS.get((source_lang, target_lang), Formats())


def _is_decimal(number):
    """Return whether a token is a number, and not a version or an address such as 1.2.3."""
    separators = {char for char in number if char in ".,"}
    is_version = separators == {"."} and number.count(".") > 1
    return DECIMAL.fullmatch(number) and not is_version


def _clock(time, half):
    """Return a clock time as German writes it: 6:45 p.m. is 18.45."""
    hour, *minutes = time.split(":")
    if half and hour.isdigit():
        hour = str(int(hour) % 12 + (12 if half == "p" else 0))
    return ".".join([hour, *minutes])


def _with_half_hours(source, translation):
    """Return a German translation with the half hours of an English source, if it has as many."""
    wanted = [HALF_TO.get(hour.lower()) for hour in HALF_PAST.findall(source)]
    if len(HALF.findall(translation)) != len(wanted) or None in wanted:
        return translation
    hours = iter(wanted)
    return HALF.sub(lambda match: f"{match[1]} {next(hours)}", translation)


def _with_date(date, month, translation):
    """Return a German translation that has a date, where it has its month at all."""
    if date in translation:
        return translation
    garbled = rf"\d+(?:\.|\w+)? {month}\b|{month} \d+(?:st|nd|rd|th)?\b"
    return re.sub(garbled, date, translation, count=1)


def _with_year(date, year, translation):
    """Return a translation in which a date, if it is there, has its year."""
    full = f"{date} {year}"
    if full in translation or date not in translation:
        return translation
    translation = re.sub(rf",? {year}\b,?", "", translation)
    return re.sub(rf"{re.escape(date)}(?: \d+)?", full, translation)
