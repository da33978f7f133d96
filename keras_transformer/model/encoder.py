"""The encoder: it reads the source (Vaswani et al. 2017, section 3.1)."""

import keras

from keras_transformer.model.attention import MultiHeadAttention
from keras_transformer.model.embeddings import PositionalEmbedding
from keras_transformer.model.masks import ExplicitMask
from keras_transformer.model.sublayers import (
    final_normalization,
    point_wise_feed_forward_network,
    residual_class,
)


@keras.saving.register_keras_serializable("keras_transformer")
class EncoderLayer(ExplicitMask, keras.layers.Layer):
    """Self-attention, then a feed-forward network, each with a residual connection.

    Args:
        d_model: depth D.
        num_heads: number of attention heads H.
        dff: inner depth of the feed-forward network.
        rate: dropout rate, between 0 and 1.
        norm_first: whether to normalize before each sublayer and not after it.
        attention_rate: rate of the dropout on the attention weights.
        activation_rate: rate of the dropout within the feed-forward networks.

    Call arguments:
        x: tensor (B, S, D).
        training: whether dropout is applied.
        mask: 1 where a position is hidden, broadcastable to (B, H, S, S), or None.

    Returns:
        The output (B, S, D) and the attention weights (B, H, S, S).

    Example:
        >>> layer = EncoderLayer(d_model=512, num_heads=8, dff=2048)
        >>> output, weights = layer(tf.random.uniform((64, 43, 512)), training=False, mask=None)
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
        self.mha = MultiHeadAttention(d_model, num_heads, attention_rate, name="mha")
        self.ffn = point_wise_feed_forward_network(d_model, dff, activation_rate, name="ffn")
        self.mha_residual = residual(d_model, rate, name="mha_residual")
        self.ffn_residual = residual(d_model, rate, name="ffn_residual")

    def build(self, input_shape):
        for block in (self.mha, self.mha_residual, self.ffn, self.ffn_residual):
            block.build((None, None, self.settings["d_model"]))

    def call(self, x, training=None, mask=None):
        y = self.mha_residual.enter(x)
        y, weights = self.mha(y, k=y, q=y, mask=mask, training=training)
        x = self.mha_residual.leave(x, y, training=training)  # (B, S, D)
        y = self.ffn(self.ffn_residual.enter(x), training=training)
        return self.ffn_residual.leave(x, y, training=training), weights

    def get_config(self):
        return super().get_config() | self.settings


@keras.saving.register_keras_serializable("keras_transformer")
class Encoder(ExplicitMask, keras.layers.Layer):
    """Embeds the source and passes it through `num_layers` encoder layers.

    Args:
        num_layers: number of layers.
        d_model: depth D.
        num_heads: number of attention heads H.
        dff: inner depth of the feed-forward networks.
        input_vocab_size: number of source ids.
        maximum_position_encoding: the longest source.
        rate: dropout rate, between 0 and 1.
        norm_first: whether to normalize before each sublayer and not after it.
        attention_rate: rate of the dropout on the attention weights.
        activation_rate: rate of the dropout within the feed-forward networks.
        embedding: a `PositionalEmbedding` to share, instead of one of the encoder's own. It is
            not part of the encoder's config: whoever shares it builds both.

    Call arguments:
        x: source ids (B, S).
        training: whether dropout is applied.
        mask: 1 where a position is hidden, broadcastable to (B, H, S, S), or None.

    Returns:
        The encoded source (B, S, D) and a list of every layer's attention weights (B, H, S, S).
    """

    def __init__(
        self,
        num_layers,
        d_model,
        num_heads,
        dff,
        input_vocab_size,
        maximum_position_encoding,
        rate=0.1,
        norm_first=False,
        attention_rate=0.0,
        activation_rate=0.0,
        embedding=None,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.settings = {
            "num_layers": num_layers,
            "d_model": d_model,
            "num_heads": num_heads,
            "dff": dff,
            "input_vocab_size": input_vocab_size,
            "maximum_position_encoding": maximum_position_encoding,
            "rate": rate,
            "norm_first": norm_first,
            "attention_rate": attention_rate,
            "activation_rate": activation_rate,
        }
        self.embedding = embedding or PositionalEmbedding(
            input_vocab_size, d_model, maximum_position_encoding, rate, name="embedding"
        )
        self.enc_layers = [
            EncoderLayer(
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
        for layer in (self.embedding, *self.enc_layers, self.final_layernorm):
            if not layer.built:
                layer.build((None, None, self.settings["d_model"]))

    def call(self, x, training=None, mask=None):
        x = self.embedding(x, training=training)  # (B, S, D)
        attention_weights = []
        for layer in self.enc_layers:
            x, weights = layer(x, training=training, mask=mask)
            attention_weights.append(weights)
        return self.final_layernorm(x), attention_weights

    def get_config(self):
        return super().get_config() | self.settings
