"""Batches: tf.data datasets of source ids (B, S) and target ids (B, T), int32, padded with 0."""

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.text.autotuning import without_autotuning
from keras_transformer.text.encoded_pairs import (
    BothDirections,
    EncodedPairs,
    Pool,
    Survey,
    max_width,
    pair_widths,
)
from keras_transformer.text.rows import Numbers
from keras_transformer.text.subwords import PADDING

PREFETCHED_BATCHES = 8

Batch: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32]]  # (B, S), (B, T)
Seed: TypeAlias = int | Sequence[int]


def make_batches(
    pairs: EncodedPairs | BothDirections,
    batching: str,
    batch_size: int,
    shuffle_buffer: int,
    seed: Seed | None = None,
) -> tf.data.Dataset:
    """Return a prefetched dataset of batches. Equal arguments give equal batches in the same order.

    Pairs are read into a pool. The pool is shuffled and divided into batches, and the batches are
    shuffled. The numbers of the pairs are shuffled, not their ids, which can stay on disk.

    Args:
        pairs: `EncodedPairs` or `BothDirections`.
        batching: "fixed" or "bucketed".
        batch_size: number of pairs in a batch of the maximum width.
        shuffle_buffer: number of pairs in a pool.
        seed: an integer or a sequence of integers. None disables shuffling.

    Returns:
        A `tf.data.Dataset` of (source (B, S), target (B, T)), both int32.
    """

    def generate() -> Iterator[Batch]:
        random = None if seed is None else np.random.default_rng(seed)
        source_shape, target_shape = _shapes(pairs, batching, batch_size)
        for pool in pairs.pools(shuffle_buffer):
            pool = pool.take(_order(len(pool.sources), random))
            batches = _divide(pairs, pool, batching, batch_size)
            for number in _order(len(batches), random):
                sources, targets = pool.take(batches[number])
                yield (
                    pairs.rows.padded(sources, source_shape),
                    pairs.rows.padded(targets, target_shape),
                )

    ids = tf.TensorSpec((None, None), tf.int32)
    dataset = tf.data.Dataset.from_generator(generate, output_signature=(ids, ids))
    return without_autotuning(dataset.prefetch(PREFETCHED_BATCHES))


def estimated_batches(
    survey: Survey, batching: str, batch_size: int, max_source_length: int, max_target_length: int
) -> int:
    """Return the approximate number of batches that `make_batches` makes from surveyed pairs."""
    if batching == "fixed":
        return math.ceil(survey.kept / batch_size)
    positions = batch_size * max_width(max_source_length, max_target_length)
    return math.ceil(survey.widths / positions)


def _shapes(
    pairs: EncodedPairs | BothDirections, batching: str, batch_size: int
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Return the shapes of the sources and targets of a batch, or None if they vary."""
    if batching == "bucketed":
        return None, None
    encoding = pairs.encoding
    return (batch_size, encoding.max_source_length), (batch_size, encoding.max_target_length)


def _divide(
    pairs: EncodedPairs | BothDirections, pool: Pool, batching: str, batch_size: int
) -> list[Numbers]:
    """Return the indexes in a pool of the pairs of each batch."""
    if batching == "fixed":
        return fixed_batches(len(pool.sources), batch_size)
    encoding = pairs.encoding
    positions = batch_size * max_width(encoding.max_source_length, encoding.max_target_length)
    lengths = pairs.rows.lengths
    return bucketed_batches(lengths(pool.sources), lengths(pool.targets), positions)


def fixed_batches(count: int, batch_size: int) -> list[Numbers]:
    """Return the indexes of `count` pairs in batches of `batch_size`; the last may be smaller."""
    return np.split(np.arange(count), range(batch_size, count, batch_size))


def bucketed_batches(sources: Numbers, targets: Numbers, positions: int) -> list[Numbers]:
    """Return the indexes of pairs in batches of similar width.

    A narrower batch contains more pairs, so that all batches have about the same number of
    positions. The last two are balanced, because a tiny batch would change the weights as much as
    any other, but with a noisier gradient. Pairs of equal width are sorted by the difference of
    their lengths, which reduces padding.

    Args:
        sources: lengths of the sources.
        targets: lengths of the targets.
        positions: maximum number of positions in a batch of more than one pair.
    """
    widths = pair_widths(sources, targets)
    order = np.lexsort((sources - targets, -widths))  # stable; the last key is the first criterion
    return np.split(order, _boundaries(widths[order], positions))


def _boundaries(widths: Numbers, positions: int) -> list[int]:
    """Return where batches of pairs of decreasing widths end, except for the last batch."""
    ends = [0]
    while ends[-1] < len(widths):
        size = max(1, positions // int(widths[ends[-1]]))
        ends.append(min(ends[-1] + size, len(widths)))
    return _balance_last_two(ends)[1:-1]


def _balance_last_two(ends: list[int]) -> list[int]:
    """Divide the last two batches evenly if the last is the smaller one."""
    if len(ends) < 3:
        return ends
    *others, begin, middle, end = ends
    if end - middle < middle - begin:
        middle = begin + (end - begin + 1) // 2
    return [*others, begin, middle, end]


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


def _order(count: int, random: np.random.Generator | None) -> Numbers:
    """Return the numbers below `count` in random order, or in order if `random` is None."""
    return np.arange(count) if random is None else random.permutation(count)
