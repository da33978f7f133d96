"""Heat maps of recorded cross-attention, all of the same size for the same sentence pair."""

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.inspection.attention import check_layer, panels_of
from keras_transformer.inspection.recorded_attention import RecordedAttention
from keras_transformer.pictures import heatmaps
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import printable

ALL, MEAN = "all", "mean"  # choices of heads, besides a number


def picture(
    recorded: RecordedAttention,
    layer: int | None = None,
    heads: int | str = MEAN,
    bleu: float | None = None,
) -> NotebookFigure:
    """Plot recorded attention.

    Pictures of the same sentence, layer and heads have the same size.

    Args:
        recorded: the `RecordedAttention`.
        layer: number of the decoder layer, from 1; the last by default.
        heads: "all", "mean", or the number of a head, from 1.
        bleu: the validation BLEU of the last complete epoch, or None.

    Returns:
        A figure that displays itself in a notebook.

    Raises:
        UserError: If the network has no such layer or head.
    """
    layers = len(recorded.weights)
    check_layer(layer, layers)
    layer = layer or layers
    weights, names = chosen_heads(recorded.weights[layer - 1], heads)
    panels = panels_of("cross", weights, recorded.source, recorded.target)
    # These lines are short, so that none of them is ever wrapped.
    progress = f"epoch {recorded.epoch:.2f}, step {recorded.step:,}"
    score = "validation BLEU: none yet" if bleu is None else f"validation BLEU {bleu:.2f}"
    pair = printable(recorded.sentence), f"→ {printable(recorded.reference)}"
    title = f"cross attention, layer {layer} of {layers}"
    figure = heatmaps.plot_attention(*panels, title, (progress, score, *pair))
    for axes, name in zip(figure.axes, names, strict=False):
        axes.title.set_text(name)
    return figure


def chosen_heads(
    weights: NDArray[np.floating], heads: int | str
) -> tuple[NDArray[np.floating], list[str]]:
    """Return the weights of each panel (n, row, column), and its title.

    Args:
        weights: array (H, row, column).
        heads: "all", "mean", or the number of a head, from 1.

    Raises:
        UserError: If the network has no such head.
    """
    count = len(weights)
    if heads == ALL:
        return weights, [f"head {number + 1}" for number in range(count)]
    if heads == MEAN:
        return weights.mean(axis=0, keepdims=True), [f"mean of {count} heads"]
    number = int(heads)
    if not 1 <= number <= count:
        raise UserError(f"there is no head {number}: the layers have {count}")
    return weights[number - 1 : number], [f"head {number}"]
