"""Heat maps of a sentence and its translation."""

import numpy as np

from keras_transformer.errors import UserError
from keras_transformer.pictures.heatmaps import Axis, check_picture, plot_attention, save


def check_file(path):
    """Raises a `UserError` where a picture cannot be written, before anything is translated."""
    try:
        check_picture(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be written: {error}") from error


def check_layer(layer, num_layers):
    """Raises a `UserError` where there is no such layer; None is the last, or not known."""
    if layer is not None and num_layers is not None and not 1 <= layer <= num_layers:
        raise UserError(f"there is no layer {layer}: the network has {num_layers}")


def plot_translation(translator, sentence, translation, path, kind="cross", layer=None):
    """Draws the heat maps of one sentence and its translation.

    Args:
        translator: a `Translator` or a `ServedTranslator`.
        sentence: the source.
        translation: a `Translation` of it.
        path: file of the picture; its ending names the format.
        kind: "encoder", "decoder" or "cross" (target to source).
        layer: number of the layer, from 1; the last by default.

    Raises:
        UserError: there is no such layer, the translation is empty, or the file cannot be written.
    """
    if not translation.text:
        raise UserError("an empty translation has no attention to plot")
    source, target, weights = translator.attention(sentence, translation)
    layers = getattr(weights, kind)
    check_layer(layer, len(layers))
    layer = layer or len(layers)
    panels = panels_of(kind, np.asarray(layers[layer - 1][0]), source, target)
    title = f"{kind} attention, layer {layer} of {len(layers)}"
    text = _printable(sentence), f"→ {_printable(translation.text)}"
    figure = plot_attention(*panels, title, text)
    try:
        save(figure, path)
    except (OSError, ValueError, RuntimeError) as error:
        raise UserError(f"{path}: cannot be written: {error}") from error


def panels_of(kind, weights, source, target):
    """Return what is drawn of a layer: weights (H, row, column), `Axis` of rows, of columns.

    At a position the decoder has read a subword and writes the next one, which is the label of
    the row. At the last position nothing is written any more, so it is left out. What the decoder
    cannot look at, because it is written later, is NaN.

    Args:
        kind: "encoder", "decoder" or "cross".
        weights: array (H, query, key).
        source: the source's subwords, with start and end.
        target: the target's subwords, with start, and with end unless it was cut.
    """
    source, read, written = _shown(source), _shown(target[:-1]), _shown(target[1:])
    if kind == "encoder":
        return weights, Axis("source subword", source), Axis("source subword looked at", source)
    rows = Axis("subword being written", written)
    if kind == "cross":
        return weights[:, :-1], rows, Axis("source subword", source)
    later = np.triu(np.ones((len(read), len(read)), bool), k=1)
    weights = np.where(later, np.nan, weights[:, :-1, :-1])
    return weights, rows, Axis("subword read", read)


def _shown(labels):
    """Return subwords as they are shown: without SentencePiece's mark of a space before a word."""
    return [_printable(label.replace("▁", " ")).strip(" ") or "␣" for label in labels]


def _printable(text):
    """Return a text whose odd spaces are spaces, and whose control characters are U+FFFD."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)
