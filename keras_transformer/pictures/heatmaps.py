"""Heat maps of attention weights, laid out in inches so that labels do not overlap."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Patch
from numpy.typing import NDArray

from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import (
    DPI,
    HIDDEN,
    LABEL_SIZE,
    SEQUENTIAL,
    TEXT_SIZE,
    text_width,
    wrapped,
)

PAGE = 11.0, 7.5  # inches; panels are arranged to fill a page of this size
# Lengths in inches.
CELL = 0.14  # a row or column, large enough for its label
MIN_PANEL = 1.6  # the longer side of a panel
GAP = 0.15
TICK = 0.07  # between a label and its row or column
LINE = 0.19  # height of a line of text above the panels
AXIS_TITLE = 0.27  # height of the title of an axis
COLOR_BAR = 0.9  # width of the color bar with its labels

Size: TypeAlias = tuple[float, float]  # width, height in inches


class Axis(NamedTuple):
    """An axis of a heat map.

    Attributes:
        title: title of the axis.
        labels: label of each row or column.
    """

    title: str
    labels: Sequence[str]


class Layout(NamedTuple):
    """The arrangement of the panels.

    Attributes:
        rows: number of rows of panels.
        columns: number of columns of panels.
        panel: size of a panel.
        margin: space for the labels, to the left of a panel and below it.
        pitch: distance between the origins of adjacent panels.
    """

    rows: int
    columns: int
    panel: Size
    margin: Size
    pitch: Size


def plot_attention(
    weights: NDArray[np.floating],
    rows: Axis,
    columns: Axis,
    title: str = "",
    text: Iterable[str] = (),
) -> NotebookFigure:
    """Plot one heat map per head.

    Args:
        weights: array (H, row, column), from 0 (dark) to 1 (bright). NaN (gray) marks a hidden
            position.
        rows: `Axis` of the rows.
        columns: `Axis` of the columns.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.

    Returns:
        A figure that displays itself in a notebook.

    Raises:
        ValueError: If the numbers of labels do not match the shape of the weights.
    """
    shape = len(weights), len(rows.labels), len(columns.labels)
    if weights.shape != shape:
        raise ValueError(f"weights {weights.shape} do not fit {shape[1]} rows, {shape[2]} columns")
    layout = arrange(len(weights), rows.labels, columns.labels)
    width = layout.columns * layout.pitch[0] + AXIS_TITLE + GAP + COLOR_BAR
    width = max(width, text_width([title], TEXT_SIZE + 1, "bold") + 3 * GAP)
    lines = [line for string in text for line in wrapped(string, width - 3 * GAP)]
    top = GAP + LINE * (len(lines) + 2)
    height = (
        top + max(layout.rows * layout.pitch[1], text_width([rows.title], TEXT_SIZE)) + AXIS_TITLE
    )
    figure = NotebookFigure(figsize=(width, height), dpi=DPI)
    _write_heading(figure, title, lines)
    _write_axis_titles(figure, layout, top, rows.title, columns.title)
    for head, matrix in enumerate(weights):
        panel = _add_panel(figure, layout, head, top)
        image = _draw_head(panel, matrix, rows.labels, columns.labels, f"head {head + 1}")
    _add_color_bar(figure, layout, top, image)
    if np.isnan(weights).any():
        _add_legend(figure, layout, top)
    return figure


def arrange(heads: int, rows: Sequence[str], columns: Sequence[str]) -> Layout:
    """Return the `Layout` in which the panels are largest when scaled to fit a page.

    Args:
        heads: number of panels.
        rows: labels of the rows.
        columns: labels of the columns.
    """
    cell = max(CELL, MIN_PANEL / max(len(rows), len(columns)))
    panel = cell * len(columns), cell * len(rows)
    margin = text_width(rows, LABEL_SIZE) + TICK, text_width(columns, LABEL_SIZE) + TICK
    pitch = panel[0] + margin[0] + GAP, panel[1] + margin[1] + LINE + GAP

    def pages(across: int) -> float:
        return max(across * pitch[0] / PAGE[0], math.ceil(heads / across) * pitch[1] / PAGE[1])

    across = min(range(1, heads + 1), key=pages)
    return Layout(math.ceil(heads / across), across, panel, margin, pitch)


def _write_heading(figure: Figure, title: str, lines: Sequence[str]) -> None:
    width, height = figure.get_size_inches()
    left, size = GAP / width, TEXT_SIZE + 1
    heading = figure.suptitle(title, x=left, y=1 - GAP / height, fontsize=size, fontweight="bold")
    heading.set(horizontalalignment="left", verticalalignment="top", parse_math=False)
    for number, line in enumerate(lines, 1):
        y = 1 - (GAP + number * LINE * 1.1) / height
        figure.text(left, y, line, fontsize=TEXT_SIZE, verticalalignment="top", parse_math=False)


def _write_axis_titles(figure: Figure, layout: Layout, top: float, rows: str, columns: str) -> None:
    """Write the title of the rows to the left of all panels, and of the columns below them."""
    width, height = figure.get_size_inches()
    across, down = layout.columns * layout.pitch[0], layout.rows * layout.pitch[1]
    x = AXIS_TITLE + (across + layout.margin[0]) / 2
    y = height - top - max(down - layout.margin[1], text_width([rows], TEXT_SIZE)) / 2
    below = figure.supxlabel(columns, x=x / width, y=TICK / height, va="bottom")
    left = figure.supylabel(rows, x=TICK / width, y=y / height, ha="left")
    for title in (below, left):
        title.set(fontsize=TEXT_SIZE, parse_math=False)


def _add_panel(figure: Figure, layout: Layout, number: int, top: float) -> Axes:
    """Add axes for panel `number`, from 0; the first row is `top` inches below the top."""
    (width, height), row = figure.get_size_inches(), number // layout.columns
    left = AXIS_TITLE + number % layout.columns * layout.pitch[0] + layout.margin[0]
    bottom = height - top - row * layout.pitch[1] - LINE - layout.panel[1]
    size = layout.panel[0] / width, layout.panel[1] / height
    return figure.add_axes((left / width, bottom / height, *size))


def _draw_head(
    panel: Axes,
    weights: NDArray[np.floating],
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
) -> AxesImage:
    """Draw the weights (row, column) of a head with labels, and return the image."""
    panel.set_facecolor(HIDDEN)  # visible where a weight is NaN
    image = panel.imshow(weights, cmap=SEQUENTIAL, norm=Normalize(0, 1), aspect="auto")
    panel.set_title(title, fontsize=TEXT_SIZE, pad=3)
    panel.tick_params(length=2, pad=2)
    panel.set_xticks(range(len(columns)), columns, rotation=90)
    panel.set_yticks(range(len(rows)), rows)
    for label in (*panel.get_xticklabels(), *panel.get_yticklabels()):
        label.set(fontsize=LABEL_SIZE, parse_math=False)  # "$" is a subword, not a formula
    return image


def _color_bar_height(layout: Layout) -> float:
    return min(MIN_PANEL, max(layout.panel[1], MIN_PANEL / 2))


def _add_color_bar(figure: Figure, layout: Layout, top: float, image: AxesImage) -> None:
    """Draw the color bar to the right of the panels."""
    width, height = figure.get_size_inches()
    length = _color_bar_height(layout)
    left, bottom = width - COLOR_BAR, height - top - LINE - length
    axes = figure.add_axes((left / width, bottom / height, 0.12 / width, length / height))
    bar = figure.colorbar(image, cax=axes)
    bar.ax.tick_params(labelsize=LABEL_SIZE, length=2, pad=2)
    bar.set_label("attention weight", fontsize=LABEL_SIZE)


def _add_legend(figure: Figure, layout: Layout, top: float) -> None:
    """Explain the color of hidden positions below the color bar."""
    width, height = figure.get_size_inches()
    upper = height - top - LINE - _color_bar_height(layout) - GAP / 2
    figure.legend(
        handles=[Patch(facecolor=HIDDEN, label="hidden")],
        loc="upper left",
        bbox_to_anchor=((width - COLOR_BAR) / width, upper / height),
        fontsize=LABEL_SIZE,
        frameon=False,
        handlelength=1.2,
        borderpad=0,
        borderaxespad=0,
    )
