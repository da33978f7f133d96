"""Word translation probabilities: IBM model 1, learned from the sentence pairs.

The model assumes that each source word corresponds to one target word, or to none. It ignores word
order, so it translates badly, but it detects errors of a network: source words without a
counterpart in the translation.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keras_transformer.runs.layout import LEXICON
from keras_transformer.runs.run import Run
from keras_transformer.text.word_arrays import read_arrays, write_arrays
from keras_transformer.text.words import tokens
from keras_transformer.translation.alignment import Alignment
from keras_transformer.translation.word_numbers import assign_numbers, known_numbers, numbered

MIN_PROBABILITY = 1e-3  # smaller probabilities are not stored
FLOOR = 1e-4  # minimum probability of a source word
NULL = "<none>"  # stands for the missing target word of source words without a counterpart

Integers: TypeAlias = NDArray[np.int64]


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
        targets, sources, counts, totals = Alignment.learn(rows)
        keys = targets * len(source_words) + sources
        # The added 1 discounts target words that occur only once or twice.
        probabilities = counts / (totals + 1)
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

    @classmethod
    def of(cls, run: Run) -> Self | None:
        """Load the lexicon of a run, or return None if the run has none.

        Raises:
            UserError: If the file is damaged.
        """
        return cls.load(run.lexicon_file()) if run.has(LEXICON) else None

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
            the translation has 0, unless no training translation has it although training sources
            do: then it is a word left in the source language.
        """
        words, others = lower_tokens(source), lower_tokens(translation)
        rows = [self.target_words[word] for word in (NULL, *others) if word in self.target_words]
        columns = known_numbers(words, self.source_words)  # (N,)
        keys = np.array(rows)[:, np.newaxis] * len(self.source_words) + columns  # (T, N)
        best = np.where(columns < 0, 0.0, self._lookup(keys)).max(0, initial=FLOOR)
        copied = [word in others and not self._occurs_in_sources_only(word) for word in words]
        return np.log(np.where(copied, 1.0, best))

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

    def _occurs_in_sources_only(self, word: str) -> bool:
        """Return whether a word in lower case occurs in training sources only."""
        return word in self.source_words and word not in self.target_words

    def _lookup(self, keys: Integers) -> NDArray[np.floating]:
        """Return the probabilities of an array of keys, 0 for missing keys."""
        places = np.searchsorted(self.keys, keys).clip(max=len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.probabilities[places], 0.0)


def lower_tokens(text: str) -> list[str]:
    """Return the words, numbers and punctuation marks of a text in lower case."""
    return [token.lower() for token in tokens(text)]
