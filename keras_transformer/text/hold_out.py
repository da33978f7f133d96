"""Holding out pairs for validation from a corpus that has no validation split.

The split is by a checksum of the source, so it is deterministic, and pairs with the same source are
never separated.
"""

import heapq
import zlib
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

from keras_transformer.errors import UserError
from keras_transformer.text.pairs import Pair, Pairs, hash_of

# One pair in 20 is held out, up to 1,000 pairs.
HOLD_OUT_ONE_IN = 20
MAX_HELD_OUT = 1000
# Of a small corpus, twice as many: the score of one or two pairs would say nothing.
SMALL_HOLD_OUT, SMALL_HOLD_OUT_ONE_IN = 20, 10


def hold_out(pairs: Pairs) -> tuple["RemainingPairs", "HeldOutPairs"]:
    """Split pairs in two by a checksum of the source.

    Pairs with an empty side are not held out.

    Returns:
        The remaining pairs and the pairs held out.

    Raises:
        UserError: If there are no pairs, or only pairs with an empty side would remain.
    """
    limit = _largest_checksum(pairs)
    remaining = RemainingPairs(pairs, limit)
    if not any(map(_is_complete, remaining)):
        raise UserError(
            f"{pairs}: too few sentence pairs to hold some out; "
            "the setting validation must name validation pairs"
        )
    return remaining, HeldOutPairs(pairs, limit)


def _largest_checksum(pairs: Pairs) -> int:
    """Return the largest checksum of the pairs to hold out, those with the smallest checksums.

    Raises:
        UserError: If there are no pairs without an empty side.
    """
    count = sum(1 for pair in pairs if _is_complete(pair))
    if not count:
        raise UserError(f"{pairs}: no sentence pairs")
    checksums = (_checksum(pair[0]) for pair in pairs if _is_complete(pair))
    return heapq.nsmallest(_number_to_hold_out(count), checksums)[-1]


def _number_to_hold_out(count: int) -> int:
    """Return how many of `count` pairs are held out."""
    of_small = min(SMALL_HOLD_OUT, count // SMALL_HOLD_OUT_ONE_IN)
    return max(1, min(MAX_HELD_OUT, count // HOLD_OUT_ONE_IN), of_small)


class _SplitPairs(Pairs):
    """The pairs on one side of a split by the checksum of the source.

    Args:
        pairs: all pairs.
        limit: the largest checksum that is held out.

    Attributes:
        held_out: whether the pairs are those held out. Fingerprints contain the value.
    """

    held_out: ClassVar[bool]

    def __init__(self, pairs: Pairs, limit: int) -> None:
        self.pairs = pairs
        self.limit = limit

    def __iter__(self) -> Iterator[Pair]:
        for pair in self.pairs:
            is_held_out = _is_complete(pair) and _checksum(pair[0]) <= self.limit
            if is_held_out == self.held_out:
                yield pair

    @cached_property
    def _fingerprint(self) -> str:
        return hash_of("held out", self.pairs.fingerprint(), self.limit, self.held_out)

    def is_unchanged(self) -> bool:
        return self.pairs.is_unchanged()

    def __str__(self) -> str:
        return str(self.pairs)


class HeldOutPairs(_SplitPairs):
    """The pairs that are held out: neither side is empty, and the checksum is at most `limit`."""

    held_out = True


class RemainingPairs(_SplitPairs):
    """The pairs that remain for training when `HeldOutPairs` are held out."""

    held_out = False


def _is_complete(pair: Pair) -> bool:
    """Return whether neither side of a pair is empty."""
    return all(side.strip() for side in pair)


def _checksum(sentence: str) -> int:
    return zlib.crc32(sentence.encode("utf-8"))
