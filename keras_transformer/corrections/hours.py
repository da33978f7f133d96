"""Full hours of English sentences, and their repair in translations."""

import re

from keras_transformer.corrections.half_hours import with_words
from keras_transformer.corrections.time_ranges import with_separate_times
from keras_transformer.corrections.written_times import english_time

FULL_HOUR = re.compile(r"(?<![\d:.,/-])(\d{1,2}) ?([ap])\.?m\b\.?", re.IGNORECASE)
END_OF_RANGE = r"(?:(?:[-–]| bis )\d\d?(?:[.:]\d\d)?)"  # noqa: RUF001, the dash of ranges
REPEATED_HOUR = re.compile(r"\bUhr(?: (?:um )?Uhr)+\b")  # after a stand-in or an insertion
REPEATED_HALF = re.compile(r"\b([ap]\.m\.)(?: ?[ap]\.?m\b\.?)+", re.IGNORECASE)


def with_frequent_times(source: str) -> str:
    """Return an English text with times in more frequent formats.

    A full hour such as 3 pm becomes 3:00 p.m., 9am-5pm becomes 9:00 a.m. to 5:00 p.m., and half
    past 2 becomes half past two.
    """
    source = with_words(with_separate_times(source))
    return FULL_HOUR.sub(lambda match: f"{match[1]}:00 {match[2].lower()}.m.", source)


def with_full_hours(source: str, translation: str) -> str:
    """Return a German translation with the full hours of an English source: 9 Uhr for 9 a.m.

    The network reads 9:00 a.m. and often translates the minutes.
    """
    for match in FULL_HOUR.finditer(with_separate_times(source)):
        time = english_time(match[1], f" {match[2]}.m.")
        if time and f"{match[1]}:00" not in source:
            hour = rf"\b{time.hour}[.:]00(?={END_OF_RANGE}? Uhr\b)"
            translation = re.sub(hour, str(time.hour), translation)
    return translation


def without_repeated_hours(translation: str) -> str:
    """Return a German translation in which "Uhr" is not repeated."""
    return REPEATED_HOUR.sub("Uhr", translation)


def without_repeated_halves(translation: str) -> str:
    """Return an English translation in which a.m. and p.m. are not repeated."""
    return REPEATED_HALF.sub(r"\1", translation)
