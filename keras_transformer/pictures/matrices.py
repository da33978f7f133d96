"""Masks of a batch as matrices, and the attention weights that result from them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.image import AxesImage
from matplotlib.patches import Patch
from numpy.typing import NDArray

from keras_transformer.pictures.heatmaps import HIDDEN
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.sheets import CELL, GAP, LINE, TICK, Box, Sheet, label
from keras_transformer.pictures.style import (
    COLORS,
    LABEL_SIZE,
    TEXT_SIZE,
    colormap,
    text_width,
    wrapped,
)

PADDING, LATER = COLORS[4], COLORS[5]  # orange and sky blue, which are light enough for text
GRID = "0.85"  # color of the lines between cells
# Lengths in inches.
MAX_CELL = 0.3
PANEL = 2.2  # the size of a panel whose cells are neither as large nor as small as possible
NUMBERED_CELL, MEASURED_CELL = 0.16, 0.24  # large enough for a digit, for two decimals
SIDE = 1.75  # width of the legend and the color bar
BAR = 1.2  # height of the color bar
AXIS_TITLE = 0.25
PANELS = ("padding mask", "look-ahead mask", "combined: maximum", "attention weights")


class Sentence(NamedTuple):
    """One sentence of a batch whose sentences have been padded to T positions.

    Attributes:
        title: title of the sentence.
        labels: the label of each position.
        padding: array (T, T) of query and key: 1 where the key is padding, otherwise 0.
        later: array (T, T): 1 where the key is later than the query, otherwise 0.
        combined: array (T, T): 1 where the key is hidden from the query, otherwise 0.
        weights: array (T, T): the attention weights.
    """

    title: str
    labels: Sequence[str]
    padding: NDArray[np.floating]
    later: NDArray[np.floating]
    combined: NDArray[np.floating]
    weights: NDArray[np.floating]


def plot_masks(
    sentences: Sequence[Sentence], title: str = "", text: Iterable[str] = ()
) -> NotebookFigure:
    """Plot a row of panels for each sentence: its masks, and its attention weights.

    Args:
        sentences: the sentences, all with the same number of positions.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.

    Returns:
        A figure that displays itself in a notebook.

    Raises:
        ValueError: If an array does not fit the labels.
        UserError: If the figure would be too large.
    """
    for sentence in sentences:
        _check(sentence)
    length = len(sentences[0].labels)
    cell = min(max(CELL, PANEL / length), MAX_CELL)
    every = [text for sentence in sentences for text in sentence.labels]
    margin = text_width(every, LABEL_SIZE) + TICK
    pitch = max(cell * length, text_width(PANELS, TEXT_SIZE, "bold")) + GAP
    row = LINE + cell * length + margin + GAP
    left = AXIS_TITLE + margin + GAP
    width = left + len(PANELS) * pitch + SIDE
    height = LINE + max(len(sentences) * row + AXIS_TITLE, BAR + 8 * LINE)
    sheet = Sheet(width, height, title, text)
    for number, panel in enumerate(PANELS):
        sheet.write(left + number * pitch, LINE / 2, panel, fontweight="bold")
    for number, sentence in enumerate(sentences):
        image = _draw_row(sheet, sentence, (left, LINE + number * row), pitch, cell)
    _name_axes(sheet, left, LINE + len(sentences) * row, 4 * pitch, cell * length)
    _draw_legend(sheet, image, left + len(PANELS) * pitch + GAP)
    return sheet.figure


def _check(sentence: Sentence) -> None:
    shape = (len(sentence.labels),) * 2
    for array in sentence[2:]:
        if array.shape != shape:
            raise ValueError(f"an array {array.shape} does not fit {shape[0]} labels")


def _draw_row(
    sheet: Sheet, sentence: Sentence, corner: tuple[float, float], pitch: float, cell: float
) -> AxesImage:
    """Draw the panels of a sentence, and return the image of the weights."""
    (left, top), size = corner, cell * len(sentence.labels)
    title, *more = wrapped(sentence.title, (len(PANELS) - 1) * pitch)
    sheet.write(left, top + 0.75 * LINE, title + " …" * bool(more), color="0.3")
    boxes = [Box(left + n * pitch, top + LINE, size, size) for n in range(len(PANELS))]
    padding, later, combined, weights = map(sheet.add_axes, boxes)
    _draw_mask(padding, sentence.padding, PADDING)
    _draw_mask(later, sentence.later, LATER)
    _draw_mask(combined, sentence.combined, PADDING)
    _split_cells(combined, sentence)
    image = _draw_weights(weights, sentence)
    for axes in (padding, later, combined, weights):
        _label(axes, sentence, axes is padding)
    if cell >= NUMBERED_CELL:
        for axes, mask in zip((padding, later, combined), sentence[2:5], strict=True):
            _write(axes, mask, 0)
    if cell >= MEASURED_CELL:
        _write(weights, sentence.weights, 2)
    return image


def _draw_mask(axes: Axes, mask: NDArray[np.floating], hue: str) -> None:
    axes.imshow(mask, cmap=ListedColormap(["white", hue]), norm=Normalize(0, 1), aspect="auto")


def _split_cells(axes: Axes, sentence: Sentence) -> None:
    """Give cells that are hidden as later positions their color, or half of it as padding, too."""
    corners = []
    for row, column in np.argwhere(sentence.later > 0):
        left, right, top, bottom = column - 0.5, column + 0.5, row - 0.5, row + 0.5
        upper = [(left, top), (right, top), (right, bottom)]
        corners.append(upper if sentence.padding[row, column] else [*upper, (left, bottom)])
    axes.add_collection(PolyCollection(corners, facecolors=LATER, linewidths=0), autolim=False)


def _draw_weights(axes: Axes, sentence: Sentence) -> AxesImage:
    """Draw the weights of the visible cells; the others are hatched."""
    axes.patch.set(**HIDDEN)  # visible where a weight is NaN
    weights = np.where(sentence.combined > 0, np.nan, sentence.weights)
    return axes.imshow(weights, cmap=colormap(0), norm=Normalize(0, 1), aspect="auto")


def _label(axes: Axes, sentence: Sentence, is_first: bool) -> None:
    """Label the columns of a panel, and the rows of the first one; draw lines between cells."""
    label(axes, sentence.labels if is_first else [], sentence.labels)
    for texts in (axes.get_xticklabels(), axes.get_yticklabels()):
        for text, is_padding in zip(texts, sentence.padding[0], strict=False):
            text.set_color("0.6" if is_padding else "black")
    between = np.arange(len(sentence.labels) - 1) + 0.5
    axes.set_xticks(between, minor=True)
    axes.set_yticks(between, minor=True)
    axes.grid(which="minor", color=GRID, linewidth=0.4)
    axes.tick_params(which="both", length=0)


def _write(axes: Axes, matrix: NDArray[np.floating], decimals: int) -> None:
    """Write the values of a matrix into its cells, without the zero before the point."""
    for (row, column), value in np.ndenumerate(matrix):
        text = f"{value:.{decimals}f}".removeprefix("0") if value else "0"
        hue = "white" if decimals and value > 0.5 else "0.2" if value else "0.5"
        written = axes.text(column, row, text, color=hue, fontsize=6)
        written.set(horizontalalignment="center", verticalalignment="center_baseline")


def _name_axes(sheet: Sheet, left: float, bottom: float, width: float, panel: float) -> None:
    """Name the rows of the first panel, and the columns of all panels."""
    y = 2 * LINE + panel / 2
    sheet.write(TICK, y, "query", rotation=90, ha="left", va="center")
    x = left + width / 2
    sheet.write(
        x, bottom + AXIS_TITLE / 2, "key: the position attended to", ha="center", va="center"
    )


def _draw_legend(sheet: Sheet, image: AxesImage, left: float) -> None:
    """Explain the colors of the masks and of the weights to the right of the panels."""
    handles = [
        Patch(facecolor="white", edgecolor="0.6", linewidth=0.5, label="0: visible"),
        Patch(facecolor=PADDING, label="1: hidden, padding"),
        Patch(facecolor=LATER, label="1: hidden, later position"),
        Patch(**HIDDEN, label="hidden: weight 0"),
    ]
    sheet.add_legend(handles, left, 2 * LINE)
    axes = sheet.add_axes(Box(left, 7 * LINE, 0.12, BAR))
    bar = sheet.figure.colorbar(image, cax=axes)
    bar.ax.tick_params(labelsize=LABEL_SIZE, length=2, pad=2)
    bar.set_label("attention weight", fontsize=LABEL_SIZE)
