"""A network and its vocabularies as CTranslate2 describes them."""

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

import keras
import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError, missing_extra
from keras_transformer.kernels.top_k import NEVER
from keras_transformer.model.decoder import Decoder
from keras_transformer.model.embeddings import PositionalEmbedding
from keras_transformer.model.encoder import Encoder
from keras_transformer.model.normalization import EPSILON
from keras_transformer.model.positions import positional_encoding
from keras_transformer.model.sublayers import AttentionSublayer, FeedForward
from keras_transformer.model.transformer import Transformer
from keras_transformer.text.special_tokens import (
    END_TOKEN,
    PADDING_TOKEN,
    START_TOKEN,
    UNKNOWN_TOKEN,
)
from keras_transformer.text.subwords import UNKNOWN, Subwords
from keras_transformer.translation.translator import Translator

try:
    from ctranslate2.specs import TransformerSpec
    from ctranslate2.specs.attention_spec import MultiHeadAttentionSpec
    from ctranslate2.specs.common_spec import EmbeddingsSpec, LayerNormSpec, LinearSpec
    from ctranslate2.specs.transformer_spec import (
        FeedForwardSpec,
        TransformerDecoderSpec,
        TransformerEncoderSpec,
    )
except ImportError as error:
    raise missing_extra("the export for CTranslate2 needs ctranslate2", "ctranslate2") from error

Rows = TypeVar("Rows", NDArray, list[str])  # one for each id
StackSpec: TypeAlias = TransformerEncoderSpec | TransformerDecoderSpec

# CTranslate2 reads up to 1024 subwords by default, and fails if a position has no encoding.
MIN_POSITIONS = 1024 + 2


def model_spec(translator: Translator) -> TransformerSpec:
    """Return CTranslate2's description of the network and its vocabularies."""
    model = translator.model
    layers = len(model.encoder.enc_layers), len(model.decoder.dec_layers)
    spec = TransformerSpec.from_config(
        layers, model.decoder.num_heads, pre_norm=model.options.norm_first
    )
    _fill_encoder(spec.encoder, model.encoder)
    _fill_decoder(spec.decoder, model, translator.target_subwords.suppressed_ids())
    spec.register_source_vocabulary(_special_first(tokens(translator.source_subwords)))
    spec.register_target_vocabulary(_special_first(tokens(translator.target_subwords)))
    spec.config.unk_token = UNKNOWN_TOKEN
    spec.config.bos_token, spec.config.eos_token = START_TOKEN, END_TOKEN
    spec.config.decoder_start_token = START_TOKEN
    spec.config.add_source_bos = spec.config.add_source_eos = True
    spec.config.layer_norm_epsilon = EPSILON
    spec.validate()
    return spec


def tokens(subwords: Subwords) -> list[str]:
    """Return the token of each id: a special token, or the name of a SentencePiece piece.

    Raises:
        UserError: If a piece has the name of a special token.
    """
    pieces = [subwords.bpemb.spm.id_to_piece(i) for i in range(UNKNOWN + 1, subwords.start)]
    special = {PADDING_TOKEN, UNKNOWN_TOKEN, START_TOKEN, END_TOKEN}
    if duplicates := special.intersection(pieces):
        raise UserError(
            f"a subword is named {min(duplicates)}, like a special token; "
            "CTranslate2 cannot distinguish them"
        )
    return [PADDING_TOKEN, UNKNOWN_TOKEN, *pieces, START_TOKEN, END_TOKEN]


def _special_first(rows: Rows) -> Rows:
    """Return one row for each id in CTranslate2's order, in which the special tokens come first.

    With a vocabulary map, CTranslate2 4.8.5 keeps the places that the start and the end token have
    in the candidates of the first batch. They are the same in all batches if no candidate is before
    them.
    """
    parts = rows[: UNKNOWN + 1], rows[-2:], rows[UNKNOWN + 1 : -2]
    return np.concatenate(parts) if isinstance(rows, np.ndarray) else sum(parts, [])


def _fill_encoder(spec: TransformerEncoderSpec, encoder: Encoder) -> None:
    _fill_embedding(spec, spec.embeddings[0], encoder.embedding)
    for layer_spec, layer in zip(spec.layer, encoder.enc_layers, strict=True):
        _fill_attention(layer_spec.self_attention, layer.self_attention, (0, 3))
        _fill_feed_forward(layer_spec.ffn, layer.feed_forward)
    _fill_final_normalization(spec, encoder)


def _fill_decoder(
    spec: TransformerDecoderSpec, model: Transformer, suppressed: Sequence[int]
) -> None:
    decoder = model.decoder
    _fill_embedding(spec, spec.embeddings, decoder.embedding)
    for layer_spec, layer in zip(spec.layer, decoder.dec_layers, strict=True):
        _fill_attention(layer_spec.self_attention, layer.self_attention, (0, 3))
        _fill_attention(layer_spec.attention, layer.cross_attention, (0, 1), (1, 3))
        _fill_feed_forward(layer_spec.ffn, layer.feed_forward)
    _fill_final_normalization(spec, decoder)
    table, bias = (weight.numpy() for weight in model.final_weights())
    bias[suppressed] = NEVER
    spec.projection.weight, spec.projection.bias = map(_special_first, (table, bias))


def _fill_embedding(
    spec: StackSpec, table_spec: EmbeddingsSpec, embedding: PositionalEmbedding
) -> None:
    table_spec.weight = _special_first(embedding.embedding.embeddings.numpy())
    spec.scale_embeddings = True
    longest = max(MIN_POSITIONS, embedding.maximum_position_encoding)
    encodings = positional_encoding(longest, embedding.d_model)
    spec.position_encodings.encodings = encodings[0]


def _fill_attention(
    spec: MultiHeadAttentionSpec, sublayer: AttentionSublayer, *parts: tuple[int, int]
) -> None:
    """Copy the weights of an attention sublayer.

    The kernel of `MultiHeadAttention` concatenates the projections of queries, keys and values.
    `parts` are the ranges of these three that CTranslate2 combines in each of its projections.
    """
    attention, depth = sublayer.mha, sublayer.d_model
    kernel, bias = attention.kernel.numpy(), attention.bias.numpy()
    for linear, (first, last) in zip(spec.linear, parts, strict=False):
        columns = slice(first * depth, last * depth)
        _fill_linear(linear, kernel[:, columns], bias[columns])
    _fill_linear(spec.linear[-1], *attention.dense.get_weights())
    _fill_normalization(spec.layer_norm, sublayer.residual.layernorm)


def _fill_feed_forward(spec: FeedForwardSpec, sublayer: FeedForward) -> None:
    inner, _, outer = sublayer.ffn.layers
    _fill_linear(spec.linear_0, *inner.get_weights())
    _fill_linear(spec.linear_1, *outer.get_weights())
    _fill_normalization(spec.layer_norm, sublayer.residual.layernorm)


def _fill_linear(spec: LinearSpec, kernel: NDArray, bias: NDArray) -> None:
    """Copy a kernel (in, out), which CTranslate2 stores as (out, in), and a bias (out,)."""
    spec.weight, spec.bias = np.ascontiguousarray(kernel.T), bias


def _fill_normalization(spec: LayerNormSpec, layer: keras.Layer) -> None:
    spec.gamma, spec.beta = layer.get_weights()


def _fill_final_normalization(spec: StackSpec, stack: Encoder | Decoder) -> None:
    if isinstance(stack.final_layernorm, keras.layers.LayerNormalization):
        _fill_normalization(spec.layer_norm, stack.final_layernorm)
