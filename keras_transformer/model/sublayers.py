"""The sublayers of encoder and decoder layers (Vaswani et al. 2017, section 3.1).

A sublayer owns its normalization, its dropout and its residual connection. `call` computes all
positions; `step` computes one more position of k hypotheses side by side, without dropout, from the
cached keys and values of the previous positions.
"""

from typing import Any

import keras
import tensorflow as tf

from keras_transformer.kernels.dense import Dense
from keras_transformer.kernels.dropout import Dropout
from keras_transformer.model.attention import MultiHeadAttention
from keras_transformer.model.caches import Cache
from keras_transformer.model.dtypes import Dtype, sublayer_dtype
from keras_transformer.model.masks import ExplicitMask
from keras_transformer.model.normalization import normalization
from keras_transformer.model.options import DEFAULTS, Options
from keras_transformer.tensors import Tensor


def point_wise_feed_forward_network(
    d_model: int, dff: int, rate: float = 0.0, name: str | None = None, dtype: Dtype = None
) -> keras.Sequential:
    """Return two dense layers that are applied to each position separately.

    Vaswani et al. (2017), section 3.3.

    Args:
        d_model: depth D of the input and the output.
        dff: depth of the inner layer.
        rate: dropout rate of the inner layer's output.
        name: name of the network.
        dtype: the argument `dtype` of the layers.

    Returns:
        A `keras.Sequential`, (B, T, D) -> (B, T, D).
    """
    layers = [
        Dense(dff, activation="relu", dtype=dtype, name="inner"),
        Dropout(rate, dtype=dtype, name="dropout"),
        Dense(d_model, dtype=dtype, name="outer"),
    ]
    return keras.Sequential(layers, name=name)


class Residual(keras.layers.Layer):
    """The residual connection around a function f: `y = f(r.enter(x)); x = r.leave(x, y)`.

    There are two methods, because attention returns its weights as well as its output.

    Args:
        d_model: depth D.
        rate: dropout rate of the function's output.
        options: the `Options` of the network.
    """

    def __init__(
        self, d_model: int, rate: float = 0.1, options: Options = DEFAULTS, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.d_model = d_model
        dtype = sublayer_dtype(self)
        self.layernorm = normalization(Options(*options), "layernorm", dtype)
        self.dropout = Dropout(rate, dtype=dtype, name="dropout")

    def build(self, input_shape: tuple) -> None:
        for layer in (self.layernorm, self.dropout):
            layer.build((None, None, self.d_model))


@keras.saving.register_keras_serializable("keras_transformer")
class PostNormResidual(Residual):
    """LayerNorm(x + Dropout(f(x))), as in the paper (section 5.4)."""

    def enter(self, x: Tensor) -> Tensor:
        """Return the input of f for x (B, T, D)."""
        return x

    def leave(self, x: Tensor, y: Tensor, training: bool | None = None) -> Tensor:
        """Return the output (B, T, D) for x and y = f(enter(x)), both (B, T, D)."""
        return self.layernorm(x + self.dropout(y, training=training))


@keras.saving.register_keras_serializable("keras_transformer")
class PreNormResidual(Residual):
    """x + Dropout(f(LayerNorm(x))), which needs less warm-up (Xiong et al. 2020, section 3)."""

    def enter(self, x: Tensor) -> Tensor:
        """Return the input of f for x (B, T, D)."""
        return self.layernorm(x)

    def leave(self, x: Tensor, y: Tensor, training: bool | None = None) -> Tensor:
        """Return the output (B, T, D) for x and y = f(enter(x)), both (B, T, D)."""
        return x + self.dropout(y, training=training)


def make_residual(d_model: int, rate: float, options: Options, dtype: Dtype) -> Residual:
    """Return the kind of `Residual` that the options select."""
    kind = PreNormResidual if options.norm_first else PostNormResidual
    return kind(d_model, rate, options, dtype=dtype, name="residual")


class AttentionSublayer(ExplicitMask, keras.layers.Layer):
    """Multi-head attention with its residual connection.

    Args:
        d_model: depth D.
        num_heads: number of attention heads H.
        rate: dropout rate of the output, between 0 and 1.
        options: the `Options` of the network.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        rate: float = 0.1,
        options: Options = DEFAULTS,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.d_model = d_model
        options = Options(*options)  # a deserialized config has a plain tuple
        dtype = sublayer_dtype(self)
        self.mha = MultiHeadAttention(
            d_model, num_heads, options.attention_rate, dtype=dtype, name="mha"
        )
        self.residual = make_residual(d_model, rate, options, dtype)

    def build(self, input_shape: tuple) -> None:
        for layer in (self.mha, self.residual):
            layer.build((None, None, self.d_model))


@keras.saving.register_keras_serializable("keras_transformer")
class SelfAttention(AttentionSublayer):
    """Attention of each position to all positions of the same sequence that are not masked.

    Call arguments:
        x: tensor (B, T, D).
        training: whether dropout is applied.
        mask: 1 where a position is hidden, broadcastable to (B, H, T, T), or None.

    Returns:
        The output (B, T, D) and the attention weights (B, H, T, T).
    """

    def call(
        self, x: Tensor, training: bool | None = None, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        y = self.residual.enter(x)
        y, weights = self.mha(y, k=y, q=y, mask=mask, training=training)
        return self.residual.leave(x, y, training=training), weights

    def step(
        self, x: Tensor, position: Tensor, cache: Cache, mask: Tensor | None = None
    ) -> tuple[Tensor, Cache]:
        """Compute one more position.

        Args:
            x: input at the position, (B, k, D).
            position: index of the position, an int or a scalar tensor.
            cache: the keys and values of the previous positions.
            mask: 1 where a slot of the cache is hidden, broadcastable to (B, H, k, L), or None.

        Returns:
            The output (B, k, D) and the cache with this position.
        """
        x = tf.cast(x, self.compute_dtype)  # as Keras does in `call`
        q, k, v = self.mha.self_projections(self.residual.enter(x))
        cache, k, v = cache.append(k, v, position)
        y, _ = self.mha.attend(q, k, v, mask=mask)
        return self.residual.leave(x, y), cache


@keras.saving.register_keras_serializable("keras_transformer")
class CrossAttention(AttentionSublayer):
    """Attention of each target position to all positions of the encoded source.

    Call arguments:
        x: tensor (B, T, D).
        enc_output: the encoded source (B, S, D).
        training: whether dropout is applied.
        mask: 1 where a source position is hidden, broadcastable to (B, H, T, S), or None.

    Returns:
        The output (B, T, D) and the attention weights (B, H, T, S).
    """

    def call(
        self,
        x: Tensor,
        enc_output: Tensor,
        training: bool | None = None,
        mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        y = self.residual.enter(x)
        y, weights = self.mha(enc_output, k=enc_output, q=y, mask=mask, training=training)
        return self.residual.leave(x, y, training=training), weights

    def keys_and_values(self, enc_output: Tensor) -> tuple[Tensor, Tensor]:
        """Return the keys and values of the source (B, S, D) for `step`, each (B, H, S, K)."""
        k, v = self.mha.keys_and_values(tf.cast(enc_output, self.compute_dtype))
        return k, v

    def step(self, x: Tensor, source: tuple[Tensor, Tensor], mask: Tensor | None = None) -> Tensor:
        """Compute one more position.

        Args:
            x: input at the position, (B, k, D).
            source: the `keys_and_values` of the source.
            mask: as in `call`, broadcastable to (B, H, k, S).

        Returns:
            The output (B, k, D).
        """
        x = tf.cast(x, self.compute_dtype)
        q = self.mha.query(self.residual.enter(x))
        y, _ = self.mha.attend(q, *source, mask=mask)
        return self.residual.leave(x, y)


@keras.saving.register_keras_serializable("keras_transformer")
class FeedForward(keras.layers.Layer):
    """The point-wise feed-forward network with its residual connection.

    Args:
        d_model: depth D.
        dff: inner depth of the feed-forward network.
        rate: dropout rate of the output, between 0 and 1.
        options: the `Options` of the network.

    Call arguments:
        x: tensor (B, T, D).
        training: whether dropout is applied.

    Returns:
        Tensor (B, T, D).
    """

    def __init__(
        self, d_model: int, dff: int, rate: float = 0.1, options: Options = DEFAULTS, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.d_model = d_model
        options, dtype = Options(*options), sublayer_dtype(self)
        self.ffn = point_wise_feed_forward_network(
            d_model, dff, options.activation_rate, "ffn", dtype
        )
        self.residual = make_residual(d_model, rate, options, dtype)

    def build(self, input_shape: tuple) -> None:
        for layer in (self.ffn, self.residual):
            layer.build((None, None, self.d_model))

    def call(self, x: Tensor, training: bool | None = None) -> Tensor:
        y = self.ffn(self.residual.enter(x), training=training)
        return self.residual.leave(x, y, training=training)

    def step(self, x: Tensor) -> Tensor:
        """Compute one more position, x (B, k, D) -> (B, k, D)."""
        return self(x, training=False)
