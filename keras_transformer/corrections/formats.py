"""Conversion of numbers, prices, clock times and dates to the format of the target language."""

import itertools
import re
from collections.abc import Iterable, Mapping

from keras_transformer.corrections.date_ranges import (
    translated_days,
    with_separate_days,
)
from keras_transformer.corrections.dates import (
    TranslatedDate,
    german_days,
    translated_dates,
    with_dates,
    without_extra_months,
)
from keras_transformer.corrections.digit_dates import (
    digit_dates,
    slashed_dates,
    with_german_dates,
)
from keras_transformer.corrections.durations import duration_words
from keras_transformer.corrections.frequent_dates import with_frequent_dates
from keras_transformer.corrections.half_hours import with_half_hours
from keras_transformer.corrections.hours import (
    with_frequent_times,
    with_full_hours,
    without_repeated_halves,
    without_repeated_hours,
)
from keras_transformer.corrections.measures import SIGN, SPACE, UNIT_WORDS, Measure
from keras_transformer.corrections.spans import Span, blanked
from keras_transformer.corrections.time_ranges import (
    JOINED_RANGE,
    english_range,
    german_range,
    ranges_after_noon,
)
from keras_transformer.corrections.versions import VERSION
from keras_transformer.corrections.written_times import (
    DOTTED_TIME,
    END_OF_RANGE,
    ENGLISH_QUARTER,
    GERMAN_QUARTER,
    JOINED_TIME,
    TIME_AROUND_UHR,
    english_time,
    german_time,
    hours_after_noon,
    possible_english_time,
    possible_german_time,
)
from keras_transformer.corrections.wrong_hours import without_wrong_hours
from keras_transformer.text.digits import ascii_digits

CURRENCY = re.compile(r"([€$£])(.+)")
PRICE_BEFORE_SIGN = re.compile(rf"({SIGN}?)(.*\d){SPACE}?([€$£])")
# An amount in English; 4,99 in an English sentence is already German.
ENGLISH_AMOUNT = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
IP_ADDRESS = re.compile(rf"{OCTET}(?:\.{OCTET}){{3}}")
NUMBER_RANGE = re.compile(r"(\d[\d.,]*)-(\d[\d.,]*)")  # 1,000-2,000
LONG = 3  # digits of an integer that is neither an hour nor small
SWAPPED = str.maketrans(".,", ",.")
NOTHING = re.compile(r"(?!)")
# Spaces that separate thousands in German. A plain space may also separate two numbers.
THOUSANDS = re.compile(
    r"(?<![\w.,:-])[1-9]\d{0,2}(?:(?:[\u00a0\u202f]\d{3})+|(?: \d{3})* 000)(?!\w|[.,:]\d)"
)
# Two numbers that are spoken as one: 3 Euro 50, 10 nach 8.
SPOKEN = (
    r"\b\d+ (?:Euro|Dollar|Franken|Meter) \d\d(?: Cent)?(?!\w|[.,:]\d| [A-ZÄÖÜ])"
    r"|\b(?:5|10|20|25) (?:vor|nach) (?:halb )?(?:1[0-2]|[1-9])(?!\w|[.,:-]\d)"
)
# Not before a noun: um 20 Uhr 15 Leute.
GERMAN_NUMBER = re.compile(
    rf"{SPOKEN}|{THOUSANDS.pattern}|\b{TIME_AROUND_UHR.pattern}(?!\w|[.,:]\d| [A-ZÄÖÜ])|"
    rf"(?i:{GERMAN_QUARTER.pattern})"
)


class Formats:
    """The formats of two languages of which nothing is known: only digits become 0 to 9.

    Attributes:
        unit_words: {unit: words for it}, as far as they are known.
        knows_all_forms: whether a number of a translation that is none of the forms of a value is
            wrong.
        joined: a pattern of the numbers of the source that contain spaces.
        versions: a pattern of numbers that have the same format in all languages. They are its
            group "number", or "possible" if a translation may also have another format.
    """

    unit_words: Mapping[str, tuple[str, ...]] = {}
    knows_all_forms = False
    joined = NOTHING
    versions = NOTHING

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

    def is_time(self, number: str) -> bool:
        """Return whether a word with digits, or a number with a word, is a clock time."""
        return False

    def may_replace(self, written: str, wanted: str) -> bool:
        """Return whether a number of a translation may be replaced by one that is missing there.

        If not all formats are known, another number may be the same one: 18h45 for 6:45 p.m., or
        22 for 10 p.m. A longer integer of the same length is garbled.
        """
        is_plain = written.isdecimal() and wanted.isdecimal() and len(written) == len(wanted)
        return self.knows_all_forms or (is_plain and len(wanted) >= LONG)

    def dates(self, source: str) -> list[TranslatedDate]:
        """Return the dates with a named month, or with slashes: 3/14/1985."""
        return []

    def separated(self, source: str) -> str:
        """Return a sentence in which each day of a range has its month: May 3 to May 5."""
        return source

    def masked(self, source: str) -> tuple[str, dict[str, str]]:
        """Return a sentence with dates replaced by frequent ones, and times in a frequent format.

        Returns:
            The masked sentence, and {translation of the frequent date: the original date as the
            translation shall have it}.
        """
        return source, {}

    def corrected(self, source: str, translation: str) -> str:
        """Return a translation with the dates and half hours of the source."""
        return translation

    def undivided(self, translation: str) -> list[Span]:
        """Return the start and the end of each date in which nothing may be inserted."""
        return []

    def tidied(self, source: str, translation: str, values: Iterable[str]) -> str:
        """Return a translation without words after a value that are repeated or wrong there.

        Args:
            source: the source.
            translation: the translation.
            values: the texts by which it may express the values of its source.
        """
        return translation


class SwappedSeparators(Formats):
    """English and German: 12,450.5 becomes 12.450,5 and vice versa."""

    unit_words = UNIT_WORDS
    knows_all_forms = True
    # A number of the source language. Others, such as 2.4.1 in English, are versions or dates.
    written: re.Pattern[str]

    def number(self, number: str, rest: str = "") -> str:
        if match := NUMBER_RANGE.fullmatch(number):
            return self._range(*match.groups())
        measure = Measure.of(number)
        if not measure or not self.written.fullmatch(measure.amount):
            return number
        return str(measure._replace(amount=measure.amount.translate(SWAPPED)))

    def _range(self, *ends: str) -> str:
        """Return two numbers with a hyphen between them; two clock times are left as they are."""
        is_number = all(map(self.written.fullmatch, ends))
        is_time = all(map(DOTTED_TIME.fullmatch, ends))
        text = "-".join(ends)
        return text.translate(SWAPPED) if is_number and not is_time else text


class EnglishToGerman(SwappedSeparators):
    """English to German: 6:45 p.m. becomes 18.45, €3 becomes 3 €, and May 3 becomes 3. Mai."""

    written = ENGLISH_AMOUNT
    joined = ENGLISH_QUARTER
    versions = VERSION

    def number(self, number: str, rest: str = "") -> str:
        if time := english_time(number, rest) or english_range(number, rest):
            return time.german_number
        if price := CURRENCY.fullmatch(number):
            return f"{super().number(price[2])} {price[1]}"
        price = PRICE_BEFORE_SIGN.fullmatch(number)
        if price and self.written.fullmatch(price[2]):
            return f"{price[1]}{super().number(price[2])} {price[3]}"
        return super().number(number, rest)

    def inserted(self, number: str, rest: str = "") -> str:
        time = None if END_OF_RANGE.match(rest) else english_time(number, rest)
        found = time or english_range(number, rest)
        return f"{found.german_number} Uhr" if found else self.number(number, rest)

    def other_forms(self, number: str, rest: str = "") -> Iterable[str]:
        time = english_time(number, rest) or english_range(number, rest)
        time = time or possible_english_time(number, rest)
        found = [*digit_dates(number, rest), *([time] if time else [])]
        forms = itertools.chain.from_iterable(each.german_forms() for each in found)
        later = () if time else (*hours_after_noon(number, rest), *ranges_after_noon(number))
        return itertools.chain(forms, later, duration_words(number, rest, "en", "de"))

    def is_time(self, number: str) -> bool:
        return any(form.fullmatch(number) for form in (JOINED_TIME, JOINED_RANGE, ENGLISH_QUARTER))

    def tidied(self, source: str, translation: str, values: Iterable[str]) -> str:
        translation = without_extra_months(without_repeated_hours(translation))
        return without_wrong_hours(source, translation, values)

    def dates(self, source: str) -> list[TranslatedDate]:
        found = [*translated_days(source), *slashed_dates(source)]
        rest = blanked(source, ((date.start, date.end) for date in found))
        return [*found, *translated_dates(rest)]

    def separated(self, source: str) -> str:
        return with_separate_days(source)

    def masked(self, source: str) -> tuple[str, dict[str, str]]:
        return with_frequent_dates(with_frequent_times(with_separate_days(source)))

    def corrected(self, source: str, translation: str) -> str:
        translation = with_full_hours(source, translation)
        translation = with_german_dates(source, translation)
        translation = with_half_hours(source, translation, "en", "de")
        return with_dates(with_separate_days(source), translation)

    def undivided(self, translation: str) -> list[Span]:
        return german_days(translation)


class GermanToEnglish(SwappedSeparators):
    """German to English: 2.30 Uhr becomes 2:30, 14.30 Uhr 2:30 p.m., and 3,50 € becomes €3.50."""

    written = re.compile(r"\d+(?:\.\d{3})*(?:,\d+)?")
    joined = GERMAN_NUMBER

    def number(self, number: str, rest: str = "") -> str:
        number = THOUSANDS.sub(lambda match: re.sub(SPACE, ".", match[0]), number)
        if IP_ADDRESS.fullmatch(number):
            return number
        if time := german_time(number, rest) or german_range(number, rest):
            return time.english_number
        if price := PRICE_BEFORE_SIGN.fullmatch(number):
            return f"{price[1]}{price[3]}{super().number(price[2])}"
        if price := CURRENCY.fullmatch(number):
            return f"{price[1]}{super().number(price[2])}"
        return super().number(number, rest).replace(" %", "%")

    def other_forms(self, number: str, rest: str = "") -> Iterable[str]:
        if IP_ADDRESS.fullmatch(number):  # or a number
            return (number.translate(SWAPPED),)
        time = german_time(number, rest) or german_range(number, rest)
        time = time or possible_german_time(number, rest)
        found = [*digit_dates(number, rest), *([time] if time else [])]
        forms = itertools.chain.from_iterable(each.english_forms() for each in found)
        return itertools.chain(forms, duration_words(number, rest, "de", "en"))

    def is_time(self, number: str) -> bool:
        return bool(GERMAN_QUARTER.fullmatch(number))

    def tidied(self, source: str, translation: str, values: Iterable[str]) -> str:
        return without_repeated_halves(translation)

    def corrected(self, source: str, translation: str) -> str:
        return with_half_hours(source, translation, "de", "en")


FORMATS: Mapping[tuple[str, str], Formats] = {
    ("en", "de"): EnglishToGerman(),
    ("de", "en"): GermanToEnglish(),
}


def formats(source_lang: str, target_lang: str) -> Formats:
    """Return the `Formats` of two languages, given their codes in BPEmb."""
    return FORMATS.get((source_lang, target_lang), Formats())
