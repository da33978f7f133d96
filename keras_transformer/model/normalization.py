"""The normalizations of a network (Vaswani et al. 2017, section 5.4; Ba et al. 2016)."""

from typing import Any

import keras
import tensorflow as tf

from keras_transformer.kernels.layer_normalization import LayerNormalization, mean
from keras_transformer.model.dtypes import Dtype
from keras_transformer.model.options import Options
from keras_transformer.tensors import Tensor

EPSILON = 1e-6  # of the tutorial


def normalization(options: Options, name: str, dtype: Dtype) -> keras.layers.Layer:
    """Return the normalization of a sublayer."""
    if options.folded:
        return UnscaledRMSNormalization(EPSILON, dtype=dtype, name=name)
    return LayerNormalization(epsilon=EPSILON, dtype=dtype, name=name)


def centering(options: Options, dtype: Dtype) -> keras.layers.Layer:
    """Return the layer after an embedding: `Centering` in a folded network, or the identity."""
    kind = Centering if options.folded else keras.layers.Identity
    return kind(dtype=dtype, name="centering")


def final_normalization(options: Options, dtype: Dtype) -> keras.layers.Layer:
    """Return the last layer of a stack: a normalization with pre-norm, otherwise the identity."""
    name = "final_layernorm"
    if not options.norm_first:
        return keras.layers.Identity(dtype=dtype, name=name)
    return normalization(options._replace(folded=False), name, dtype)


class UnscaledRMSNormalization(keras.layers.Layer):
    """Divides each vector by the root of its mean square (Zhang and Sennrich 2019).

    `keras.layers.RMSNormalization` also has a scale, which costs another operation.

    Args:
        epsilon: added to the mean square.

    Call arguments:
        x: tensor (..., D).

    Returns:
        Tensor (..., D).
    """

    def __init__(self, epsilon: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.epsilon = epsilon

    def call(self, x: Tensor) -> Tensor:
        return x * tf.math.rsqrt(mean(tf.square(x)) + self.epsilon)


class Centering(keras.layers.Layer):
    """Subtracts the mean of each vector: (..., D) -> (..., D)."""

    def call(self, x: Tensor) -> Tensor:
        return x - mean(x)
