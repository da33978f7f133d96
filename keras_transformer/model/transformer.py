"""The complete network: ids of a source and a target in, logits for each target position out."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import keras
import tensorflow as tf

from keras_transformer.kernels.dense import Dense
from keras_transformer.model.caches import Cache
from keras_transformer.model.decoder import Decoder
from keras_transformer.model.dtypes import sublayer_dtype
from keras_transformer.model.embeddings import TiedProjection
from keras_transformer.model.encoder import Encoder
from keras_transformer.model.masks import create_combined_mask, create_padding_mask
from keras_transformer.model.options import DEFAULTS, TIED_EMBEDDINGS, Options
from keras_transformer.tensors import Tensor


class AttentionWeights(NamedTuple):
    """The attention weights of all layers, one tensor for each layer."""

    encoder: list[Tensor]  # (B, H, S, S)
    decoder: list[Tensor]  # (B, H, T, T)
    cross: list[Tensor]  # (B, H, T, S)


class Source(NamedTuple):
    """An encoded source, in the form that `Transformer.step` takes."""

    keys_and_values: list[tuple[Tensor, Tensor]]  # for each decoder layer, each (B, H, S, K)
    padding_mask: Tensor  # (B, 1, 1, S)


@keras.saving.register_keras_serializable("keras_transformer")
class Transformer(keras.Model):
    """Encoder, decoder and a final linear layer (Vaswani et al. 2017).

    Args:
        num_layers: number of encoder layers; by default also of decoder layers.
        d_model: depth D, an even number.
        num_heads: number of attention heads H; must divide `d_model`.
        dff: inner depth of the feed-forward networks.
        input_vocab_size: number of source ids.
        target_vocab_size: number of target ids V.
        maximum_position_encoding: length of the longest source or target, in ids.
        rate: dropout rate, between 0 and 1.
        options: the `Options` beyond the tutorial's arguments, or their values, by name or in
            order.

    Call arguments:
        inputs: source ids (B, S) and target ids (B, T), both padded with 0.
        training: whether dropout is applied.
        return_attention: whether the attention weights are returned as well.

    Returns:
        Logits (B, T, V): position t predicts the target id at t + 1. With `return_attention`, a
        pair of the logits and the `AttentionWeights`.

    Raises:
        ValueError: If `d_model` is odd, or `num_heads` does not divide it, or
            `options.tied_embeddings` is unknown, or is "all" although the vocabulary sizes differ,
            or `options.folded` is set without `options.norm_first`.

    Examples:
        >>> transformer = Transformer(input_vocab_size=8500, target_vocab_size=8000)
        >>> source = tf.random.uniform((64, 38), minval=1, maxval=200, dtype=tf.int32)
        >>> target = tf.random.uniform((64, 36), minval=1, maxval=200, dtype=tf.int32)
        >>> transformer((source, target), training=False).shape
        TensorShape([64, 36, 8000])
    """

    def __init__(
        self,
        num_layers: int = 4,
        d_model: int = 128,
        num_heads: int = 8,
        dff: int = 512,
        input_vocab_size: int = 10002,
        target_vocab_size: int = 10002,
        maximum_position_encoding: int = 42,
        rate: float = 0.1,
        options: Options | Sequence[Any] | Mapping[str, Any] = DEFAULTS,
        name: str = "transformer",
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, **kwargs)
        options = _restored(options)
        _check_tied_embeddings(options.tied_embeddings, input_vocab_size, target_vocab_size)
        if options.folded and not options.norm_first:
            raise ValueError("only a network with norm_first can be folded")
        self.settings: dict[str, Any] = {
            "num_layers": num_layers,
            "d_model": d_model,
            "num_heads": num_heads,
            "dff": dff,
            "input_vocab_size": input_vocab_size,
            "target_vocab_size": target_vocab_size,
            "maximum_position_encoding": maximum_position_encoding,
            "rate": rate,
        }
        self.options = options
        shape, rest = (d_model, num_heads, dff), (maximum_position_encoding, rate, options)
        source = num_layers, *shape, input_vocab_size, *rest
        decoder_layers, dtype = options.decoder_layers or num_layers, sublayer_dtype(self)
        target = decoder_layers, *shape, target_vocab_size, *rest
        self.decoder = Decoder(*target, dtype=dtype, name="decoder")
        embedding = self.decoder.embedding if options.tied_embeddings == "all" else None
        self.encoder = Encoder(*source, embedding=embedding, dtype=dtype, name="encoder")
        self.final_layer = self._make_final_layer(target_vocab_size)

    def _make_final_layer(self, vocab_size: int) -> keras.layers.Layer:
        dtype = sublayer_dtype(self)
        if self.options.tied_embeddings == "none":
            return Dense(vocab_size, dtype=dtype, name="final_layer")
        return TiedProjection(self.decoder.embedding, dtype=dtype, name="final_layer")

    @property
    def layers(self) -> list[keras.layers.Layer]:
        """The layers in the order of the computation, for `summary`."""
        return [self.encoder, self.decoder, self.final_layer]

    def build(self, input_shape: Any) -> None:
        self.encoder.build((None, None))
        self.decoder.build((None, None))
        self.final_layer.build((None, None, self.settings["d_model"]))

    def call(
        self,
        inputs: tuple[Tensor, Tensor],
        training: bool | None = None,
        return_attention: bool = False,
    ) -> Tensor | tuple[Tensor, AttentionWeights]:
        features, weights = self._decode(inputs, training)
        logits = self.final_layer(features)  # (B, T, V)
        return (logits, weights) if return_attention else logits

    def features(self, inputs: tuple[Tensor, Tensor], training: bool | None = None) -> Tensor:
        """Return the input (B, T, D) of the final layer, for a loss that includes this layer."""
        return self._decode(inputs, training)[0]

    def final_weights(self) -> tuple[Tensor, Tensor]:
        """Return the final layer's table (V, D) and bias (V,): logits = features table^T + bias."""
        if self.options.tied_embeddings == "none":
            table = tf.transpose(self.final_layer.kernel)
        else:
            table = self.decoder.embedding.embedding.embeddings
        return tf.convert_to_tensor(table), tf.convert_to_tensor(self.final_layer.bias)

    def _decode(
        self, inputs: tuple[Tensor, Tensor], training: bool | None
    ) -> tuple[Tensor, AttentionWeights]:
        """Return the decoder's output (B, T, D) and all `AttentionWeights`."""
        source, target = inputs
        padding_mask = create_padding_mask(source)  # (B, 1, 1, S)
        look_ahead_mask = create_combined_mask(target)  # (B, 1, T, T)
        enc_output, encoder = self.encoder(source, training=training, mask=padding_mask)
        dec_output, decoder, cross = self.decoder(
            target,
            enc_output,
            training=training,
            look_ahead_mask=look_ahead_mask,
            padding_mask=padding_mask,
        )
        return dec_output, AttentionWeights(encoder, decoder, cross)

    def encode(self, source: Tensor) -> Source:
        """Encode source ids (B, S) for `step`."""
        padding_mask = create_padding_mask(source)
        enc_output, _ = self.encoder(source, training=False, mask=padding_mask)
        return Source(self.decoder.keys_and_values(enc_output), padding_mask)

    def step(
        self,
        ids: Tensor,
        position: Tensor,
        caches: list[Cache],
        source: Source,
        look_ahead_mask: Tensor | None = None,
    ) -> tuple[Tensor, list[Cache]]:
        """Compute one more target position of k hypotheses side by side.

        The final layer turns the features into the logits that `call` returns for this position.

        Args:
            ids: target ids at the position, (B, k).
            position: index of the position, an int or a scalar tensor; 0 for the start token.
            caches: caches returned by the decoder's `caches` or by the previous step.
            source: the encoded source.
            look_ahead_mask: 1 where a slot of the caches is hidden, broadcastable to (B, H, k, L).

        Returns:
            Features (B, k, D) for the final layer, and the caches with this position.
        """
        keys_and_values, padding_mask = source
        return self.decoder.step(
            ids, position, caches, keys_and_values, look_ahead_mask, padding_mask
        )

    def get_config(self) -> dict[str, Any]:
        # By name, so that a file remains readable when an option is added or moved.
        return super().get_config() | self.settings | {"options": self.options._asdict()}


def _restored(options: Options | Sequence[Any] | Mapping[str, Any]) -> Options:
    """Return options as such: a config has a mapping, that of an older file a plain sequence."""
    return Options(**options) if isinstance(options, Mapping) else Options(*options)


def _check_tied_embeddings(
    tied_embeddings: str, input_vocab_size: int, target_vocab_size: int
) -> None:
    if tied_embeddings not in TIED_EMBEDDINGS:
        raise ValueError(f"tied_embeddings {tied_embeddings!r} is not one of {TIED_EMBEDDINGS}")
    if tied_embeddings == "all" and input_vocab_size != target_vocab_size:
        raise ValueError(
            "tied_embeddings 'all' requires one vocabulary for both languages, "
            f"not {input_vocab_size} and {target_vocab_size} ids"
        )
