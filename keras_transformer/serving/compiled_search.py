"""A search that XLA compiles: sentence by sentence, padded to a few lengths."""

import tensorflow as tf

from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.search import Hypotheses

# With more sentences than this one ordinary search of them all is as fast.
MOST_COMPILED = 8


def length_buckets(longest):
    """The lengths that sources are padded to, each some half more than the one before."""
    return [*(length for length in (10, 16, 26) if length < longest), longest]


def compiled_search(search, ordinary, buckets, max_length):
    """A search with the shapes of `ordinary`, where XLA compiles what single sentences need.

    XLA compiles a function anew for each shape, so the number of shapes must be small.

    Args:
        search: source ids (1, S) -> `Hypotheses`, of fixed shapes throughout.
        ordinary: source ids (B, S) -> `Hypotheses`, for larger batches.
        buckets: lengths S that `search` is compiled for, in increasing order.
        max_length: number of ids T in a hypothesis.

    Returns:
        A function, source ids (B, S) -> `Hypotheses` with n = 1.
    """
    compiled = tf.function(search, jit_compile=True, autograph=False)

    def of_length(source, length):
        room = length - tf.shape(source)[0]
        padded = tf.pad(source[:length], [[0, tf.maximum(room, 0)]], constant_values=PADDING)
        hypotheses = compiled(tf.ensure_shape(padded, (length,))[tf.newaxis])
        return hypotheses.ids[0, :1], hypotheses.scores[0, :1]

    def one_sentence(source):
        length = tf.math.count_nonzero(source, dtype=tf.int32)
        bucket = tf.searchsorted(buckets, length[tf.newaxis])[0]
        branches = [lambda width=width: of_length(source, width) for width in buckets]
        return tf.switch_case(bucket, branches)

    def one_by_one(source):
        ids = tf.TensorSpec((1, max_length), tf.int32)
        scores = tf.TensorSpec((1,), tf.float32)
        return tf.map_fn(one_sentence, source, fn_output_signature=(ids, scores))

    def all_at_once(source):
        hypotheses = ordinary(source)
        return hypotheses.ids[:, :1], hypotheses.scores[:, :1]

    def choose(source):
        few = tf.shape(source)[0] <= MOST_COMPILED
        found = tf.cond(few, lambda: one_by_one(source), lambda: all_at_once(source))
        return Hypotheses(*found)

    return choose
