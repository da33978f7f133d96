"""A search that XLA compiles: sentence by sentence, padded to a few lengths.

XLA compiles a function anew for each shape, so shapes must be few and nothing may grow. A bucket
is a pair of lengths: that of the source, and that of the target as far as it is searched for. A
short sentence has a short translation; where it has not, the search begins once more in the last
bucket.

One sentence takes so little that what surrounds its search counts too. To hand a hundred variables
over takes XLA as long as some steps of the search, so they are constants here; and what can be done
within the compiled function is done there, for each operation outside costs its start.
"""

from typing import NamedTuple

import keras
import tensorflow as tf

from keras_transformer.text.subwords import PADDING

BUCKETS = ((12, 24), (20, 32), (30, 48))
# With more sentences than this one ordinary search of them all is as fast.
MOST_COMPILED = 8


def buckets_up_to(source_length, target_length):
    """The buckets for sources and targets of at most these lengths; the last is of just these."""
    shorter = [bucket for bucket in BUCKETS if bucket[0] < source_length]
    return [
        *((source, min(target, target_length)) for source, target in shorter),
        (source_length, target_length),
    ]


class Found(NamedTuple):
    """The best hypothesis of one source: `ids` (T,), `score` (), and whether it is `done` ()."""

    ids: tf.Tensor
    score: tf.Tensor
    done: tf.Tensor


class CompiledSearch:
    """The search of `ordinary`, where XLA compiles what single sentences need.

    Args:
        search: (source ids (1, S), target length T) -> `Hypotheses`, of fixed shapes throughout.
        ordinary: source ids (B, S) -> ids (B, T) and scores (B,), for what is not compiled.
        buckets: pairs of lengths, in increasing order.
        weights: `constants` for the compiled search.
    """

    def __init__(self, search, ordinary, buckets, weights=()):
        self.search = search
        self.ordinary = _whole(ordinary)
        self.several = _whole(self._several)
        self.source_lengths, self.target_lengths = zip(*buckets, strict=True)
        self.weights = weights
        # One function for all buckets: XLA knows the shape, and so the bucket, when it compiles.
        self.compiled = tf.function(
            self._search,
            input_signature=[tf.TensorSpec((1, None), tf.int32)],
            jit_compile=True,
            autograph=False,
        )

    def __call__(self, source):
        """Source ids (B, S) -> ids (B, T) and scores (B,).

        A row of padding gives padding, with a score of 0.
        """
        is_alone = tf.shape(source)[0] == 1
        return tf.cond(is_alone, lambda: self._alone(source), lambda: self.several(source))

    def _alone(self, source):
        """The call for one source."""
        found = self._one(source[0])
        return found.ids[tf.newaxis], found.score[tf.newaxis]

    def _several(self, source):
        """The call for any other number of sources."""
        batch = tf.shape(source)[0]
        few = batch <= MOST_COMPILED
        # Not in the branch, where TensorFlow's C++ session fails with a loop of its own.
        rows = source[: tf.where(few, batch, 0)]
        found = tf.map_fn(self._one, rows, fn_output_signature=self._specifications())
        return tf.cond(few, lambda: (found.ids, found.score), lambda: self.ordinary(source))

    def _specifications(self):
        """Those of a found sentence."""
        return Found(
            ids=tf.TensorSpec(self.target_lengths[-1:], tf.int32),
            score=tf.TensorSpec((), tf.float32),
            done=tf.TensorSpec((), tf.bool),
        )

    def _one(self, source):
        """Source ids (S,) -> `Found`."""
        length = tf.math.count_nonzero(source, dtype=tf.int32)
        found = self._in_bucket(source, tf.gather(self.source_lengths, self._place(length)))
        return tf.cond(
            found.done, lambda: found, lambda: self._in_bucket(source, self.source_lengths[-1])
        )

    def _place(self, length):
        """Number of the bucket for sources of a length; the last if there is none."""
        shorter = tf.constant(self.source_lengths[:-1], tf.int32)
        return tf.searchsorted(shorter, length[tf.newaxis])[0]

    def _in_bucket(self, source, length):
        """Source ids (S,), as if there were `length` of them -> `Found`."""
        padded = tf.pad(source, [[0, self.source_lengths[-1]]], constant_values=PADDING)[:length]
        found = self.compiled(padded[tf.newaxis])
        return found._replace(ids=tf.ensure_shape(found.ids, self.target_lengths[-1:]))

    def _search(self, source):
        """Source ids (1, S), as long as a bucket -> `Found`."""
        target_length = tf.gather(self.target_lengths, self._place(tf.shape(source)[1]))
        with keras.StatelessScope(self.weights):
            best = self.search(source, target_length)
        missing = self.target_lengths[-1] - target_length
        ids = tf.pad(best.ids[0, 0], [[0, missing]], constant_values=PADDING)
        empty = tf.reduce_all(source == PADDING)
        return Found(
            tf.where(empty, PADDING, ids),
            tf.where(empty, 0.0, best.scores[0, 0]),
            best.done[0] | (missing == 0) | empty,
        )


def _whole(function):
    """A function that is not divided into its operations.

    Those of a branch that is not taken take time as well.
    """
    return tf.function(function, autograph=False, experimental_attributes={"_noinline": True})
