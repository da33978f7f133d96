"""The decoder, which predicts the target given the source (Vaswani et al. 2017, section 3.1).

`call` computes all target positions at once. `step` computes one more position from the cached keys
and values of the previous positions, with the same result.
"""

from typing import Any

import keras

from keras_transformer.model.caches import Cache
from keras_transformer.model.dtypes import sublayer_dtype
from keras_transformer.model.embeddings import PositionalEmbedding
from keras_transformer.model.normalization import centering, final_normalization
from keras_transformer.model.options import DEFAULTS, Options
from keras_transformer.model.sublayers import CrossAttention, FeedForward, SelfAttention
from keras_transformer.tensors import Tensor


@keras.saving.register_keras_serializable("keras_transformer")
class DecoderLayer(keras.layers.Layer):
    """Masked self-attention, attention to the source, then a feed-forward network.

    Args:
        d_model: depth D.
        num_heads: number of attention heads H.
        dff: inner depth of the feed-forward network.
        rate: dropout rate, between 0 and 1.
        options: the `Options` of the network.

    Call arguments:
        x: tensor (B, T, D).
        enc_output: the encoded source (B, S, D).
        training: whether dropout is applied.
        look_ahead_mask: 1 where a target position is hidden, broadcastable to (B, H, T, T).
        padding_mask: 1 where a source position is hidden, broadcastable to (B, H, T, S).

    Returns:
        The output (B, T, D), the weights of self-attention (B, H, T, T) and the weights of the
        attention to the source (B, H, T, S).
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
        self.cross_attention = CrossAttention(*shape, *rest, dtype=dtype, name="cross_attention")
        self.feed_forward = FeedForward(d_model, dff, *rest, dtype=dtype, name="feed_forward")

    def build(self, input_shape: tuple) -> None:
        for sublayer in (self.self_attention, self.cross_attention, self.feed_forward):
            sublayer.build(input_shape)

    def call(
        self,
        x: Tensor,
        enc_output: Tensor,
        training: bool | None = None,
        look_ahead_mask: Tensor | None = None,
        padding_mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        x, weights1 = self.self_attention(x, training=training, mask=look_ahead_mask)
        x, weights2 = self.cross_attention(x, enc_output, training=training, mask=padding_mask)
        return self.feed_forward(x, training=training), weights1, weights2

    def step(
        self,
        x: Tensor,
        position: Tensor,
        cache: Cache,
        source: tuple[Tensor, Tensor],
        look_ahead_mask: Tensor | None = None,
        padding_mask: Tensor | None = None,
    ) -> tuple[Tensor, Cache]:
        """Compute one more position of k hypotheses side by side, without dropout.

        Args:
            x: input at the position, (B, k, D).
            position: index of the position, an int or a scalar tensor.
            cache: the keys and values of the previous positions.
            source: the keys and values of the source, each (B, H, S, K).
            look_ahead_mask: 1 where a slot of the cache is hidden, broadcastable to (B, H, k, L).
            padding_mask: as in `call`, broadcastable to (B, H, k, S).

        Returns:
            The output (B, k, D) and the cache with this position.
        """
        x, cache = self.self_attention.step(x, position, cache, look_ahead_mask)
        x = self.cross_attention.step(x, source, padding_mask)
        return self.feed_forward.step(x), cache


@keras.saving.register_keras_serializable("keras_transformer")
class Decoder(keras.layers.Layer):
    """Embeds the target and passes it through `num_layers` decoder layers.

    Args:
        num_layers: number of layers.
        d_model: depth D.
        num_heads: number of attention heads H.
        dff: inner depth of the feed-forward networks.
        target_vocab_size: number of target ids.
        maximum_position_encoding: length of the longest target, in ids.
        rate: dropout rate, between 0 and 1.
        options: the `Options` of the network.

    Call arguments:
        x: target ids (B, T).
        enc_output: the encoded source (B, S, D).
        training: whether dropout is applied.
        look_ahead_mask: 1 where a target position is hidden, broadcastable to (B, H, T, T).
        padding_mask: 1 where a source position is hidden, broadcastable to (B, H, T, S).

    Returns:
        The output (B, T, D), and two lists with each layer's weights: of self-attention
        (B, H, T, T) and of the attention to the source (B, H, T, S).
    """

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        dff: int,
        target_vocab_size: int,
        maximum_position_encoding: int,
        rate: float = 0.1,
        options: Options = DEFAULTS,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.d_model = d_model
        self.num_heads = num_heads
        shape, dtype = (d_model, num_heads, dff), sublayer_dtype(self)
        sizes = target_vocab_size, d_model, maximum_position_encoding, rate
        self.embedding = PositionalEmbedding(*sizes, dtype=dtype, name="embedding")
        self.dec_layers = [
            DecoderLayer(*shape, rate, options, dtype=dtype, name=f"layer{i + 1}")
            for i in range(num_layers)
        ]
        self.centering = centering(Options(*options), dtype)
        self.final_layernorm = final_normalization(Options(*options), dtype)

    def build(self, input_shape: tuple) -> None:
        for layer in (self.embedding, self.centering, *self.dec_layers, self.final_layernorm):
            if not layer.built:
                layer.build((None, None, self.d_model))

    @property
    def output_shape(self) -> tuple[int | None, ...]:
        """The shape of the output, for `Model.summary`."""
        return (None, None, self.d_model)

    def call(
        self,
        x: Tensor,
        enc_output: Tensor,
        training: bool | None = None,
        look_ahead_mask: Tensor | None = None,
        padding_mask: Tensor | None = None,
    ) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        x = self.centering(self.embedding(x, training=training))  # (B, T, D)
        masks = {"look_ahead_mask": look_ahead_mask, "padding_mask": padding_mask}
        self_weights, source_weights = [], []
        for layer in self.dec_layers:
            x, weights1, weights2 = layer(x, enc_output, training=training, **masks)
            self_weights.append(weights1)
            source_weights.append(weights2)
        return self.final_layernorm(x), self_weights, source_weights

    def caches(self, kind: type[Cache], batch: Tensor, *length: Tensor) -> list[Cache]:
        """Return the empty cache of each layer.

        Args:
            kind: `GrowingCache`, or `FixedCache` with a `length`.
            batch: number of sources B.
            *length: the number of slots of a `FixedCache`.
        """
        shape = self.num_heads, self.d_model // self.num_heads
        dtypes = [layer.self_attention.compute_dtype for layer in self.dec_layers]
        return [kind.empty(batch, *shape, dtype, *length) for dtype in dtypes]

    def keys_and_values(self, enc_output: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Return each layer's keys and values of the source (B, S, D), each (B, H, S, K)."""
        return [layer.cross_attention.keys_and_values(enc_output) for layer in self.dec_layers]

    def step(
        self,
        ids: Tensor,
        position: Tensor,
        caches: list[Cache],
        sources: list[tuple[Tensor, Tensor]],
        look_ahead_mask: Tensor | None = None,
        padding_mask: Tensor | None = None,
    ) -> tuple[Tensor, list[Cache]]:
        """Compute one more position of k hypotheses side by side, without dropout.

        Args:
            ids: target ids at the position, (B, k).
            position: index of the position, an int or a scalar tensor; 0 for the start token.
            caches: caches returned by `caches` or by the previous step.
            sources: the `keys_and_values` of the source.
            look_ahead_mask: 1 where a slot of the caches is hidden, broadcastable to (B, H, k, L).
            padding_mask: as in `call`, broadcastable to (B, H, k, S).

        Returns:
            The output (B, k, D) and the caches with this position.
        """
        x = self.centering(self.embedding.step(ids, position))  # (B, k, D)
        new_caches = []
        for layer, cache, source in zip(self.dec_layers, caches, sources, strict=True):
            x, cache = layer.step(x, position, cache, source, look_ahead_mask, padding_mask)
            new_caches.append(cache)
        return self.final_layernorm(x), new_caches
