"""The search for the translation of one sentence, which XLA compiles.

XLA compiles a function anew for each shape, so shapes must be few and nothing may grow. A bucket
is a pair of lengths: that of the source, and that of the target as far as it is searched for. A
short sentence has a short translation; where it has not, the search begins once more in the last
bucket.

One sentence takes so little that what surrounds its search counts too. To hand a hundred variables
over takes XLA as long as some steps of the search, so they are constants here; and what can be done
within the compiled function is done there, for each operation outside costs its start.
"""

import bisect
import functools
import math
from typing import NamedTuple

import keras
import numpy as np
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.search.search import Hypotheses
from keras_transformer.text.subwords import PADDING

BUCKETS = ((12, 24), (20, 32), (30, 48))
# A graph can hold 2 GB: in each of two searches four bytes a weight, and all else.
MOST_CONSTANTS = 250_000_000


def buckets_up_to(source_length, target_length):
    """The buckets for sources and targets of at most these lengths; the last is of just these."""
    shorter = [bucket for bucket in BUCKETS if bucket[0] < source_length]
    return [
        *((source, min(target, target_length)) for source, target in shorter),
        (source_length, target_length),
    ]


def constants(model):
    """Pairs for a `keras.StatelessScope` in which the weights of a model are constants.

    Raises:
        UserError: there are too many of them for a graph.
    """
    if sum(math.prod(variable.shape) for variable in model.weights) > MOST_CONSTANTS:
        raise UserError(f"--xla: the network has more than {MOST_CONSTANTS:,} weights")
    return [(variable, variable.numpy()) for variable in model.weights]


class Found(NamedTuple):
    """The n best hypotheses of a sentence: `ids` (n, T) and `scores` (n,).

    `done` (): whether a longer target than the bucket's would change nothing.
    """

    ids: tf.Tensor
    scores: tf.Tensor
    done: tf.Tensor


class SentenceSearch:
    """The search of one sentence.

    Args:
        search: (source ids (1, S), target length T) -> `Hypotheses`, of fixed shapes throughout.
        buckets: pairs of lengths, in increasing order.
        weights: the `constants` of its network.

    Attributes:
        source_lengths, target_lengths: those of the buckets.
        compiled: source ids (1, S), as long as a bucket -> `Found`; a `tf.function`.
    """

    def __init__(self, search, buckets, weights=()):
        self.search = search
        self.source_lengths, self.target_lengths = zip(*buckets, strict=True)
        self.weights = weights
        # One function for all buckets: XLA knows the shape, and so the bucket, when it compiles.
        self.compiled = tf.function(
            self._search,
            input_signature=[tf.TensorSpec((1, None), tf.int32)],
            jit_compile=True,
            autograph=False,
        )

    @classmethod
    def of(cls, translator, **search):
        """The search of a `Translator`, with arguments of its `hypotheses`.

        Raises:
            UserError: its network has too many weights.
        """
        buckets = buckets_up_to(translator.max_source_length, translator.max_target_length - 1)
        hypotheses = functools.partial(translator.hypotheses, **search)
        return cls(hypotheses, buckets, constants(translator.model))

    def __call__(self, source):
        """Source ids, a list -> `Hypotheses` (1, n, T) in NumPy."""
        place = bisect.bisect_left(self.source_lengths[:-1], len(source))
        found = self._in_bucket(source, self.source_lengths[place])
        if not found.done:
            found = self._in_bucket(source, self.source_lengths[-1])
        return Hypotheses(*(array[np.newaxis] for array in found))

    def _in_bucket(self, source, length):
        """Source ids, as if there were `length` of them -> `Found` in NumPy."""
        padded = [*source, *[PADDING] * (length - len(source))]
        return Found(*(tensor.numpy() for tensor in self._traced(tf.constant([padded]))))

    @functools.cached_property
    def _traced(self):
        """The compiled function without the checks of a `tf.function`, half a step's worth each."""
        return self.compiled.get_concrete_function()

    def place(self, length):
        """Number of the bucket for sources of a length, a tensor; the last if there is none."""
        shorter = tf.constant(self.source_lengths[:-1], tf.int32)
        return tf.searchsorted(shorter, length[tf.newaxis])[0]

    def _search(self, source):
        """Source ids (1, S), as long as a bucket -> `Found`."""
        target_length = tf.gather(self.target_lengths, self.place(tf.shape(source)[1]))
        with keras.StatelessScope(self.weights):
            best = self.search(source, target_length)
        missing = self.target_lengths[-1] - target_length
        ids = tf.pad(best.ids[0], [[0, 0], [0, missing]], constant_values=PADDING)
        empty = source[0, 0] == PADDING  # what follows padding is padding
        return Found(
            tf.where(empty, PADDING, ids),
            tf.where(empty, 0.0, best.scores[0]),
            best.done[0] | (missing == 0) | empty,
        )
