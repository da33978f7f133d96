"""Dropout (Srivastava et al. 2014) with 8 random bits per value; replaces `keras.layers.Dropout`.

Generating random numbers takes longer than applying them. Keras draws 32 bits per value; this layer
draws a quarter of that.
"""

from typing import Any

import keras
import tensorflow as tf

from keras_transformer.tensors import Tensor


@keras.saving.register_keras_serializable("keras_transformer")
class Dropout(keras.layers.Dropout):
    """`keras.layers.Dropout` with one random byte per value.

    The rate is rounded to the nearest multiple of 1/256, at most 255/256. The remaining values are
    scaled for the rounded rate, so the expected value is exact, but for the rounding of the factor
    to the dtype.

    Call arguments:
        x: tensor of any shape.
        training: whether to drop values.

    Returns:
        Tensor of the same shape.

    Raises:
        ValueError: If `noise_shape` is given.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.noise_shape is not None:
            raise ValueError(f"noise_shape {self.noise_shape} is not supported")

    def call(self, x: Tensor, training: bool | None = False) -> Tensor:
        dropped = min(round(self.rate * 256), 255)
        if not training or dropped == 0:
            return x
        keep = _random_bytes(tf.shape(x), _replica_seed(self.seed_generator.next())) >= dropped
        return _scaled(x, tf.cast(keep, x.dtype) * (256 / (256 - dropped)))


def _replica_seed(seed: Tensor) -> Tensor:
    """Return a different seed on each replica of a `tf.distribute.Strategy`.

    All replicas have the same random state, so that a checkpoint contains only one. With the same
    seed, they would drop the same positions of different rows.
    """
    replica = tf.distribute.get_replica_context()
    if replica is None or replica.num_replicas_in_sync == 1:
        return seed
    return tf.random.experimental.stateless_fold_in(seed, replica.replica_id_in_sync_group)


def _random_bytes(shape: Tensor, seed: Tensor) -> Tensor:
    """Return uniform uint8 values of a shape: four from each random 32-bit word."""
    words = -(-tf.reduce_prod(shape) // 4)
    seed = tf.cast(seed, tf.int32)
    random = tf.random.stateless_uniform(words[tf.newaxis], seed, None, None, tf.uint32)
    flat = tf.reshape(tf.bitcast(random, tf.uint8), (-1,))
    return tf.reshape(flat[: tf.reduce_prod(shape)], shape)


@tf.custom_gradient
def _scaled(x: Tensor, factors: Tensor) -> Tensor:
    """Return x * factors, without computing a gradient for the factors."""
    return x * factors, lambda upstream: (upstream * factors, None)
