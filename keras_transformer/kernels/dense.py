"""Dense layers, and shapes of which as much is known as can be.

TensorFlow computes product, bias and activation in one operation if the input is a matrix, and
spends several on each shape that it has to find out.
"""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable("keras_transformer")
class Dense(keras.layers.Dense):
    """Keras's layer, computed as one product of all rows.

    Call arguments:
        x: tensor (..., D).

    Returns:
        Tensor (..., units).
    """

    def call(self, x):
        return dense(x, self.kernel, self.bias, self.activation)


def dense(x, kernel, bias, activation=None, transpose_b=False):
    """x (..., D) times a kernel (D, E), plus a bias (E,), activated -> (..., E).

    With `transpose_b` the kernel is (E, D).
    """
    rows = tf.reshape(x, (-1, x.shape[-1]))
    rows = tf.matmul(rows, tf.cast(kernel, x.dtype), transpose_b=transpose_b)
    rows = tf.nn.bias_add(rows, tf.cast(bias, x.dtype))
    return tf.reshape(activation(rows) if activation else rows, (*sizes(x)[:-1], rows.shape[-1]))


def sizes(x):
    """The sizes of x for `tf.reshape`: numbers where they are known; -1 if only one is not."""
    if list(x.shape).count(None) == 1:
        return [-1 if size is None else size for size in x.shape]
    return [tf.shape(x)[i] if size is None else size for i, size in enumerate(x.shape)]
