"""The output projection of a search: features (B, k, D) -> float32 logits (B, k, V).

Replaces `keras.layers.Dense` of vocabulary size, or a product with the transposed table of an
embedding. The weights are laid out once, before the search, in the order in which the product of
a few rows reads them fastest. The vocabulary is padded to whole blocks of `BLOCK` ids, for
`by_blocks` and `keras_transformer.kernels.top_k`; the added ids are never chosen.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import tensorflow as tf

from keras_transformer.kernels.dense import dense, size
from keras_transformer.kernels.top_k import BLOCK, NEVER
from keras_transformer.tensors import Tensor

Projection: TypeAlias = Callable[[Tensor], Tensor]  # features (B, k, D) -> logits (B, k, V)


def padded(table: Tensor, bias: Tensor, suppressed: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return the weights of a vocabulary padded to whole blocks.

    Args:
        table: (V, D), for logits features table^T + bias.
        bias: (V,).
        suppressed: ids that a search must not choose.

    Returns:
        The table and the bias, with V rounded up to a multiple of `BLOCK`. The logits of the added
        ids and of `suppressed` are about `NEVER`.
    """
    bias += NEVER * tf.reduce_sum(tf.one_hot(suppressed, bias.shape[0]), axis=0)
    return in_whole_blocks(table, bias)


def in_whole_blocks(table: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    """Return the weights of a vocabulary padded to whole blocks, as `padded` does.

    V may be unknown when the function is traced.
    """
    missing = -size(bias, 0) % BLOCK
    bias = tf.pad(bias, [[0, missing]], constant_values=NEVER)
    return tf.pad(table, [[0, missing], [0, 0]]), bias


def restricted(table: Tensor, bias: Tensor, suppressed: Sequence[int], ids: Tensor) -> tuple:
    """Return the weights of some ids, padded to whole blocks; otherwise as `padded` does.

    Args:
        table, bias, suppressed: as for `padded`.
        ids: (N,), the ids that a search considers.
    """
    forbidden = tf.reduce_any(ids[:, tf.newaxis] == tf.constant(suppressed, ids.dtype), axis=1)
    bias = tf.gather(bias, ids) + tf.where(forbidden, tf.cast(NEVER, bias.dtype), 0)
    return in_whole_blocks(tf.gather(table, ids), bias)


def by_kernel(table: Tensor, bias: Tensor) -> Projection:
    """Return a projection by a kernel (D, V), which TensorFlow reads faster than the table."""
    kernel = tf.transpose(table)
    return lambda features: tf.cast(dense(features, kernel, bias), tf.float32)


def by_blocks(table: Tensor, bias: Tensor) -> Projection:
    """Return a projection block by block, with kernels (V / BLOCK, D, BLOCK).

    XLA multiplies a few rows by one wide kernel more slowly, because the values that it reads
    together are far apart in memory.
    """
    vocab_size, depth = size(table, 0), table.shape[1]
    kernels = tf.transpose(tf.reshape(table, (-1, BLOCK, depth)), (0, 2, 1))
    biases = tf.reshape(bias, (-1, 1, BLOCK))

    def layer(features: Tensor) -> Tensor:
        rows = tf.reshape(features, (1, -1, depth))
        # Without a copy of the rows for each block, XLA would merge the products into one.
        rows = tf.tile(rows, (vocab_size // BLOCK, 1, 1))
        logits = tf.cast(tf.matmul(rows, tf.cast(kernels, rows.dtype)), tf.float32) + biases
        logits = tf.transpose(logits, (1, 0, 2))  # (B * k, V / BLOCK, BLOCK)
        return tf.reshape(logits, (-1, features.shape[1], vocab_size))

    return layer
