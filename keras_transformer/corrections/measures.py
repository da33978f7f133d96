"""Signs, percentages and units of numbers, such as -5, 50 % and 80 km/h."""

import itertools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from keras_transformer.text.touching import END

# Units that are the same in most languages, except single letters that are more often plurals or
# codes (the 90s, platform 5 A).
UNITS = (
    r"km/h|m/s|mph|km²|cm²|m²|m³|mm|cm|dm|km|m|mg|kg|g|ml|cl|l|min|kWh|kW|kHz|MHz|GHz|Hz|"
    r"kB|KB|MB|GB|TB|dB"
)
PERCENT = "%‰"
CURRENCY_SIGNS = "€$£"
SIGN = "[-−]"  # noqa: RUF001, the minus sign of typography
NUMBER_SIGN = rf"(?:(?<!\S){SIGN}(?=\d))?"  # not the hyphen of "A-12" or "10-20"
SPACES = " \u00a0\u202f"  # also those that do not break
SPACE = f"[{SPACES}]"
SUFFIX = rf"(?<=\d){SPACE}?(?:[{PERCENT}]|°[CF]?|(?:{UNITS})){END}"
MEASURE = re.compile(rf"({SIGN}?)(\d+(?:[.,]\d+)*){SPACE}?([{PERCENT}]|°[CF]?|{UNITS})?")
RANGE = r"(?:bis|und|oder|to|and|or|[-–])"  # noqa: RUF001, the dash of ranges
GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
PAIR = re.compile(
    rf"[{CURRENCY_SIGNS}]?(\d+)[-/:](\d+)(?:{SPACE}?(?:[{PERCENT}{CURRENCY_SIGNS}]|°[CF]?|{UNITS}))?"
)
JOINS = "-", "–", "/", ":", " bis ", " to ", " zu "  # noqa: RUF001, the dash of ranges
LONGEST = 12  # characters of an integer that may be written in several ways
NO_DIGIT = re.compile(r"\D")
# {unit or currency sign: the words for it in German and English}
UNIT_WORDS: Mapping[str, tuple[str, ...]] = {
    "%": (
        *("Prozent", "percent", "per cent", "prozentig"),
        *(f"prozentige{ending}" for ending in ("", "m", "n", "r", "s")),
    ),
    "‰": ("Promille", "per mille"),
    "°": ("Grad", "degree", "degrees"),
    "°C": ("Grad", "Grad Celsius", "degrees", "degrees Celsius"),
    "kg": ("Kilo", "Kilogramm", "kilo", "kilos", "kilogram", "kilograms"),
    "g": ("Gramm", "gram", "grams"),
    "mm": ("Millimeter", "Millimetern", "millimeters", "millimetres"),
    "cm": ("Zentimeter", "Zentimetern", "centimeters", "centimetres"),
    "m": ("Meter", "Metern", "meter", "meters", "metre", "metres"),
    "km": ("Kilometer", "Kilometern", "kilometers", "kilometres"),
    "km/h": (
        *("Stundenkilometer", "Stundenkilometern", "Kilometer pro Stunde"),
        *("Kilometern pro Stunde", "kilometers per hour", "kilometers an hour"),
        *("kilometres per hour", "kilometres an hour"),
    ),
    "l": ("Liter", "Litern", "liter", "liters", "litre", "litres"),
    "min": ("Minute", "Minuten", "minute", "minutes"),
    "€": ("Euro", "Euros", "euro", "euros", "EUR"),
    "$": ("Dollar", "Dollars", "dollar", "dollars", "USD", "US-Dollar", "bucks"),
    "£": ("Pfund", "pound", "pounds", "GBP", "quid"),
}
# English words that, like a unit, show that the number before them is neither a time nor a version.
AMOUNT_WORDS = (
    *itertools.chain(*UNIT_WORDS.values()),
    *("thousand", "million", "billion", "trillion", "times", "points", "seconds", "hours", "days"),
    *("weeks", "months", "years", "inches", "feet", "miles", "acres", "pints", "gallons", "ounces"),
)
AMOUNT_END = re.compile(
    rf"{SPACE}?(?:[{PERCENT}{CURRENCY_SIGNS}°]|(?:{UNITS}){END})|[ -](?:{'|'.join(AMOUNT_WORDS)})\b"
)


class Measure(NamedTuple):
    """A number with its sign and its unit, either of which may be empty."""

    sign: str
    amount: str
    unit: str

    @classmethod
    def of(cls, text: str) -> "Measure | None":
        """Return the measure that a text is, or None."""
        match = MEASURE.fullmatch(text)
        return cls(match[1], match[2], match[3] or "") if match else None

    @classmethod
    def of_price(cls, text: str) -> "Measure | None":
        """Return the measure that a text is, also with a currency sign as the unit, or None."""
        sign = next(filter(text.__contains__, CURRENCY_SIGNS), "")
        measure = cls.of(text.replace(sign, "", 1).strip(SPACES))
        return measure._replace(unit=sign or measure.unit) if measure else None

    def __str__(self) -> str:
        space = "" if self.unit in ("", "°") else " "
        return f"{self.sign}{self.amount}{space}{self.unit}"

    def forms(self, unit_words: Mapping[str, tuple[str, ...]]) -> list[str]:
        """Return the texts that express this measure.

        If the words for its unit are unknown, the number alone is one of them, because the words
        around it may express the unit.

        Args:
            unit_words: {unit: words for it}.
        """
        signs = [self.sign, "minus "] if self.sign else [""]
        endings = _endings(self.unit, unit_words.get(self.unit))
        return [f"{s}{a}{e}" for e in endings for a in self.amounts() for s in signs]

    @property
    def is_price(self) -> bool:
        """Whether the unit is a currency sign."""
        return self.unit != "" and self.unit in CURRENCY_SIGNS

    def amounts(self) -> list[str]:
        """Return the amount with and without separators of thousands and decimals that are 0."""
        if GROUPED.fullmatch(self.amount):
            return [self.amount, NO_DIGIT.sub("", self.amount)]
        if self.amount.isdecimal() and 4 <= len(self.amount) <= LONGEST:
            grouped = f"{int(self.amount):,}"
            return [self.amount, grouped, grouped.replace(",", ".")]
        is_whole = re.fullmatch(r".*\d[.,]00", self.amount)
        return [self.amount, *([self.amount[:-3]] if is_whole else [])]

    def integer(self) -> int | None:
        """Return the absolute value if it is an integer, with or without separators."""
        is_integer = self.amount.isdecimal() or GROUPED.fullmatch(self.amount)
        is_short = len(self.amount) <= LONGEST  # converting long texts is slow, or an error
        return int(NO_DIGIT.sub("", self.amount)) if is_integer and is_short else None


def _endings(unit: str, words: Iterable[str] | None) -> list[str]:
    """Return what may follow a number with a unit, given the words for the unit if known."""
    if not unit:
        return [""]
    signs = [] if unit in CURRENCY_SIGNS else [unit]  # a currency sign has a side in each language
    named = [f"{join}{word}" for word in (*signs, *(words or ())) for join in " -"]
    return [*signs, *named, *([] if words else [""])]


def unit_after(unit: str) -> str:
    """Return a pattern of a unit, or of a word for it, after a number to which it belongs.

    The end of a range or other words may be between them: 20 bis 30 $, 2,5 Milliarden Dollar.
    """
    words = "|".join(map(re.escape, (unit, *UNIT_WORDS.get(unit, ()))))
    end_of_range = rf"(?:{SPACE}?{RANGE}{SPACE}?\d[\d.,]*)?"
    return rf"{end_of_range}(?:{SPACE}[^\W\d_]+\.?){{0,2}}[{SPACES}-]?(?:{words})(?!\w)"


def pair_forms(text: str) -> list[str]:
    """Return the ways to write a pair of numbers, such as 10-20, 2019/20 or 3:2.

    The unit of a pair such as 10-20 km is left out, because it may follow in words.
    """
    match = PAIR.fullmatch(text)
    return [f"{match[1]}{join}{match[2]}" for join in JOINS] if match else []
