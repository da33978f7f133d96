"""Batches: tf.data datasets of source ids (B, S) and target ids (B, T), int32, padded with 0."""

import heapq
import itertools
import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.text.autotuning import without_autotuning
from keras_transformer.text.corpus import Pair, Pairs
from keras_transformer.text.subwords import PADDING, Subwords

MIN_WIDTH = 6  # smallest width of a pair, in positions; limits the number of pairs in a batch
PREFETCHED_BATCHES = 8

IdPair: TypeAlias = tuple[Sequence[int], Sequence[int]]  # ids of a source and of its target
Batch: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32]]  # (B, S), (B, T)
Seed: TypeAlias = int | Sequence[int]
Item = TypeVar("Item")


class Survey(NamedTuple):
    """Statistics of a set of sentence pairs.

    Attributes:
        kept: number of pairs that are used.
        empty: number of pairs excluded because a side is empty.
        too_long: number of pairs excluded because a side is too long.
        widths: sum of the widths of the pairs that are used, in positions (see `pair_width`).
    """

    kept: int = 0
    empty: int = 0
    too_long: int = 0
    widths: int = 0


class EncodedPairs:
    """Sentence pairs as ids, excluding pairs with an empty side or a side that is too long.

    Args:
        pairs: iterable of (source, target) strings. It is read again for each iteration.
        source_subwords: `Subwords` of the source language.
        target_subwords: `Subwords` of the target language.
        max_source_length: maximum number of source ids, including start and end.
        max_target_length: maximum number of target ids, including start and end.
    """

    def __init__(
        self,
        pairs: Iterable[Pair],
        source_subwords: Subwords,
        target_subwords: Subwords,
        max_source_length: int,
        max_target_length: int,
    ) -> None:
        self.pairs = pairs
        self.source_subwords = source_subwords
        self.target_subwords = target_subwords
        self.max_source_length = max_source_length
        self.max_target_length = max_target_length

    def __iter__(self) -> Iterator[IdPair]:
        for _, ids in self._kept():
            yield ids

    def epoch(self, number: int) -> "EncodedPairs":
        """Return the pairs of an epoch. A corpus may sample different pairs for each epoch."""
        pairs = self.pairs.epoch(number) if isinstance(self.pairs, Pairs) else self.pairs
        sides = self.source_subwords, self.target_subwords
        return EncodedPairs(pairs, *sides, self.max_source_length, self.max_target_length)

    def pools(self, size: int) -> Iterator[list[IdPair]]:
        """Yield all pairs of ids in lists of `size`. The last list may be shorter."""
        return _chunks(self, size)

    def sample(self, count: int) -> list[Pair]:
        """Return a deterministic sample of at most `count` of the pairs used, as strings.

        The pairs are chosen by a checksum, because files are often sorted by length.
        """
        kept = (pair for pair, _ in self._kept())
        return heapq.nsmallest(count, kept, key=lambda pair: zlib.crc32(pair[0].encode("utf-8")))

    def survey(self) -> Survey:
        """Read all pairs once and return their `Survey`."""
        counts = dict.fromkeys(Survey._fields, 0)
        for _, ids in self._encoded():
            category = self._category(*ids)
            counts[category] += 1
            counts["widths"] += pair_width(ids) if category == "kept" else 0
        return Survey(**counts)

    def _encoded(self) -> Iterator[tuple[Pair, IdPair]]:
        for source, target in self.pairs:
            yield (
                (source, target),
                (self.source_subwords.encode(source), self.target_subwords.encode(target)),
            )

    def _kept(self) -> Iterator[tuple[Pair, IdPair]]:
        return (each for each in self._encoded() if self._category(*each[1]) == "kept")

    def _category(self, source: Sequence[int], target: Sequence[int]) -> str:
        """Return the field of `Survey` that counts a pair of ids."""
        if len(source) == 2 or len(target) == 2:  # only start and end
            return "empty"
        if len(source) > self.max_source_length or len(target) > self.max_target_length:
            return "too_long"
        return "kept"


class BothDirections:
    """Training pairs together with their reversals (Ding et al. 2021, section 3).

    Both languages must share a subword model. The network infers the direction from the language
    of the source.

    Args:
        pairs: the `EncodedPairs`.
    """

    def __init__(self, pairs: EncodedPairs) -> None:
        self.pairs = pairs
        self.max_source_length = pairs.max_source_length
        self.max_target_length = pairs.max_target_length

    def pools(self, size: int) -> Iterator[list[IdPair]]:
        """Yield each pool of pairs, followed by the reversed pairs that are not too long."""
        for pool in self.pairs.pools(size):
            yield pool + [
                (target, source)
                for source, target in pool
                if len(target) <= self.max_source_length and len(source) <= self.max_target_length
            ]


def make_batches(
    pairs: EncodedPairs | BothDirections,
    batching: str,
    batch_size: int,
    shuffle_buffer: int,
    seed: Seed | None = None,
) -> tf.data.Dataset:
    """Return a prefetched dataset of batches. Equal arguments give equal batches in the same order.

    Pairs are read into a pool. The pool is shuffled and divided into batches, and the batches are
    shuffled. Only one pool is in memory at a time, whatever the size of the corpus.

    Args:
        pairs: `EncodedPairs` or `BothDirections`.
        batching: "fixed" or "bucketed".
        batch_size: number of pairs in a batch of the maximum width.
        shuffle_buffer: number of pairs in a pool.
        seed: an integer or a sequence of integers. None disables shuffling.

    Returns:
        A `tf.data.Dataset` of (source (B, S), target (B, T)), both int32.
    """
    divide = {"fixed": fixed_batches, "bucketed": bucketed_batches}[batching]
    max_lengths = pairs.max_source_length, pairs.max_target_length

    def generate() -> Iterator[Batch]:
        random = None if seed is None else np.random.default_rng(seed)
        for pool in pairs.pools(shuffle_buffer):
            batches = list(divide(_shuffled(pool, random), batch_size, *max_lengths))
            yield from _shuffled(batches, random)

    ids = tf.TensorSpec((None, None), tf.int32)
    dataset = tf.data.Dataset.from_generator(generate, output_signature=(ids, ids))
    return without_autotuning(dataset.prefetch(PREFETCHED_BATCHES))


def pair_width(pair: IdPair) -> int:
    """Return the width of a pair of ids, in positions of a batch; at least `MIN_WIDTH`."""
    # The decoder reads all target ids but the last.
    return max(MIN_WIDTH, len(pair[0]), len(pair[1]) - 1)


def estimated_batches(
    survey: Survey, batching: str, batch_size: int, max_source_length: int, max_target_length: int
) -> int:
    """Return the approximate number of batches that `make_batches` makes from surveyed pairs."""
    if batching == "fixed":
        return math.ceil(survey.kept / batch_size)
    positions = batch_size * max(max_source_length, max_target_length - 1)
    return math.ceil(survey.widths / positions)


def fixed_batches(
    pool: Sequence[IdPair], batch_size: int, max_source_length: int, max_target_length: int
) -> Iterator[Batch]:
    """Yield batches of shape (batch_size, max_source_length) and (batch_size, max_target_length).

    The last batch is padded with empty rows, so that no pair is dropped.
    """
    for batch in _chunks(pool, batch_size):
        source, target = zip(*batch, strict=True)
        yield (
            pad(source, (batch_size, max_source_length)),
            pad(target, (batch_size, max_target_length)),
        )


def bucketed_batches(
    pool: Sequence[IdPair], batch_size: int, max_source_length: int, max_target_length: int
) -> Iterator[Batch]:
    """Yield batches of pairs of similar width, padded to the longest sentence in the batch.

    A batch of the maximum width contains `batch_size` pairs. A narrower batch contains more, so
    that all batches have about the same number of positions. The last two are balanced, because a
    tiny batch would change the weights as much as any other, but with a noisier gradient.
    Pairs of equal width are sorted by the difference of their lengths, which reduces padding.
    """
    positions = batch_size * max(max_source_length, max_target_length - 1)

    def order(pair: IdPair) -> tuple[int, int]:
        return pair_width(pair), len(pair[1]) - len(pair[0])

    ordered = sorted(pool, key=order, reverse=True)
    batches, first = [], 0
    while first < len(ordered):
        end = first + max(1, positions // pair_width(ordered[first]))
        batches.append(ordered[first:end])
        first = end
    for batch in _balance_last_two(batches):
        source, target = zip(*batch, strict=True)
        yield pad(source), pad(target)


def _balance_last_two(batches: list[list[Item]]) -> list[list[Item]]:
    """Return the lists with the last two divided evenly if the last is the shorter one."""
    *others, last = batches
    if not others or len(last) >= len(others[-1]):
        return batches
    both = others.pop() + last
    half = (len(both) + 1) // 2
    return [*others, both[:half], both[half:]]


def pad(rows: Sequence[Sequence[int]], shape: tuple[int, int] | None = None) -> NDArray[np.int32]:
    """Return lists of ids as an int32 array, padded with 0 at the end of each row.

    Args:
        rows: lists of ids.
        shape: shape of the array; (number of rows, length of the longest row) by default.
    """
    array = np.full(shape or (len(rows), max(map(len, rows))), PADDING, np.int32)
    for line, row in zip(array, rows, strict=False):
        line[: len(row)] = row
    return array


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of `size` items. The last list may be shorter."""
    iterator = iter(items)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk


def _shuffled(items: list[Item], random: np.random.Generator | None) -> list[Item]:
    return [items[i] for i in random.permutation(len(items))] if random else items
