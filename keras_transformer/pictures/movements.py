"""Maps of points that move: labels before and after, and arrows from one to the other."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from keras_transformer.pictures.maps import (
    LABEL_HEIGHT,
    RADIUS,
    Place,
    Size,
    add_map,
    frame,
    place_labels,
)
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.sheets import GAP, LINE, Sheet
from keras_transformer.pictures.style import LABEL_SIZE, TEXT_SIZE, color, text_widths

MARGIN = 0.3  # inches, for the titles of the axes
STEPS = 60  # points along an arrow that labels avoid
BEFORE, AFTER = color(0), color(1)
ARROW, REPEATED = "0.8", "0.35"  # colors of arrows; of those of a key that occurs repeatedly
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def plot_movements(
    before: NDArray[np.floating],
    after: NDArray[np.floating],
    labels: Sequence[str],
    names: tuple[str, str],
    axes_titles: tuple[str, str],
    title: str = "",
    text: Iterable[str] = (),
    keys: Sequence[Hashable] | None = None,
) -> NotebookFigure:
    """Plot points before and after they move, with an arrow from one place to the other.

    Points with the same key are at the same place before, which is labelled once. After, the number
    of each point is a subscript of its label.

    Args:
        before: array (N, 2) of coordinates.
        after: array (N, 2) of coordinates. Both axes have the same scale.
        labels: the label of each point.
        names: names of the points before and after, for the legend.
        axes_titles: titles of the horizontal and of the vertical axis.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.
        keys: the key of each point; its label by default.

    Returns:
        A figure that displays itself in a notebook.
    """
    count, keys = len(labels), list(keys or labels)
    size, places = frame(np.concatenate([before, after]))
    first = [keys.index(key) for key in dict.fromkeys(keys)]
    marks = _marks(places, labels, first, size)
    missing = sum(mark.box is None for mark in marks)
    notes = [f"Labels missing for lack of room: {missing}."] if missing else []
    width, height = size[0] + MARGIN + 2 * GAP, size[1] + LINE + MARGIN + GAP
    sheet = Sheet(width, height, title, [*text, *notes])
    axes = add_map(sheet, (MARGIN + GAP, LINE), size, axes_titles)
    _draw_arrows(axes, places, [keys.count(key) > 1 for key in keys])
    style: dict[str, Any] = {"markersize": 2 * RADIUS * 72, "linestyle": ""}
    axes.plot(*places[first].T, marker="o", color=BEFORE, label=names[0], **style)
    axes.plot(*places[count:].T, marker="s", color=AFTER, label=names[1], **style)
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
    box: Place | None


def _marks(
    places: NDArray[np.float64], labels: Sequence[str], first: Sequence[int], area: Size
) -> list[Mark]:
    """Return the labels of all points after moving, and of those before that are `first`."""
    count = len(labels)
    numbered = [f"{label}{str(n).translate(SUBSCRIPTS)}" for n, label in enumerate(labels)]
    texts = [*numbered, *(labels[i] for i in first)]
    points = np.concatenate([places[count:], places[first]])
    widths = text_widths(texts, LABEL_SIZE)
    sizes = np.stack([widths, np.full(len(widths), LABEL_HEIGHT)], axis=1)
    along = np.linspace(0, 1, STEPS)[:, np.newaxis, np.newaxis]
    arrows = ((1 - along) * places[:count] + along * places[count:]).reshape(-1, 2)
    boxes = place_labels(points, sizes, area, arrows)
    return list(map(Mark, texts, [AFTER] * count + [BEFORE] * len(first), points, boxes))


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
