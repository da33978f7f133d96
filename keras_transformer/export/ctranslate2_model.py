"""Export of a run directory as a model for CTranslate2 (https://opennmt.net/CTranslate2)."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

import keras
import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.errors import CheckError, PathTaken, UserError, missing_extra
from keras_transformer.export import samples, vocabulary_map
from keras_transformer.files import check_utf8, hidden_prefix, naming, replace, sync_tree
from keras_transformer.kernels.top_k import NEVER
from keras_transformer.model.decoder import Decoder
from keras_transformer.model.embeddings import PositionalEmbedding
from keras_transformer.model.encoder import Encoder
from keras_transformer.model.normalization import EPSILON
from keras_transformer.model.positions import positional_encoding
from keras_transformer.model.sublayers import AttentionSublayer, FeedForward
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.layout import SHORTLIST
from keras_transformer.runs.run import Run
from keras_transformer.text.batches import pad
from keras_transformer.text.special_tokens import (
    END_TOKEN,
    PADDING_TOKEN,
    START_TOKEN,
    UNKNOWN_TOKEN,
)
from keras_transformer.text.subwords import UNKNOWN, Subwords
from keras_transformer.translation.shortlist import Shortlist
from keras_transformer.translation.translator import Translator
from keras_transformer.workspace import workspace

try:
    import ctranslate2
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
COMPARED = 64  # translations
TOLERANCE = 1e-3  # log probabilities that differ by less are considered equal

PROGRAM = """\
import {modules}

source = sentencepiece.SentencePieceProcessor(model_file={source!r})
target = sentencepiece.SentencePieceProcessor(model_file={target!r})
translator = ctranslate2.Translator({directory!r})
text = {example!r}
[result] = translator.translate_batch(
    [source.encode({text}, out_type=str)],
    beam_size=4,
    length_penalty=0,
    max_input_length={max_source_length},
    max_decoding_length={max_decoding_length},
)
print(target.decode(result.hypotheses[0]))
"""
# The text to encode. Pretrained subwords need lower case, and 0 for each digit.
TEXT, PREPROCESSED_TEXT = "text", 're.sub(r"\\d", "0", text.lower())'


@dataclass(frozen=True)
class Report:
    """A description of an export.

    Args:
        directory: the model directory.
        size: size in bytes.
        compared: number of translations whose probabilities were compared with those of the run.
        program: a Python program that translates a sentence with the export.
    """

    directory: Path
    size: int
    compared: int
    program: str


def export_ctranslate2(
    checkpoint: str | os.PathLike[str],
    output: str | os.PathLike[str],
    tell: Callable[[str], object] = lambda text: None,
) -> Report:
    """Write a model directory for `ctranslate2.Translator`, with the SentencePiece models.

    If the run has a shortlist, the directory also has a vocabulary map, for `use_vmap`.

    Args:
        checkpoint: run directory.
        output: the model directory, which must not exist.
        tell: function that is called with a line of text at the start of each stage.

    Returns:
        The `Report`.

    Raises:
        UserError: If the run does not exist or the output cannot be written.
        PathTaken: If the output exists.
        CheckError: If CTranslate2 cannot load the export, or computes different probabilities. The
            export is deleted.
    """
    output = Path(output)
    if output.exists():
        raise PathTaken(f"{output} already exists")
    check_utf8(output)
    run = Run.open(checkpoint)
    tell(f"loading {checkpoint}")
    translator = Translator.of(run)
    with naming(output):
        output.parent.mkdir(parents=True, exist_ok=True)
    with workspace(output.parent, hidden_prefix(output)) as part:
        tell(f"writing {output}")
        with naming(output):
            _write(part, translator, run)
        tell("checking its probabilities in CTranslate2")
        compared = compare(part, translator)
        size = sum(path.stat().st_size for path in part.iterdir())
        with naming(output):
            sync_tree(part)
            replace(part, output)
    return Report(output, size, compared, python_program(run, translator, output))


def _write(directory: Path, translator: Translator, run: Run) -> None:
    """Write the model, its SentencePiece models and its vocabulary map to a directory."""
    model_spec(translator).save(str(directory))
    for path in run.subword_files():
        shutil.copy(path, directory)
    if run.has(SHORTLIST):
        names = tokens(translator.source_subwords), tokens(translator.target_subwords)
        text = vocabulary_map.vocabulary_map(Shortlist.of(run), *names)
        (directory / vocabulary_map.FILE).write_text(text, encoding="utf-8")


def python_program(run: Run, translator: Translator, output: Path) -> str:
    """Return a Python program that translates a sentence with the export in `output`."""
    output = output.resolve()
    source, target = (str(output / path.name) for path in run.subword_files())
    preprocessed = translator.source_subwords.preprocessed
    return PROGRAM.format(
        modules="ctranslate2, re, sentencepiece" if preprocessed else "ctranslate2, sentencepiece",
        source=source,
        target=target,
        directory=str(output),
        example=samples.example(run, translator.source_subwords),
        text=PREPROCESSED_TEXT if preprocessed else TEXT,
        max_source_length=translator.max_source_length,
        max_decoding_length=translator.max_target_length - 1,
    )


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


def compare(directory: str | os.PathLike[str], translator: Translator) -> int:
    """Compare the probabilities of generated translations in CTranslate2 and in the network.

    Args:
        directory: the model directory.
        translator: the `Translator`.

    Returns:
        The number of translations.

    Raises:
        CheckError: If CTranslate2 cannot load the model, or a probability differs.
    """
    sources = _sample_ids(translator.source_subwords, translator.max_source_length)
    targets = list(reversed(_sample_ids(translator.target_subwords, translator.max_target_length)))
    found = _scores(directory, translator, sources, targets)
    wanted = _log_probabilities(translator, sources, targets)
    for target, scores, row in zip(targets, found, wanted, strict=True):
        ours = row[: len(scores)]
        if not np.allclose(scores, ours, atol=TOLERANCE):
            text = translator.target_subwords.decode(target)
            raise CheckError(
                f"the log probabilities of {text!r} are {np.round(scores, 4)} in CTranslate2, "
                f"and {np.round(ours, 4)} in the run"
            )
    return len(sources)


def _sample_ids(subwords: Subwords, longest: int) -> list[list[int]]:
    """Return the ids of generated sentences, at most as many as the network processes."""
    rows = map(subwords.encode, samples.sentences(subwords, COMPARED))
    return [[*ids[: min(len(ids), longest) - 1], subwords.end] for ids in rows]


def _scores(
    directory: str | os.PathLike[str],
    translator: Translator,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
) -> list[list[float]]:
    """Return CTranslate2's log probabilities of the ids of each target after the start token.

    Raises:
        CheckError: If CTranslate2 cannot load or call the model.
    """
    try:
        results = ctranslate2.Translator(str(directory)).score_batch(
            [translator.source_subwords.labels(ids[1:-1]) for ids in sources],
            [translator.target_subwords.labels(ids[1:-1]) for ids in targets],
        )
    except (RuntimeError, ValueError) as error:
        raise CheckError(f"CTranslate2 cannot load or call the export: {error}") from error
    return [result.log_probs for result in results]


def _log_probabilities(
    translator: Translator, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> NDArray[np.float32]:
    """Return the network's log probabilities (B, T - 1) of the ids of each target after the start.

    Args:
        translator: the `Translator`.
        sources: the ids of each source, with start and end.
        targets: the ids of each target, with start and end.
    """
    source, target = pad(sources), pad(targets)
    logits = translator.model((tf.constant(source), tf.constant(target[:, :-1])), training=False)
    suppressed = translator.target_subwords.suppressed_ids()
    logits += NEVER * tf.reduce_sum(tf.one_hot(suppressed, logits.shape[-1]), axis=0)
    log_probabilities = tf.nn.log_softmax(logits)
    return tf.gather(log_probabilities, target[:, 1:], batch_dims=2).numpy()
