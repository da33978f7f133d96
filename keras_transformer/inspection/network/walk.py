"""A walk through a network: all tensors from the ids of a sentence to the next-word distribution.

The layers are called one by one, in the order of `Transformer.call`, so that each tensor is that of
the network itself. Names and letters are those of `structure`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import keras
import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.inspection.network.structure import is_pre_norm, layer_name
from keras_transformer.model.attention import MultiHeadAttention
from keras_transformer.model.decoder import Decoder
from keras_transformer.model.encoder import Encoder
from keras_transformer.model.masks import create_combined_mask, create_padding_mask
from keras_transformer.model.transformer import Transformer
from keras_transformer.tensors import Tensor

# Largest difference of logits computed in another way, relative to the largest logit above 1.
TOLERANCE = 1e-4


class Step(NamedTuple):
    """A tensor of the computation.

    Attributes:
        part: name of the part that computes it, such as `encoder.enc_layers[0].feed_forward.ffn`.
        tensor: name of the tensor, such as "output".
        letters: the letter of each dimension.
        values: the tensor, as an array.
        note: a short description.
    """

    part: str
    tensor: str
    letters: tuple[str, ...]
    values: NDArray
    note: str


class Stage(NamedTuple):
    """Consecutive steps.

    Attributes:
        name: the path of attributes that the steps have in common, such as `encoder.enc_layers[0]`.
        steps: the `Step`s.
    """

    name: str
    steps: list[Step]


# A function f of a sublayer: for x, f(x) and the steps on the way
Function: TypeAlias = Callable[[Tensor], tuple[Tensor, list[Step]]]


def walk(model: Transformer, source: Sequence[int], target: Sequence[int]) -> list[Stage]:
    """Return all tensors for a sentence, from the ids to the probability of each next id.

    Args:
        model: a built network.
        source: the ids of the source (S), with start and end.
        target: the ids that the decoder has read (T), beginning with the start token.

    Returns:
        The `Stage`s, in the order of the computation. The last step of the last stage has the
        probabilities (1, T, V).

    Raises:
        ValueError: If the network itself computes other logits, which happens if its `call` does
            something between the layers that this function does not know.
    """
    inputs = tf.constant([source], tf.int32), tf.constant([target], tf.int32)
    padding_mask = create_padding_mask(inputs[0])  # (B, 1, 1, S)
    x, stages = _embedded(model.encoder, "encoder", inputs[0], "S")
    for number, layer in enumerate(model.encoder.enc_layers):
        name = layer_name("encoder", "enc_layers", number)
        x, steps = _encoder_layer(layer, name, x, padding_mask)
        stages.append(Stage(name, steps))
    enc_output, last = _normalized(model.encoder, "encoder", x, "S")
    features, decoder = _decoded(model.decoder, inputs[1], enc_output, padding_mask)
    return [*stages, *last, *decoder, _output(model, features, inputs)]


def next_ids(stages: Sequence[Stage], number: int) -> list[tuple[int, float]]:
    """Return the most probable ids after the last position, with their probabilities.

    Args:
        stages: the result of `walk`.
        number: how many ids; fewer are returned if the vocabulary is smaller.
    """
    probabilities = stages[-1].steps[-1].values[0, -1]  # (V,)
    best = np.argsort(-probabilities, kind="stable")[:number]
    return [(int(i), float(probabilities[i])) for i in best]


def predicted_ids(stages: Sequence[Stage]) -> list[int]:
    """Return the most probable next id after each target position (T), given a walk."""
    return [int(i) for i in stages[-1].steps[-1].values[0].argmax(axis=-1)]


def _step(part: str, tensor: str, letters: str, x: Tensor, note: str) -> Step:
    """Return the step of a tensor whose dimensions have these letters, separated by spaces."""
    return Step(part, tensor, tuple(letters.split()), np.asarray(x), note)


def _embedded(
    stack: Encoder | Decoder, name: str, ids: Tensor, length: str
) -> tuple[Tensor, list[Stage]]:
    """Return the embedded ids (1, length, D) and the stage before the first layer."""
    layer, path, shape = stack.embedding, f"{name}.embedding", f"B {length} D"
    rows = layer.embedding(ids)
    x = layer(ids, training=False)
    one_hot = tf.one_hot(ids, layer.vocab_size)
    positions = layer.pos_encoding[0, : ids.shape[1]]
    steps = [
        _step("source" if length == "S" else "target", "ids", f"B {length}", ids, "ids"),
        _step(path, "one-hot", f"B {length} V", one_hot, "a 1 at the id"),
        _step(f"{path}.embedding", "output", shape, rows, "one-hot × table"),
        _step(path, "scaled", shape, rows * layer.d_model**0.5, "× √D"),
        _step(f"{path}.pos_encoding", "output", f"{length} D", positions, "sines and cosines"),
        _step(path, "output", shape, x, "sum of the last two"),
    ]
    return x, [Stage(path, steps)]


def _normalized(
    stack: Encoder | Decoder, name: str, x: Tensor, length: str
) -> tuple[Tensor, list[Stage]]:
    """Return the output (1, length, D) of a stack, and the stage of its last normalization."""
    if not stack.final_layernorm.weights:  # post-norm: the last layer has normalized
        return x, []
    x = stack.final_layernorm(x)
    path = f"{name}.final_layernorm"
    return x, [Stage(name, [_step(path, "output", f"B {length} D", x, "normalized")])]


def _encoder_layer(
    layer: keras.layers.Layer, name: str, x: Tensor, mask: Tensor
) -> tuple[Tensor, list[Step]]:
    """Return the output (1, S, D) of an encoder layer, and its steps."""
    sublayer = layer.self_attention
    attention = _self_attention(sublayer.mha, f"{name}.self_attention.mha", mask, "S")
    x, first = _sublayer(sublayer, f"{name}.self_attention", x, "S", attention)
    x, second = _feed_forward(layer.feed_forward, f"{name}.feed_forward", x, "S")
    return x, [*first, *second]


def _decoded(
    decoder: Decoder, target: Tensor, enc_output: Tensor, padding_mask: Tensor
) -> tuple[Tensor, list[Stage]]:
    """Return the output (1, T, D) of the decoder, and its stages."""
    look_ahead_mask = create_combined_mask(target)  # (B, 1, T, T)
    x, stages = _embedded(decoder, "decoder", target, "T")
    masks = look_ahead_mask, padding_mask
    for number, layer in enumerate(decoder.dec_layers):
        name = layer_name("decoder", "dec_layers", number)
        x, steps = _decoder_layer(layer, name, x, enc_output, masks)
        stages.append(Stage(name, steps))
    x, last = _normalized(decoder, "decoder", x, "T")
    return x, [*stages, *last]


def _decoder_layer(
    layer: keras.layers.Layer,
    name: str,
    x: Tensor,
    enc_output: Tensor,
    masks: tuple[Tensor, Tensor],
) -> tuple[Tensor, list[Step]]:
    """Return the output (1, T, D) of a decoder layer, and its steps."""
    look_ahead_mask, padding_mask = masks
    paths = [f"{name}.{each}" for each in ("self_attention", "cross_attention", "feed_forward")]
    own = _self_attention(layer.self_attention.mha, f"{paths[0]}.mha", look_ahead_mask, "T")
    x, first = _sublayer(layer.self_attention, paths[0], x, "T", own)
    mha = layer.cross_attention.mha
    cross = _cross_attention(mha, f"{paths[1]}.mha", enc_output, padding_mask)
    x, second = _sublayer(layer.cross_attention, paths[1], x, "T", cross)
    x, third = _feed_forward(layer.feed_forward, paths[2], x, "T")
    return x, [*first, *second, *third]


def _sublayer(
    sublayer: keras.layers.Layer, name: str, x: Tensor, length: str, function: Function
) -> tuple[Tensor, list[Step]]:
    """Return the output (1, length, D) of a sublayer and its steps, with those of its function."""
    residual, shape = sublayer.residual, f"B {length} D"
    normalization = f"{name}.residual.layernorm"
    entered = residual.enter(x)
    y, steps = function(entered)
    x = residual.leave(x, y, training=False)
    if is_pre_norm(residual):
        before = _step(normalization, "output", shape, entered, "input, normalized")
        after = _step(f"{name}.residual", "output", shape, x, "added to the input")
        return x, [before, *steps, after]
    return x, [*steps, _step(normalization, "output", shape, x, "added, normalized")]


def _self_attention(mha: MultiHeadAttention, name: str, mask: Tensor, length: str) -> Function:
    """Return multi-head attention from x (1, length, D) to itself."""

    def function(x: Tensor) -> tuple[Tensor, list[Step]]:
        q, k, v = mha.self_projections(x)
        return _attended(mha, name, (q, k, v), mask, (length, length))

    return function


def _cross_attention(
    mha: MultiHeadAttention, name: str, enc_output: Tensor, mask: Tensor
) -> Function:
    """Return multi-head attention from x (1, T, D) to the encoded source (1, S, D)."""

    def function(x: Tensor) -> tuple[Tensor, list[Step]]:
        k, v = mha.keys_and_values(enc_output)
        return _attended(mha, name, (mha.query(x), k, v), mask, ("T", "S"))

    return function


def _attended(
    mha: MultiHeadAttention,
    name: str,
    projected: tuple[Tensor, Tensor, Tensor],
    mask: Tensor,
    lengths: tuple[str, str],
) -> tuple[Tensor, list[Step]]:
    """Return the output (1, query, D) of attention over projected heads, and its steps.

    Args:
        mha: the layer.
        name: its name.
        projected: queries, keys and values, (1, H, query or key, K).
        mask: 1 where a key is hidden.
        lengths: the letters of the numbers of queries and of keys.
    """
    y, weights = mha.attend(*projected, mask=mask, training=False)
    query, key = lengths
    tensors = zip(("queries", "keys", "values"), (query, key, key), projected, strict=True)
    steps = [_step(name, each, f"B H {letter} K", x, each) for each, letter, x in tensors]
    steps.append(_step(name, "weights", f"B H {query} {key}", weights, "attention weights"))
    return y, [*steps, _step(name, "output", f"B {query} D", y, "heads joined, × W_o")]


def _feed_forward(
    sublayer: keras.layers.Layer, name: str, x: Tensor, length: str
) -> tuple[Tensor, list[Step]]:
    """Return the output (1, length, D) of a feed-forward sublayer, and its steps."""

    def function(x: Tensor) -> tuple[Tensor, list[Step]]:
        path, first = f"{name}.ffn", sublayer.ffn.layers[0]
        inner, y = first(x), sublayer.ffn(x, training=False)
        steps = [_step(path, "inner", f"B {length} dff", inner, "inner layer, ReLU")]
        return y, [*steps, _step(path, "output", f"B {length} D", y, "outer layer")]

    return _sublayer(sublayer, name, x, length, function)


def _output(model: Transformer, features: Tensor, inputs: tuple[Tensor, Tensor]) -> Stage:
    """Return the stage of the final layer, whose logits are compared with those of the network."""
    logits = model.final_layer(features)
    difference = float(tf.reduce_max(tf.abs(logits - model(inputs, training=False))))
    if difference > TOLERANCE * max(1.0, float(tf.reduce_max(tf.abs(logits)))):
        raise ValueError(
            f"the layers called one by one yield logits that differ by {difference:.3g} "
            "from those of the network"
        )
    probabilities = tf.nn.softmax(tf.cast(logits, tf.float32))
    steps = [
        _step("final_layer", "logits", "B T V", logits, "a score for each id"),
        _step("softmax", "probabilities", "B T V", probabilities, "softmax of scores"),
    ]
    return Stage("", steps)
