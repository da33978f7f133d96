"""The scripts in which a text is written."""

import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache


@cache
def script_of(letter: str) -> str:
    """Return the script of a letter, such as "LATIN": the first word of its Unicode name."""
    return unicodedata.name(letter, "UNKNOWN").split()[0]


def scripts(text: str) -> set[str]:
    """Return the scripts of the letters of a text."""
    return {script_of(letter) for letter in text if letter.isalpha()}


def script_shares(sentences: Iterable[str]) -> dict[str, float]:
    """Return {script: share of the letters}, for example {"LATIN": 1.0}."""
    letters = Counter(itertools.chain.from_iterable(sentences))
    found: Counter[str] = Counter()
    for letter, number in letters.items():
        if letter.isalpha():
            found[script_of(letter)] += number
    return {script: number / found.total() for script, number in found.items()}


def common_share(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the overlap of two distributions {name: share}, from 0 to 1."""
    return sum(min(share, other.get(name, 0.0)) for name, share in one.items())
