"""What decoding step by step remembers of a layer: keys and values of the target so far.

Two kinds with one interface, both nests of tensors with the batch as first axis.
"""

from typing import NamedTuple

import tensorflow as tf


class GrowingCache(NamedTuple):
    """Keys and values of the t positions so far, each (B, H, t, K): no work for what is to come."""

    keys: tf.Tensor
    values: tf.Tensor

    @classmethod
    def empty(cls, batch, num_heads, depth, dtype):
        """The cache before the first step."""
        nothing = tf.zeros((batch, num_heads, 0, depth), dtype)
        return cls(nothing, nothing)

    def append(self, keys, values, position):
        """The cache with one position more, whose keys and values are (B, H, 1, K)."""
        return GrowingCache(
            tf.concat([self.keys, keys], axis=2), tf.concat([self.values, values], axis=2)
        )

    def mask(self, position):
        """None: nothing is hidden, for no position comes after this one."""


class FixedCache(NamedTuple):
    """Keys and values of all T positions, each (B, H, T, K): of one shape, as XLA needs it.

    Those of positions to come are 0, and hidden.
    """

    keys: tf.Tensor
    values: tf.Tensor

    @classmethod
    def empty(cls, batch, num_heads, depth, dtype, length):
        """The cache before the first step, for `length` positions."""
        nothing = tf.zeros((batch, num_heads, length, depth), dtype)
        return cls(nothing, nothing)

    def append(self, keys, values, position):
        """The cache with the keys and values (B, H, 1, K) of one position written into it."""
        here = (self._positions() == position)[:, tf.newaxis]  # (T, 1)
        return FixedCache(tf.where(here, keys, self.keys), tf.where(here, values, self.values))

    def mask(self, position):
        """(T,): 1 where a position comes after this one."""
        return tf.cast(self._positions() > position, tf.float32)

    def _positions(self):
        return tf.range(tf.shape(self.keys)[2])
