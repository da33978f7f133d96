"""What encoder and decoder layers are made of, besides attention."""

import keras

from keras_transformer.kernels.dense import Dense
from keras_transformer.kernels.dropout import Dropout
from keras_transformer.kernels.layer_normalization import LayerNormalization


def point_wise_feed_forward_network(d_model, dff, rate=0.0, name=None):
    """Two dense layers applied to each position alone (Vaswani et al. 2017, section 3.3).

    Args:
        d_model: depth D of the input and the output.
        dff: depth of the layer between.
        rate: rate of the dropout on what the layer between gives.
        name: name of the network.

    Returns:
        A `keras.Sequential`, (B, T, D) -> (B, T, D).
    """
    layers = [
        Dense(dff, activation="relu", name="inner"),
        Dropout(rate, name="dropout"),
        Dense(d_model, name="outer"),
    ]
    return keras.Sequential(layers, name=name)


class Residual(keras.layers.Layer):
    """The connection around a sublayer f, in two halves: `y = f(r.enter(x)); x = r.leave(x, y)`.

    Two methods and not one that is given f, because an attention sublayer gives its weights too.

    Args:
        d_model: depth D of what passes through.
        rate: rate of the dropout on what the sublayer gives.
    """

    def __init__(self, d_model, rate=0.1, **kwargs):
        super().__init__(**kwargs)
        self.d_model = d_model
        self.rate = rate
        self.layernorm = LayerNormalization(epsilon=1e-6, name="layernorm")
        self.dropout = Dropout(rate, name="dropout")

    def build(self, input_shape):
        self.layernorm.build((None, None, self.d_model))

    def get_config(self):
        return super().get_config() | {"d_model": self.d_model, "rate": self.rate}


@keras.saving.register_keras_serializable("keras_transformer")
class PostNormResidual(Residual):
    """LayerNorm(x + Dropout(f(x))): as in the paper (section 5.4)."""

    def enter(self, x):
        """x (B, T, D) -> what f is given (B, T, D)."""
        return x

    def leave(self, x, y, training=None):
        """x and y = f(enter(x)), both (B, T, D) -> the output (B, T, D)."""
        return self.layernorm(x + self.dropout(y, training=training))


@keras.saving.register_keras_serializable("keras_transformer")
class PreNormResidual(Residual):
    """x + Dropout(f(LayerNorm(x))): trains with less warm-up (Xiong et al. 2020, section 3)."""

    def enter(self, x):
        """x (B, T, D) -> what f is given (B, T, D)."""
        return self.layernorm(x)

    def leave(self, x, y, training=None):
        """x and y = f(enter(x)), both (B, T, D) -> the output (B, T, D)."""
        return x + self.dropout(y, training=training)


def residual_class(norm_first):
    """The residual of a pre-norm network (`norm_first`) or of a post-norm one."""
    return PreNormResidual if norm_first else PostNormResidual


def final_normalization(norm_first):
    """What ends a stack of layers: nothing after post-norm, a normalization after pre-norm."""
    if norm_first:
        return LayerNormalization(epsilon=1e-6, name="final_layernorm")
    return keras.layers.Identity(name="final_layernorm")
