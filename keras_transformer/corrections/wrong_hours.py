"""Removal of "Uhr" after what is no time in German translations: 3 Uhr for 3 dollars, 5 $ Uhr.

A network that has seen few prices and scores takes their numbers for times. A number that stands
for a value while it is translated may look like an hour, too.
"""

import re
from collections.abc import Iterable

from num2words import num2words

PRICE = re.compile(r"(?<![\w.,:/$€£-])(\d{1,2}) (dollar|euro|pound)s?\b", re.IGNORECASE)
CURRENCIES = {"dollar": ("Dollar", "$"), "euro": ("Euro", "€"), "pound": ("Pfund", "£")}
# The minutes of a time have two digits.
SCORE = re.compile(
    r"(?<![\w.,:/-])(\d{1,2})([:-])(\d)(?![\w:/-]|[.,]\d| ?[ap]\.?m\b)", re.IGNORECASE
)
# Words that show that 2-1 is a score and not a range of hours.
RESULT = re.compile(
    r"\b(?:w[io]n|wins|winning|los[et]|loses|losing|beat|beats|beaten|defeat|defeats|defeated|"
    r"score|scores|draw|drew|tied)\b",
    re.IGNORECASE,
)
BEFORE = r"(?<![\w.,:-])"  # a number in a translation
LAST_HOUR = 24
SHORT_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
TIME = r"\d\d?(?:[.:]\d\d)?(?: Uhr)?"
# 20-22 Uhr, nachmittags um 4
HOUR = re.compile(rf"(?:\w+ um )?{TIME}(?:(?:[-–]| bis ){TIME})?")  # noqa: RUF001, the dash of ranges
# What has a number: Gleis 3.
NUMBERED = re.compile(
    r"\b((?:Gleis|Bahnsteig|Gate|Zimmer|Raum|Halle|Linie|Nummer|Seite|Kapitel) \d+) Uhr\b"
)
IN_WORDS = re.compile(r"\b(?:halb|(?:drei)?viertel)\b", re.IGNORECASE)


def without_wrong_hours(source: str, translation: str, values: Iterable[str]) -> str:
    """Return a German translation without "Uhr" after what is surely no time.

    Args:
        source: the source, in English.
        translation: the translation.
        values: the texts by which it may express the values of its source.
    """
    for price in PRICE.finditer(source):
        translation = _with_currency(price, source, translation)
    for score in SCORE.finditer(source):
        if score[2] == ":" or RESULT.search(source):
            translation = _with_score(score, translation)
    return _without_hours(NUMBERED.sub(r"\1", translation), values)


def _with_currency(price: re.Match[str], source: str, translation: str) -> str:
    """Return a translation with the currency of a price in place of "Uhr".

    The number stays an hour if the translation has the currency elsewhere, or if the source may
    name this hour, too.
    """
    number, (word, sign) = price[1], CURRENCIES[price[2].lower()]
    translation = re.sub(rf"{BEFORE}{number} Uhr (?={word}\b)", f"{number} ", translation)
    prices = [each for each in PRICE.finditer(source) if each[2].lower() == price[2].lower()]
    written = len(re.findall(rf"{word}|{re.escape(sign)}", translation))
    rest = source[: price.start()] + source[price.end() :]
    if written >= len(prices) or _names_hour(rest, int(number)):
        return translation
    return re.sub(rf"{BEFORE}{number} Uhr\b(?! \d)", f"{number} {word}", translation)


def _names_hour(source: str, number: int) -> bool:
    """Return whether an English text may name an hour, on a clock of 12 or of 24 hours."""
    hour = number % 12 or 12
    words = [num2words(hour, lang="en"), *(["noon", "midday", "midnight"] if hour == 12 else [])]
    in_words = re.search(rf"\b(?:{'|'.join(words)})\b", source, re.IGNORECASE)
    in_digits = any(int(each) % 12 == hour % 12 for each in SHORT_NUMBER.findall(source))
    return number <= LAST_HOUR and (in_digits or in_words is not None)


def _with_score(score: re.Match[str], translation: str) -> str:
    """Return a translation with a score in place of a time: 2:1 for 2.1 Uhr."""
    pattern = rf"{BEFORE}{score[1]}([.:-]){score[3]} Uhr\b"
    return re.sub(
        pattern, lambda match: f"{score[1]}{match[1].replace('.', ':')}{score[3]}", translation
    )


def _without_hours(translation: str, values: Iterable[str]) -> str:
    """Return a translation without "Uhr" after values that are not times."""
    # Values in words, such as "halb sieben", may be hours too.
    others = {
        value
        for value in values
        if re.search(r"[\d@./]", value) and not HOUR.fullmatch(value) and not IN_WORDS.match(value)
    }
    if not others:
        return translation
    texts = "|".join(map(re.escape, sorted(others, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)({texts}) Uhr\b", r"\1", translation)
