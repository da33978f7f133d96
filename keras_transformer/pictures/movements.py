"""Maps of points that move: labels before and after, and arrows from one to the other."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from keras_transformer.pictures.maps import MAP, RADIUS, place_labels
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.sheets import GAP, LINE, Box, Sheet
from keras_transformer.pictures.style import LABEL_SIZE, TEXT_SIZE, color, text_width

MARGIN = 0.3  # inches, for the titles of the axes
INSIDE = 0.35  # inches between the outermost points and the edge of the map
LABEL_HEIGHT = 0.125
BEFORE, AFTER = color(0), color(1)
ARROW, REPEATED = "0.8", "0.35"  # colors of arrows; of those of a label that occurs repeatedly
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def plot_movements(
    before: NDArray[np.floating],
    after: NDArray[np.floating],
    labels: Sequence[str],
    names: tuple[str, str],
    axes_titles: tuple[str, str],
    title: str = "",
    text: Iterable[str] = (),
) -> NotebookFigure:
    """Plot points before and after they move, with an arrow from one place to the other.

    Points with the same label are at the same place before, which is labelled once. After, the
    number of each point is a subscript of its label.

    Args:
        before: array (N, 2) of coordinates.
        after: array (N, 2) of coordinates. Both axes have the same scale.
        labels: the label of each point.
        names: names of the points before and after, for the legend.
        axes_titles: titles of the horizontal and of the vertical axis.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.

    Returns:
        A figure that displays itself in a notebook.
    """
    count = len(labels)
    places = _in_inches(np.concatenate([before, after]))
    first = [labels.index(label) for label in dict.fromkeys(labels)]
    marks = _marks(places, labels, first)
    missing = sum(mark.box is None for mark in marks)
    notes = [f"{missing} labels are missing, for lack of room."] if missing else []
    sheet = Sheet(MAP[0] + MARGIN + 2 * GAP, MAP[1] + LINE + MARGIN + GAP, title, [*text, *notes])
    axes = _add_map(sheet, axes_titles)
    _draw_arrows(axes, places, [labels.count(label) > 1 for label in labels])
    size = 2 * RADIUS * 72
    axes.plot(*places[first].T, "o", color=BEFORE, markersize=size, label=names[0])
    axes.plot(*places[count:].T, "s", color=AFTER, markersize=size, label=names[1])
    axes.legend(
        loc="lower right", bbox_to_anchor=(1, 1), ncols=2, fontsize=TEXT_SIZE, frameon=False
    )
    for mark in marks:
        _draw_label(axes, mark)
    return sheet.figure


class Mark(NamedTuple):
    """A label, its color, the place (2,) of its point, and its own place (4,), or None."""

    label: str
    color: str
    point: NDArray[np.float64]
    box: NDArray[np.float64] | None


def _marks(places: NDArray[np.float64], labels: Sequence[str], first: Sequence[int]) -> list[Mark]:
    """Return the labels of all points after moving, and of those before that are `first`."""
    numbered = [f"{label}{str(n).translate(SUBSCRIPTS)}" for n, label in enumerate(labels)]
    texts = [*numbered, *(labels[i] for i in first)]
    points = np.concatenate([places[len(labels) :], places[first]])
    sizes = np.array([(text_width([text], LABEL_SIZE), LABEL_HEIGHT) for text in texts])
    hues = [AFTER] * len(labels) + [BEFORE] * len(first)
    return list(map(Mark, texts, hues, points, place_labels(points, sizes)))


def _add_map(sheet: Sheet, titles: tuple[str, str]) -> Axes:
    """Add axes whose coordinates are inches."""
    axes = sheet.add_axes(Box(MARGIN + GAP, LINE, *MAP))
    axes.set(xlim=(0, MAP[0]), ylim=(0, MAP[1]), xticks=[], yticks=[])
    axes.set_xlabel(titles[0], fontsize=TEXT_SIZE)
    axes.set_ylabel(titles[1], fontsize=TEXT_SIZE)
    axes.spines[:].set_color("0.8")
    return axes


def _in_inches(points: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the places (N, 2) of points on the map: as large as possible, and centered."""
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.array(MAP) - 2 * INSIDE
    scale = (room / np.maximum(high - low, 1e-12)).min()  # all points may be equal
    return np.array(MAP) / 2 + (points - (low + high) / 2) * scale


def _draw_arrows(axes: Axes, places: NDArray[np.float64], repeated: Sequence[bool]) -> None:
    """Draw an arrow for each of N points, given 2 N places: all before, and all after."""
    for number, is_repeated in enumerate(repeated):
        hue = REPEATED if is_repeated else ARROW
        style = {"arrowstyle": "-|>", "color": hue, "linewidth": 0.9, "shrinkA": 3, "shrinkB": 3}
        start, end = places[number], places[len(repeated) + number]
        axes.annotate("", xy=end, xytext=start, arrowprops=style, zorder=2 if is_repeated else 1)


def _draw_label(axes: Axes, mark: Mark) -> None:
    """Draw a label at its place, and a line from there to its point."""
    if mark.box is None:
        return
    nearest = np.clip(mark.point, mark.box[:2], mark.box[2:])
    axes.plot(*np.stack([mark.point, nearest]).T, color=mark.color, linewidth=0.5)
    x, y = (mark.box[:2] + mark.box[2:]) / 2
    text = axes.text(x, y, mark.label, fontsize=LABEL_SIZE)
    text.set(ha="center", va="center_baseline", color=mark.color, parse_math=False)
    text.set_path_effects([withStroke(linewidth=2, foreground="white")])
