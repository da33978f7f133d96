"""Heat maps of attention weights, laid out in inches so that labels do not overlap."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.patches import Patch
from numpy.typing import NDArray

from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.sheets import CELL, GAP, LINE, TICK, Box, Sheet, flow, label
from keras_transformer.pictures.style import (
    COLORS,
    LABEL_SIZE,
    TEXT_SIZE,
    color,
    colormap,
    text_color,
    text_width,
)

PAGE = 11.0, 7.5  # inches; the panels of a sheet are arranged to fill a page of this size
# Lengths in inches.
MIN_PANEL = 1.6  # the longer side of a panel
AXIS_TITLE = 0.27  # height of the title of an axis
COLOR_BAR = 0.45  # width of the labels of the color bar
HUE = 0.12  # width of each hue of the color bar
STRIP = 0.8  # width of the bars of a strip
# The pattern of hidden cells: no value of any color map has it.
HIDDEN: dict[str, Any] = {
    "facecolor": "0.95",
    "edgecolor": "0.72",
    "hatch": "//////",
    "linewidth": 0,
}
GRID = "0.9"  # color of the lines between cells
STRIP_COLOR, NOTED_COLOR = "0.35", color(1)


class Axis(NamedTuple):
    """An axis of a heat map.

    Attributes:
        title: title of the axis.
        labels: label of each row or column.
    """

    title: str
    labels: Sequence[str]


class Panel(NamedTuple):
    """One heat map.

    Attributes:
        title: title of the panel.
        weights: array (row, column), from 0 (white) to 1 (dark). NaN (hatched) marks a hidden
            position.
        hue: number of the color map, from 0.
    """

    title: str
    weights: NDArray[np.floating]
    hue: int


class Strip(NamedTuple):
    """Bars to the left of the panels of a band, one for each row.

    Attributes:
        title: title of the strip.
        values: array (row,), from 0 to 1.
        notes: text to the right of each bar.
        noted: whether each bar is highlighted.
    """

    title: str
    values: NDArray[np.floating]
    notes: Sequence[str]
    noted: Sequence[bool]


class Band(NamedTuple):
    """Panels with the same rows and columns.

    Attributes:
        title: title of the band; empty for none.
        rows: `Axis` of the rows.
        columns: `Axis` of the columns.
        panels: the `Panel`s.
        strip: the `Strip`, or None.
    """

    title: str
    rows: Axis
    columns: Axis
    panels: Sequence[Panel]
    strip: Strip | None = None


class Layout(NamedTuple):
    """The arrangement of the panels of a band. Sizes are widths and heights in inches.

    Attributes:
        rows: number of rows of panels.
        columns: number of columns of panels.
        panel: size of a panel.
        margin: space for the labels, to the left of a panel and below it.
        pitch: distance between the origins of adjacent panels.
        strip: width of the strip with its labels and notes; 0 without a strip.
        title: height of the title of the band; 0 without a title.
        side: length of the title of the rows.
        least: least width of the band, that of its title.
    """

    rows: int
    columns: int
    panel: tuple[float, float]
    margin: tuple[float, float]
    pitch: tuple[float, float]
    strip: float
    title: float
    side: float
    least: float

    @property
    def body(self) -> float:
        """The height of the panels with their labels."""
        return max(self.rows * self.pitch[1] - GAP, self.side + GAP)

    @property
    def size(self) -> tuple[float, float]:
        """The size of the band, with its titles and the gap below it."""
        width = AXIS_TITLE + self.strip + self.columns * self.pitch[0]
        return max(width, self.least), self.title + self.body + AXIS_TITLE + GAP


def plot_attention(
    weights: NDArray[np.floating],
    rows: Axis,
    columns: Axis,
    title: str = "",
    text: Iterable[str] = (),
) -> NotebookFigure:
    """Plot one heat map per head.

    Args:
        weights: array (H, row, column), from 0 (white) to 1 (dark). NaN (hatched) marks a hidden
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
    panels = [Panel(f"head {head + 1}", matrix, head) for head, matrix in enumerate(weights)]
    return plot_bands([Band("", rows, columns, panels)], title, text)


def plot_bands(bands: Sequence[Band], title: str = "", text: Iterable[str] = ()) -> NotebookFigure:
    """Plot bands of heat maps on one sheet, each with its own labels.

    The panels of a single band are arranged to fill a page. Several bands are below one another,
    each with its panels side by side, so that they can be compared. Bands of one panel each are
    side by side as far as they fit on a page.

    Args:
        bands: the `Band`s.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.

    Returns:
        A figure that displays itself in a notebook.

    Raises:
        ValueError: If the numbers of labels do not match the shape of the weights.
        UserError: If the figure would be too large.
    """
    for band in bands:
        _check(band)
    layouts = [arrange(bands[0])] if len(bands) == 1 else side_by_side(bands)
    single = all(len(band.panels) == 1 for band in bands)
    places = flow([layout.size for layout in layouts], PAGE[0] if single else 0)
    right, bottom = (np.array(places) + [layout.size for layout in layouts]).max(0)
    panels = [panel for band in bands for panel in band.panels]
    hues = sorted({panel.hue % len(COLORS) for panel in panels})
    bar = _bar_box(right + GAP, layouts[0], len(hues))
    sheet = Sheet(bar.left + bar.width + COLOR_BAR, bottom, title, text)
    for band, layout, place in zip(bands, layouts, places, strict=True):
        _draw_band(sheet, band, layout, *place)
    _draw_color_bar(sheet, bar, hues)
    if any(np.isnan(panel.weights).any() for panel in panels):
        # Below the color bar.
        legend = Patch(**HIDDEN, label="hidden")
        sheet.add_legend([legend], bar.left, bar.top + bar.height + GAP / 2)
    return sheet.figure


def _check(band: Band) -> None:
    rows, columns = len(band.rows.labels), len(band.columns.labels)
    for panel in band.panels:
        if panel.weights.shape != (rows, columns):
            raise ValueError(
                f"weights {panel.weights.shape} do not fit {rows} rows, {columns} columns"
            )


def arrange(band: Band, across: int | None = None) -> Layout:
    """Return the `Layout` of a band.

    Args:
        band: the `Band`.
        across: number of panels side by side. By default, the panels are as large as possible when
            the sheet is scaled to fit a page.
    """
    rows, columns = band.rows.labels, band.columns.labels
    cell = max(CELL, MIN_PANEL / max(len(rows), len(columns)))
    panel = cell * len(columns), cell * len(rows)
    margin = text_width(rows, LABEL_SIZE) + TICK, text_width(columns, LABEL_SIZE) + TICK
    titles = text_width([each.title for each in band.panels], TEXT_SIZE)
    pitch = max(panel[0], titles) + margin[0] + GAP, panel[1] + margin[1] + LINE + GAP
    strip = _strip_width(band.strip, margin[0])
    count = len(band.panels)
    across = across or min(range(1, count + 1), key=lambda n: _pages(n, count, pitch, strip))
    side = text_width([band.rows.title], TEXT_SIZE)
    least = text_width([band.title], TEXT_SIZE, "bold") + 2 * GAP
    title = 1.3 * LINE if band.title else 0.0
    down = math.ceil(count / across)
    return Layout(down, across, panel, margin, pitch, strip, title, side, least)


def side_by_side(bands: Sequence[Band]) -> list[Layout]:
    """Return a `Layout` for each band, with all its panels side by side.

    If all bands have the same number of panels, and more than one, the panels of different bands
    are aligned.
    """
    layouts = [arrange(band, len(band.panels)) for band in bands]
    counts = {layout.columns for layout in layouts}
    if len(counts) > 1 or counts == {1}:
        return layouts
    margin = max(layout.margin[0] for layout in layouts)
    width = margin + max(layout.pitch[0] - layout.margin[0] for layout in layouts)
    strip = max(layout.strip for layout in layouts)
    return [
        each._replace(margin=(margin, each.margin[1]), pitch=(width, each.pitch[1]), strip=strip)
        for each in layouts
    ]


def _strip_width(strip: Strip | None, margin: float) -> float:
    if strip is None:
        return 0.0
    width = STRIP + TICK + text_width(strip.notes, LABEL_SIZE)
    return margin + max(width, text_width([strip.title], TEXT_SIZE)) + GAP


def _pages(across: int, count: int, pitch: tuple[float, float], strip: float) -> float:
    """Return how many pages wide or high the panels are, whichever is more."""
    down = math.ceil(count / across)
    return max((across * pitch[0] + strip) / PAGE[0], down * pitch[1] / PAGE[1])


def _draw_band(sheet: Sheet, band: Band, layout: Layout, left: float, top: float) -> None:
    """Draw a band whose upper left corner is at the given place of the sheet."""
    if band.title:
        sheet.write(left + GAP, top + LINE, band.title, fontweight="bold")
    top += layout.title
    _write_axis_titles(sheet, band, layout, left, top)
    for number, panel in enumerate(band.panels):
        row, column = divmod(number, layout.columns)
        origin = left + AXIS_TITLE, top + row * layout.pitch[1] + LINE
        if band.strip and not column:
            box = Box(origin[0] + layout.margin[0], origin[1], STRIP, layout.panel[1])
            _draw_strip(sheet.add_axes(box), band.strip, band.rows.labels)
        x = origin[0] + layout.strip + column * layout.pitch[0] + layout.margin[0]
        axes = sheet.add_axes(Box(x, origin[1], *layout.panel))
        _draw_panel(axes, panel, band.rows.labels, band.columns.labels)


def _write_axis_titles(sheet: Sheet, band: Band, layout: Layout, left: float, top: float) -> None:
    """Write the title of the rows to the left of a band's panels, and of the columns below."""
    y = top + max(LINE + layout.body - layout.margin[1], layout.side + GAP) / 2
    x = left + TICK + (0 if band.strip else layout.strip)
    sheet.write(x, y, band.rows.title, rotation=90, va="center", ha="left")
    across = layout.columns * layout.pitch[0] + layout.margin[0] - GAP
    x = left + AXIS_TITLE + layout.strip + across / 2
    y = top + layout.body + AXIS_TITLE - TICK
    sheet.write(x, y, band.columns.title, va="bottom", ha="center")


def _draw_panel(axes: Axes, panel: Panel, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Draw the weights of a panel with labels."""
    axes.patch.set(**HIDDEN)  # visible where a weight is NaN
    axes.imshow(panel.weights, cmap=colormap(panel.hue), norm=Normalize(0, 1), aspect="auto")
    axes.set_title(panel.title, fontsize=TEXT_SIZE, pad=3, color=text_color(panel.hue))
    axes.add_collection(_grid(len(rows), len(columns)), autolim=False)
    label(axes, rows, columns)


def _grid(rows: int, columns: int) -> LineCollection:
    """Return lines between rows and columns."""
    right, bottom = columns - 0.5, rows - 0.5
    lines = [[(-0.5, y - 0.5), (right, y - 0.5)] for y in range(1, rows)]
    lines += [[(x - 0.5, -0.5), (x - 0.5, bottom)] for x in range(1, columns)]
    return LineCollection(lines, colors=GRID, linewidths=0.3)


def _draw_strip(axes: Axes, strip: Strip, rows: Sequence[str]) -> None:
    """Draw a strip with its labels and notes."""
    colors = [NOTED_COLOR if noted else STRIP_COLOR for noted in strip.noted]
    axes.barh(range(len(rows)), strip.values, 0.7, color=colors)
    axes.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5))
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.set_title(strip.title, fontsize=TEXT_SIZE, pad=3, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    label(axes, rows, None)
    for row, note in enumerate(strip.notes):
        text = axes.annotate(
            note, (1, row), (TICK * 72, 0), textcoords="offset points", fontsize=LABEL_SIZE
        )
        text.set(verticalalignment="center_baseline", color=colors[row], parse_math=False)


def _bar_box(left: float, layout: Layout, hues: int) -> Box:
    """Return the place of the color bar, to the right of the panels of the first band."""
    return Box(left, LINE, HUE * hues, min(MIN_PANEL, max(layout.panel[1], MIN_PANEL / 2)))


def _draw_color_bar(sheet: Sheet, box: Box, hues: Sequence[int]) -> None:
    """Draw the color bar, with the hues side by side. All have the same lightness."""
    axes = sheet.add_axes(box)
    values = np.linspace(1, 0, 256)
    shades = np.stack([colormap(hue)(values)[:, :3] for hue in hues], axis=1)  # (256, hues, 3)
    axes.imshow(shades, extent=(0, 1, 0, 1), aspect="auto", interpolation="nearest")
    axes.set_xticks([])
    axes.yaxis.tick_right()
    axes.yaxis.set_label_position("right")
    axes.set_yticks(np.linspace(0, 1, 6))
    axes.set_ylabel("attention weight", fontsize=LABEL_SIZE)
