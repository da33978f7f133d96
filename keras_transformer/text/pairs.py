"""The interface of all sentence pairs: they can be read repeatedly and have a fingerprint."""

import hashlib
import itertools
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

Pair: TypeAlias = tuple[str, str]  # source, target


class Pairs(Iterable[Pair]):
    """Sentence pairs that can be read repeatedly."""

    @abstractmethod
    def __iter__(self) -> Iterator[Pair]:
        """Iterate over the (source, target) pairs from the beginning."""

    def other_split(self, split: str) -> "Pairs | None":
        """Return another split of the same data set, or None if there is no such split."""
        return None

    def epoch(self, number: int) -> "Pairs":
        """Return the pairs of epoch `number`, from 0. Only a sampled corpus differs by epoch."""
        return self

    def vocabulary(self) -> Iterable[Pair]:
        """Return the pairs from which subwords and word statistics are learned."""
        return self

    def repetitions(self) -> range:
        """Return the positions of pairs that repeat those at the beginning, if there are any."""
        return range(0)

    def once(self) -> Iterable[Pair]:
        """Return the pairs without repetitions."""
        repetitions = self.repetitions()
        if not repetitions:
            return self
        return [pair for position, pair in enumerate(self) if position not in repetitions]

    def fingerprint(self) -> str:
        """Return a SHA-256 that changes whenever a pair or the order of pairs changes.

        Pairs that are read from files are read once more for the first call. The fingerprint of a
        sampled corpus covers all epochs.
        """
        return self._fingerprint

    def is_unchanged(self) -> bool:
        """Return whether the pairs are still those of the fingerprint, by reading them again."""
        return self._digest() == self.fingerprint()

    @cached_property
    def _fingerprint(self) -> str:
        return self._digest()

    def _digest(self) -> str:
        content = hashlib.sha256()
        for source, target in self:
            # With the lengths, no two sequences of pairs have the same bytes.
            text = f"{len(source)} {len(target)} {source}{target}"
            content.update(text.encode("utf-8", "surrogatepass"))
        return content.hexdigest()


def evenly_spaced(pairs: Iterable[Pair], most: int) -> list[Pair]:
    """Return all pairs, or at most `most` evenly spaced ones.

    Args:
        pairs: the pairs, which are read twice.
        most: the maximum number.
    """
    return evenly_spaced_and_counted(pairs, most)[0]


def evenly_spaced_and_counted(pairs: Iterable[Pair], most: int) -> tuple[list[Pair], int]:
    """Return what `evenly_spaced` returns, and the number of all pairs."""
    count = sum(1 for _ in pairs)
    step = max(1, -(-count // most))
    return list(itertools.islice(pairs, 0, None, step)), count


def hash_of(*parts: object) -> str:
    """Return the SHA-256 of values whose `repr` is the same in every process."""
    return hashlib.sha256(repr(parts).encode("utf-8")).hexdigest()
