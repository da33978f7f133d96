"""What decoding step by step remembers of a layer: keys and values of the target so far.

Each position has a slot for each of k hypotheses side by side: slots 0 to k - 1 for the first
position, the next k for the second. Two kinds with one interface, both nests of tensors with the
batch as first axis.
"""

from typing import NamedTuple

import tensorflow as tf
from tensorflow.compiler.tf2xla.python.xla import dynamic_update_slice


class GrowingCache(NamedTuple):
    """Keys and values of the positions so far, each (B, H, L, K): no work for what is to come."""

    keys: tf.Tensor
    values: tf.Tensor

    @classmethod
    def empty(cls, batch, num_heads, depth, dtype):
        """The cache before the first step."""
        nothing = tf.zeros((batch, num_heads, 0, depth), dtype)
        return cls(nothing, nothing)

    def append(self, keys, values, position):
        """The cache with one position more, whose keys and values are (B, H, k, K)."""
        return GrowingCache(
            tf.concat([self.keys, keys], axis=2), tf.concat([self.values, values], axis=2)
        )


class FixedCache(NamedTuple):
    """Keys and values of all positions, each (B, H, L, K): of one shape, as XLA needs it.

    Those of positions to come are 0, and must be hidden. They are written in place, by an operation
    of XLA that TensorFlow alone does not have.
    """

    keys: tf.Tensor
    values: tf.Tensor

    @classmethod
    def empty(cls, batch, num_heads, depth, dtype, length):
        """The cache before the first step, with `length` slots."""
        nothing = tf.zeros((batch, num_heads, length, depth), dtype)
        return cls(nothing, nothing)

    def append(self, keys, values, position):
        """The cache with the keys and values (B, H, k, K) of one position written into it."""
        first = position * tf.shape(keys)[2]
        return FixedCache(_write(self.keys, keys, first), _write(self.values, values, first))


def _write(tensor, slots, first):
    return dynamic_update_slice(tensor, slots, tf.stack([0, 0, first, 0]))
