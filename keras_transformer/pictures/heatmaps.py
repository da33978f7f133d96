"""Heat maps of attention weights, laid out in inches so that no label meets another."""

import contextlib
import math
import textwrap
import warnings
from pathlib import Path
from typing import NamedTuple

from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Patch

# Dark to bright in even steps, also for those who do not see all colors.
COLORS, HIDDEN = "viridis", "0.85"
LABEL, TEXT = 7, 9  # points
DPI = 150
CELL = 0.14  # inches, enough for a label
SMALLEST = 1.6  # inches, the longer side of a panel
GAP = 0.15  # inches
TICK = 0.07  # inches, between a label and its row or column
LINE = 0.19  # inches, of the text above the panels
MOST_LINES, MOST_CHARACTERS = 4, 2000  # of each string
STRIP = 0.27  # inches, the title of an axis
SCALE = 0.9  # inches, the scale of the colors with its numbers
PAGE = 11.0, 7.5  # inches; panels are arranged so that they fit it as large as can be


class Axis(NamedTuple):
    """An axis of a heat map: what it is, and the label of each row or column."""

    title: str
    labels: list


class Layout(NamedTuple):
    """Where the panels are, in inches.

    `rows` and `columns` of panels, each of them `panel` (width, height) in size; before it come
    `margin` (width, height) for the labels, and `pitch` (width, height) is the way to the next.
    """

    rows: int
    columns: int
    panel: tuple
    margin: tuple
    pitch: tuple


def plot_attention(weights, rows, columns, title="", text=()):
    """Draws a panel for each head.

    Args:
        weights: array (H, row, column), from 0 (dark) to 1 (bright); NaN (gray) is hidden.
        rows: `Axis` of the rows.
        columns: `Axis` of the columns.
        title: above the panels.
        text: strings below the title, each wrapped to the width of the figure.

    Returns:
        A `matplotlib.figure.Figure`, for `save`.

    Raises:
        ValueError: the labels do not fit the weights.
    """
    shape = len(weights), len(rows.labels), len(columns.labels)
    if weights.shape != shape:
        raise ValueError(f"weights {weights.shape} do not fit {shape[1]} rows, {shape[2]} columns")
    layout = arrange(len(weights), rows.labels, columns.labels)
    width = layout.columns * layout.pitch[0] + STRIP + GAP + SCALE
    width = max(width, _width([title], TEXT + 1, "bold") + 3 * GAP)
    lines = [line for string in text for line in _wrapped(string, width - 3 * GAP)]
    top = GAP + LINE * (len(lines) + 2)
    height = top + max(layout.rows * layout.pitch[1], _width([rows.title], TEXT)) + STRIP
    figure = Figure(figsize=(width, height), dpi=DPI)
    _write_heading(figure, title, lines)
    _write_axis_titles(figure, layout, top, rows.title, columns.title)
    for head, matrix in enumerate(weights):
        panel = _add_panel(figure, layout, head, top)
        image = _draw_head(panel, matrix, rows.labels, columns.labels, f"head {head + 1}")
    _add_scale(figure, layout, top, image, (weights != weights).any())
    return figure


def arrange(heads, rows, columns):
    """Return the `Layout` that lets `heads` panels fit a page as large as can be.

    Args:
        heads: number of panels.
        rows: labels of the rows.
        columns: labels of the columns.
    """
    cell = max(CELL, SMALLEST / max(len(rows), len(columns)))
    panel = cell * len(columns), cell * len(rows)
    margin = _width(rows, LABEL) + TICK, _width(columns, LABEL) + TICK
    pitch = panel[0] + margin[0] + GAP, panel[1] + margin[1] + LINE + GAP

    def size_on_page(across):
        return max(across * pitch[0] / PAGE[0], math.ceil(heads / across) * pitch[1] / PAGE[1])

    across = min(range(1, heads + 1), key=size_on_page)
    return Layout(math.ceil(heads / across), across, panel, margin, pitch)


def _width(labels, size, weight="normal"):
    """Return the inches that the longest of some labels takes, in a font of `size` points."""
    measure = RendererAgg(1, 1, DPI).get_text_width_height_descent
    font = FontProperties(size=size, weight=weight)
    with _all_glyphs():
        return max(measure(label, font, False)[0] for label in labels) / DPI


def _wrapped(string, width):
    """Return the lines of a string that is wrapped to `width` inches; of a long one the first."""
    string = string[:MOST_CHARACTERS]
    count = len(string)
    while True:
        lines = textwrap.wrap(string, max(count, 2), max_lines=MOST_LINES, placeholder=" …") or [""]
        if _width(lines, TEXT) <= width or count <= 2:
            return lines
        count = int(count * 0.97)


def _write_heading(figure, title, lines):
    width, height = figure.get_size_inches()
    style = {"x": GAP / width, "verticalalignment": "top", "parse_math": False}
    figure.suptitle(
        title,
        y=1 - GAP / height,
        horizontalalignment="left",
        fontsize=TEXT + 1,
        fontweight="bold",
        **style,
    )
    for number, line in enumerate(lines, 1):
        figure.text(y=1 - (GAP + number * LINE * 1.1) / height, s=line, fontsize=TEXT, **style)


def _write_axis_titles(figure, layout, top, rows, columns):
    """Writes the titles of the axes once, beside and below all panels."""
    width, height = figure.get_size_inches()
    across, down = layout.columns * layout.pitch[0], layout.rows * layout.pitch[1]
    x = STRIP + (across + layout.margin[0]) / 2
    y = height - top - max(down - layout.margin[1], _width([rows], TEXT)) / 2
    style = {"fontsize": TEXT, "parse_math": False}
    figure.supxlabel(columns, x=x / width, y=TICK / height, va="bottom", **style)
    figure.supylabel(rows, x=TICK / width, y=y / height, ha="left", **style)


def _add_panel(figure, layout, number, top):
    """Return the axes of the panel of a number, from 0, below `top` inches."""
    (width, height), row = figure.get_size_inches(), number // layout.columns
    left = STRIP + number % layout.columns * layout.pitch[0] + layout.margin[0]
    bottom = height - top - row * layout.pitch[1] - LINE - layout.panel[1]
    size = layout.panel[0] / width, layout.panel[1] / height
    return figure.add_axes((left / width, bottom / height, *size))


def _draw_head(panel, weights, rows, columns, title):
    """Return the image of a matrix (row, column) that is drawn with its labels."""
    panel.set_facecolor(HIDDEN)  # what shows through where a weight is NaN
    image = panel.imshow(weights, cmap=COLORS, norm=Normalize(0, 1), aspect="auto")
    panel.set_title(title, fontsize=TEXT, pad=3)
    panel.tick_params(length=2, pad=2)
    # A subword such as $ is not mathematics.
    style = {"fontsize": LABEL, "parse_math": False}
    panel.set_xticks(range(len(columns)), columns, rotation=90, **style)
    panel.set_yticks(range(len(rows)), rows, **style)
    return image


def _add_scale(figure, layout, top, image, some_hidden):
    """Draws the scale of the colors right of the panels, and what gray means."""
    width, height = figure.get_size_inches()
    tall = min(SMALLEST, max(layout.panel[1], SMALLEST / 2))
    left, bottom = width - SCALE, height - top - LINE - tall
    axes = figure.add_axes((left / width, bottom / height, 0.12 / width, tall / height))
    bar = figure.colorbar(image, cax=axes)
    bar.ax.tick_params(labelsize=LABEL, length=2, pad=2)
    bar.set_label("attention weight", fontsize=LABEL)
    if some_hidden:
        place = left / width, (bottom - GAP / 2) / height
        style = {"fontsize": LABEL, "frameon": False, "handlelength": 1.2, "borderpad": 0}
        style |= {"loc": "upper left", "bbox_to_anchor": place, "borderaxespad": 0}
        figure.legend(handles=[Patch(facecolor=HIDDEN, label="hidden")], **style)


def check_picture(path):
    """Tells before anything is drawn what `save` could not do.

    Raises:
        ValueError: the name has no ending of a picture.
        OSError: there is no such directory, or the file is one.
    """
    path, formats = Path(path), sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix.lower().removeprefix(".") not in formats:
        raise ValueError(f"the name must end in one of .{', .'.join(formats)}")
    if not path.parent.is_dir():
        raise NotADirectoryError(f"{path.parent} is no directory")
    if path.is_dir():
        raise IsADirectoryError("it is a directory")


def save(figure, path):
    """Writes a figure to a file, whose ending names the format.

    Raises:
        OSError: the file cannot be written.
        ValueError: there is no such format.
    """
    with _all_glyphs():
        figure.savefig(path)


@contextlib.contextmanager
def _all_glyphs():
    """A script that the font lacks is drawn as boxes, which is no reason to complain."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield
