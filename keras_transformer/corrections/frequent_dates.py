"""Frequent dates that stand for the dates of an English text while it is translated."""

import re
from typing import NamedTuple

from keras_transformer.corrections.dates import DATE, Date
from keras_transformer.corrections.digit_dates import SLASHES, slashed_dates

ANY_DATE = re.compile(rf"{DATE.pattern}|(?P<slashed>{SLASHES.pattern})")


class StandIn(NamedTuple):
    """A date that is frequent in the training data, and stands for another one.

    Attributes:
        date: the date, which has no year.
        english: the date in English.
        english_with_of: the same, with "of".
    """

    date: Date
    english: str
    english_with_of: str


STAND_INS = (
    StandIn(Date("3", "July", None), "July 3", "3rd of July"),
    StandIn(Date("5", "June", None), "June 5", "5th of June"),
    StandIn(Date("12", "March", None), "March 12", "12th of March"),
)


def with_frequent_dates(source: str) -> tuple[str, dict[str, str]]:
    """Replace the dates of an English text by frequent ones, as long as there are some.

    A stand-in is not used if the text contains its month.

    Returns:
        The changed text, and {German date of the stand-in: the original date as the translation
        shall have it}.
    """
    originals: dict[str, str] = {}
    free = [each for each in STAND_INS if each.date.month not in source]
    slashed = {each.start: each.forms[0] for each in slashed_dates(source)}

    def replacement(match: re.Match[str]) -> str:
        is_slashed = bool(match["slashed"])
        original = slashed.get(match.start()) if is_slashed else Date.of(match).german
        if not free or not original:
            return match[0]
        frequent, english, with_of = free.pop(0)
        if not is_slashed and not Date.of(match).day:
            frequent, english = frequent._replace(day=None), frequent.month
        originals[frequent.german] = original
        return with_of if match["of"] else english

    return ANY_DATE.sub(replacement, source), originals
