"""Large numbers with the words for a million and a billion: 5 million, 5 Millionen, 5.000.000."""

import itertools
import re
from collections.abc import Iterator

from keras_transformer.corrections.measures import (
    CURRENCY_SIGNS,
    GROUPED,
    NO_DIGIT,
    SPACES,
    Measure,
)

LARGE_NUMBERS = {
    10**6: ("Million", "Millionen", "million", "millions"),
    10**9: ("Milliarde", "Milliarden", "billion", "billions"),
}
LONGEST_LARGE = 20  # characters of a number that may have such a word
IN_WORDS = re.compile(rf"\s*({'|'.join(itertools.chain(*LARGE_NUMBERS.values()))})\b")


def with_large_words(number: str) -> Iterator[str]:
    """Yield how a large number is written with the word for a million or more: 5 Millionen."""
    integer = _large_integer(number.strip(CURRENCY_SIGNS + SPACES))
    signs = "", *filter(number.__contains__, CURRENCY_SIGNS)
    for size, words in LARGE_NUMBERS.items():
        if integer >= size and integer % (size // 1000) == 0:
            amount = f"{integer / size:.10g}"
            amounts = dict.fromkeys((amount, amount.replace(".", ",")))  # equal without decimals
            for parts in itertools.product(signs, amounts, words):
                yield "{}{} {}".format(*parts)


def without_large_words(number: str, rest: str) -> list[str]:
    """Return how a number before the word for a million or more is written in digits."""
    word, amount = IN_WORDS.match(rest), number.strip(CURRENCY_SIGNS + SPACES).replace(",", ".")
    if not word or not re.fullmatch(r"\d{1,4}(?:\.\d{1,3})?", amount):
        return []
    size = next(size for size, words in LARGE_NUMBERS.items() if word[1] in words)
    total = f"{round(float(amount) * size):,}"
    return [total, total.replace(",", "."), total.replace(",", "")]


def _large_integer(number: str) -> int:
    """Return a number with separators of thousands, or 0 if it has none or is no integer."""
    amount = measure.amount if (measure := Measure.of(number)) else ""
    is_integer = GROUPED.fullmatch(amount) and len(amount) <= LONGEST_LARGE
    return int(NO_DIGIT.sub("", amount)) if is_integer else 0
