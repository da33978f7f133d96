"""Pairs of letters, and a substitute for `Subwords`."""

import numpy as np

from keras_transformer.text.rows import Rows


class LetterSubwords:
    """A substitute for `Subwords` with one id per letter.

    Args:
        size: number of ids.
    """

    def __init__(self, size=100):
        self.size = size

    def encode(self, sentence):
        return [98, *(ord(letter) - ord("a") + 3 for letter in sentence), 99]

    def encode_all(self, sentences):
        return Rows.of([self.encode(sentence) for sentence in sentences])

    def fingerprint(self):
        return f"letters of {self.size}"


def random_pairs(count, longest=39, seed=0):
    draw = np.random.default_rng(seed)

    def sentence():
        return "".join(draw.choice(list("abcdefgh"), draw.integers(1, longest + 1)))

    return [(sentence(), sentence()) for _ in range(count)]
