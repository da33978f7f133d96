"""Encoding of sentence pairs as ids, in parallel."""

import collections
import enum
import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from keras_transformer.cores import usable_cores
from keras_transformer.text.pairs import Pair
from keras_transformer.text.rows import Numbers, Rows
from keras_transformer.text.subwords import Subwords

CHUNK = 2_000  # pairs that a thread encodes at a time

Item = TypeVar("Item")
Result = TypeVar("Result")


class Category(enum.IntEnum):
    """Whether a pair is used, or why it is not."""

    KEPT = 0
    EMPTY = 1
    TOO_LONG = 2


@dataclass(frozen=True, eq=False)
class PairIds:
    """The ids of sentence pairs.

    Attributes:
        rows: the sides of the pairs that are used. The source of pair n is row 2 n, its target is
            row 2 n + 1.
        categories: (number of all pairs,): the `Category` of each pair.
    """

    rows: Rows
    categories: NDArray[np.uint8]

    @classmethod
    def concatenate(cls, parts: Iterable["PairIds"]) -> "PairIds":
        """Return the pairs of all parts."""
        parts = list(parts)
        categories = [np.zeros(0, np.uint8), *(part.categories for part in parts)]
        return cls(Rows.concatenate(part.rows for part in parts), np.concatenate(categories))


class Encoding(NamedTuple):
    """How sentence pairs are encoded.

    Attributes:
        source_subwords: `Subwords` of the source language.
        target_subwords: `Subwords` of the target language.
        max_source_length: maximum number of source ids, including start and end.
        max_target_length: maximum number of target ids, including start and end.
    """

    source_subwords: Subwords
    target_subwords: Subwords
    max_source_length: int
    max_target_length: int

    @property
    def subwords(self) -> tuple[Subwords, Subwords]:
        """The `Subwords` of the source and of the target language."""
        return self.source_subwords, self.target_subwords

    @property
    def dtype(self) -> np.dtype:
        """The smallest type of array that can hold the ids of both languages."""
        size = max(subwords.size for subwords in self.subwords)
        return np.dtype("<u2" if size <= 2**16 else "<i4")

    def fingerprint(self) -> str:
        """Return a SHA-256 that changes whenever the same pairs may have other ids."""
        fingerprints = [subwords.fingerprint() for subwords in self.subwords]
        content = repr((*fingerprints, self.max_source_length, self.max_target_length))
        return hashlib.sha256(content.encode("ascii")).hexdigest()

    def encode_all(self, pairs: Iterable[Pair]) -> Iterator[PairIds]:
        """Encode pairs in all cores; yield them in chunks, in order.

        Few chunks are in memory at a time.
        """
        return ordered_map(self.encode, _chunks(pairs, CHUNK))

    def encode(self, pairs: list[Pair]) -> PairIds:
        """Encode pairs in this thread."""
        sides = [[pair[side] for pair in pairs] for side in (0, 1)]
        rows = Rows.concatenate(
            subwords.encode_all(side) for subwords, side in zip(self.subwords, sides, strict=True)
        )
        numbers = np.arange(2 * len(pairs)).reshape(2, -1)  # of sources, and of targets
        categories = self._categories(*map(rows.lengths, numbers))
        rows = rows.take(numbers[:, categories == Category.KEPT].T.ravel())
        return PairIds(Rows(rows.ids.astype(self.dtype), rows.offsets), categories)

    def _categories(self, source: Numbers, target: Numbers) -> NDArray[np.uint8]:
        """Return the `Category` of pairs with sides of some lengths."""
        categories = np.full(len(source), Category.KEPT, np.uint8)
        too_long = (source > self.max_source_length) | (target > self.max_target_length)
        categories[too_long] = Category.TOO_LONG
        categories[(source == 2) | (target == 2)] = Category.EMPTY  # only start and end
        return categories


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], workers: int | None = None
) -> Iterator[Result]:
    """Apply a function to items in threads, and yield the results in the order of the items.

    In contrast to `Executor.map`, items are read only when a thread will soon need them.

    Args:
        function: a function of one item.
        items: the items.
        workers: number of threads; by default one for each core.
    """
    workers = workers or usable_cores()
    pending: collections.deque[Future[Result]] = collections.deque()
    with ThreadPoolExecutor(workers) as pool:
        for item in items:
            pending.append(pool.submit(function, item))
            if len(pending) > 2 * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of `size` items. The last list may be shorter."""
    iterator = iter(items)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk
