"""Curves of repeated measurements: the mean, and the range between the smallest and the largest."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import DPI, LABEL_SIZE, TEXT_SIZE, color, text_widths

PANEL = 3.6, 2.7  # width and height in inches
MARGIN = 0.6  # inches, for the titles and the labels of the axes
HANDLE = 0.45  # inches of the legend beside its labels


class Spread(NamedTuple):
    """The same curve, measured several times.

    Attributes:
        label: label in the legend.
        values: array (repetitions, points).
    """

    label: str
    values: NDArray[np.floating]


def plot_spreads(
    panels: Mapping[str, Sequence[Spread]], x: ArrayLike, x_title: str, title: str = ""
) -> NotebookFigure:
    """Plot repeated measurements, one panel beside the other, with a common y-axis.

    Args:
        panels: {title of a panel: its curves}. Curve n has the same color in every panel.
        x: array (points,).
        x_title: title of the x-axis.
        title: title of the figure.

    Returns:
        A figure that displays itself in a notebook.
    """
    labels = [spread.label for spreads in panels.values() for spread in spreads]
    legend = HANDLE + max(text_widths(labels, LABEL_SIZE))
    width = len(panels) * (PANEL[0] + MARGIN) + legend
    figure = NotebookFigure(figsize=(width, PANEL[1] + 2.2 * MARGIN), dpi=DPI)
    grid = figure.subplots(1, len(panels), sharey=True, squeeze=False)
    figure.subplots_adjust(
        left=MARGIN / width,
        right=1 - legend / width,
        bottom=MARGIN / (PANEL[1] + 2.2 * MARGIN),
        top=1 - 1.2 * MARGIN / (PANEL[1] + 2.2 * MARGIN),
        wspace=MARGIN / 2 / PANEL[0],
    )
    for axes, (name, spreads) in zip(grid[0], panels.items(), strict=True):
        _draw_panel(axes, name, spreads, np.asarray(x), x_title)
    left = MARGIN / width
    figure.suptitle(title, x=left, ha="left", fontsize=TEXT_SIZE + 1, fontweight="bold")
    _add_legend(figure, grid[0][-1])
    return figure


def _draw_panel(
    axes: Axes, title: str, spreads: Sequence[Spread], x: NDArray, x_title: str
) -> None:
    for number, (label, values) in enumerate(spreads):
        hue = color(number)
        marker = "o" if len(x) == 1 else None  # of a single point, there is no line
        axes.plot(x, values.mean(axis=0), color=hue, marker=marker, linewidth=1.4, label=label)
        low, high = values.min(axis=0), values.max(axis=0)
        axes.fill_between(x, low, high, color=hue, alpha=0.15, linewidth=0)
    axes.set_title(title, fontsize=TEXT_SIZE, loc="left")
    axes.set_xlabel(x_title, fontsize=TEXT_SIZE)
    axes.tick_params(labelsize=LABEL_SIZE, length=2)
    axes.grid(color="0.9", linewidth=0.6)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _add_legend(figure: Figure, last: Axes) -> None:
    """Add the legend to the right of the last panel, from the largest mean at the end downward."""
    lines = sorted(last.lines, key=lambda line: -np.asarray(line.get_ydata())[-1])
    last.legend(
        lines,
        [str(line.get_label()) for line in lines],
        loc="upper left",
        bbox_to_anchor=(1.02, 1),
        fontsize=LABEL_SIZE,
        frameon=False,
    )
