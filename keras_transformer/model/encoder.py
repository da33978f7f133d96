"""The encoder, which reads the source (Vaswani et al. 2017, section 3.1)."""

from typing import Any

import keras

from keras_transformer.model.caches import Cache
from keras_transformer.model.dtypes import sublayer_dtype
from keras_transformer.model.embeddings import PositionalEmbedding
from keras_transformer.model.masks import ExplicitMask
from keras_transformer.model.normalization import centering, final_normalization
from keras_transformer.model.options import DEFAULTS, Options
from keras_transformer.model.sublayers import FeedForward, SelfAttention
from keras_transformer.tensors import Tensor


@keras.saving.register_keras_serializable("keras_transformer")
class EncoderLayer(ExplicitMask, keras.layers.Layer):
    """Self-attention, then a feed-forward network.

    With a look-ahead mask, it also serves as a layer of a decoder-only network; `step` is for
    decoding with such a network.

    Args:
        d_model: depth D.
        num_heads: number of attention heads H.
        dff: inner depth of the feed-forward network.
        rate: dropout rate, between 0 and 1.
        options: the `Options` of the network.

    Call arguments:
        x: tensor (B, S, D).
        training: whether dropout is applied.
        mask: 1 where a position is hidden, broadcastable to (B, H, S, S), or None.

    Returns:
        The output (B, S, D) and the attention weights (B, H, S, S).

    Examples:
        >>> layer = EncoderLayer(d_model=512, num_heads=8, dff=2048)
        >>> output, weights = layer(keras.random.uniform((64, 43, 512)), training=False)
        >>> output.shape, weights.shape
        (TensorShape([64, 43, 512]), TensorShape([64, 8, 43, 43]))
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        dff: int,
        rate: float = 0.1,
        options: Options = DEFAULTS,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        shape, rest, dtype = (d_model, num_heads), (rate, options), sublayer_dtype(self)
        self.self_attention = SelfAttention(*shape, *rest, dtype=dtype, name="self_attention")
        self.feed_forward = FeedForward(d_model, dff, *rest, dtype=dtype, name="feed_forward")

    def build(self, input_shape: tuple) -> None:
        for sublayer in (self.self_attention, self.feed_forward):
            sublayer.build(input_shape)

    def call(
        self, x: Tensor, training: bool | None = None, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        x, weights = self.self_attention(x, training=training, mask=mask)
        return self.feed_forward(x, training=training), weights

    def step(
        self, x: Tensor, position: Tensor, cache: Cache, mask: Tensor | None = None
    ) -> tuple[Tensor, Cache]:
        """Compute one more position; arguments and result are those of `SelfAttention.step`."""
        x, cache = self.self_attention.step(x, position, cache, mask)
        return self.feed_forward.step(x), cache


@keras.saving.register_keras_serializable("keras_transformer")
class Encoder(ExplicitMask, keras.layers.Layer):
    """Embeds the source and passes it through `num_layers` encoder layers.

    Args:
        num_layers: number of layers.
        d_model: depth D.
        num_heads: number of attention heads H.
        dff: inner depth of the feed-forward networks.
        input_vocab_size: number of source ids.
        maximum_position_encoding: length of the longest source, in ids.
        rate: dropout rate, between 0 and 1.
        options: the `Options` of the network.
        embedding: a `PositionalEmbedding` to share; None: a new one. An encoder with a shared
            embedding cannot be serialized on its own.

    Call arguments:
        x: source ids (B, S).
        training: whether dropout is applied.
        mask: 1 where a position is hidden, broadcastable to (B, H, S, S), or None.

    Returns:
        The encoded source (B, S, D) and a list of every layer's attention weights (B, H, S, S).
    """

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        dff: int,
        input_vocab_size: int,
        maximum_position_encoding: int,
        rate: float = 0.1,
        options: Options = DEFAULTS,
        embedding: PositionalEmbedding | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.d_model = d_model
        self.shares_embedding = embedding is not None
        shape, dtype = (d_model, num_heads, dff), sublayer_dtype(self)
        sizes = input_vocab_size, d_model, maximum_position_encoding, rate
        self.embedding = embedding or PositionalEmbedding(*sizes, dtype=dtype, name="embedding")
        self.enc_layers = [
            EncoderLayer(*shape, rate, options, dtype=dtype, name=f"layer{i + 1}")
            for i in range(num_layers)
        ]
        self.centering = centering(Options(*options), dtype)
        self.final_layernorm = final_normalization(Options(*options), dtype)

    def build(self, input_shape: tuple) -> None:
        for layer in (self.embedding, self.centering, *self.enc_layers, self.final_layernorm):
            if not layer.built:
                layer.build((None, None, self.d_model))

    @property
    def output_shape(self) -> tuple[int | None, ...]:
        """The shape of the encoded source, for `Model.summary`."""
        return (None, None, self.d_model)

    def count_params(self) -> int:
        """Return the number of weights, without those of a shared embedding."""
        shared = self.embedding.count_params() if self.shares_embedding else 0
        return super().count_params() - shared

    def call(
        self, x: Tensor, training: bool | None = None, mask: Tensor | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        x = self.centering(self.embedding(x, training=training))  # (B, S, D)
        attention_weights = []
        for layer in self.enc_layers:
            x, weights = layer(x, training=training, mask=mask)
            attention_weights.append(weights)
        return self.final_layernorm(x), attention_weights
