"""What decoding step by step remembers of a layer: keys and values of the target so far.

Each position has a slot for each of k hypotheses side by side: slots 0 to k - 1 for the first
position, the next k for the second. Two kinds with one interface, both nests of tensors.
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
        """Adds one position, whose keys and values are (B, H, k, K).

        Returns:
            The cache with it, and all its keys and values, each (B, H, L, K).
        """
        keys = tf.concat([self.keys, keys], axis=2)
        values = tf.concat([self.values, values], axis=2)
        return GrowingCache(keys, values), keys, values


class FixedCache(NamedTuple):
    """Keys and values of all positions, each (B * H, L, K): of one shape, as XLA needs it.

    Those of positions to come are 0, and must be hidden. They are written in place, by an operation
    of XLA that TensorFlow alone does not have. Were they (B, H, L, K), XLA would write them twice:
    for the product of attention, which it takes over B * H matrices, and for the next step.
    """

    keys: tf.Tensor
    values: tf.Tensor

    @classmethod
    def empty(cls, batch, num_heads, depth, dtype, length):
        """The cache before the first step, with `length` slots."""
        nothing = tf.zeros((batch * num_heads, length, depth), dtype)
        return cls(nothing, nothing)

    def append(self, keys, values, position):
        """Adds one position, whose keys and values are (B, H, k, K).

        Returns:
            The cache with it, and all its keys and values, each (B, H, L, K).
        """
        first = position * tf.shape(keys)[2]
        cache = FixedCache(_write(self.keys, keys, first), _write(self.values, values, first))
        return cache, *(_of_heads(tensor, keys.shape[1]) for tensor in cache)


def _write(tensor, slots, first):
    """tensor (B * H, L, K) with slots (B, H, k, K) from the place `first` of L on."""
    matrices = tf.reshape(slots, (-1, tf.shape(slots)[2], slots.shape[3]))
    return dynamic_update_slice(tensor, matrices, tf.stack([0, first, 0]))


def _of_heads(tensor, num_heads):
    """(B * H, L, K) -> (B, H, L, K)."""
    return tf.reshape(tensor, (-1, num_heads, tf.shape(tensor)[1], tensor.shape[2]))
