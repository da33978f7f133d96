"""The parts of a network in the order of the computation: names, shapes, numbers of weights.

A part is named by the path of attributes that leads to it, such as
`encoder.enc_layers[0].self_attention.mha`. Shapes are written in the letters B batch, S source
length, T target length, D d_model, H heads, K depth of a head, V number of ids, and `dff`.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import keras

from keras_transformer.model.decoder import Decoder
from keras_transformer.model.encoder import Encoder
from keras_transformer.model.sublayers import PreNormResidual
from keras_transformer.model.transformer import Transformer

IDS = "ids"
EMBEDDING = "embedding"
POSITIONS = "positional encoding"
SELF_ATTENTION = "self-attention"
CROSS_ATTENTION = "cross-attention"
FEED_FORWARD = "feed-forward network"
NORMALIZATION = "normalization"
RESIDUAL = "residual connection"
PROJECTION = "final layer"
SOFTMAX = "softmax"

# {letter of a dimension: what it counts}
LETTERS = {
    "B": "batch size",
    "S": "source ids",
    "T": "target ids",
    "V": "ids of the vocabulary",
    "D": "d_model",
    "H": "heads",
    "K": "depth of a head, D / H",
    "dff": "inner depth",
}
# {name of a sublayer of an encoder or decoder layer: kind of the function that it applies}
SUBLAYERS = {
    "self_attention": SELF_ATTENTION,
    "cross_attention": CROSS_ATTENTION,
    "feed_forward": FEED_FORWARD,
}


class Shape(NamedTuple):
    """The shape of a tensor.

    Attributes:
        letters: the name of each dimension, such as "B".
        sizes: the size of each dimension, or None where it is unknown.
    """

    letters: tuple[str, ...]
    sizes: tuple[int | None, ...]

    def __str__(self) -> str:
        letters = f"({', '.join(self.letters)})"
        if not any(self.sizes):
            return letters
        sizes = [
            letter if size is None else str(size)
            for letter, size in zip(self.letters, self.sizes, strict=True)
        ]
        return f"{letters} = ({', '.join(sizes)})"


class Part(NamedTuple):
    """A part of a network.

    Attributes:
        name: the path of attributes from the network to the part.
        kind: what the part does, one of the constants of this module.
        shapes: {name of a tensor: its `Shape`}, in the order of the computation.
        weights: number of weights, without those that belong to another part.
        owner: name of the part to which the shared weights belong; None if none are shared.
        rate: dropout rate: of the output of an embedding with positions, of the function of a
            residual connection, of attention weights, of the inner layer of a feed-forward network.
    """

    name: str
    kind: str
    shapes: Mapping[str, Shape]
    weights: int = 0
    owner: str | None = None
    rate: float = 0.0


def dimensions(
    model: Transformer,
    batch: int | None = None,
    source_length: int | None = None,
    target_length: int | None = None,
) -> dict[str, int | None]:
    """Return {letter: size} of the dimensions that the source and the target share.

    V is missing, because it may differ between the source and the target.

    Args:
        model: the network.
        batch: number of sentences B, or None.
        source_length: number of source ids S, or None.
        target_length: number of target ids T, or None.
    """
    settings = model.settings
    depth, heads = int(settings["d_model"]), int(settings["num_heads"])
    lengths = {"B": batch, "S": source_length, "T": target_length}
    return lengths | {"D": depth, "H": heads, "K": depth // heads, "dff": int(settings["dff"])}


def definitions(
    model: Transformer,
    batch: int | None = None,
    source_length: int | None = None,
    target_length: int | None = None,
) -> list[str]:
    """Return a definition of each letter, such as "D = 128 (d_model)".

    If the source and the target have vocabularies of different sizes, V has both numbers.

    Args:
        model: the network.
        batch, source_length, target_length: as in `dimensions`.
    """
    sizes: dict[str, object] = dict(dimensions(model, batch, source_length, target_length))
    source, target = (model.settings[f"{side}_vocab_size"] for side in ("input", "target"))
    sizes["V"] = source if source == target else f"{source} or {target}"
    return [
        f"{letter} ({text})" if sizes[letter] is None else f"{letter} = {sizes[letter]} ({text})"
        for letter, text in LETTERS.items()
    ]


def parts_of(
    model: Transformer,
    batch: int | None = None,
    source_length: int | None = None,
    target_length: int | None = None,
) -> list[Part]:
    """Return the parts of a network in the order of the computation.

    Args:
        model: a built network.
        batch, source_length, target_length: as in `dimensions`.

    Returns:
        The `Part`s of the encoder, of the decoder, the final layer and the softmax. The sum of
        their weights is `model.count_params()`: shared weights are counted once, as part of the
        decoder's embedding.
    """
    sizes = dimensions(model, batch, source_length, target_length)
    source = sizes | {"V": int(model.settings["input_vocab_size"])}
    target = sizes | {"V": int(model.settings["target_vocab_size"])}
    owners = _owners(model)
    encoder = _stack(model.encoder, "encoder", "enc_layers", "S", source, owners)
    decoder = _stack(model.decoder, "decoder", "dec_layers", "T", target, owners)
    return [*encoder, *decoder, *_output(model, target, owners)]


def layer_name(stack: str, attribute: str, number: int) -> str:
    """Return the name of layer `number`, from 0, of the encoder or the decoder."""
    return f"{stack}.{attribute}[{number}]"


def is_pre_norm(residual: keras.layers.Layer) -> bool:
    """Return whether a residual connection normalizes before the function, not after it."""
    return isinstance(residual, PreNormResidual)


def _owners(model: Transformer) -> dict[int, str]:
    """Return {id of a shared weight: name of the part to which it belongs}.

    The embedding of the decoder is listed first, because the encoder and the final layer may have
    the same table.
    """
    tables: dict[str, Encoder | Decoder] = {
        "decoder.embedding.embedding": model.decoder,
        "encoder.embedding.embedding": model.encoder,
    }
    owners: dict[int, str] = {}
    for name, stack in tables.items():
        for weight in stack.embedding.embedding.weights:
            owners.setdefault(id(weight), name)
    return owners


def _part(
    name: str, kind: str, layer: keras.layers.Layer, owners: Mapping[int, str], shapes: dict
) -> Part:
    """Return the part of a layer, whose weights are counted unless another part owns them."""
    belongs = {id(weight): owners.get(id(weight), name) for weight in layer.weights}
    own = [weight for weight in layer.weights if belongs[id(weight)] == name]
    others = [owner for owner in belongs.values() if owner != name]
    number = sum(math.prod(weight.shape) for weight in own)
    return Part(name, kind, shapes, number, others[0] if others else None)


def _shape(letters: Iterable[str], sizes: Mapping[str, int | None]) -> Shape:
    letters = tuple(letters)
    return Shape(letters, tuple(sizes[letter] for letter in letters))


def _stack(
    stack: Encoder | Decoder,
    name: str,
    attribute: str,
    length: str,
    sizes: Mapping[str, int | None],
    owners: Mapping[int, str],
) -> Iterator[Part]:
    """Yield the parts of the encoder or the decoder.

    Args:
        stack: the encoder or the decoder.
        name: its name.
        attribute: name of its list of layers.
        length: the letter of its length, "S" or "T".
        sizes: {letter: size}.
        owners: {id of a shared weight: name of the part to which it belongs}.
    """
    output = {"output": _shape(["B", length, "D"], sizes)}
    ids = "source" if length == "S" else "target"
    yield Part(ids, IDS, {"ids": _shape(["B", length], sizes)})
    table = {"table": _shape("VD", sizes)} | output
    path = f"{name}.embedding.embedding"
    yield _part(path, EMBEDDING, stack.embedding.embedding, owners, table)
    rows = {"pos_encoding": _shape([length, "D"], sizes)} | output
    yield Part(f"{name}.embedding", POSITIONS, rows, rate=stack.embedding.dropout.rate)
    for number, layer in enumerate(getattr(stack, attribute)):
        yield from _layer(layer, layer_name(name, attribute, number), length, sizes)
    if stack.final_layernorm.weights:
        path = f"{name}.final_layernorm"
        yield _part(path, NORMALIZATION, stack.final_layernorm, {}, output)


def _layer(
    layer: keras.layers.Layer, name: str, length: str, sizes: Mapping[str, int | None]
) -> Iterator[Part]:
    """Yield the parts of an encoder or decoder layer."""
    for attribute, kind in SUBLAYERS.items():
        if hasattr(layer, attribute):
            path = f"{name}.{attribute}"
            yield from _sublayer(getattr(layer, attribute), path, kind, length, sizes)


def _sublayer(
    sublayer: keras.layers.Layer,
    name: str,
    kind: str,
    length: str,
    sizes: Mapping[str, int | None],
) -> Iterator[Part]:
    """Yield the parts of a sublayer: its function, residual connection and normalization."""
    output = {"output": _shape(["B", length, "D"], sizes)}
    residual = sublayer.residual
    path = f"{name}.residual.layernorm"
    normalization = _part(path, NORMALIZATION, residual.layernorm, {}, output)
    if is_pre_norm(residual):
        yield normalization
    if kind == FEED_FORWARD:
        inner = {"inner": _shape(["B", length, "dff"], sizes)}
        part = _part(f"{name}.ffn", kind, sublayer.ffn, {}, inner | output)
        yield part._replace(rate=sublayer.ffn.layers[1].rate)
    else:
        shapes = _attention_shapes(length, "S" if kind == CROSS_ATTENTION else length, sizes)
        part = _part(f"{name}.mha", kind, sublayer.mha, {}, shapes | output)
        yield part._replace(rate=sublayer.mha.dropout.rate)
    yield Part(f"{name}.residual", RESIDUAL, output, rate=residual.dropout.rate)
    if not is_pre_norm(residual):
        yield normalization


def _attention_shapes(query: str, key: str, sizes: Mapping[str, int | None]) -> dict[str, Shape]:
    """Return {name: shape} of the tensors within multi-head attention.

    Args:
        query: letter of the number of queries.
        key: letter of the number of keys.
        sizes: {letter: size}.
    """
    keys = _shape(["B", "H", key, "K"], sizes)
    return {
        "queries": _shape(["B", "H", query, "K"], sizes),
        "keys": keys,
        "values": keys,
        "weights": _shape(["B", "H", query, key], sizes),
    }


def _output(
    model: Transformer, sizes: Mapping[str, int | None], owners: Mapping[int, str]
) -> Iterator[Part]:
    """Yield the final layer and the softmax."""
    logits = _shape("BTV", sizes)
    yield _part("final_layer", PROJECTION, model.final_layer, owners, {"logits": logits})
    yield Part("softmax", SOFTMAX, {"probabilities": logits})
