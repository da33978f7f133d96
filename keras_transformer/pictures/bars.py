"""Bar charts: values from 0 to 1 of the same items for several heads, one row of bars per head."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.sheets import CELL, GAP, LINE, TICK, Box, Sheet, flow, label
from keras_transformer.pictures.style import LABEL_SIZE, TEXT_SIZE, color, text_color, text_width

WIDTH = 11.0  # inches; charts are placed side by side up to this width
MIN_FIGURE_WIDTH = 5.0  # inches; space for the text above the charts
# Lengths in inches.
BARS = 0.5  # height of a row of bars
MIN_WIDTH = 2.4  # of a row of bars
SCALE = 0.3  # space for the numbers on the vertical axis
AXIS_TITLE = 0.2  # height of the title of the horizontal axis
MOST = 1.25  # upper limit of the vertical axis, with space for a number above a bar of height 1


class Bars(NamedTuple):
    """A row of bars.

    Attributes:
        name: name of the row.
        values: array (N,), from 0 to 1.
        hue: number of the color, from 0.
    """

    name: str
    values: NDArray[np.floating]
    hue: int


class Chart(NamedTuple):
    """Rows of bars with the same N items.

    Attributes:
        title: title of the chart; empty for none.
        items: label of each bar.
        axis: title of the horizontal axis.
        rows: the `Bars`.
    """

    title: str
    items: Sequence[str]
    axis: str
    rows: Sequence[Bars]


def plot_bars(charts: Sequence[Chart], title: str = "", text: Iterable[str] = ()) -> NotebookFigure:
    """Plot charts. The highest bar of each row is labelled with its value.

    Args:
        charts: the `Chart`s.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.

    Returns:
        A figure that displays itself in a notebook.

    Raises:
        ValueError: If the number of values of a row differs from that of the items.
        UserError: If the figure would be too large.
    """
    for chart in charts:
        for row in chart.rows:
            if row.values.shape != (len(chart.items),):
                raise ValueError(f"values {row.values.shape} do not fit {len(chart.items)} items")
    sizes = [_size(chart) for chart in charts]
    places = flow(sizes, WIDTH)
    width, height = (np.array(places) + sizes).max(0)
    sheet = Sheet(max(width, MIN_FIGURE_WIDTH), height, title, text)
    for chart, (left, top) in zip(charts, places, strict=True):
        _draw_chart(sheet, chart, left, top)
    return sheet.figure


def _size(chart: Chart) -> tuple[float, float]:
    """Return the width and height of a chart in inches."""
    width = _names_width(chart) + _bars_width(chart) + 2 * GAP
    title = text_width([chart.title], TEXT_SIZE, "bold") + 2 * GAP
    return max(width, title), 1.5 * LINE * bool(chart.title) + BARS * len(chart.rows) + _below(
        chart
    ) + GAP


def _below(chart: Chart) -> float:
    """Return the height of the labels and of the title below the bars."""
    return text_width(chart.items, LABEL_SIZE) + TICK + AXIS_TITLE


def _names_width(chart: Chart) -> float:
    return GAP + text_width([row.name for row in chart.rows], TEXT_SIZE) + SCALE


def _bars_width(chart: Chart) -> float:
    return max(MIN_WIDTH, CELL * len(chart.items), text_width([chart.axis], TEXT_SIZE))


def _draw_chart(sheet: Sheet, chart: Chart, left: float, top: float) -> None:
    """Draw a chart whose upper left corner is at the given place of the sheet."""
    if chart.title:
        sheet.write(left + GAP, top + LINE, chart.title, fontweight="bold")
        top += 1.5 * LINE
    x, width = left + _names_width(chart), _bars_width(chart)
    for number, row in enumerate(chart.rows):
        y = top + number * BARS
        axes = sheet.add_axes(Box(x, y, width, BARS * 0.85))
        options = {"va": "center", "ha": "left", "color": text_color(row.hue)}
        sheet.write(left + GAP, y + BARS / 2, row.name, **options)
        _draw_bars(axes, row)
        is_last = number == len(chart.rows) - 1
        label(axes, None, chart.items if is_last else [""] * len(chart.items))
    y = top + BARS * len(chart.rows) + _below(chart)
    sheet.write(x + width / 2, y, chart.axis, va="bottom", ha="center")


def _draw_bars(axes: Axes, row: Bars) -> None:
    """Draw a row of bars, with the value above the highest one."""
    axes.bar(range(len(row.values)), row.values, 0.75, color=color(row.hue))
    axes.set(xlim=(-0.6, len(row.values) - 0.4), ylim=(0, MOST))
    axes.set_yticks([0, 0.5, 1], ["0", "", "1"])
    axes.grid(axis="y", color="0.9", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    best = int(np.argmax(row.values))
    value = float(row.values[best])
    text = axes.annotate(
        f"{value:.2f}", (best, value), (0, 1), textcoords="offset points", fontsize=LABEL_SIZE
    )
    text.set(horizontalalignment="center", verticalalignment="bottom")
