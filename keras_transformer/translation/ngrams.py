"""An n-gram model of the target language, with "stupid backoff" (Brants et al. 2007, section 4).

A word after the words before it scores its relative frequency there. What never occurred backs off:
to a word less of context, at 0.4 of the score. The scores are no probabilities, but they rank
sentences as well as smoothed probabilities do, and they need nothing but counts.
"""

from dataclasses import dataclass

import numpy as np

from keras_transformer.text.word_arrays import read_arrays, write_arrays
from keras_transformer.text.words import tokens

ORDER = 4
BACKOFF = 0.4
MOST_TOKENS = 3_000_000  # learned from; a larger corpus is thinned out
START, END = "<s>", "</s>"


@dataclass(frozen=True)
class Ngrams:
    """Counts of word sequences.

    The n-grams of order k are numbered by their place in the sorted array `keys[k - 1]`, where the
    key of one is (number of its first k - 1 words, of order k - 1) * number of words + its last
    word.

    Args:
        words: {word: its number}.
        keys: for each order a sorted int64 array.
        counts: for each order the number of occurrences of each n-gram.
    """

    words: dict
    keys: tuple
    counts: tuple

    @classmethod
    def learn(cls, sentences, order=ORDER):
        """Return the counts of a list of strings."""
        words, rows = {}, [_framed(sentence) for sentence in sentences]
        rows = rows[:: -(-sum(map(len, rows)) // MOST_TOKENS) or 1]
        last = np.array([words.setdefault(word, len(words)) for row in rows for word in row])
        prefix, keys, counts = np.zeros(len(last), np.int64), [], []
        while len(keys) < order and (prefix >= 0).any():
            found, numbers, occurrences = _count(prefix, last, len(words))
            keys.append(found)
            counts.append(occurrences)
            prefix = np.where(last == words[START], -1, np.roll(numbers, 1))
        return cls(words, tuple(keys), tuple(counts))

    def save(self, path):
        """Write the counts to a file."""
        sizes = [len(keys) for keys in self.keys]
        counts = np.concatenate(self.counts).astype(np.int32)
        arrays = {"keys": np.concatenate(self.keys), "counts": counts, "sizes": np.array(sizes)}
        write_arrays(path, {"words": self.words}, arrays)

    @classmethod
    def load(cls, path):
        """Return the counts in a file.

        Raises:
            UserError: the file is damaged.
        """
        [words], [keys, counts, sizes] = read_arrays(path, ("words",), ("keys", "counts", "sizes"))
        words = {word: number for number, word in enumerate(words)}
        keys, counts = (np.split(each, np.cumsum(sizes)[:-1]) for each in (keys, counts))
        return cls(words, tuple(keys), tuple(counts))

    def scores(self, sentence):
        """Return the logarithm of the score of each token of a sentence, and of its end.

        Args:
            sentence: a string.
        """
        last = np.array([self.words.get(word, -1) for word in _framed(sentence)])
        prefix = np.zeros(len(last), np.int64)
        before = np.full(len(last), float(self.counts[0].sum()))  # occurrences of the prefix
        best = np.full(len(last), BACKOFF / before[0])  # an unknown word has 0.4 occurrences
        for order, (keys, counts) in enumerate(zip(self.keys, self.counts, strict=True), 1):
            numbers = _find(keys, prefix, last, len(self.words))
            there = numbers >= 0
            found = np.where(there, counts[numbers], 0)
            best[order - 1 :] *= BACKOFF  # earlier places have no n-gram of this order
            best = np.where(there, found / before, best)
            prefix, before = np.roll(numbers, 1), np.roll(np.where(there, found, 1), 1)
            prefix[0] = -1
        return np.log(best[1:])


def _framed(sentence):
    return [START, *tokens(sentence), END]


def _count(prefix, last, num_words):
    """Count the n-grams that end at each place of a text.

    Args:
        prefix: the number of the n-gram's first words at each place (N,); -1 where it is too short.
        last: the number of its last word (N,).
        num_words: number of words.

    Returns:
        The sorted keys of the n-grams, the number of the n-gram at each place (N,), or -1, and the
        occurrences of each n-gram.
    """
    numbers, whole = np.full(len(last), -1), prefix >= 0
    wanted = (prefix * num_words + last)[whole]
    keys, numbers[whole], counts = np.unique(wanted, return_inverse=True, return_counts=True)
    return keys, numbers, counts


def _find(keys, prefix, last, num_words):
    """Return the numbers of n-grams (N,), or -1; the arguments are those of `_count`."""
    wanted = np.where((prefix >= 0) & (last >= 0), prefix * num_words + last, -1)
    places = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return np.where(keys[places] == wanted, places, -1)
