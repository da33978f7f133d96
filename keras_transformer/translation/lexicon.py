"""Which words translate which: IBM model 1, learned from the sentence pairs.

The model takes each word of a source to stand for one word of the target, or for none, and learns
the probabilities by expectation maximization (Brown et al. 1993, section 4.1). It knows nothing of
word order, so it would be a poor translator, but it notices what a network overlooks: a word of the
source that nothing in the translation stands for.
"""

from dataclasses import dataclass

import numpy as np

from keras_transformer.text.word_arrays import read_arrays, write_arrays
from keras_transformer.text.words import tokens

ITERATIONS = 5
MOST_CELLS = 10_000_000  # word pairs to learn from; a larger corpus is thinned out
LEAST = 1e-3  # smaller probabilities are not kept
FLOOR = 1e-4  # least probability of a source word
NONE = "<none>"  # the target word that stands for none


@dataclass(frozen=True)
class Lexicon:
    """How probable the words of a source are, given its translation.

    Args:
        source_words: {word: its number}, in lower case.
        target_words: the same for the target, with `NONE`.
        keys: sorted int64 (N,): target number * number of source words + source number.
        probabilities: float32 (N,), of the source word given the target word.
    """

    source_words: dict
    target_words: dict
    keys: np.ndarray
    probabilities: np.ndarray

    @classmethod
    def learn(cls, pairs):
        """Return the lexicon of (source, target) strings, of which there is at least one."""
        source_words, target_words, rows = {}, {}, []
        for source, target in pairs:
            target_row = _numbers([NONE, *lower_tokens(target)], target_words)
            rows.append((_numbers(lower_tokens(source), source_words), target_row))
        cells = [_cells(row, number) for number, row in enumerate(_thinned_out(rows))]
        sources, targets, places = (np.concatenate(each) for each in zip(*cells, strict=True))
        keys, cell_keys = np.unique(targets * len(source_words) + sources, return_inverse=True)
        probabilities = _maximize(keys // max(len(source_words), 1), cell_keys, places)
        kept = probabilities >= LEAST
        return cls(source_words, target_words, keys[kept], probabilities[kept].astype(np.float32))

    def save(self, path):
        """Write the lexicon to a file."""
        words = {"source_words": self.source_words, "target_words": self.target_words}
        write_arrays(path, words, {"keys": self.keys, "probabilities": self.probabilities})

    @classmethod
    def load(cls, path):
        """Return the lexicon in a file.

        Raises:
            UserError: the file is damaged.
        """
        names = ("source_words", "target_words"), ("keys", "probabilities")
        [source_words, target_words], [keys, probabilities] = read_arrays(path, *names)
        return cls(_numbered(source_words), _numbered(target_words), keys, probabilities)

    def log_probabilities(self, source, translation):
        """Return how well a translation explains each token of its source.

        Args:
            source, translation: strings.

        Returns:
            float array (N,) for the N tokens of the source: the logarithm of the probability, given
            the word of the translation, or none, that explains the token best. A token that the
            translation has as it is is certain.
        """
        words, others = lower_tokens(source), lower_tokens(translation)
        rows = [self.target_words[word] for word in (NONE, *others) if word in self.target_words]
        columns = np.array([self.source_words.get(word, -1) for word in words], np.int64)  # (N,)
        keys = np.array(rows)[:, np.newaxis] * len(self.source_words) + columns  # (T, N)
        best = np.where(columns < 0, 0.0, self._lookup(keys)).max(0, initial=FLOOR)
        return np.log(np.where([word in others for word in words], 1.0, best))

    def _lookup(self, keys):
        """Return the probabilities of an array of keys; 0 for those that are not there."""
        places = np.searchsorted(self.keys, keys).clip(max=len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.probabilities[places], 0.0)


def lower_tokens(text):
    """Return the words, numbers and punctuation marks of a text in lower case."""
    return [token.lower() for token in tokens(text)]


def _numbers(words, numbers):
    """Return the numbers of words; a new word gets the next one."""
    return np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64)


def _numbered(words):
    return {word: number for number, word in enumerate(words)}


def _thinned_out(rows):
    """Return evenly spaced rows, few enough for `MOST_CELLS`."""
    cells = sum(len(source) * len(target) for source, target in rows)
    return rows[:: -(-cells // MOST_CELLS) or 1]


def _cells(row, number):
    """Return all combinations of a source token and a target token of a pair.

    Args:
        row: numbers of the source's tokens (S,) and of the target's (T,).
        number: of the pair.

    Returns:
        The source's numbers, the target's numbers, and a number for the source token's place in the
        corpus, each (S * T,).
    """
    source, target = row
    places = number << 20 | np.arange(len(source))
    return (
        np.repeat(source, len(target)),
        np.tile(target, len(source)),
        np.repeat(places, len(target)),
    )


def _maximize(key_targets, cell_keys, places):
    """Return the probability (N,) of each key by expectation maximization.

    Args:
        key_targets: the target number of each key (N,).
        cell_keys: the key of each cell (C,).
        places: the place of each cell's source token (C,).
    """
    places = np.unique(places, return_inverse=True)[1]
    probabilities = np.ones(len(key_targets))
    for _ in range(ITERATIONS):
        shares = probabilities[cell_keys]
        shares /= np.bincount(places, shares)[places]  # a source token chooses one target token
        counts = np.bincount(cell_keys, shares, len(key_targets))
        totals = np.bincount(key_targets, counts)
        probabilities = counts / totals[key_targets]
    return counts / (totals[key_targets] + 1)  # a word that was seen once proves little
