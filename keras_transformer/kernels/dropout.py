"""Dropout (Srivastava et al. 2014)."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable("keras_transformer")
class Dropout(keras.layers.Dropout):
    """Keras's layer with a byte of randomness for each value, in place of four.

    Making random numbers takes longer than the dropout itself. A byte is enough for a rate that is
    a multiple of 1/256: the nearest is taken, and what is kept is scaled for just that rate.

    Call arguments:
        x: tensor of any shape.
        training: whether values are dropped.

    Returns:
        Tensor of the same shape.
    """

    def call(self, x, training=False):
        dropped = min(round(self.rate * 256), 255)
        if not training or dropped == 0:
            return x
        keep = _random_bytes(tf.shape(x), self.seed_generator.next()) >= dropped
        return _scaled(x, tf.cast(keep, x.dtype) * (256 / (256 - dropped)))


def _random_bytes(shape, seed):
    words = -(-tf.reduce_prod(shape) // 4)
    seed = tf.cast(seed, tf.int32)
    random = tf.random.stateless_uniform(words[tf.newaxis], seed, None, None, tf.uint32)
    flat = tf.reshape(tf.bitcast(random, tf.uint8), (-1,))
    return tf.reshape(flat[: tf.reduce_prod(shape)], shape)


@tf.custom_gradient
def _scaled(x, factors):
    """x times factors that have no gradient of their own."""
    return x * factors, lambda upstream: (upstream * factors, None)
