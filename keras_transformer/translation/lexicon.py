"""Word translation probabilities: IBM model 1, learned from the sentence pairs.

The model assumes that each source word corresponds to one target word, or to none, and learns the
probabilities by expectation maximization (Brown et al. 1993, section 4.1). The model ignores word
order, so it translates badly, but it detects errors of a network: source words without a
counterpart in the translation.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keras_transformer.text.word_arrays import read_arrays, write_arrays
from keras_transformer.text.words import tokens
from keras_transformer.translation.word_numbers import assign_numbers, known_numbers, numbered

ITERATIONS = 5
MAX_CELLS = 10_000_000  # word pairs to learn from; a larger corpus is sampled
MIN_PROBABILITY = 1e-3  # smaller probabilities are not stored
FLOOR = 1e-4  # minimum probability of a source word
NULL = "<none>"  # stands for the missing target word of source words without a counterpart

Integers: TypeAlias = NDArray[np.int64]
Row: TypeAlias = tuple[Integers, Integers]  # numbers of source tokens (S,), target (T,)


@dataclass(frozen=True)
class Lexicon:
    """Probabilities of source words given target words.

    Args:
        source_words: {source word in lower case: number}.
        target_words: {target word in lower case: number}, including `NULL`.
        keys: sorted int64 (N,): target number * number of source words + source number.
        probabilities: float32 (N,), of the source word given the target word of each key.
    """

    source_words: dict[str, int]
    target_words: dict[str, int]
    keys: Integers
    probabilities: NDArray[np.float32]

    @classmethod
    def learn(cls, pairs: Iterable[tuple[str, str]]) -> Self:
        """Return the lexicon learned from at least one (source, target) pair of strings."""
        source_words: dict[str, int] = {}
        target_words: dict[str, int] = {}
        rows = [
            (
                assign_numbers(lower_tokens(source), source_words),
                assign_numbers([NULL, *lower_tokens(target)], target_words),
            )
            for source, target in pairs
        ]
        cells = [_cells(row, number) for number, row in enumerate(_sampled(rows))]
        sources, targets, places = (np.concatenate(each) for each in zip(*cells, strict=True))
        keys, cell_keys = np.unique(targets * len(source_words) + sources, return_inverse=True)
        probabilities = _maximize(keys // max(len(source_words), 1), cell_keys, places)
        kept = probabilities >= MIN_PROBABILITY
        return cls(source_words, target_words, keys[kept], probabilities[kept].astype(np.float32))

    def save(self, path: Path) -> None:
        """Save the lexicon to a file."""
        words = {"source_words": self.source_words, "target_words": self.target_words}
        write_arrays(path, words, {"keys": self.keys, "probabilities": self.probabilities})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load a lexicon that `save` saved.

        Raises:
            UserError: If the file is damaged.
        """
        names = ("source_words", "target_words"), ("keys", "probabilities")
        [source_words, target_words], [keys, probabilities] = read_arrays(path, *names)
        return cls(numbered(source_words), numbered(target_words), keys, probabilities)

    def probability(self, source_word: str, target_word: str) -> float:
        """Return the probability of a source word given a target word, both in lower case."""
        source, target = self.source_words.get(source_word), self.target_words.get(target_word)
        if source is None or target is None:
            return 0.0
        return float(self._lookup(np.array([target * len(self.source_words) + source]))[0])

    def log_probabilities(self, source: str, translation: str) -> NDArray[np.float64]:
        """Return the log probability of each token of a source given its translation.

        Args:
            source: the source sentence.
            translation: a translation of the source.

        Returns:
            Array (N,) for the N tokens of the source: the log probability of the token given the
            token of the translation, or `NULL`, that explains it best. A token that also occurs in
            the translation has 0.
        """
        words, others = lower_tokens(source), lower_tokens(translation)
        rows = [self.target_words[word] for word in (NULL, *others) if word in self.target_words]
        columns = known_numbers(words, self.source_words)  # (N,)
        keys = np.array(rows)[:, np.newaxis] * len(self.source_words) + columns  # (T, N)
        best = np.where(columns < 0, 0.0, self._lookup(keys)).max(0, initial=FLOOR)
        return np.log(np.where([word in others for word in words], 1.0, best))

    def explanations(self, source: str, translation: str) -> list[int]:
        """Return, for each token of a source, the token of a translation that explains it best.

        Tokens are numbered from 0; -1 stands for `NULL` or no token. A token that also occurs in
        the translation is explained by itself.

        Args:
            source: the source sentence.
            translation: a translation of the source.
        """
        words, others = lower_tokens(source), lower_tokens(translation)
        numbers = [self.target_words.get(word, -1) for word in (NULL, *others)]
        rows = np.array(numbers)[:, np.newaxis]  # (T, 1)
        columns = known_numbers(words, self.source_words)  # (N,)
        known = (rows >= 0) & (columns >= 0)  # (T, N)
        found = np.where(known, self._lookup(rows * len(self.source_words) + columns), 0.0)
        best = np.where(found.max(0, initial=0.0) > 0, found.argmax(0) - 1, -1)
        return [
            others.index(word) if word in others else int(number)
            for word, number in zip(words, best, strict=True)
        ]

    def _lookup(self, keys: Integers) -> NDArray[np.floating]:
        """Return the probabilities of an array of keys, 0 for missing keys."""
        places = np.searchsorted(self.keys, keys).clip(max=len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.probabilities[places], 0.0)


def lower_tokens(text: str) -> list[str]:
    """Return the words, numbers and punctuation marks of a text in lower case."""
    return [token.lower() for token in tokens(text)]


def _sampled(rows: Sequence[Row]) -> Sequence[Row]:
    """Return evenly spaced rows with at most about `MAX_CELLS` cells."""
    cells = sum(len(source) * len(target) for source, target in rows)
    return rows[:: max(1, math.ceil(cells / MAX_CELLS))]


def _cells(row: Row, number: int) -> tuple[Integers, Integers, Integers]:
    """Return all combinations of a source token and a target token of a pair.

    Args:
        row: the numbers of the source tokens (S,) and of the target tokens (T,).
        number: number of the pair.

    Returns:
        The source numbers, the target numbers, and a number that identifies the source token in
        the corpus, each (S * T,).
    """
    source, target = row
    places = number << 20 | np.arange(len(source))
    return (
        np.repeat(source, len(target)),
        np.tile(target, len(source)),
        np.repeat(places, len(target)),
    )


def _maximize(key_targets: Integers, cell_keys: Integers, places: Integers) -> NDArray[np.float64]:
    """Return the probability (N,) of each key by expectation maximization.

    Args:
        key_targets: target number of each key (N,).
        cell_keys: key of each cell (C,).
        places: place in the corpus of each cell's source token (C,).
    """
    places = np.unique(places, return_inverse=True)[1]
    probabilities = np.ones(len(key_targets))
    for _ in range(ITERATIONS):
        shares = probabilities[cell_keys]
        shares /= np.bincount(places, shares)[places]  # over the target tokens of a source token
        counts = np.bincount(cell_keys, shares, len(key_targets))
        totals = np.bincount(key_targets, counts)
        probabilities = counts / totals[key_targets]
    # The added 1 discounts target words that occur only once or twice.
    return counts / (totals[key_targets] + 1)
