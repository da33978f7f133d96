"""Full and half hours of English sentences, and their repair in translations."""

import re

from num2words import num2words

from keras_transformer.translation.clock_times import english_time
from keras_transformer.translation.time_ranges import JOINED_RANGE

FULL_HOUR = re.compile(r"(?<![\d:.,/-])(\d{1,2}) ?([ap])\.?m\b\.?", re.IGNORECASE)
HALF_PAST = re.compile(r"\bhalf past (\w+)", re.IGNORECASE)
REPEATED_HOUR = re.compile(r"\bUhr(?: (?:um )?Uhr)+\b")  # after a stand-in or an insertion
REPEATED_HALF = re.compile(r"\b([ap]\.m\.)(?: ?[ap]\.?m\b\.?)+", re.IGNORECASE)
HALF = re.compile(r"\b(halb) (\w+)", re.IGNORECASE)
# German names the hour after a half hour: half past two is "halb drei".
HALF_TO = {num2words(hour, lang="en"): num2words(hour % 12 + 1, lang="de") for hour in range(1, 13)}


def with_minutes(source: str) -> str:
    """Return an English text with times in more frequent formats.

    A full hour such as 3 pm becomes 3:00 p.m., and 9am-5pm becomes 9:00 a.m. to 5:00 p.m.
    """
    source = JOINED_RANGE.sub(r"\1 \3m to \4 \6m", source)
    return FULL_HOUR.sub(r"\1:00 \2.m.", source)


def with_full_hours(source: str, translation: str) -> str:
    """Return a German translation with the full hours of an English source: 9 Uhr for 9 a.m.

    The network reads 9:00 a.m. and often translates the minutes.
    """
    for match in FULL_HOUR.finditer(source):
        time = english_time(match[1], f" {match[2]}.m.")
        if time and f"{match[1]}:00" not in source:
            translation = re.sub(rf"\b{time.hour}[.:]00(?= Uhr\b)", str(time.hour), translation)
    return translation


def with_half_hours(source: str, translation: str) -> str:
    """Return a German translation with the half hours of an English source.

    The translation is unchanged if it contains more or fewer half hours than the source.
    """
    hours = [hour.lower() for hour in HALF_PAST.findall(source)]
    wanted = [HALF_TO[hour] for hour in hours if hour in HALF_TO]
    if not len(HALF.findall(translation)) == len(wanted) == len(hours):
        return translation
    replacements = iter(wanted)
    return HALF.sub(lambda match: f"{match[1]} {next(replacements)}", translation)


def without_repeated_hours(translation: str) -> str:
    """Return a German translation in which "Uhr" is not repeated."""
    return REPEATED_HOUR.sub("Uhr", translation)


def without_repeated_halves(translation: str) -> str:
    """Return an English translation in which a.m. and p.m. are not repeated."""
    return REPEATED_HALF.sub(r"\1", translation)
