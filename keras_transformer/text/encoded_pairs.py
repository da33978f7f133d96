"""The sentence pairs of a training run as ids."""

import heapq
import itertools
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from keras_transformer.errors import UserError
from keras_transformer.text import id_file
from keras_transformer.text.encoding import Category, Encoding, PairIds
from keras_transformer.text.pairs import Pair, Pairs
from keras_transformer.text.rows import Numbers, Rows

MIN_WIDTH = 6  # smallest width of a pair, in positions; limits the number of pairs in a batch


class Survey(NamedTuple):
    """Statistics of a set of sentence pairs.

    Attributes:
        kept: number of pairs that are used, with repetitions.
        empty: number of pairs excluded because a side is empty, without repetitions.
        too_long: number of pairs excluded because a side is too long, without repetitions.
        widths: sum of the widths of the pairs that are used, in positions (see `pair_widths`).
    """

    kept: int = 0
    empty: int = 0
    too_long: int = 0
    widths: int = 0


def check_kept(pairs: object, kept: int) -> None:
    """Raise a `UserError` that names some pairs if none of them can be used."""
    if not kept:
        raise UserError(f"{pairs}: no sentence pairs left: all are empty or too long")


class Pool(NamedTuple):
    """Pairs of ids, as the numbers of their rows.

    Attributes:
        sources: rows of the sources.
        targets: rows of the targets.
    """

    sources: Numbers
    targets: Numbers

    def take(self, numbers: Numbers) -> "Pool":
        """Return some of the pairs, in the order of their numbers."""
        return Pool(self.sources[numbers], self.targets[numbers])


class EncodedPairs:
    """Sentence pairs as ids, excluding pairs with an empty side or a side that is too long.

    They are encoded when their ids are first used.

    Args:
        pairs: iterable of (source, target) strings, which can be read repeatedly.
        encoding: how they are encoded.
    """

    def __init__(self, pairs: Iterable[Pair], encoding: Encoding) -> None:
        self.pairs = pairs
        self.encoding = encoding

    @cached_property
    def ids(self) -> PairIds:
        """The ids of the pairs."""
        return PairIds.concatenate(self.encoding.encode_all(self.pairs))

    @property
    def rows(self) -> Rows:
        """The ids of all sentences, to which the numbers in a `Pool` refer."""
        return self.ids.rows

    def epoch(self, number: int) -> "EncodedPairs":
        """Return the pairs of an epoch. A corpus may sample different pairs for each epoch."""
        pairs = self.pairs.epoch(number) if isinstance(self.pairs, Pairs) else self.pairs
        if pairs is self.pairs:
            return self
        return EncodedPairs(pairs, self.encoding)

    def pools(self, size: int) -> Iterator[Pool]:
        """Yield all pairs that are used in pools of `size`. The last pool may be smaller."""
        for first in range(0, len(self.rows), 2 * size):
            rows = np.arange(first, min(first + 2 * size, len(self.rows)))
            yield Pool(rows[::2], rows[1::2])

    def sample(self, count: int) -> list[Pair]:
        """Return a deterministic sample of at most `count` of the pairs used, as strings.

        The pairs are chosen by a checksum, because files are often sorted by length.
        """
        kept = itertools.compress(self.pairs, self.ids.categories == Category.KEPT)
        return heapq.nsmallest(count, kept, key=lambda pair: zlib.crc32(pair[0].encode("utf-8")))

    def survey(self) -> Survey:
        """Return the `Survey` of the pairs."""
        categories = self.ids.categories
        repetitions = self.pairs.repetitions() if isinstance(self.pairs, Pairs) else range(0)
        once = np.delete(categories, repetitions)
        sources = np.arange(0, len(self.rows), 2)
        widths = pair_widths(self.rows.lengths(sources), self.rows.lengths(sources + 1))
        return Survey(
            int((categories == Category.KEPT).sum()),
            int((once == Category.EMPTY).sum()),
            int((once == Category.TOO_LONG).sum()),
            int(widths.sum()),
        )


class SavedPairs(EncodedPairs):
    """`EncodedPairs` whose ids are in a file.

    Args:
        path: the file.
        pairs: the `Pairs`.
        encoding: how they are encoded.
    """

    def __init__(self, path: Path, pairs: Pairs, encoding: Encoding) -> None:
        super().__init__(pairs, encoding)
        self.path = path
        self._is_unchanged = pairs.is_unchanged
        self.key = id_file.make_key(pairs.fingerprint(), encoding.fingerprint())

    @cached_property
    def ids(self) -> PairIds:
        """The ids of the pairs, mapped to the file."""
        ids = id_file.load(self.path, self.key)
        if ids is None:
            raise UserError(f"{self.path}: cannot be read, or contains the ids of other pairs")
        return ids


class CachedPairs(SavedPairs):
    """`SavedPairs` whose file is written again when the pairs or the encoding have changed."""

    @cached_property
    def ids(self) -> PairIds:
        """The ids of the pairs, mapped to the file."""
        ids = id_file.load(self.path, self.key)
        if ids is None:
            id_file.save(self.path, self.key, self._encoded())
            return super().ids
        return ids

    def _encoded(self) -> Iterator[PairIds]:
        """Encode the pairs, provided that nobody edits them meanwhile."""
        yield from self.encoding.encode_all(self.pairs)
        if not self._is_unchanged():
            raise UserError(f"{self.pairs}: changed while it was read; start again")


class BothDirections:
    """Training pairs together with reversals (Ding et al. 2021, section 3).

    Both languages must share a subword model. The network infers the direction from the language
    of the source.

    Args:
        pairs: the `EncodedPairs`.
        share: share of the pairs whose reversals are added, from 0 to 1.
        seed: seed of the choice of these pairs.
    """

    def __init__(
        self, pairs: EncodedPairs, share: float = 1.0, seed: int | Sequence[int] = 0
    ) -> None:
        self.pairs = pairs
        self.share = share
        self.seed = seed
        self.encoding = pairs.encoding

    @property
    def rows(self) -> Rows:
        """The ids of all sentences, to which the numbers in a `Pool` refer."""
        return self.pairs.rows

    def pools(self, size: int) -> Iterator[Pool]:
        """Yield each pool of pairs, followed by the reversed pairs that are not too long.

        They are the same each time.
        """
        random = np.random.default_rng(self.seed)
        for pool in self.pairs.pools(size):
            reversals = self._reversals(pool, random)
            yield Pool(
                np.concatenate([pool.sources, reversals.sources]),
                np.concatenate([pool.targets, reversals.targets]),
            )

    def _reversals(self, pool: Pool, random: np.random.Generator) -> Pool:
        """Return the reversals of a random share of a pool, in its order, if they fit."""
        count = round(self.share * len(pool.sources))
        chosen = pool.take(np.sort(random.permutation(len(pool.sources))[:count]))
        reversals = Pool(chosen.targets, chosen.sources)
        fit = (self.rows.lengths(reversals.sources) <= self.encoding.max_source_length) & (
            self.rows.lengths(reversals.targets) <= self.encoding.max_target_length
        )
        return reversals.take(np.flatnonzero(fit))


def max_width(max_source_length: int, max_target_length: int) -> int:
    """Return the width of a pair with the maximum lengths, in positions of a batch."""
    return max(max_source_length, max_target_length - 1)  # as in `pair_widths`


def pair_widths(sources: Numbers, targets: Numbers) -> Numbers:
    """Return the widths of pairs, in positions of a batch, from the lengths of their sides.

    The width of any pair is at least `MIN_WIDTH`.
    """
    # The decoder reads all target ids but the last.
    return np.maximum(MIN_WIDTH, np.maximum(sources, targets - 1))
