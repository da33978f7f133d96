"""Full and half hours of English sentences, and their repair in translations."""

import re
from collections.abc import Iterable

from num2words import num2words

from keras_transformer.translation.clock_times import english_time
from keras_transformer.translation.time_ranges import JOINED_RANGE

FULL_HOUR = re.compile(r"(?<![\d:.,/-])(\d{1,2}) ?([ap])\.?m\b\.?", re.IGNORECASE)
HALF_PAST = re.compile(r"\bhalf past (\w+)", re.IGNORECASE)
REPEATED_HOUR = re.compile(r"\bUhr(?: (?:um )?Uhr)+\b")  # after a stand-in or an insertion
REPEATED_HALF = re.compile(r"\b([ap]\.m\.)(?: ?[ap]\.?m\b\.?)+", re.IGNORECASE)
HALF = re.compile(r"\b(halb) (\w+)", re.IGNORECASE)
PRICE = re.compile(r"(?<![\w.,:/$€£-])(\d{1,2}) (dollar|euro|pound)s?\b", re.IGNORECASE)
CURRENCIES = {"dollar": "Dollar", "euro": "Euro", "pound": "Pfund"}
SCORE = re.compile(r"(?<![\w.,:/-])(\d{1,2}):(\d)(?![\w:/-])")  # a time has two digits
# German names the hour after a half hour: half past two is "halb drei".
HALF_TO = {num2words(hour, lang="en"): num2words(hour % 12 + 1, lang="de") for hour in range(1, 13)}
TIME = r"\d\d?(?:[.:]\d\d)?(?: Uhr)?"
HOUR = re.compile(rf"{TIME}(?:(?:[-–]| bis ){TIME})?")  # noqa: RUF001, the dash of ranges


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


def with_prices_and_scores(source: str, translation: str) -> str:
    """Return a German translation in which no price and no score of its source is a time.

    A network that has seen few of them writes "3 Uhr" for "3 dollars" and "2.1 Uhr" for "2:1". A
    number that occurs more often in the source may be a time, too.
    """
    for number, currency in PRICE.findall(source):
        word = CURRENCIES[currency.lower()]
        if len(re.findall(rf"\b{number}\b", source)) == 1:
            text = rf"(?<![\w.,:]){number} Uhr\b(?: {word}\b)?"
            translation = re.sub(text, f"{number} {word}", translation)
    for score in SCORE.finditer(source):
        text = rf"(?<![\w.,:]){score[1]}[.:]{score[2]} Uhr\b"
        translation = re.sub(text, score[0], translation)
    return translation


def without_wrong_hours(translation: str, values: Iterable[str]) -> str:
    """Return a German translation without "Uhr" after values that are not times: 5 $ Uhr.

    A number that stands for a value while it is translated may look like an hour.
    """
    # Values in words, such as "halb sieben", may be hours too.
    others = {v for v in values if re.search(r"[\d@./]", v) and not HOUR.fullmatch(v)}
    if not others:
        return translation
    texts = "|".join(map(re.escape, sorted(others, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)({texts}) Uhr\b", r"\1", translation)
