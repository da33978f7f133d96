"""From a run directory to a directory that CTranslate2 loads (https://opennmt.net/CTranslate2)."""

import shutil
from pathlib import Path
from typing import NamedTuple

import keras
import numpy as np
import tensorflow as tf

from keras_transformer.errors import CheckError, UserError
from keras_transformer.export import samples
from keras_transformer.kernels.top_k import NEVER
from keras_transformer.model.positions import positional_encoding
from keras_transformer.runs.run import Run
from keras_transformer.text.batches import pad
from keras_transformer.text.subwords import UNKNOWN
from keras_transformer.translation.translator import Translator

try:
    import ctranslate2
    from ctranslate2.specs import TransformerSpec
except ImportError as error:
    raise UserError('this format needs CTranslate2: pip install -e ".[ctranslate2]"') from error

START, END, UNKNOWN_TOKEN = "<start>", "<end>", "<unk>"
# CTranslate2 reads 1024 subwords unless it is told otherwise, and stops at what has no position.
MOST_POSITIONS = 1024 + 2
COMPARED = 64  # translations
CLOSE = 1e-3  # log probabilities that differ by less are the same, but for rounding


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
# What is encoded; pretrained subwords are of lower-cased text with digits as 0.
TEXT, PREPROCESSED_TEXT = "text", 're.sub(r"\\d", "0", text.lower())'


class Report(NamedTuple):
    """An export: its `directory` and its `size` in bytes; the number of translations whose
    probabilities were `compared`; a `program` that translates with it.
    """

    directory: Path
    size: int
    compared: int
    program: str


def export_ctranslate2(checkpoint, output, tell=lambda text: None):
    """Writes a model directory for `ctranslate2.Translator`, with the SentencePiece models.

    Args:
        checkpoint: run directory.
        output: the directory that is made; it must not be there yet.
        tell: function of a line of text, which is called before each part of the work.

    Returns:
        A `Report`.

    Raises:
        UserError: there is no such run, or the output is there or cannot be written.
        CheckError: CTranslate2 cannot load it, or gives other probabilities; it is not kept.
    """
    output = Path(output)
    if output.exists():
        raise UserError(f"{output} is there already: give another --output")
    run = Run.open(checkpoint)
    tell(f"loading {checkpoint}")
    translator = Translator.load(checkpoint)
    part = output.with_name(f".part-{output.name}")
    shutil.rmtree(part, ignore_errors=True)  # of one that was killed
    try:
        tell(f"writing {output}")
        part.mkdir(parents=True)
        model_spec(translator).save(str(part))
        for path in run.subword_files():
            shutil.copy(path, part)
        tell("checking its probabilities in CTranslate2")
        compared = compare(part, translator)
        size = sum(path.stat().st_size for path in part.iterdir())
        part.rename(output)
    except OSError as error:
        raise UserError(f"{output}: cannot be written: {error}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Report(output, size, compared, python_program(run, translator, output))


def python_program(run, translator, output):
    """Return a program that translates one sentence with the export in the directory `output`."""
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


def model_spec(translator):
    """The network and its vocabularies as CTranslate2 describes them."""
    model = translator.model
    layers = len(model.encoder.enc_layers), len(model.decoder.dec_layers)
    spec = TransformerSpec.from_config(
        layers, model.decoder.num_heads, pre_norm=model.options.norm_first
    )
    _fill_encoder(spec.encoder, model.encoder)
    _fill_decoder(spec.decoder, model, translator.target_subwords.suppressed_ids())
    spec.register_source_vocabulary(tokens(translator.source_subwords))
    spec.register_target_vocabulary(tokens(translator.target_subwords))
    spec.config.unk_token = UNKNOWN_TOKEN
    spec.config.bos_token, spec.config.eos_token = START, END
    spec.config.decoder_start_token = START
    spec.config.add_source_bos = spec.config.add_source_eos = True
    spec.config.layer_norm_epsilon = 1e-6
    spec.validate()
    return spec


def tokens(subwords):
    """The token of each id; SentencePiece's name for those that it has.

    Raises:
        UserError: a subword is called like one of the tokens that are no subwords.
    """
    pieces = [subwords.bpemb.spm.id_to_piece(i) for i in range(UNKNOWN + 1, subwords.start)]
    names = ["<pad>", UNKNOWN_TOKEN, *pieces, START, END]
    if len(set(names)) < len(names):
        raise UserError(
            "CTranslate2 cannot tell subwords apart: one is called like a special token"
        )
    return names


def _fill_encoder(spec, encoder):
    _fill_embedding(spec, spec.embeddings[0], encoder.embedding)
    for layer_spec, layer in zip(spec.layer, encoder.enc_layers, strict=True):
        _fill_attention(layer_spec.self_attention, layer.self_attention, (0, 3))
        _fill_feed_forward(layer_spec.ffn, layer.feed_forward)
    _fill_final_normalization(spec, encoder)


def _fill_decoder(spec, model, never):
    decoder = model.decoder
    _fill_embedding(spec, spec.embeddings, decoder.embedding)
    for layer_spec, layer in zip(spec.layer, decoder.dec_layers, strict=True):
        _fill_attention(layer_spec.self_attention, layer.self_attention, (0, 3))
        _fill_attention(layer_spec.attention, layer.cross_attention, (0, 1), (1, 3))
        _fill_feed_forward(layer_spec.ffn, layer.feed_forward)
    _fill_final_normalization(spec, decoder)
    table, bias = (weight.numpy() for weight in model.final_weights())
    bias[never] = NEVER
    spec.projection.weight, spec.projection.bias = table, bias


def _fill_embedding(spec, table_spec, embedding):
    table_spec.weight = embedding.embedding.embeddings.numpy()
    spec.scale_embeddings = True
    encodings = positional_encoding(MOST_POSITIONS, embedding.d_model)
    spec.position_encodings.encodings = encodings[0]


def _fill_attention(spec, sublayer, *parts):
    """`parts` of our kernel of queries, keys and values, each for one product of CTranslate2."""
    attention, depth = sublayer.mha, sublayer.d_model
    kernel, bias = attention.kernel.numpy(), attention.bias.numpy()
    for linear, (first, last) in zip(spec.linear, parts, strict=False):
        columns = slice(first * depth, last * depth)
        _fill_linear(linear, kernel[:, columns], bias[columns])
    _fill_linear(spec.linear[-1], *attention.dense.get_weights())
    _fill_normalization(spec.layer_norm, sublayer.residual.layernorm)


def _fill_feed_forward(spec, sublayer):
    inner, _, outer = sublayer.ffn.layers
    _fill_linear(spec.linear_0, *inner.get_weights())
    _fill_linear(spec.linear_1, *outer.get_weights())
    _fill_normalization(spec.layer_norm, sublayer.residual.layernorm)


def _fill_linear(spec, kernel, bias):
    """Our kernels are (in, out), those of CTranslate2 (out, in)."""
    spec.weight, spec.bias = np.ascontiguousarray(kernel.T), bias


def _fill_normalization(spec, layer):
    spec.gamma, spec.beta = layer.get_weights()


def _fill_final_normalization(spec, stack):
    if isinstance(stack.final_layernorm, keras.layers.LayerNormalization):
        _fill_normalization(spec.layer_norm, stack.final_layernorm)


def compare(directory, translator):
    """Compares the probabilities that CTranslate2 and we give to the same translations.

    Returns:
        The number of translations.

    Raises:
        CheckError: CTranslate2 cannot load the model, or a probability differs.
    """
    sources = samples.sentences(translator.source_subwords, COMPARED)
    targets = list(reversed(samples.sentences(translator.target_subwords, COMPARED)))
    try:
        loaded = ctranslate2.Translator(str(directory))
        found = loaded.score_batch(
            [_pieces(translator.source_subwords, text) for text in sources],
            [_pieces(translator.target_subwords, text) for text in targets],
        )
    except (RuntimeError, ValueError) as error:
        raise CheckError(f"CTranslate2 cannot load or ask the export: {error}") from error
    wanted = _log_probabilities(translator, sources, targets)
    for target, scores, row in zip(targets, found, wanted, strict=True):
        ours = row[: len(scores.log_probs)]
        if not np.allclose(scores.log_probs, ours, atol=CLOSE):
            raise CheckError(
                f"CTranslate2 gives {target!r} log probabilities {np.round(scores.log_probs, 4)}, "
                f"and not {np.round(ours, 4)}"
            )
    return len(sources)


def _pieces(subwords, text):
    return subwords.labels(subwords.encode(text))[1:-1]


def _log_probabilities(translator, sources, targets):
    """Those of the ids of targets after sources, (B, T), by the network itself."""
    source = pad([translator.source_subwords.encode(text) for text in sources])
    target = pad([translator.target_subwords.encode(text) for text in targets])
    logits = translator.model((tf.constant(source), tf.constant(target[:, :-1])), training=False)
    never = translator.target_subwords.suppressed_ids()
    logits += NEVER * tf.reduce_sum(tf.one_hot(never, logits.shape[-1]), axis=0)
    log_probabilities = tf.nn.log_softmax(logits)
    return tf.gather(log_probabilities, target[:, 1:], batch_dims=2).numpy()
