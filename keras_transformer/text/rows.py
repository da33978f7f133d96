"""Rows of ids of different lengths, in flat arrays instead of lists.

A list of Python integers takes more than ten times the memory of an array of 16-bit integers.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of ids. They are selected by their numbers, from 0.

    Attributes:
        ids: the ids of all rows, one row after the other.
        offsets: (number of rows + 1,): index in `ids` where each row begins, and the last one ends.
    """

    ids: NDArray[np.integer]
    offsets: Numbers

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> "Rows":
        """Return lists of ids as `Rows`."""
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        ids = np.fromiter(itertools.chain.from_iterable(rows), np.int32, lengths.sum())
        return cls(ids, offsets_of(lengths))

    @classmethod
    def concatenate(cls, parts: Iterable["Rows"]) -> "Rows":
        """Return the rows of all parts."""
        parts = [cls.of([]), *parts]
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        ids = np.concatenate([part.ids for part in parts[1:]] or [parts[0].ids])
        return cls(ids, offsets_of(lengths))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def lists(self) -> list[list[int]]:
        """Return the rows as lists."""
        return [self.ids[a:b].tolist() for a, b in itertools.pairwise(self.offsets)]

    def lengths(self, numbers: Numbers) -> Numbers:
        """Return the lengths of some rows."""
        return self.offsets[numbers + 1] - self.offsets[numbers]

    def take(self, numbers: Numbers) -> "Rows":
        """Return some rows, in the order of their numbers."""
        lengths = self.lengths(numbers)
        offsets = offsets_of(lengths)
        moves = np.repeat(self.offsets[numbers] - offsets[:-1], lengths)
        return Rows(self.ids[moves + np.arange(offsets[-1])], offsets)

    def between(self, first: int, last: int) -> "Rows":
        """Return the rows with the ids `first` and `last` at their ends."""
        lengths = np.diff(self.offsets) + 2
        offsets = offsets_of(lengths)
        ids = np.empty(offsets[-1], self.ids.dtype)
        inside = np.ones(len(ids), bool)
        for indexes, end in ((offsets[:-1], first), (offsets[1:] - 1, last)):
            ids[indexes] = end
            inside[indexes] = False
        ids[inside] = self.ids
        return Rows(ids, offsets)

    def padded(self, numbers: Numbers, shape: tuple[int, int] | None = None) -> NDArray[np.int32]:
        """Return some rows as one array, padded with 0 at the end of each row.

        Args:
            numbers: the numbers of the rows.
            shape: shape of the array; (number of rows, length of the longest row) by default.
        """
        rows, lengths = self.take(numbers), self.lengths(numbers)
        array = np.zeros(shape or (len(rows), lengths.max()), np.int32)
        inside = np.arange(array.shape[1]) < lengths[:, None]
        array[: len(rows)][inside] = rows.ids
        return array


def offsets_of(lengths: Numbers) -> Numbers:
    """Return the `Rows.offsets` of rows of some lengths."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
