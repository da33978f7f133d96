"""Numbers of words, assigned in the order of first occurrence."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


def numbered(words: Iterable[str]) -> dict[str, int]:
    """Return {word: number} of distinct words."""
    return {word: number for number, word in enumerate(words)}


def assign_numbers(words: Sequence[str], numbers: dict[str, int]) -> NDArray[np.int64]:
    """Return the numbers of words, and add new words to `numbers`."""
    return np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64)


def known_numbers(words: Sequence[str], numbers: dict[str, int]) -> NDArray[np.int64]:
    """Return the numbers of words; -1 for words that are not in `numbers`."""
    return np.array([numbers.get(word, -1) for word in words], np.int64)
