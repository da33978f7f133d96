"""Curves over a common axis, in panels side by side, with one legend for all of them."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator
from numpy.typing import NDArray

from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import DPI, LABEL_SIZE, TEXT_SIZE, text_width

ACROSS = 3  # panels side by side
WIDEST_LABEL = 60  # characters of a label in the legend, or of the title
LOGARITHMIC = 10  # ratio of the largest to the smallest value from which an axis is logarithmic
STEPS = 1, 2, 5, 10  # multiples between the numbers of an axis
# Lengths in inches.
PANEL = 2.75, 1.9
LEFT, RIGHT = 0.65, 0.25  # of each panel, for the labels of its axis
ABOVE, BELOW = 0.3, 0.3  # of each panel, for its title and the labels of its axis
CELL = LEFT + PANEL[0] + RIGHT, ABOVE + PANEL[1] + BELOW
MARGIN = 0.15
LINE = 0.22  # height of a line of the heading
X_TITLE = 0.25
HANDLE = 0.6  # width of a sample of a line in the legend, with the space around it


class Style(NamedTuple):
    """The appearance of a curve.

    Attributes:
        color: a color of Matplotlib.
        dashed: whether the line is dashed.
        points: whether each point has a marker.
    """

    color: str
    dashed: bool = False
    points: bool = False


class Series(NamedTuple):
    """A curve.

    Attributes:
        x: array (n,), increasing.
        y: array (n,). Values that are not finite are not drawn.
        style: its `Style`.
    """

    x: NDArray
    y: NDArray
    style: Style


class Panel(NamedTuple):
    """A panel.

    Attributes:
        title: title of the panel, with the unit of y.
        series: its curves.
        ratios: whether ratios of y matter. If values differ much, the axis is then logarithmic.
    """

    title: str
    series: Sequence[Series]
    ratios: bool = False


def plot_curves(
    panels: Sequence[Panel], x_title: str, legend: Sequence[tuple[str, Style]], title: str = ""
) -> NotebookFigure:
    """Plot curves in panels.

    Linear axes begin at 0, unless there are negative values.

    Args:
        panels: the `Panel`s, `ACROSS` of them in each row.
        x_title: title of the axis that all panels share.
        legend: label and `Style` of each entry of the legend.
        title: title of the figure.

    Returns:
        A figure that displays itself in a notebook.
    """
    labels, title = [shortened(label) for label, _ in legend], shortened(title)
    width = _width(len(panels), labels, title)
    entries = _entries_per_line(labels, width)
    heading = MARGIN + LINE * (1 + math.ceil(len(labels) / entries))
    height = heading + math.ceil(len(panels) / ACROSS) * CELL[1] + X_TITLE
    figure = NotebookFigure(figsize=(width, height), dpi=DPI)
    x, y = MARGIN / width, 1 - MARGIN / height
    figure.text(x, y, title, size=TEXT_SIZE + 1, weight="bold", va="top", parse_math=False)
    _add_legend(figure, labels, [style for _, style in legend], entries)
    for number, panel in enumerate(panels):
        row, column = divmod(number, ACROSS)
        left, bottom = column * CELL[0] + LEFT, X_TITLE + BELOW
        bottom += (math.ceil(len(panels) / ACROSS) - 1 - row) * CELL[1]
        size = PANEL[0] / width, PANEL[1] / height
        _draw_panel(figure.add_axes((left / width, bottom / height, *size)), panel)
    _share_x([axes for axes in figure.axes if axes.lines])
    figure.text(0.5, MARGIN / height / 2, x_title, size=TEXT_SIZE, ha="center", va="bottom")
    return figure


def _width(panels: int, labels: Sequence[str], title: str) -> float:
    """Return the width of a figure with a number of panels, in inches."""
    entry = text_width(labels, TEXT_SIZE) + HANDLE
    heading = text_width([title], TEXT_SIZE + 1, "bold")
    return max(min(panels, ACROSS) * CELL[0] + MARGIN, max(entry, heading) + 2 * MARGIN)


def shortened(label: str) -> str:
    """Return a label without its middle if it is too long for a legend."""
    if len(label) <= WIDEST_LABEL:
        return label
    half = WIDEST_LABEL // 2
    return f"{label[: half - 1]}…{label[-half:]}"


def _entries_per_line(labels: Sequence[str], width: float) -> int:
    widest = text_width(labels, TEXT_SIZE) + HANDLE
    return max(1, min(len(labels), int((width - 2 * MARGIN) / widest)))


def _add_legend(
    figure: Figure, labels: Sequence[str], styles: Sequence[Style], entries: int
) -> None:
    """Add a legend below the title, with a number of entries side by side."""
    width, height = figure.get_size_inches()
    handles = [Line2D([], [], **_line(style)) for style in styles]
    legend = figure.legend(
        handles,
        labels,
        loc="upper left",
        bbox_to_anchor=(MARGIN / width, 1 - (MARGIN + LINE) / height),
        ncols=entries,
        fontsize=TEXT_SIZE,
        frameon=False,
        handlelength=2.5,
        borderpad=0,
        borderaxespad=0,
        columnspacing=1.2,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)


def _line(style: Style) -> dict:
    """Return the arguments of Matplotlib for a line."""
    return {
        "color": style.color,
        "linestyle": (0, (3, 1.5)) if style.dashed else "solid",
        "linewidth": 1.2,
        "marker": "o" if style.points else "",
        "markersize": 3,
        "clip_on": False,  # markers on an axis are drawn completely
    }


def _draw_panel(axes: Axes, panel: Panel) -> None:
    axes.set_title(panel.title, fontsize=TEXT_SIZE, loc="left", pad=4, parse_math=False)
    axes.tick_params(labelsize=LABEL_SIZE, length=2, pad=2)
    axes.grid(color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    drawn = [_finite(series) for series in panel.series]
    for x, y, style in drawn:
        if len(x):
            axes.plot(x, y, **_line(style._replace(points=style.points or len(x) == 1)))
    if axes.lines:
        _scale(axes, np.concatenate([y for _, y, _ in drawn]), panel.ratios)
    else:
        axes.set(xticks=[], yticks=[])
        axes.text(0.5, 0.5, "no data", size=TEXT_SIZE, color="0.5", ha="center", va="center")


def _finite(series: Series) -> Series:
    good = np.isfinite(series.y)
    return Series(series.x[good], series.y[good], series.style)


def _scale(axes: Axes, values: NDArray, ratios: bool) -> None:
    """Choose a linear or a logarithmic axis, and write its numbers without powers of ten."""
    if ratios and 0 < LOGARITHMIC * values.min() < values.max():
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=12))
        axes.yaxis.set_minor_locator(NullLocator())
    else:
        low, high = min(0.0, values.min()), max(0.0, values.max())
        axes.set_ylim(low - (low < 0) * 0.05 * (high - low), (high + 0.05 * (high - low)) or 1)
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=STEPS))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: number(y)))


def number(value: float) -> str:
    """Return a number of an axis, such as 0.0005, 1.5 or 10,000."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return np.format_float_positional(float(f"{value:.6g}"), trim="-")


def _share_x(panels: Sequence[Axes]) -> None:
    """Give all panels the same range of x, with few numbers, so that they do not overlap."""
    low = min([0.0, *(axes.dataLim.x0 for axes in panels)])
    high = max([0.0, *(axes.dataLim.x1 for axes in panels)])
    for axes in panels:
        axes.set_xlim(low, high + 0.02 * (high - low) or 1)
        axes.xaxis.set_major_locator(MaxNLocator(4, steps=STEPS, integer=True))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: number(x)))
