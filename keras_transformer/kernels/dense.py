"""Dense layers as one matrix product over all rows; replaces `keras.layers.Dense`.

For an input of rank 3, Keras calls `tf.tensordot`, which computes unknown dimensions by many small
operations and reshapes the product before the bias is added. Here the bias and the activation
follow the product directly, so that TensorFlow fuses all three into one operation.
"""

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from keras_transformer.tensors import Tensor


@keras.saving.register_keras_serializable("keras_transformer")
class Dense(keras.layers.Dense):
    """`keras.layers.Dense`, computed by `dense`.

    Call arguments:
        x: tensor (..., D).

    Returns:
        Tensor (..., units).
    """

    def call(self, x: Tensor) -> Tensor:
        return dense(x, self.kernel, self.bias, self.activation)


def dense(
    x: Tensor,
    kernel: Tensor,
    bias: Tensor | None,
    activation: Callable[[Tensor], Tensor] | None = None,
    transpose_b: bool = False,
) -> Tensor:
    """Return activation(x kernel + bias) in the dtype of x.

    Args:
        x: tensor (..., D).
        kernel: (D, E), or (E, D) with `transpose_b`.
        bias: (E,), or None.
        activation: function of a tensor, or None.
        transpose_b: whether to multiply by the transposed kernel.

    Returns:
        Tensor (..., E).
    """
    rows = tf.reshape(x, (-1, x.shape[-1]))
    rows = tf.matmul(rows, tf.cast(kernel, x.dtype), transpose_b=transpose_b)
    if bias is not None:
        rows = tf.nn.bias_add(rows, tf.cast(bias, x.dtype))
    shape = *sizes(x)[:-1], size(rows, 1)
    return tf.reshape(activation(rows) if activation else rows, shape)


def size(x: Tensor, axis: int) -> Any:
    """Return the size of an axis: an integer if known, else a scalar tensor."""
    return tf.shape(x)[axis] if x.shape[axis] is None else x.shape[axis]


def sizes(x: Tensor) -> list[Tensor]:
    """Return the shape of x for `tf.reshape`, with as few operations as possible.

    Known dimensions are integers. A single unknown dimension is -1; if there are several, each is
    a scalar tensor.
    """
    if list(x.shape).count(None) == 1:
        return [-1 if size is None else size for size in x.shape]
    return [tf.shape(x)[i] if size is None else size for i, size in enumerate(x.shape)]
