"""Caches of keys and values, for decoding one position at a time.

A cache has L slots, k for each position: slots 0 to k - 1 belong to the k hypotheses at the first
position, the next k slots to those at the second. Both kinds of cache have the same `append`.
"""

from typing import NamedTuple, Self, TypeAlias

import tensorflow as tf
from tensorflow.compiler.tf2xla.python.xla import dynamic_update_slice

from keras_transformer.tensors import Tensor


class GrowingCache(NamedTuple):
    """The keys and values of the positions so far, in tensors that grow with every step."""

    keys: Tensor  # (B, H, L, K)
    values: Tensor  # (B, H, L, K)

    @classmethod
    def empty(cls, batch: Tensor, num_heads: int, depth: int, dtype: str) -> Self:
        """Return the cache of B = `batch` sources before the first step; `depth` is K."""
        nothing = tf.zeros((batch, num_heads, 0, depth), dtype)
        return cls(nothing, nothing)

    def append(
        self, keys: Tensor, values: Tensor, position: Tensor
    ) -> tuple["GrowingCache", Tensor, Tensor]:
        """Append one position.

        Args:
            keys, values: keys and values of the position, each (B, H, k, K).
            position: index of the position, an int or a scalar tensor.

        Returns:
            The cache with the position, and all keys and values in it, each (B, H, L, K).
        """
        keys = tf.concat([self.keys, keys], axis=2)
        values = tf.concat([self.values, values], axis=2)
        return GrowingCache(keys, values), keys, values


class FixedCache(NamedTuple):
    """The keys and values of all positions, in a fixed shape, as XLA requires.

    The slots of later positions are 0 and must be masked. Positions are written in place, by an
    operation that exists only under XLA. With the shape (B, H, L, K), XLA would copy the tensors
    twice: for the products of attention, which it computes over B * H matrices, and for the next
    step.
    """

    keys: Tensor  # (B * H, L, K)
    values: Tensor  # (B * H, L, K)

    @classmethod
    def empty(cls, batch: Tensor, num_heads: int, depth: int, dtype: str, length: Tensor) -> Self:
        """Return the cache before the first step, with L = `length` slots."""
        nothing = tf.zeros((batch * num_heads, length, depth), dtype)
        return cls(nothing, nothing)

    def append(
        self, keys: Tensor, values: Tensor, position: Tensor
    ) -> tuple["FixedCache", Tensor, Tensor]:
        """Append one position; arguments and result are those of `GrowingCache.append`."""
        first = position * tf.shape(keys)[2]
        cache = FixedCache(_write(self.keys, keys, first), _write(self.values, values, first))
        num_heads = keys.shape[1]
        return cache, _split_batch(cache.keys, num_heads), _split_batch(cache.values, num_heads)


Cache: TypeAlias = GrowingCache | FixedCache


def _write(tensor: Tensor, slots: Tensor, first: Tensor) -> Tensor:
    """Return tensor (B * H, L, K) with slots (B, H, k, K) written from slot `first` on."""
    matrices = tf.reshape(slots, (-1, tf.shape(slots)[2], slots.shape[3]))  # (B * H, k, K)
    return dynamic_update_slice(tensor, matrices, tf.stack([0, first, 0]))


def _split_batch(tensor: Tensor, num_heads: int) -> Tensor:
    """Reshape (B * H, L, K) to (B, H, L, K)."""
    return tf.reshape(tensor, (-1, num_heads, tf.shape(tensor)[1], tensor.shape[2]))
