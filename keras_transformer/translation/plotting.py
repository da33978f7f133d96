"""Heat maps of the attention between a sentence and its translation."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.files import write_bytes
from keras_transformer.pictures import heatmaps
from keras_transformer.pictures.heatmaps import Axis, NotebookFigure
from keras_transformer.tensors import Nest
from keras_transformer.translation.translation import Translation

KINDS = ("encoder", "decoder", "cross")  # of attention


class AttentionSource(Protocol):
    """A `Translator` or a `ServedTranslator`."""

    def attention(
        self, sentence: str, translation: Translation
    ) -> tuple[Sequence[str], Sequence[str], Nest]:
        """Return the subwords and the attention weights, as `Translator.attention` does."""


def check_file(path: str | os.PathLike[str]) -> None:
    """Check the path of a picture before anything is translated.

    Raises:
        UserError: If the format is unknown, the directory is missing, or the path is a directory.
    """
    try:
        heatmaps.check_picture(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be written: {error}") from error


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
        A figure that displays itself in a notebook. `save` writes it to a file.

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
    text = _printable(sentence), f"→ {_printable(translation.text)}"
    return heatmaps.plot_attention(*panels, title, text)


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Save a figure to a file atomically, in the format of the file name's extension.

    Raises:
        UserError: If the file cannot be written.
    """
    check_file(path)
    try:
        content = heatmaps.encoded(figure, Path(path).suffix.removeprefix("."))
    except (OSError, ValueError, RuntimeError) as error:  # for example, LaTeX is missing for .pgf
        raise UserError(f"{path}: cannot be written: {error}") from error
    write_bytes(os.path.realpath(path), content)  # follows a symbolic link


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
    source, read, written = _shown(source), _shown(target[:-1]), _shown(target[1:])
    if kind == "encoder":
        return weights, Axis("source subword", source), Axis("source subword attended to", source)
    rows = Axis("subword being written", written)
    if kind == "cross":
        return weights[:, :-1], rows, Axis("source subword", source)
    later = np.triu(np.ones((len(read), len(read)), bool), k=1)
    weights = np.where(later, np.nan, weights[:, :-1, :-1])
    return weights, rows, Axis("subword read", read)


def _shown(labels: Iterable[str]) -> list[str]:
    """Return subwords without SentencePiece's mark of a space before a word."""
    return [_printable(label.replace("▁", " ")).strip(" ") or "␣" for label in labels]


def _printable(text: str) -> str:
    """Return a text with white space as spaces, and other control characters as U+FFFD."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)
