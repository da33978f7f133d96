"""The decoder: it writes the target, looking at the source (Vaswani et al. 2017, section 3.1).

The whole target at once is a call; one more position of it is a `step`, which gives the same
output from the keys and values of the positions before it.
"""

import keras
import tensorflow as tf

from keras_transformer.model.attention import MultiHeadAttention
from keras_transformer.model.embeddings import PositionalEmbedding
from keras_transformer.model.sublayers import (
    final_normalization,
    point_wise_feed_forward_network,
    residual_class,
)


@keras.saving.register_keras_serializable("keras_transformer")
class DecoderLayer(keras.layers.Layer):
    """Masked self-attention, attention to the source, then a feed-forward network.

    Args:
        d_model: depth D.
        num_heads: number of attention heads H.
        dff: inner depth of the feed-forward network.
        rate: dropout rate, between 0 and 1.
        norm_first: whether to normalize before each sublayer and not after it.
        attention_rate: rate of the dropout on the attention weights.
        activation_rate: rate of the dropout within the feed-forward networks.

    Call arguments:
        x: tensor (B, T, D).
        enc_output: encoded source (B, S, D).
        training: whether dropout is applied.
        look_ahead_mask: 1 where a target position is hidden, broadcastable to (B, H, T, T).
        padding_mask: 1 where a source position is hidden, broadcastable to (B, H, T, S).

    Returns:
        The output (B, T, D), the weights of self-attention (B, H, T, T) and those of the
        attention to the source (B, H, T, S).
    """

    def __init__(
        self,
        d_model,
        num_heads,
        dff,
        rate=0.1,
        norm_first=False,
        attention_rate=0.0,
        activation_rate=0.0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.settings = {
            "d_model": d_model,
            "num_heads": num_heads,
            "dff": dff,
            "rate": rate,
            "norm_first": norm_first,
            "attention_rate": attention_rate,
            "activation_rate": activation_rate,
        }
        residual = residual_class(norm_first)
        self.mha1 = MultiHeadAttention(d_model, num_heads, attention_rate, name="mha1")
        self.mha2 = MultiHeadAttention(d_model, num_heads, attention_rate, name="mha2")
        self.ffn = point_wise_feed_forward_network(d_model, dff, activation_rate, name="ffn")
        self.mha1_residual = residual(d_model, rate, name="mha1_residual")
        self.mha2_residual = residual(d_model, rate, name="mha2_residual")
        self.ffn_residual = residual(d_model, rate, name="ffn_residual")

    def build(self, input_shape):
        attention = (self.mha1, self.mha1_residual, self.mha2, self.mha2_residual)
        for block in (*attention, self.ffn, self.ffn_residual):
            block.build((None, None, self.settings["d_model"]))

    def call(self, x, enc_output, training=None, look_ahead_mask=None, padding_mask=None):
        y = self.mha1_residual.enter(x)
        y, weights1 = self.mha1(y, k=y, q=y, mask=look_ahead_mask, training=training)
        x = self.mha1_residual.leave(x, y, training=training)  # (B, T, D)

        y = self.mha2_residual.enter(x)
        y, weights2 = self.mha2(enc_output, k=enc_output, q=y, mask=padding_mask, training=training)
        x = self.mha2_residual.leave(x, y, training=training)  # (B, T, D)

        y = self.ffn(self.ffn_residual.enter(x), training=training)
        return self.ffn_residual.leave(x, y, training=training), weights1, weights2

    def read_source(self, enc_output):
        """enc_output (B, S, D) -> its keys and values for `step`, each (B, H, S, K)."""
        return tuple(self.mha2.keys_and_values(enc_output))

    def step(self, x, position, cache, source, look_ahead_mask=None, padding_mask=None):
        """The call for one more position of k hypotheses side by side, without dropout.

        Args:
            x: the position (B, k, D).
            position: its number, an int or a scalar tensor.
            cache: a `GrowingCache` or `FixedCache` of the positions before it.
            source: what `read_source` gave.
            look_ahead_mask: 1 where a slot of the cache is hidden, broadcastable to (B, H, k, L).
            padding_mask: as in the call.

        Returns:
            The output (B, k, D) and the cache with this position.
        """
        q, k, v = self.mha1.self_projections(self.mha1_residual.enter(x))
        cache, k, v = cache.append(k, v, position)
        y, _ = self.mha1.attend(q, k, v, mask=look_ahead_mask)
        x = self.mha1_residual.leave(x, y)

        q = self.mha2.query(self.mha2_residual.enter(x))
        y, _ = self.mha2.attend(q, *source, mask=padding_mask)
        x = self.mha2_residual.leave(x, y)

        y = self.ffn(self.ffn_residual.enter(x))
        return self.ffn_residual.leave(x, y), cache

    def get_config(self):
        return super().get_config() | self.settings


@keras.saving.register_keras_serializable("keras_transformer")
class Decoder(keras.layers.Layer):
    """Embeds the target and passes it through `num_layers` decoder layers.

    Args:
        num_layers: number of layers.
        d_model: depth D.
        num_heads: number of attention heads H.
        dff: inner depth of the feed-forward networks.
        target_vocab_size: number of target ids.
        maximum_position_encoding: the longest target.
        rate: dropout rate, between 0 and 1.
        norm_first: whether to normalize before each sublayer and not after it.
        attention_rate: rate of the dropout on the attention weights.
        activation_rate: rate of the dropout within the feed-forward networks.

    Call arguments:
        x: target ids (B, T).
        enc_output: encoded source (B, S, D).
        training: whether dropout is applied.
        look_ahead_mask: 1 where a target position is hidden, broadcastable to (B, H, T, T).
        padding_mask: 1 where a source position is hidden, broadcastable to (B, H, T, S).

    Returns:
        The output (B, T, D), and two lists with each layer's weights: of self-attention
        (B, H, T, T) and of the attention to the source (B, H, T, S).
    """

    def __init__(
        self,
        num_layers,
        d_model,
        num_heads,
        dff,
        target_vocab_size,
        maximum_position_encoding,
        rate=0.1,
        norm_first=False,
        attention_rate=0.0,
        activation_rate=0.0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.settings = {
            "num_layers": num_layers,
            "d_model": d_model,
            "num_heads": num_heads,
            "dff": dff,
            "target_vocab_size": target_vocab_size,
            "maximum_position_encoding": maximum_position_encoding,
            "rate": rate,
            "norm_first": norm_first,
            "attention_rate": attention_rate,
            "activation_rate": activation_rate,
        }
        self.embedding = PositionalEmbedding(
            target_vocab_size, d_model, maximum_position_encoding, rate, name="embedding"
        )
        self.dec_layers = [
            DecoderLayer(
                d_model,
                num_heads,
                dff,
                rate,
                norm_first,
                attention_rate,
                activation_rate,
                name=f"layer{i + 1}",
            )
            for i in range(num_layers)
        ]
        self.final_layernorm = final_normalization(norm_first)

    def build(self, input_shape):
        for layer in (self.embedding, *self.dec_layers, self.final_layernorm):
            if not layer.built:
                layer.build((None, None, self.settings["d_model"]))

    def call(self, x, enc_output, training=None, look_ahead_mask=None, padding_mask=None):
        x = self.embedding(x, training=training)  # (B, T, D)
        self_weights, source_weights = [], []
        for layer in self.dec_layers:
            x, weights1, weights2 = layer(
                x,
                enc_output,
                training=training,
                look_ahead_mask=look_ahead_mask,
                padding_mask=padding_mask,
            )
            self_weights.append(weights1)
            source_weights.append(weights2)
        return self.final_layernorm(x), self_weights, source_weights

    def caches(self, kind, batch, *length):
        """Return the empty cache of each layer, for `batch` sources.

        Args:
            kind: `GrowingCache`, or `FixedCache` with a `length`, its number of slots.
            batch: number of sources.
        """
        num_heads = self.settings["num_heads"]
        shape = num_heads, self.settings["d_model"] // num_heads
        return [kind.empty(batch, *shape, self.compute_dtype, *length) for _ in self.dec_layers]

    def read_source(self, enc_output):
        """enc_output (B, S, D) -> each layer's keys and values of the source (B, H, S, K)."""
        return [layer.read_source(enc_output) for layer in self.dec_layers]

    def step(self, ids, position, caches, sources, look_ahead_mask=None, padding_mask=None):
        """The call for one more position of k hypotheses side by side, without dropout.

        Args:
            ids: the ids at that position (B, k).
            position: its number, an int or a scalar tensor; 0 is the start token.
            caches: what `caches` or the previous step returned.
            sources: what `read_source` gave.
            look_ahead_mask: 1 where a slot of the caches is hidden, broadcastable to (B, H, k, L).
            padding_mask: as in the call.

        Returns:
            The output (B, k, D) and the caches with this position.
        """
        x = self.embedding(tf.reshape(ids, (-1, 1)), position=position, training=False)
        x = tf.reshape(x, (-1, ids.shape[1], x.shape[-1]))  # (B, k, D)
        after = []
        for layer, cache, source in zip(self.dec_layers, caches, sources, strict=True):
            x, cache = layer.step(x, position, cache, source, look_ahead_mask, padding_mask)
            after.append(cache)
        return self.final_layernorm(x), after

    def get_config(self):
        return super().get_config() | self.settings
