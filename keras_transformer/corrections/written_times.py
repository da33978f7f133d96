"""Clock times in English and German texts, given a number of the text and what follows."""

import re
from collections.abc import Iterator, Mapping

from keras_transformer.corrections.clock_times import ClockTime
from keras_transformer.corrections.measures import AMOUNT_END, RANGE

HOUR = r"(\d{1,2})(?:[:.](\d\d))?"
TIME = re.compile(HOUR)
FROM_1_TO_12 = re.compile(r"[1-9]|1[0-2]")
FULL_HOUR = re.compile(r"\d|1[0-2]")
DOTTED_TIME = re.compile(r"(\d{1,2})\.([0-5]\d)")
COLON_TIME = re.compile(r"(\d{1,2}):([0-5]\d)")
JOINED_TIME = re.compile(r"(\d{1,2}(?:[:.]\d\d)?)([ap])m", re.IGNORECASE)  # 6am
HALF_OF_DAY = re.compile(r"\s*([ap])\.?m\b", re.IGNORECASE)
# The rest of a range, whose end has the half of the day or "Uhr" of both times.
END_OF_RANGE = re.compile(rf"\s*{RANGE}\s*{HOUR}{HALF_OF_DAY.pattern}", re.IGNORECASE)
END_BEFORE_UHR = re.compile(rf"\s*{RANGE}\s*{HOUR}\s*Uhr\b")
TIME_AROUND_UHR = re.compile(r"(\d{1,2}) Uhr (\d\d)")
O_CLOCK = re.compile(r"\s*o'clock\b", re.IGNORECASE)
UHR = re.compile(r"\s*Uhr\b")
# A part of the day after an hour, or after a range of two hours.
PART_OF_DAY = re.compile(
    rf"(?:\s*{RANGE}\s*{HOUR})?\s+(?:tonight|(?:at|last) night|(?:in the|this|tomorrow|yesterday|"
    r"on \w+day|\w+day) (?:(?P<morning>morning)|afternoon|evening|night))\b",
    re.IGNORECASE,
)
# {words before an hour: minutes from this hour}; "viertel 3" is a quarter past two.
ENGLISH_MINUTES = {"half past": 30, "quarter past": 15, "quarter to": -15}
GERMAN_MINUTES = {
    "halb": -30,
    "viertel nach": 15,
    "viertel vor": -15,
    "dreiviertel": -15,
    "viertel": -45,
}
HALVES_AND_QUARTERS = r"\b({}) ([1-9]|1[0-2])(?!\w|[.,:-]\d)"
ENGLISH_QUARTER = re.compile(HALVES_AND_QUARTERS.format("|".join(ENGLISH_MINUTES)), re.IGNORECASE)
GERMAN_QUARTER = re.compile(HALVES_AND_QUARTERS.format("|".join(GERMAN_MINUTES)), re.IGNORECASE)


def english_time(number: str, rest: str) -> ClockTime | None:
    """Return the clock time that a number of an English text is, or None.

    Args:
        number: a token with digits, or a match of `ENGLISH_QUARTER`.
        rest: the text after it.
    """
    if quarter := ENGLISH_QUARTER.fullmatch(number):
        number = _of_quarter(quarter, ENGLISH_MINUTES).english_number
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


def possible_english_time(number: str, rest: str) -> ClockTime | None:
    """Return the clock time that an English number may be; the arguments are the same.

    A number such as 6.30, without a unit, may be a time, and one before "tonight" an hour. They may
    also be something else, as in "He ate 3 tonight".
    """
    part = PART_OF_DAY.match(rest)
    if part and FULL_HOUR.fullmatch(number):
        return ClockTime(int(number), is_exact=bool(part["morning"]))
    return None if AMOUNT_END.match(rest) else _in_digits(DOTTED_TIME.fullmatch(number))


def hours_after_noon(number: str, rest: str) -> Iterator[str]:
    """Yield the German forms of an English number that may be an hour after noon.

    English texts leave out "p.m." where it is clear: "open until 6" is "bis 18 Uhr geöffnet". The
    arguments are those of `english_time`.
    """
    if FROM_1_TO_12.fullmatch(number) and not AMOUNT_END.match(rest):
        hour = int(number) + 12
        yield from (f"{hour} Uhr", *(f"{hour} {join}" for join in ("bis", "und", "oder")))


def hour_of(hour: int, half: str) -> int:
    """Return the hour from 0 to 23, given the first letter of its half of the day."""
    return hour % 12 + 12 * (half.lower() == "p")


def first_hour(hour: int, end: int) -> int:
    """Return the hour at which a range begins: the last such hour before the end of the range."""
    hours = sorted((hour % 12, hour % 12 + 12))
    return hours[1] if hours[1] <= end or hours[0] > end else hours[0]


def german_time(number: str, rest: str) -> ClockTime | None:
    """Return the clock time that a number before "Uhr", or after "halb" and the like, is, or None.

    A full hour up to 12 is left as a number, because it is the same in both languages.

    Args:
        number: a token with digits, or a match of `GERMAN_QUARTER`.
        rest: the text after it.
    """
    if quarter := GERMAN_QUARTER.fullmatch(number):
        return _of_quarter(quarter, GERMAN_MINUTES)
    if match := TIME_AROUND_UHR.fullmatch(number):
        return valid(ClockTime(int(match[1]), match[2]))
    is_time = UHR.match(rest) or END_BEFORE_UHR.match(rest)
    match = TIME.fullmatch(number)
    if not match or not is_time or (not match[2] and int(match[1]) <= 12):
        return None
    return valid(ClockTime(int(match[1]), match[2] or ""))


def _of_quarter(match: re.Match[str], minutes: Mapping[str, int]) -> ClockTime:
    """Return the time of a match of `ENGLISH_QUARTER` or `GERMAN_QUARTER`."""
    hour, minute = divmod(int(match[2]) * 60 + minutes[match[1].lower()], 60)
    return ClockTime((hour - 1) % 12 + 1, str(minute), is_exact=False)


def possible_german_time(number: str, rest: str) -> ClockTime | None:
    """Return the clock time that a German number may be, or is without a change of the number.

    The first is a number such as 14:30 without "Uhr", which may also be a score, or 14.30, which
    may also be a date; the second a full hour up to 12. The arguments are those of `german_time`.
    """
    if FULL_HOUR.fullmatch(number) and UHR.match(rest):
        return ClockTime(int(number), is_exact=False)
    return _in_digits(COLON_TIME.fullmatch(number) or DOTTED_TIME.fullmatch(number))


def _in_digits(match: re.Match[str] | None) -> ClockTime | None:
    """Return the time whose hour and minute are the groups of a match; None for no match."""
    if match is None:
        return None
    return valid(ClockTime(int(match[1]), match[2], is_exact=int(match[1]) > 12))


def valid(time: ClockTime) -> ClockTime | None:
    """Return a time, or None if there is no such time."""
    return time if time.hour <= 24 and int(time.minute or 0) < 60 else None
