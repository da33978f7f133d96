"""A search that XLA compiles: sentence by sentence, padded to a few lengths.

XLA compiles a function anew for each shape, so shapes must be few and nothing may grow. A bucket
is a pair of lengths: that of the source, and that of the target as far as it is searched for. A
short sentence has a short translation; where it has not, the ordinary search begins once more.
"""

import tensorflow as tf

from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.search import Hypotheses

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


class CompiledSearch:
    """The search of `ordinary`, where XLA compiles what single sentences need.

    Args:
        search: (source ids (1, S), target length T) -> `Hypotheses`, of fixed shapes throughout.
        ordinary: source ids (B, S) -> `Hypotheses`, for what is not compiled.
        buckets: pairs of lengths, in increasing order.
    """

    def __init__(self, search, ordinary, buckets):
        # Kept whole, for the parts of a branch that is not taken take time as well.
        self.ordinary = tf.function(
            ordinary, autograph=False, experimental_attributes={"_noinline": True}
        )
        self.source_lengths, self.target_lengths = zip(*buckets, strict=True)
        # One function for all buckets: XLA knows the shape, and so the bucket, when it compiles.
        self.compiled = tf.function(
            lambda source: search(source, self._bucket(tf.shape(source)[1])[1]),
            input_signature=[tf.TensorSpec((1, None), tf.int32)],
            jit_compile=True,
            autograph=False,
        )

    def __call__(self, source):
        """Source ids (B, S) -> `Hypotheses` with n = 1."""
        batch = tf.shape(source)[0]
        few = batch <= MOST_COMPILED
        found = tf.map_fn(
            self._one, source[: tf.where(few, batch, 0)], fn_output_signature=self._specifications()
        )
        one_by_one = few & tf.reduce_all(found.done)
        return tf.cond(one_by_one, lambda: found, lambda: self.ordinary(source))

    def _specifications(self):
        """Those of a found sentence."""
        return Hypotheses(
            ids=tf.TensorSpec((1, self.target_lengths[-1]), tf.int32),
            scores=tf.TensorSpec((1,), tf.float32),
            done=tf.TensorSpec((), tf.bool),
        )

    def _bucket(self, length):
        """Length of a source -> those of source and target in its bucket."""
        shorter = tf.constant(self.source_lengths[:-1], tf.int32)
        place = tf.searchsorted(shorter, length[tf.newaxis])[0]
        return tf.gather(self.source_lengths, place), tf.gather(self.target_lengths, place)

    def _one(self, source):
        """Source ids (S,) -> ids (1, T), scores (1,), and whether the limit makes no difference."""
        source = source[: tf.math.count_nonzero(source, dtype=tf.int32)]
        source_length, target_length = self._bucket(tf.shape(source)[0])
        source = source[:source_length]
        padded = tf.pad(source, [[0, source_length - tf.shape(source)[0]]], constant_values=PADDING)
        found = self.compiled(padded[tf.newaxis])
        missing = self.target_lengths[-1] - target_length
        ids = tf.pad(found.ids[0], [[0, 0], [0, missing]], constant_values=PADDING)
        ids = tf.ensure_shape(ids, (1, self.target_lengths[-1]))
        return Hypotheses(ids, found.scores[0], found.done[0] | (missing == 0))
