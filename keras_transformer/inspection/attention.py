"""Heat maps of the attention between a sentence and its translation."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.pictures import heatmaps
from keras_transformer.pictures.heatmaps import Axis
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import printable, shown
from keras_transformer.tensors import Nest
from keras_transformer.translation.translation import Translation

KINDS = ("encoder", "decoder", "cross")  # of attention


class AttentionSource(Protocol):
    """A `Translator` or a `ServedTranslator`."""

    def attention(
        self, sentence: str, translation: Translation
    ) -> tuple[Sequence[str], Sequence[str], Nest]:
        """Return the subwords and the attention weights, as `Translator.attention` does."""


def check_layer(layer: int | None, num_layers: int | None) -> None:
    """Check the number of a layer.

    Args:
        layer: number of the layer, from 1; None for the last.
        num_layers: number of layers; None if it is unknown.

    Raises:
        UserError: If the network has no such layer.
    """
    if layer is not None and num_layers is not None and not 1 <= layer <= num_layers:
        raise UserError(f"there is no layer {layer}: the network has {num_layers}")


def plot_translation(
    translator: AttentionSource,
    sentence: str,
    translation: Translation,
    kind: str = "cross",
    layer: int | None = None,
) -> NotebookFigure:
    """Plot one heat map for each attention head.

    Args:
        translator: a `Translator` or a `ServedTranslator`.
        sentence: the source.
        translation: a `Translation` of the sentence.
        kind: "encoder", "decoder" or "cross" (from target to source).
        layer: number of the layer, from 1; the last by default.

    Returns:
        A figure that displays itself in a notebook. `pictures.saving.save` writes it to a file.

    Raises:
        UserError: If the kind is unknown, the network has no such layer, or the translation is
            empty.
    """
    if kind not in KINDS:
        raise UserError(f"there is no attention of kind {kind!r}; kinds: {', '.join(KINDS)}")
    if not translation.text:
        raise UserError("an empty translation has no attention to plot")
    source, target, weights = translator.attention(sentence, translation)
    layers = getattr(weights, kind)
    check_layer(layer, len(layers))
    layer = layer or len(layers)
    panels = panels_of(kind, np.asarray(layers[layer - 1][0]), source, target)
    title = f"{kind} attention, layer {layer} of {len(layers)}"
    text = printable(sentence), f"→ {printable(translation.text)}"
    return heatmaps.plot_attention(*panels, title, text)


def panels_of(
    kind: str, weights: NDArray[np.floating], source: Sequence[str], target: Sequence[str]
) -> tuple[NDArray[np.floating], Axis, Axis]:
    """Return the weights (H, row, column) to plot, and the `Axis` of the rows and of the columns.

    At each position the decoder reads a subword and predicts the next one, which labels the row.
    The last position is omitted, because its prediction is not part of the target. Decoder weights
    of later positions, which are masked, are NaN.

    Args:
        kind: "encoder", "decoder" or "cross".
        weights: array (H, query, key).
        source: subwords of the source, with start and end.
        target: subwords of the target, with start, and with end unless the search stopped early.
    """
    source, read, written = (list(map(shown, each)) for each in (source, target[:-1], target[1:]))
    if kind == "encoder":
        return weights, Axis("source subword", source), Axis("source subword attended to", source)
    rows = Axis("subword being written", written)
    if kind == "cross":
        return weights[:, :-1], rows, Axis("source subword", source)
    later = np.triu(np.ones((len(read), len(read)), bool), k=1)
    weights = np.where(later, np.nan, weights[:, :-1, :-1])
    return weights, rows, Axis("subword read", read)
