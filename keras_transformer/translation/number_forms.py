"""The ways to write a number in a language whose format of numbers is unknown."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping

from keras_transformer.translation.clock_times import HALF_OF_DAY
from keras_transformer.translation.measures import GROUPED, LONGEST, SPACES, Measure

CURRENCY_SIGNS = "€$£"
GROUPS = ".", ",", "'", "’", " ", "\u00a0", "\u202f", ""  # noqa: RUF001, between thousands
POINTS = ".", ","  # before decimals
AMOUNT = re.compile(r"(\d{1,3}(?:([.,'])\d{3})(?:\2\d{3})*|\d+)(?:([.,])(\d+))?")
TIME = re.compile(r"(\d{1,2})(?:[:.h](\d\d))?")
TIME_JOINS = ":", ".", "h", " h ", "u"


def ascii_digits(text: str) -> str:
    """Return a text of the same length with the decimal digits of all scripts as 0 to 9."""
    if text.isascii():
        return text
    return "".join(str(int(char)) if char.isdecimal() else char for char in text)


def lacks_digits(number: str, wanted: str) -> bool:
    """Return whether the digits of a number are some of those of another, in the same order."""
    digits, all_digits = ("".join(filter(str.isdecimal, text)) for text in (number, wanted))
    left = iter(all_digits)
    return len(digits) < len(all_digits) and all(digit in left for digit in digits)


def written_forms(
    number: str, rest: str, unit_words: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    """Yield texts that may express a number in some language.

    Args:
        number: a token with digits, optionally with a sign, a currency sign or a unit.
        rest: the text after it in the source.
        unit_words: {unit: words for it}.
    """
    measure = Measure.of(number.strip(CURRENCY_SIGNS + SPACES))
    if measure:
        for amount in _amounts(measure.amount):
            yield from measure._replace(amount=amount).forms(unit_words)
    if time := TIME.fullmatch(number):
        yield from _times(time[1], time[2], HALF_OF_DAY.match(rest) is not None)


def _amounts(amount: str) -> Iterator[str]:
    """Yield an amount with each separator of thousands and each decimal point."""
    match = AMOUNT.fullmatch(amount)
    if not match or len(amount) > LONGEST:
        return
    whole, _, point, decimals = match.groups()
    groups = re.split(r"[.,']", whole)
    if len(groups) == 1 and len(whole) > 3:
        groups = f"{int(whole):,}".split(",")
    wholes = dict.fromkeys(join.join(groups) for join in GROUPS)
    endings = [f"{each}{decimals}" for each in POINTS] if point else [""]
    yield from map("".join, itertools.product(wholes, endings))
    if GROUPED.fullmatch(amount) and amount.count(whole[-4]) == 1:  # 1.500 may also be 1,500
        yield from (amount.replace(whole[-4], each) for each in POINTS)


def _times(hour: str, minute: str | None, has_half: bool) -> Iterable[str]:
    """Return the ways to write a clock time, if a number is one.

    Args:
        hour: the hour as it is written.
        minute: two digits, or None.
        has_half: whether the text after the number names a half of the day.
    """
    if minute is None and not has_half:
        return []
    hours = dict.fromkeys([hour, str(int(hour)), str((int(hour) + 12) % 24)])
    if minute:
        return [f"{h}{join}{minute}" for h in hours for join in TIME_JOINS]
    return [f"{h}{end}" for h in hours for end in ("", ":00", ".00", "h", " h", "h00", " h 00")]
