"""A film of the cross-attention of one sentence pair during training, from a run's history."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.inspection.history.logs import BLEU, Curve, History
from keras_transformer.inspection.history.recorded_attention import RecordedAttention
from keras_transformer.inspection.history.recorded_picture import MEAN, chosen, picture
from keras_transformer.pictures.saving import NO_COLORS, NotebookFigure
from keras_transformer.pictures.style import COLORS, shades

SHADES = 216  # of all hues; the other colors of a film are those of text and lines


def frames(
    history: History, layer: int | None = None, heads: int | str = MEAN
) -> Iterator[NotebookFigure]:
    """Return the pictures of the attention that was recorded during a training, for a film.

    Args:
        history: the `History` of the run.
        layer: number of the decoder layer, from 1; the last by default.
        heads: "all", "mean", or the number of a head, from 1.

    Returns:
        An iterator of figures of the same size, in the order of the steps.

    Raises:
        UserError: If no attention was recorded, or the network has no such layer or head. All this
            is checked before the first figure is requested.
    """
    recorded = since_last_change(history.attention)
    if not recorded:
        raise UserError(
            f"{history.directory}: no attention was recorded: the run was trained by an earlier "
            "version, or its logs are incomplete"
        )
    chosen(recorded[-1], layer, heads)  # raises an error if there is no such layer or head
    bleu = history.curves[BLEU]
    return (picture(each, layer, heads, _last(bleu, each.step)) for each in recorded)


def shades_of(history: History, heads: int | str = MEAN) -> NDArray[np.uint8]:
    """Return colors (n, 3) that the palette of a film needs: with all heads, shades of each hue.

    A palette that is chosen by frequency has too few of them, and confuses dark shades of two hues.

    Args:
        history, heads: those of `frames`.
    """
    if heads != "all":
        return NO_COLORS
    num_heads = history.attention[-1].weights.shape[1]
    return shades(min(num_heads, len(COLORS)), SHADES)


def since_last_change(recorded: Sequence[RecordedAttention]) -> list[RecordedAttention]:
    """Return the attention that was recorded since the sentence pair or the labels last changed."""

    def labels(each: RecordedAttention) -> tuple:
        return tuple(each.source), tuple(each.target), each.weights.shape

    return [each for each in recorded if labels(each) == labels(recorded[-1])]


def _last(curve: Curve, step: int) -> float | None:
    """Return the last value of a curve up to a step, or None."""
    values = curve.values[curve.steps <= step]
    return float(values[-1]) if len(values) else None
