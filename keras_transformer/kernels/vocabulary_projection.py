"""The final layer as a search computes it: features (B, k, D) -> logits (B, k, V), float32.

The vocabulary is filled up to whole blocks of `BLOCK` ids, with ids that are never chosen.
"""

import tensorflow as tf

from keras_transformer.kernels.dense import dense
from keras_transformer.kernels.top_k import BLOCK, NEVER


def filled(table, bias, never):
    """The weights of a vocabulary of whole blocks.

    Args:
        table: (V, D), for logits features table^T + bias.
        bias: (V,).
        never: ids that a search must not choose.

    Returns:
        The table and the bias, with V rounded up.
    """
    missing = -bias.shape[0] % BLOCK
    bias += NEVER * tf.reduce_sum(tf.one_hot(never, bias.shape[0]), axis=0)
    bias = tf.pad(bias, [[0, missing]], constant_values=NEVER)
    return tf.pad(table, [[0, missing], [0, 0]]), bias


def fastest(beam_size, xla):
    """The one of the three layers below that is the fastest.

    Args:
        beam_size: hypotheses k of each source.
        xla: whether XLA compiles the search.

    Returns:
        A function: table (V, D), bias (V,) -> layer.
    """
    if not xla:
        return by_kernel
    return by_blocks if beam_size > 1 else by_table


def by_kernel(table, bias):
    """One product with a kernel (D, V), which TensorFlow reads faster than the table."""
    kernel = tf.transpose(table)
    return lambda features: tf.cast(dense(features, kernel, bias), tf.float32)


def by_table(table, bias):
    """One product with the table, as XLA does it best for a single hypothesis."""
    return lambda features: tf.cast(dense(features, table, bias, transpose_b=True), tf.float32)


def by_blocks(table, bias):
    """A product for each block, with kernels (V / BLOCK, D, BLOCK).

    XLA multiplies the few rows of a beam by a wide kernel much slower: what it reads together lies
    far apart in that one.
    """
    vocab_size, depth = table.shape
    kernels = tf.transpose(tf.reshape(table, (-1, BLOCK, depth)), (0, 2, 1))
    biases = tf.reshape(bias, (-1, 1, BLOCK))

    def layer(features):
        rows = tf.reshape(features, (1, -1, depth))
        # Without the copies XLA would make one product of it again.
        rows = tf.tile(rows, (vocab_size // BLOCK, 1, 1))
        logits = tf.cast(tf.matmul(rows, tf.cast(kernels, rows.dtype)), tf.float32) + biases
        logits = tf.transpose(logits, (1, 0, 2))  # (B * k, V / BLOCK, BLOCK)
        return tf.reshape(logits, (-1, features.shape[1], vocab_size))

    return layer
