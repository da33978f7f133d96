"""Layer normalization (Ba et al. 2016); replaces `keras.layers.LayerNormalization`.

The gradient is written by hand. The gradient that TensorFlow derives has more operations.
"""

from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from keras_transformer.tensors import Tensor


@keras.saving.register_keras_serializable("keras_transformer")
class LayerNormalization(keras.layers.LayerNormalization):
    """`keras.layers.LayerNormalization` over the last axis, with scale and offset.

    The layer computes in float32, whatever the dtype of its input.

    Call arguments:
        x: tensor (..., D).

    Returns:
        Tensor (..., D) in the dtype of x: mean 0 and variance 1 along D, times gamma, plus beta.

    Raises:
        ValueError: If `axis` is not the last, or `center` or `scale` is false.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.axis not in (-1, [-1]):
            raise ValueError(f"axis must be -1, not {self.axis}")
        if not (self.center and self.scale) or self.rms_scaling:
            raise ValueError("only normalization with center and scale is supported")

    def call(self, x: Tensor) -> Tensor:
        wide = tf.cast(x, tf.float32)
        gamma, beta = (tf.cast(weight, tf.float32) for weight in (self.gamma, self.beta))
        return tf.cast(_normalize(wide, gamma, beta, self.epsilon), x.dtype)


def _normalize(x: Tensor, gamma: Tensor, beta: Tensor, epsilon: float) -> Tensor:
    """Return the normalized x (..., D), scaled by gamma (D,) and shifted by beta (D,)."""

    @tf.custom_gradient
    def normalize(
        x: Tensor, gamma: Tensor, beta: Tensor
    ) -> tuple[Tensor, Callable[[Tensor], tuple[Tensor, Tensor, Tensor]]]:
        centered = x - mean(x)
        scale = tf.math.rsqrt(mean(tf.square(centered)) + epsilon)
        normal = centered * scale

        def gradient(upstream: Tensor) -> tuple[Tensor, Tensor, Tensor]:
            for_gamma, for_normal = upstream * normal, upstream * gamma
            along = normal * mean(for_gamma * gamma)
            return (
                scale * (for_normal - mean(for_normal) - along),
                _sum_over_positions(for_gamma),
                _sum_over_positions(upstream),
            )

        return normal * gamma + beta, gradient

    return normalize(x, gamma, beta)


def mean(x: Tensor) -> Tensor:
    """Return the mean along the last axis: (..., D) -> (..., 1)."""
    return tf.reduce_mean(x, axis=-1, keepdims=True)


def _sum_over_positions(x: Tensor) -> Tensor:
    """Return the sum over all axes but the last: (..., D) -> (D,)."""
    return tf.reduce_sum(x, axis=range(x.shape.rank - 1))
