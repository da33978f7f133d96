"""Variants of sentence pairs, from which a network learns to read text as people type it.

The sources of a tidy corpus are single sentences in the usual case, with a final mark. A network
that reads nothing else during training translates other text badly.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np

from keras_transformer.text.casing import lower_case, upper_case
from keras_transformer.text.pairs import Pair, Pairs, hash_of
from keras_transformer.text.sentences import join_sentences

FINAL_MARKS = ".?!…。！？।؟۔"  # noqa: RUF001, full-width marks and those of Hindi, Arabic and Urdu
# Characters on a side of a joined pair. More might exceed the maximum number of subwords.
LONGEST = 120


class AugmentedPairs(Pairs):
    """Sentence pairs of which a share is changed, each in one of several ways.

    The source is in lower case or in capitals, both sides lack the final mark, or the pair before
    is put in front. The pairs that change, and how, are chosen again for each epoch.

    Args:
        pairs: the `Pairs`.
        share: probability that a pair changes, from 0 to 1.
        languages: ISO 639-1 codes of the source language and the target language.
        seed: seed of the draws.
        number: the epoch.
    """

    def __init__(
        self, pairs: Pairs, share: float, languages: tuple[str, str], seed: int, number: int = 0
    ) -> None:
        self.pairs = pairs
        self.share = share
        self.languages = languages
        self.seed = seed
        self.number = number

    def __iter__(self) -> Iterator[Pair]:
        random = np.random.default_rng([self.seed, self.number])
        before = ("", "")
        for pair in self.pairs.epoch(self.number):
            yield self._changed(pair, before, random) if random.random() < self.share else pair
            before = pair

    def _changed(self, pair: Pair, before: Pair, random: np.random.Generator) -> Pair:
        changes: list[Callable[[Pair], Pair]] = [
            lambda pair: in_lower_case(pair, self.languages[0]),
            lambda pair: in_capitals(pair, self.languages[0]),
            without_final_mark,
            lambda pair: joined(before, pair, self.languages),
        ]
        return changes[random.integers(len(changes))](pair)

    def epoch(self, number: int) -> Pairs:
        if number == self.number:
            return self
        return AugmentedPairs(self.pairs, self.share, self.languages, self.seed, number)

    def repetitions(self) -> range:
        return self.pairs.repetitions()

    def vocabulary(self) -> Iterable[Pair]:
        """Return the unchanged pairs, because variants contain no other words."""
        return self.pairs.vocabulary()

    @cached_property
    def _fingerprint(self) -> str:
        draws = self.share, *self.languages, self.seed, self.number
        return hash_of("augmented", self.pairs.fingerprint(), *draws)

    def is_unchanged(self) -> bool:
        return self.pairs.is_unchanged()

    def __str__(self) -> str:
        return str(self.pairs)


def in_lower_case(pair: Pair, lang: str) -> Pair:
    """Return a pair with its source, whose language is given, in lower case."""
    source, target = pair
    return lower_case(source, lang), target


def in_capitals(pair: Pair, lang: str) -> Pair:
    """Return a pair with its source, whose language is given, in capitals."""
    source, target = pair
    return upper_case(source, lang), target


def without_final_mark(pair: Pair) -> Pair:
    """Return a pair without final marks, or the pair itself if a side has none, or only marks."""
    source, target = (text.rstrip(FINAL_MARKS).rstrip() for text in pair)
    both_change = source != pair[0] and target != pair[1]
    return (source, target) if source and target and both_change else pair


def joined(first: Pair, second: Pair, languages: tuple[str, str]) -> Pair:
    """Return one pair of two, or the second if a side is empty or the result too long.

    Args:
        first: a pair.
        second: the pair after it.
        languages: the source language and the target language.
    """
    source, target = (
        join_sentences(sides, lang) for *sides, lang in zip(first, second, languages, strict=True)
    )
    fits = max(len(source), len(target)) <= LONGEST
    return (source, target) if all((*first, *second)) and fits else second
