"""Sentence pairs in memory."""

from keras_transformer.text.pairs import Pairs


class ListedPairs(Pairs):
    """Sentence pairs in memory, which count how often they are read.

    Args:
        pairs: a list of (source, target) pairs.
    """

    def __init__(self, pairs):
        self.pairs = pairs
        self.times_read = 0

    def __iter__(self):
        self.times_read += 1
        return iter(self.pairs)
