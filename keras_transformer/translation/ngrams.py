"""An n-gram model of the target language with "stupid backoff" (Brants et al. 2007, section 4).

The score of a word is its relative frequency after the preceding words. If the n-gram never
occurred, the score is 0.4 times the score with one context word fewer. The scores are not
probabilities, but they suffice for ranking sentences, and only counts need to be stored.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keras_transformer.text.word_arrays import read_arrays, write_arrays
from keras_transformer.text.words import tokens
from keras_transformer.translation.word_numbers import assign_numbers, known_numbers, numbered

ORDER = 4
BACKOFF = 0.4
MAX_TOKENS = 3_000_000  # tokens to learn from; a larger corpus is sampled
START, END = "<s>", "</s>"

Integers: TypeAlias = NDArray[np.integer]


@dataclass(frozen=True)
class Ngrams:
    """Counts of n-grams.

    The number of an n-gram of order k is its index in the sorted array `keys[k - 1]`. Its key is
    (number of its first k - 1 words as an n-gram of order k - 1) * (number of distinct words) +
    (number of its last word).

    Args:
        words: {word: number}.
        keys: for each order a sorted int64 array.
        counts: for each order the number of occurrences of each n-gram.
    """

    CONTENTS: ClassVar = ("words",), ("keys", "counts", "sizes")  # names of word lists, of arrays

    words: dict[str, int]
    keys: tuple[Integers, ...]
    counts: tuple[Integers, ...]

    @classmethod
    def learn(cls, sentences: Iterable[str], order: int = ORDER) -> Self:
        """Return the counts of n-grams of up to `order` words in sentences."""
        rows = [_framed(sentence) for sentence in sentences]
        rows = rows[:: max(1, math.ceil(sum(map(len, rows)) / MAX_TOKENS))]
        words: dict[str, int] = {}
        last = assign_numbers([word for row in rows for word in row], words)
        prefix: Integers = np.zeros(len(last), np.int64)
        keys: list[Integers] = []
        counts: list[Integers] = []
        while len(keys) < order and (prefix >= 0).any():
            found, numbers, occurrences = _count(prefix, last, len(words))
            keys.append(found)
            counts.append(occurrences)
            prefix = np.where(last == words[START], -1, np.roll(numbers, 1))
        return cls(words, tuple(keys), tuple(counts))

    def save(self, path: Path) -> None:
        """Save the counts to a file."""
        write_arrays(path, *self.contents())

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load counts that `save` saved.

        Raises:
            UserError: If the file is damaged.
        """
        return cls.of_contents(*read_arrays(path, *cls.CONTENTS))

    def contents(self) -> tuple[dict[str, Iterable[str]], dict[str, NDArray[Any]]]:
        """Return what a file of counts contains: {name: words} and {name: array}."""
        sizes = [len(keys) for keys in self.keys]
        counts = np.concatenate(self.counts).astype(np.int32)
        arrays = {"keys": np.concatenate(self.keys), "counts": counts, "sizes": np.array(sizes)}
        return {"words": self.words}, arrays

    @classmethod
    def of_contents(cls, words: Sequence[Sequence[str]], arrays: Sequence[NDArray[Any]]) -> Self:
        """Return the counts in a file, given the word lists and arrays named in `CONTENTS`."""
        keys, counts, sizes = arrays
        ends = np.cumsum(sizes)[:-1]
        return cls(numbered(words[0]), tuple(np.split(keys, ends)), tuple(np.split(counts, ends)))

    def scores(self, sentence: str) -> NDArray[np.float64]:
        """Return the log scores (N + 1,) of the N tokens of a sentence and of its end."""
        last = known_numbers(_framed(sentence), self.words)
        prefix = np.zeros(len(last), np.int64)
        before = np.full(len(last), float(self.counts[0].sum()))  # occurrences of the prefix
        # Order 1 multiplies this by `BACKOFF` again: an unknown word counts as 0.16 occurrences.
        best = np.full(len(last), BACKOFF / before[0])
        for order, (keys, counts) in enumerate(zip(self.keys, self.counts, strict=True), 1):
            numbers = _find(keys, prefix, last, len(self.words))
            exists = numbers >= 0
            found = np.where(exists, counts[numbers], 0)
            best[order - 1 :] *= BACKOFF  # earlier places have no n-gram of this order
            best = np.where(exists, found / before, best)
            prefix, before = np.roll(numbers, 1), np.roll(np.where(exists, found, 1), 1)
            prefix[0] = -1
        return np.log(best[1:])

    def log_score(self, context: Sequence[str], word: str) -> float:
        """Return the log score of a word after some words, of which the first can be `START`.

        This is the score that `scores` gives to the last of these words, if there are fewer words
        than the order of the model.
        """
        numbers = [self.words.get(each, -1) for each in (*context, word)]
        for dropped in range(len(numbers)):
            if count := self._occurrences(numbers[dropped:]):
                before = self._occurrences(numbers[dropped:-1])
                return math.log(BACKOFF**dropped * count / before)
        return math.log(BACKOFF ** (len(numbers) + 1) / self._occurrences([]))

    def _occurrences(self, numbers: Sequence[int]) -> int:
        """Return how often an n-gram, given by the numbers of its words, occurred."""
        if not numbers:
            return int(self.counts[0].sum())
        place = 0
        for keys, number in zip(self.keys, numbers, strict=False):
            if number < 0:
                return 0
            key = place * len(self.words) + number
            place = int(np.searchsorted(keys, key))
            if place == len(keys) or keys[place] != key:
                return 0
        return int(self.counts[len(numbers) - 1][place])


def _framed(sentence: str) -> list[str]:
    return [START, *tokens(sentence), END]


def _count(prefix: Integers, last: Integers, num_words: int) -> tuple[Integers, Integers, Integers]:
    """Count the n-grams that end at each place of a text.

    Args:
        prefix: number of the n-gram without its last word at each place (N,), or -1 if the text
            before the place is too short.
        last: number of the word at each place (N,).
        num_words: number of distinct words.

    Returns:
        The sorted keys of the n-grams, the number of the n-gram at each place (N,) or -1, and the
        number of occurrences of each n-gram.
    """
    numbers, is_complete = np.full(len(last), -1), prefix >= 0
    keys = (prefix * num_words + last)[is_complete]
    keys, numbers[is_complete], counts = np.unique(keys, return_inverse=True, return_counts=True)
    return keys, numbers, counts


def _find(keys: Integers, prefix: Integers, last: Integers, num_words: int) -> Integers:
    """Return the number of the n-gram at each place (N,), or -1; for arguments see `_count`."""
    wanted = np.where((prefix >= 0) & (last >= 0), prefix * num_words + last, -1)
    places = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return np.where(keys[places] == wanted, places, -1)
