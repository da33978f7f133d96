"""Batches: tf.data datasets of source ids (B, S) and target ids (B, T), int32, padded with 0."""

import heapq
import itertools
import math
import zlib
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from keras_transformer.text.autotuning import without_autotuning
from keras_transformer.text.corpus import Pairs
from keras_transformer.text.subwords import PADDING

NARROWEST_BATCH = 6  # positions
PREFETCHED = 8  # batches


class Survey(NamedTuple):
    """Counts of pairs: `kept`, left out because a side is `empty`, or `too_long`.

    `widths` is the sum of the widths of the pairs kept, in positions (see `pair_width`).
    """

    kept: int = 0
    empty: int = 0
    too_long: int = 0
    widths: int = 0


class EncodedPairs:
    """Sentence pairs as ids; pairs with an empty or a too long side are left out.

    Args:
        pairs: iterable of (source, target) strings, read anew each time.
        source_subwords, target_subwords: `Subwords` of the two languages.
        max_source_length, max_target_length: most ids, start and end included.
    """

    def __init__(
        self,
        pairs,
        source_subwords,
        target_subwords,
        max_source_length,
        max_target_length,
    ):
        self.pairs = pairs
        self.source_subwords = source_subwords
        self.target_subwords = target_subwords
        self.max_source_length = max_source_length
        self.max_target_length = max_target_length

    def __iter__(self):
        for _, ids in self._kept():
            yield ids

    def epoch(self, number):
        """Return the `EncodedPairs` of an epoch, which a corpus may sample for it."""
        pairs = self.pairs.epoch(number) if isinstance(self.pairs, Pairs) else self.pairs
        sides = self.source_subwords, self.target_subwords
        return EncodedPairs(pairs, *sides, self.max_source_length, self.max_target_length)

    def pools(self, size):
        """Yields all pairs of ids in lists of `size`, the last with what is left."""
        return _chunks(self, size)

    def sample(self, most):
        """At most `most` of the pairs that are not left out, as strings: always the same ones.

        They are chosen by a checksum, because files are often sorted by length.
        """
        kept = (pair for pair, _ in self._kept())
        return heapq.nsmallest(most, kept, key=lambda pair: zlib.crc32(pair[0].encode("utf-8")))

    def survey(self):
        """Read all pairs once and return their `Survey`."""
        counts = dict.fromkeys(Survey._fields, 0)
        for _, ids in self._encoded():
            fate = self._fate(*ids)
            counts[fate] += 1
            counts["widths"] += pair_width(ids) if fate == "kept" else 0
        return Survey(**counts)

    def _encoded(self):
        for source, target in self.pairs:
            yield (
                (source, target),
                (self.source_subwords.encode(source), self.target_subwords.encode(target)),
            )

    def _kept(self):
        return (each for each in self._encoded() if self._fate(*each[1]) == "kept")

    def _fate(self, source, target):
        if len(source) == 2 or len(target) == 2:  # nothing between start and end
            return "empty"
        if len(source) > self.max_source_length or len(target) > self.max_target_length:
            return "too_long"
        return "kept"


class BothDirections:
    """Pairs to train on, and the same pairs the other way round (Ding et al. 2021, section 3).

    Both sides must have the same subword model. The network tells the direction by the language
    that it reads.

    Args:
        pairs: `EncodedPairs`.
    """

    def __init__(self, pairs):
        self.pairs = pairs
        self.max_source_length = pairs.max_source_length
        self.max_target_length = pairs.max_target_length

    def pools(self, size):
        """Yields the pools of the pairs, each twice as large; what is then too long is left out."""
        for pool in self.pairs.pools(size):
            yield pool + [
                (target, source)
                for source, target in pool
                if len(target) <= self.max_source_length and len(source) <= self.max_target_length
            ]


def make_batches(pairs, batching, batch_size, shuffle_buffer, seed=None):
    """A dataset of batches, prefetched; the same arguments give the same batches in the same order.

    Pairs are read into a pool, which is shuffled, divided into batches, and these shuffled again;
    so memory holds one pool, however large the corpus.

    Args:
        pairs: `EncodedPairs` or `BothDirections`.
        batching: "fixed" or "bucketed".
        batch_size: pairs in the widest batch.
        shuffle_buffer: pairs in a pool.
        seed: an integer or a list of them; None: nothing is shuffled.

    Returns:
        A `tf.data.Dataset` of (source (B, S), target (B, T)), both int32.
    """
    divide = {"fixed": fixed_batches, "bucketed": bucketed_batches}[batching]
    widest = pairs.max_source_length, pairs.max_target_length

    def generate():
        random = None if seed is None else np.random.default_rng(seed)
        for pool in pairs.pools(shuffle_buffer):
            batches = list(divide(_shuffled(pool, random), batch_size, *widest))
            yield from _shuffled(batches, random)

    ids = tf.TensorSpec((None, None), tf.int32)
    dataset = tf.data.Dataset.from_generator(generate, output_signature=(ids, ids))
    return without_autotuning(dataset.prefetch(PREFETCHED))


def pair_width(pair):
    """Return the positions that a pair of lists of ids needs in a batch."""
    # The decoder reads all of the target but its last id.
    return max(NARROWEST_BATCH, len(pair[0]), len(pair[1]) - 1)


def estimated_batches(survey, batching, batch_size, max_source_length, max_target_length):
    """Return about how many batches the surveyed pairs make; the arguments of `make_batches`."""
    if batching == "fixed":
        return math.ceil(survey.kept / batch_size)
    positions = batch_size * max(max_source_length, max_target_length - 1)
    return math.ceil(survey.widths / positions)


def fixed_batches(pool, batch_size, max_source_length, max_target_length):
    """Yields batches of (batch_size, max_source_length) and (batch_size, max_target_length).

    The last batch is filled up with rows of padding, so that no pair is lost.
    """
    for batch in _chunks(pool, batch_size):
        source, target = zip(*batch, strict=True)
        yield (
            pad(source, (batch_size, max_source_length)),
            pad(target, (batch_size, max_target_length)),
        )


def bucketed_batches(pool, batch_size, max_source_length, max_target_length):
    """Yields batches of pairs of like length, padded to the longest in the batch.

    The width of a pair is the length of its longer side. A batch of the widest holds `batch_size`
    pairs, a narrower one more, so that every batch has about the same number of positions. None is
    much smaller: a step of training on a few pairs would be as long as any, in a direction that
    chance gave. Among pairs of one width those whose sides differ alike come together: little is
    left to pad.
    """
    positions = batch_size * max(max_source_length, max_target_length - 1)

    def difference(pair):
        return len(pair[1]) - len(pair[0])

    ordered = sorted(pool, key=lambda pair: (pair_width(pair), difference(pair)), reverse=True)
    batches, first = [], 0
    while first < len(ordered):
        end = first + positions // pair_width(ordered[first])
        batches.append(ordered[first:end])
        first = end
    for batch in _with_even_end(batches):
        yield tuple(pad(side) for side in zip(*batch, strict=True))


def _with_even_end(batches):
    """The lists, where the last two share evenly if the last is the shorter one."""
    *others, last = batches
    if not others or len(last) >= len(others[-1]):
        return batches
    both = others.pop() + last
    half = (len(both) + 1) // 2
    return [*others, both[:half], both[half:]]


def pad(rows, shape=None):
    """Lists of ids -> an int32 array with 0 after each; its shape is (rows, longest) by default."""
    array = np.full(shape or (len(rows), max(map(len, rows))), PADDING, np.int32)
    for line, row in zip(array, rows, strict=False):
        line[: len(row)] = row
    return array


def _chunks(items, size):
    """Yields lists of `size` items, the last with what is left."""
    iterator = iter(items)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk


def _shuffled(items, random):
    return [items[i] for i in random.permutation(len(items))] if random else items
