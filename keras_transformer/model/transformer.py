"""The whole network: ids of a source and a target in, logits for each target position out."""

from typing import NamedTuple

import keras
import tensorflow as tf

from keras_transformer.kernels.dense import Dense
from keras_transformer.model.decoder import Decoder
from keras_transformer.model.embeddings import TiedProjection
from keras_transformer.model.encoder import Encoder
from keras_transformer.model.masks import create_look_ahead_mask, create_padding_mask

TIED_EMBEDDINGS = ("none", "output", "all")


class AttentionWeights(NamedTuple):
    """Attention weights of every layer, each field a list with one tensor a layer.

    `encoder` (B, H, S, S), `decoder` (B, H, T, T) and `cross` (B, H, T, S).
    """

    encoder: list
    decoder: list
    cross: list


class Source(NamedTuple):
    """What decoding step by step needs of an encoded source.

    `keys_and_values`: each decoder layer's keys and values (B, H, S, K); `padding_mask`
    (B, 1, 1, S).
    """

    keys_and_values: list
    padding_mask: tf.Tensor


@keras.saving.register_keras_serializable("keras_transformer")
class Transformer(keras.Model):
    """Encoder, decoder and a final linear layer (Vaswani et al. 2017).

    Args:
        num_layers: number of encoder layers, and of decoder layers.
        d_model: depth D.
        num_heads: number of attention heads H; must divide `d_model`.
        dff: inner depth of the feed-forward networks.
        input_vocab_size: number of source ids.
        target_vocab_size: number of target ids V.
        maximum_position_encoding: the longest source or target.
        rate: dropout rate, between 0 and 1.
        norm_first: False: post-norm, as in the paper; True: pre-norm.
        attention_rate: rate of the dropout on the attention weights.
        activation_rate: rate of the dropout within the feed-forward networks.
        tied_embeddings: "none"; "output": the target embedding is also the final layer's kernel;
            "all": the source embedding is the same table too (one vocabulary for both).

    Call arguments:
        inputs: source ids (B, S) and target ids (B, T), both padded with 0.
        training: whether dropout is applied.
        return_attention: whether to give the attention weights too.

    Returns:
        Logits (B, T, V): those at position t are for the target id at t + 1. With
        `return_attention` a pair, logits and `AttentionWeights`.

    Raises:
        ValueError: `tied_embeddings` is none of the three, or "all" with two vocabulary sizes.

    Example:
        >>> transformer = Transformer(input_vocab_size=8500, target_vocab_size=8000)
        >>> source = tf.random.uniform((64, 38), minval=1, maxval=200, dtype=tf.int32)
        >>> target = tf.random.uniform((64, 36), minval=1, maxval=200, dtype=tf.int32)
        >>> transformer((source, target), training=False).shape
        TensorShape([64, 36, 8000])
    """

    def __init__(
        self,
        num_layers=4,
        d_model=128,
        num_heads=8,
        dff=512,
        input_vocab_size=10002,
        target_vocab_size=10002,
        maximum_position_encoding=42,
        rate=0.1,
        norm_first=False,
        attention_rate=0.0,
        activation_rate=0.0,
        tied_embeddings="output",
        name="transformer",
        **kwargs,
    ):
        super().__init__(name=name, **kwargs)
        _check_tied_embeddings(tied_embeddings, input_vocab_size, target_vocab_size)
        stack = {
            "num_layers": num_layers,
            "d_model": d_model,
            "num_heads": num_heads,
            "dff": dff,
            "maximum_position_encoding": maximum_position_encoding,
            "rate": rate,
            "norm_first": norm_first,
            "attention_rate": attention_rate,
            "activation_rate": activation_rate,
        }
        self.settings = stack | {
            "input_vocab_size": input_vocab_size,
            "target_vocab_size": target_vocab_size,
            "tied_embeddings": tied_embeddings,
        }
        self.decoder = Decoder(**stack, target_vocab_size=target_vocab_size, name="decoder")
        self.encoder = Encoder(
            **stack,
            input_vocab_size=input_vocab_size,
            embedding=self.decoder.embedding if tied_embeddings == "all" else None,
            name="encoder",
        )
        self.final_layer = (
            Dense(target_vocab_size, name="final_layer")
            if tied_embeddings == "none"
            else TiedProjection(self.decoder.embedding, name="final_layer")
        )

    def build(self, input_shape):
        self.encoder.build((None, None))
        self.decoder.build((None, None))
        self.final_layer.build((None, None, self.settings["d_model"]))

    def call(self, inputs, training=None, return_attention=False):
        features, weights = self._decode(inputs, training)
        logits = self.final_layer(features)  # (B, T, V)
        return (logits, weights) if return_attention else logits

    def features(self, inputs, training=None):
        """What the call gives to the final layer, (B, T, D), for a loss that makes the logits."""
        return self._decode(inputs, training)[0]

    def final_weights(self):
        """The final layer's table (V, D) and bias (V,): logits are features table^T + bias."""
        tied = self.settings["tied_embeddings"] != "none"
        embedding = self.decoder.embedding.embedding
        table = embedding.embeddings if tied else tf.transpose(self.final_layer.kernel)
        return tf.convert_to_tensor(table), tf.convert_to_tensor(self.final_layer.bias)

    def _decode(self, inputs, training):
        """The decoder's output (B, T, D) and all `AttentionWeights`."""
        source, target = inputs
        padding_mask = create_padding_mask(source)  # (B, 1, 1, S)
        look_ahead_mask = tf.maximum(
            create_look_ahead_mask(tf.shape(target)[1]), create_padding_mask(target)
        )  # (B, 1, T, T)
        enc_output, encoder = self.encoder(source, training=training, mask=padding_mask)
        dec_output, decoder, cross = self.decoder(
            target,
            enc_output,
            training=training,
            look_ahead_mask=look_ahead_mask,
            padding_mask=padding_mask,
        )
        return dec_output, AttentionWeights(encoder, decoder, cross)

    def encode(self, source):
        """Source ids (B, S) -> the `Source` that `step` looks at."""
        padding_mask = create_padding_mask(source)
        enc_output, _ = self.encoder(source, training=False, mask=padding_mask)
        return Source(self.decoder.read_source(enc_output), padding_mask)

    def step(self, ids, position, caches, source, look_ahead_mask=None):
        """One more target position of k hypotheses side by side.

        What it gives, the final layer turns into the logits of the call on the whole prefix.

        Args:
            ids: the target ids at that position (B, k).
            position: its number; 0 is the start token.
            caches: what the decoder's `caches` or the previous step returned.
            source: what `encode` gave.
            look_ahead_mask: 1 where a slot of the caches is hidden, broadcastable to (B, H, k, L).

        Returns:
            Features (B, k, D) for the final layer, and the caches with this position.
        """
        keys_and_values, padding_mask = source
        return self.decoder.step(
            ids, position, caches, keys_and_values, look_ahead_mask, padding_mask
        )

    def get_config(self):
        return super().get_config() | self.settings


def _check_tied_embeddings(tied_embeddings, input_vocab_size, target_vocab_size):
    if tied_embeddings not in TIED_EMBEDDINGS:
        raise ValueError(f"tied_embeddings {tied_embeddings!r} is none of {TIED_EMBEDDINGS}")
    if tied_embeddings == "all" and input_vocab_size != target_vocab_size:
        raise ValueError(
            "tied_embeddings 'all' needs one vocabulary for both languages, "
            f"not {input_vocab_size} and {target_vocab_size} ids"
        )
