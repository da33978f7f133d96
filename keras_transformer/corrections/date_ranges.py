"""Days of the same month in English texts, such as May 3-5 and 3rd to 5th of May."""

import re

from keras_transformer.corrections.dates import (
    MONTH,
    MONTHS,
    ORDINAL_END,
    YEAR,
    Date,
    TranslatedDate,
)

TO = r"(?P<to{}>(?: ?[-–] ?| to | until | through )(?:the )?)"  # noqa: RUF001, a dash
# Not an amount (In June 20-25,000 people), a time (May 3 to 5 p.m.), nor a date of another month
# (May 3 to 5 June).
END = rf"(?!\w|[:./-]\d|,\d{{3}}\b| ?[ap]\.?m\b| (?:of )?(?:{MONTH})\b)"
NO_MONTH = "".join(f"(?<!{month} )" for month in MONTHS)
RANGE = re.compile(
    rf"(?<!\b[Ii]n )\b(?P<month>{MONTH}) (?P<first>\d\d?){ORDINAL_END}{TO.format('')}"
    rf"(?P<last>\d\d?){ORDINAL_END}{END}{YEAR.format('')}?"
    rf"|(?<![\w.,:/-]){NO_MONTH}(?:the )?(?P<first_before>\d\d?){ORDINAL_END}{TO.format('_before')}"
    rf"(?P<last_before>\d\d?){ORDINAL_END} (?:of )?(?P<month_after>{MONTH})\b"
    rf"{YEAR.format('_after')}?"
)


def with_separate_days(source: str) -> str:
    """Return an English text in which each day has its month: May 3 to May 5, 2021."""
    return RANGE.sub(_separated, source)


def translated_days(source: str) -> list[TranslatedDate]:
    """Return the days of the ranges of an English text; the last day of each has its year."""
    found: list[TranslatedDate] = []
    for match in RANGE.finditer(source):
        first, last = _days(match)
        start, end = match.span("to" if match["to"] else "to_before")
        # The month may follow the last day only: 3.-5. Mai.
        found.append(TranslatedDate(match.start(), start, (*first.german_forms, f"{first.day}.")))
        found.append(TranslatedDate(end, match.end(), (last.german,)))
    return found


def _days(match: re.Match[str]) -> tuple[Date, Date]:
    """Return the first and the last day of a match of `RANGE`."""
    month = match["month"] or match["month_after"]
    first, last = (match[name] or match[f"{name}_before"] for name in ("first", "last"))
    return Date(first, month, None), Date(last, month, match["year"] or match["year_after"])


def _separated(match: re.Match[str]) -> str:
    first, last = _days(match)
    year = f", {last.year}" if last.year else ""
    return f"{first.month} {first.day} to {last.month} {last.day}{year}"
