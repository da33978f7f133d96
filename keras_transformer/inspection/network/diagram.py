"""A network as a diagram: the encoder on the left, the decoder on the right.

The arrangement is that of figure 1 of Vaswani et al. (2017).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from keras_transformer.counting import counted
from keras_transformer.inspection.network import structure
from keras_transformer.inspection.network.structure import Part, Shape, definitions, parts_of
from keras_transformer.model.transformer import Transformer
from keras_transformer.pictures.diagram_layout import Box, Diagram, Group, Junction, Share
from keras_transformer.pictures.diagrams import plot_diagram
from keras_transformer.pictures.saving import FlatFigure
from keras_transformer.pictures.style import LABEL_SIZE, color, left_to_right, shown, text_width

GRAY = "0.45"
COLORS = {
    structure.IDS: GRAY,
    structure.EMBEDDING: color(4),
    structure.POSITIONS: color(5),
    structure.SELF_ATTENTION: color(0),
    structure.CROSS_ATTENTION: color(0),
    structure.FEED_FORWARD: color(2),
    structure.NORMALIZATION: color(3),
    structure.PROJECTION: color(1),
    structure.SOFTMAX: GRAY,
}
TITLES = {
    structure.EMBEDDING: "Embedding",
    structure.POSITIONS: "× √D, + positional encoding",
    structure.SELF_ATTENTION: "Multi-head self-attention",
    structure.CROSS_ATTENTION: "Multi-head cross-attention",
    structure.FEED_FORWARD: "Feed-forward network",
    structure.NORMALIZATION: "Layer normalization",
    structure.PROJECTION: "Final layer",
    structure.SOFTMAX: "Softmax",
}
# The bars above the encoder: {label: kinds whose weights are added}
SHARES = {
    "embedding": [structure.EMBEDDING],
    "attention": [structure.SELF_ATTENTION, structure.CROSS_ATTENTION],
    "feed-forward network": [structure.FEED_FORWARD],
    "normalization": [structure.NORMALIZATION],
    "final layer": [structure.PROJECTION],
}
LAYER = re.compile(r"(?:encoder\.enc|decoder\.dec)_layers\[(\d+)\]")
LINE_WIDTH = 3.1  # inches of a line of subwords


class Sentence(NamedTuple):
    """What the network reads and predicts, for the labels of a diagram.

    Attributes:
        source: the subwords of the source (S).
        target: the subwords that the decoder reads (T).
        predicted: the most probable next subword after each of them (T).
    """

    source: Sequence[str]
    target: Sequence[str]
    predicted: Sequence[str]


def plot_network(model: Transformer, sentence: Sentence | None = None) -> FlatFigure:
    """Draw a network as a diagram.

    The layers of a stack have the same structure, so only the first is drawn.

    Args:
        model: a built network.
        sentence: the `Sentence` that determines the lengths S and T, or None to leave them open.
    """
    lengths = (1, len(sentence.source), len(sentence.target)) if sentence else (None, None, None)
    parts = parts_of(model, *lengths)
    middle = next(i for i, part in enumerate(parts) if part.name == "target")
    encoder, decoder = parts[:middle], parts[middle:]
    diagram = Diagram(
        [*_stack(encoder, sentence), _encoded(encoder[-1])],
        [*_stack(decoder, sentence), *_predicted(sentence)],
        [*_bypasses(encoder), *_bypasses(decoder)],
        [("enc_output", each.name) for each in decoder if _is_cross_attention(each)],
        [(part.name, part.owner) for part in parts if part.owner],
        _shares(parts),
        "Number of weights",
    )
    return plot_diagram(diagram, "Transformer", _description(model, parts, lengths))


def _description(
    model: Transformer, parts: Sequence[Part], lengths: tuple[int | None, ...]
) -> Iterator[str]:
    """Yield the lines below the title."""
    options = model.options
    total = f"{sum(part.weights for part in parts):,} weights"
    stacks = {"encoder": model.encoder.enc_layers, "decoder": model.decoder.dec_layers}
    counts = [counted(len(layers), f"{name} layer") for name, layers in stacks.items()]
    norm = "pre-norm" if options.norm_first else "post-norm"
    yield ", ".join([total, *counts, norm, f"tied embeddings: {options.tied_embeddings}"])
    letters = definitions(model, *lengths)
    yield ", ".join(letters[:4])
    yield ", ".join(letters[4:])
    if any(part.owner for part in parts):
        yield "A dashed line connects parts that share weights, which are counted once."


def _is_cross_attention(part: Part) -> bool:
    """Return whether a part is the cross-attention of the layer that is drawn."""
    return part.kind == structure.CROSS_ATTENTION and _layer_number(part) == 0


def _layer_number(part: Part) -> int | None:
    """Return the number of the layer to which a part belongs, from 0, or None."""
    found = LAYER.match(part.name)
    return int(found[1]) if found else None


def _stack(parts: Sequence[Part], sentence: Sentence | None) -> Iterator[Box | Junction | Group]:
    """Yield the boxes of the encoder or the decoder, with those of a layer in a group."""
    numbers = [_layer_number(part) for part in parts]
    layers = 1 + max(number for number in numbers if number is not None)
    first = numbers.index(0)
    last = len(parts) - numbers[::-1].index(layers - 1)
    yield from (_item(part, layers, sentence) for part in parts[:first])
    yield _group(parts[first:last], layers)
    yield from (_item(part, layers, sentence) for part in parts[last:])


def _group(parts: Sequence[Part], layers: int) -> Group:
    """Return the frame of a layer, with the number of weights of all layers."""
    drawn = [part for part in parts if _layer_number(part) == 0]
    weights, total = (sum(part.weights for part in each) for each in (drawn, parts))
    kind = "EncoderLayer" if parts[0].name.startswith("encoder") else "DecoderLayer"
    name = parts[0].name[: parts[0].name.index("]") + 1]
    items = [_item(part, layers, None) for part in drawn]
    if layers == 1:
        return Group(kind, name, [f"{total:,} weights"], items)
    notes = [f"{layers} × {weights:,} =", f"{total:,} weights"]
    name = f"{_indexed(name, layers)}, i = 0…{layers - 1}"
    return Group(f"{layers} × {kind}", name, notes, items)


def _indexed(name: str, layers: int) -> str:
    """Return the name of a part of the first layer, which stands for all layers."""
    return name.replace("[0]", "[i]") if layers > 1 else name


def _item(part: Part, layers: int, sentence: Sentence | None) -> Box | Junction:
    """Return what is drawn for a part."""
    if part.kind == structure.RESIDUAL:
        function = "y" if not part.rate else f"dropout(y), rate {part.rate:g}"
        return Junction(part.name, [f"x + {function}", f"…{part.name.split('.', 2)[2]}"])
    if part.kind == structure.IDS:
        return _ids(part, sentence)
    names = [] if part.kind == structure.SOFTMAX else [_indexed(part.name, layers)]
    lines = [*names, *_lines(part.shapes)]
    if part.rate:
        lines.append(f"dropout rate {part.rate:g}")
    if part.owner:
        lines.append(f"shares {part.owner}")
    return Box(part.name, _title(part), _weights(part), lines, COLORS[part.kind])


def _weights(part: Part) -> str:
    """Return the number of weights of a part, or an empty string if it has none by nature."""
    if part.owner and not part.weights:
        return "shared: 0 weights"
    return f"{part.weights:,} weights" if part.weights else ""


def _title(part: Part) -> str:
    if part.kind == structure.SELF_ATTENTION and part.name.startswith("decoder"):
        return f"Masked {TITLES[part.kind].lower()}"
    return TITLES[part.kind]


def _lines(shapes: Mapping[str, Shape]) -> list[str]:
    """Return lines with the names and shapes of tensors; those of the same shape share a line."""
    names: dict[Shape, list[str]] = {}
    for name, shape in shapes.items():
        names.setdefault(shape, []).append(name)
    texts = {", ".join(each): str(shape) for shape, each in names.items()}
    width = max(map(len, texts))
    return [f"{name:{width}}  {shape}" for name, shape in texts.items()]


def _ids(part: Part, sentence: Sentence | None) -> Box:
    """Return the box of the input of a stack, with its subwords if there is a sentence."""
    title = {"source": "Source", "target": "Target prefix"}[part.name]
    subwords = _subwords(getattr(sentence, part.name)) if sentence else []
    return Box(part.name, title, str(part.shapes["ids"]), subwords, GRAY, False)


def _predicted(sentence: Sentence | None) -> list[Box]:
    """Return the box with the predicted subwords, if there is a sentence."""
    if sentence is None:
        return []
    lines = _subwords(sentence.predicted)
    return [Box("predicted", "Most probable next subwords", "", lines, GRAY, False)]


def _encoded(last: Part) -> Box:
    """Return the box of the encoder's output, the output of its last part."""
    return Box(
        "enc_output", "Encoded source", "", _lines({"enc_output": last.shapes["output"]}), GRAY
    )


def _subwords(subwords: Sequence[str]) -> list[str]:
    """Return subwords, separated by bars, in lines of `LINE_WIDTH` inches."""
    lines: list[list[str]] = []
    for subword in map(shown, subwords):
        longer = [*lines[-1], " | ", subword] if lines else [subword]
        if lines and text_width(["".join(longer)], LABEL_SIZE) <= LINE_WIDTH:
            lines[-1] = longer
        else:
            lines.append([subword])
    return [left_to_right(*line) for line in lines]


def _bypasses(parts: Sequence[Part]) -> Iterator[tuple[str, str]]:
    """Yield the first part of each sublayer of the layer that is drawn, with its residual."""
    start = None
    for part in parts:
        if _layer_number(part) != 0:
            continue
        sublayer = part.name.split(".")[:3]
        if start is None or start.split(".")[:3] != sublayer:
            start = part.name
        if part.kind == structure.RESIDUAL:
            yield start, part.name


def _shares(parts: Sequence[Part]) -> list[Share]:
    """Return the number of weights of each kind of part."""
    return [
        Share(label, sum(part.weights for part in parts if part.kind in kinds), COLORS[kinds[0]])
        for label, kinds in SHARES.items()
    ]
