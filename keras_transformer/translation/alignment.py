"""IBM model 1: which words correspond to which, learned from pairs of numbered words.

The model assumes that each word of one side corresponds to one word of the other, whatever their
order, and learns the probabilities by expectation maximization (Brown et al. 1993, section 4.1).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

ITERATIONS = 5
LONGEST_ROW = 200  # words of each side to learn from
MAX_CELLS = 10_000_000  # pairs of words to learn from; a larger corpus is sampled

Integers: TypeAlias = NDArray[np.integer]
# The numbers of the words to explain (S,), and of the words that explain them (T,).
Row: TypeAlias = tuple[Integers, Integers]


class Alignment(NamedTuple):
    """How often words explain others, as expected after the last iteration.

    The N pairs of words are those that occur together. They are in increasing order of `givens`,
    and then of `words`.

    Attributes:
        givens: int64 (N,): the number of the word that explains the other.
        words: int64 (N,): the number of the word that is explained.
        counts: float64 (N,): the expected number of times.
        totals: float64 (N,): the sum of the counts of the same `givens`.
    """

    givens: NDArray[np.int64]
    words: NDArray[np.int64]
    counts: NDArray[np.float64]
    totals: NDArray[np.float64]

    @classmethod
    def learn(cls, rows: Sequence[Row]) -> Self:
        """Return the alignment learned from at least one row, of which the rest is ignored after
        `LONGEST_ROW` words.

        The word of `NULL` in Brown et al. must be one of the explaining words of each row.
        """
        rows = [(words[:LONGEST_ROW], givens[:LONGEST_ROW]) for words, givens in rows]
        cells = [_cells(row, number) for number, row in enumerate(_sampled(rows))]
        words, givens, places = (np.concatenate(each) for each in zip(*cells, strict=True))
        size = int(words.max(initial=0)) + 1
        keys, cell_keys = np.unique(givens * size + words, return_inverse=True)
        givens, words = keys // size, keys % size
        return cls(givens, words, *_expected(givens, cell_keys, places))


def _sampled(rows: Sequence[Row]) -> Sequence[Row]:
    """Return evenly spaced rows with at most about `MAX_CELLS` cells."""
    cells = sum(len(words) * len(givens) for words, givens in rows)
    return rows[:: max(1, math.ceil(cells / MAX_CELLS))]


def _cells(row: Row, number: int) -> tuple[Integers, Integers, Integers]:
    """Return all combinations of a word to explain and an explaining word of a row.

    Args:
        row: the numbers of the words (S,), and of the words that explain them (T,).
        number: number of the row.

    Returns:
        The numbers of the words, those of the explaining words, and a number that identifies the
        word to explain in the corpus, each int64 (S * T,).
    """
    words, givens = (side.astype(np.int64) for side in row)
    places = number << 20 | np.arange(len(words))
    return (
        np.repeat(words, len(givens)),
        np.tile(givens, len(words)),
        np.repeat(places, len(givens)),
    )


def _expected(
    givens: Integers, cell_keys: Integers, places: Integers
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return `Alignment.counts` and `Alignment.totals` by expectation maximization.

    Args:
        givens: the explaining word of each key (N,).
        cell_keys: key of each cell (C,).
        places: place in the corpus of each cell's word to explain (C,).
    """
    places = np.unique(places, return_inverse=True)[1]
    probabilities = np.ones(len(givens))
    counts = totals = np.zeros(len(givens))
    for _ in range(ITERATIONS):
        shares = probabilities[cell_keys]
        shares /= np.bincount(places, shares)[places]  # over the explaining words of a word
        counts = np.bincount(cell_keys, shares, len(givens)).astype(np.float64)
        totals = np.bincount(givens, counts)[givens].astype(np.float64)
        probabilities = counts / totals
    return counts, totals
