"""Heat maps of a sentence and its translation."""

import numpy as np

from keras_transformer.errors import UserError
from keras_transformer.pictures.heatmaps import plot_attention, save


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
    layer = len(layers) if layer is None else layer
    if not 1 <= layer <= len(layers):
        raise UserError(f"there is no layer {layer}: the network has {len(layers)}")
    queries = source if kind == "encoder" else target
    keys = target if kind == "decoder" else source
    title = f"{kind} attention, layer {layer}"
    figure = plot_attention(np.asarray(layers[layer - 1][0]), queries, keys, title)
    try:
        save(figure, path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be written: {error}") from error
