"""The pairs of fine-tuning: old ones among new ones, and few new ones repeatedly.

With old pairs, fine-tuning does not forget what was learned before. Chu et al. (2017) call this
mixed fine-tuning.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Set
from functools import cached_property

import numpy as np

from keras_transformer.text.pairs import Pair, Pairs, hash_of


class MixedPairs(Pairs):
    """All new pairs, and as many old ones as a share of the mixture demands.

    The old pairs are chosen again for each epoch.

    Args:
        new: the new `Pairs`.
        old: the old `Pairs`.
        share: share of old pairs among all, from 0 to below 1. If there are fewer old pairs, all
            are used.
        seed: seed of the draws.
        number: the epoch.
    """

    def __init__(self, new: Pairs, old: Pairs, share: float, seed: int, number: int = 0) -> None:
        self.new = new
        self.old = old
        self.share = share
        self.seed = seed
        self.number = number

    def __iter__(self) -> Iterator[Pair]:
        count = 0
        for pair in self.new.epoch(self.number):
            yield pair
            count += 1
        yield from self._drawn(round(count * self.share / (1 - self.share)))

    def _drawn(self, count: int) -> Iterator[Pair]:
        """Draw some of the old pairs, without replacement, in their order."""
        old = self.old.epoch(self.number)
        available = sum(1 for _ in old)
        random = np.random.default_rng([self.seed, self.number])
        chosen = np.zeros(available, bool)
        chosen[random.permutation(available)[:count]] = True
        for pair, is_chosen in zip(old, chosen, strict=True):
            if is_chosen:
                yield pair

    def epoch(self, number: int) -> Pairs:
        if number == self.number:
            return self
        return MixedPairs(self.new, self.old, self.share, self.seed, number)

    def repetitions(self) -> range:
        return self.new.repetitions()

    def vocabulary(self) -> Iterable[Pair]:
        """Return all new and all old pairs."""
        return _Chain(self.new.vocabulary(), self.old.vocabulary())

    @cached_property
    def _fingerprint(self) -> str:
        parts = self.new.fingerprint(), self.old.fingerprint()
        return hash_of("mixed", *parts, self.share, self.seed, self.number)

    def is_unchanged(self) -> bool:
        return self.new.is_unchanged() and self.old.is_unchanged()

    def __str__(self) -> str:
        return f"{self.new} mixed with {self.old}"


class RepeatedPairs(Pairs):
    """The same pairs several times in each epoch, so that an epoch of few pairs has some steps.

    Args:
        pairs: the `Pairs`.
        least: least number of pairs of an epoch: all are repeated until there are as many.
    """

    def __init__(self, pairs: Pairs, least: int) -> None:
        self.pairs = pairs
        self.least = least

    @cached_property
    def _count(self) -> int:
        """The number of pairs, of which no more than `least` are counted."""
        return sum(1 for _ in itertools.islice(self.pairs, self.least))

    @property
    def times(self) -> int:
        """How often each pair is there."""
        return math.ceil(self.least / self._count) if self._count else 1

    def __iter__(self) -> Iterator[Pair]:
        for _ in range(self.times):
            yield from self.pairs

    def repetitions(self) -> range:
        return range(self._count, self.times * self._count)

    def epoch(self, number: int) -> Pairs:
        pairs = self.pairs.epoch(number)
        return self if pairs is self.pairs else RepeatedPairs(pairs, self.least)

    def vocabulary(self) -> Iterable[Pair]:
        """Return the pairs once."""
        return self.pairs.vocabulary()

    @cached_property
    def _fingerprint(self) -> str:
        return hash_of("repeated", self.pairs.fingerprint(), self.least)

    def is_unchanged(self) -> bool:
        return self.pairs.is_unchanged()

    def __str__(self) -> str:
        return f"{self.pairs} (each pair {self.times} times)" if self.times > 1 else str(self.pairs)


class WithoutSources(Pairs):
    """Pairs without those that have the same source as one of some other pairs.

    Args:
        pairs: the `Pairs`.
        others: the other `Pairs`.
    """

    def __init__(self, pairs: Pairs, others: Pairs) -> None:
        self.pairs = pairs
        self.others = others

    @cached_property
    def _sources(self) -> frozenset[str]:
        return frozenset(source for source, _ in self.others)

    def __iter__(self) -> Iterator[Pair]:
        return iter(_Filtered(self.pairs, self._sources))

    def epoch(self, number: int) -> Pairs:
        pairs = self.pairs.epoch(number)
        return self if pairs is self.pairs else WithoutSources(pairs, self.others)

    def vocabulary(self) -> Iterable[Pair]:
        return _Filtered(self.pairs.vocabulary(), self._sources)

    @cached_property
    def _fingerprint(self) -> str:
        return hash_of("without", self.pairs.fingerprint(), self.others.fingerprint())

    def is_unchanged(self) -> bool:
        return self.pairs.is_unchanged() and self.others.is_unchanged()

    def __str__(self) -> str:
        return str(self.pairs)


class _Filtered(Iterable[Pair]):
    """Pairs without those that have one of some sources. They can be read repeatedly."""

    def __init__(self, pairs: Iterable[Pair], sources: Set[str]) -> None:
        self.pairs = pairs
        self.sources = sources

    def __iter__(self) -> Iterator[Pair]:
        return (pair for pair in self.pairs if pair[0] not in self.sources)


class _Chain(Iterable[Pair]):
    """Pairs of several iterables, which can be read repeatedly."""

    def __init__(self, *parts: Iterable[Pair]) -> None:
        self.parts = parts

    def __iter__(self) -> Iterator[Pair]:
        for part in self.parts:
            yield from part
