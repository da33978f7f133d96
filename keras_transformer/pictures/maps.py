"""Maps of labelled points, on which no label covers another label or a point."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.sheets import GAP, Box, Sheet
from keras_transformer.pictures.style import LABEL_SIZE, TEXT_SIZE, color, text_widths

# Lengths in inches.
MAP = 10.5, 7.4  # largest width and height of the area with the points
NARROWEST, LOWEST = 6.5, 4.0  # smallest width, which the legend needs, and height
AXIS_TITLE = 0.25
RADIUS = 0.025  # of a point
LABEL_HEIGHT = 0.13
LABEL_GAP = 0.04  # between labels side by side
INSIDE = 0.3  # between the outermost points and the edge of the map
# Distances between a point and its label, in the order in which they are tried.
DISTANCES = (0.04, 0.1, 0.18, 0.28, 0.4)
CLOSE = 0.1  # a line connects a label that is farther away with its point
# Directions from a point to its label, in the order in which they are tried.
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
# Shapes of the points of the groups, so that groups can be told apart without colors.
MARKERS = "o^sDv"
NO_POINTS = np.zeros((0, 2))

Size: TypeAlias = tuple[float, float]  # width, height in inches
Place: TypeAlias = NDArray[np.float64]  # (4,): left, bottom, right, top of a label, in inches


class Group(NamedTuple):
    """Points that are drawn alike.

    Attributes:
        name: the name in the legend.
        members: indices of the points.
    """

    name: str
    members: Sequence[int]


class Map(NamedTuple):
    """A map.

    Attributes:
        figure: the figure.
        unlabelled: indices of the points for whose labels there is no room.
    """

    figure: NotebookFigure
    unlabelled: Sequence[int]


def plot_map(
    points: NDArray[np.floating],
    labels: Sequence[str],
    groups: Sequence[Group],
    axes_titles: tuple[str, str] = ("", ""),
    title: str = "",
    text: Sequence[str] = (),
    highlighted: Collection[int] = (),
) -> Map:
    """Plot points with labels.

    Args:
        points: array (N, 2) of coordinates. Both axes have the same scale.
        labels: the label of each point. Of labels that compete for a place, the first is drawn.
        groups: the groups of points. Each has a color and a shape.
        axes_titles: titles of the horizontal and of the vertical axis.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.
        highlighted: indices of points whose labels are bold and are placed first.

    Returns:
        The `Map`. Its last line of text says how many points have no label, if there are any.

    Raises:
        ValueError: If there are no points, or not as many labels as points.
    """
    if not len(points) or points.shape != (len(labels), 2):
        raise ValueError(f"points {points.shape} do not fit {len(labels)} labels")
    size, places = frame(points)
    order = [*highlighted, *(i for i in range(len(labels)) if i not in set(highlighted))]
    chosen = place_labels(places[order], _sizes(labels, highlighted)[order], size)
    boxes = dict(zip(order, chosen, strict=True))
    unlabelled = sorted(i for i, box in boxes.items() if box is None)
    if unlabelled:
        missing = f"{len(unlabelled)} of {len(labels)}"
        text = [*text, f"Points without a label for lack of room: {missing}."]
    sheet = Sheet(size[0] + AXIS_TITLE + 2 * GAP, size[1] + AXIS_TITLE + GAP, title, text)
    axes = add_map(sheet, (GAP + AXIS_TITLE, 0), size, axes_titles)
    _draw_points(axes, places, groups)
    for i, box in boxes.items():
        if box is not None:
            _draw_label(axes, places[i], labels[i], box, i in highlighted)
    return Map(sheet.figure, unlabelled)


def frame(points: NDArray[np.floating]) -> tuple[Size, NDArray[np.float64]]:
    """Return the size of the map, and the places (N, 2) of points on it, in inches.

    The map has the proportions of the points, and is as large as `MAP` and `NARROWEST` permit.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    extent = np.maximum(high - low, 1e-12)  # all points may be equal
    scale = ((np.array(MAP) - 2 * INSIDE) / extent).min()
    size = np.maximum(extent * scale + 2 * INSIDE, [NARROWEST, LOWEST])
    return tuple(size), size / 2 + (points - (low + high) / 2) * scale


def _sizes(labels: Sequence[str], highlighted: Collection[int]) -> NDArray[np.float64]:
    """Return the width and height (N, 2) of labels in inches, with a gap between labels."""
    widths = np.array(text_widths(labels, LABEL_SIZE))
    bold = list(highlighted)
    widths[bold] = text_widths([labels[i] for i in bold], LABEL_SIZE, "bold")
    return np.stack([widths + LABEL_GAP, np.full(len(labels), LABEL_HEIGHT)], axis=1)


def place_labels(
    points: NDArray[np.float64],
    sizes: NDArray[np.float64],
    area: Size,
    others: NDArray[np.float64] = NO_POINTS,
) -> list[Place | None]:
    """Return a place for each label that covers neither an earlier label nor any point.

    The places are tried in a fixed order, close to the point first.

    Args:
        points: array (N, 2) of the points, in inches from the lower left corner of the map.
        sizes: array (N, 2) of the widths and heights of the labels, in inches.
        area: size of the map, which no label leaves.
        others: array (M, 2) of further points, which labels cover only if there is no other room.

    Returns:
        For each label, the array (4,) of its left, bottom, right and top; None without room.
    """
    obstacles, avoided = _boxes(points), _boxes(others)  # (obstacle, 4)
    found: list[Place | None] = []
    for point, size in zip(points, sizes, strict=True):
        places = _places(point, size, area)
        free = places[_are_free(places, obstacles)]
        best = np.vstack([free[_are_free(free, avoided)], free])
        found.append(best[0] if len(best) else None)
        obstacles = np.vstack([obstacles, best[:1]])
    return found


def _boxes(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the boxes (N, 4) that points (N, 2) cover."""
    return np.concatenate([points - RADIUS, points + RADIUS], axis=1)


def _places(
    point: NDArray[np.float64], size: NDArray[np.float64], area: Size
) -> NDArray[np.float64]:
    """Return the places (M, 4) where a label may be, the best first."""
    away = np.array([direction for _ in DISTANCES for direction in DIRECTIONS], float)  # (M, 2)
    distances = np.repeat(DISTANCES, len(DIRECTIONS)) / np.linalg.norm(away, axis=1)
    centers = point + away * (size / 2 + distances[:, np.newaxis])
    places = np.concatenate([centers - size / 2, centers + size / 2], axis=1)
    inside = (places >= 0).all(axis=1) & (places[:, 2:] <= area).all(axis=1)
    return places[inside]


def _are_free(places: NDArray[np.float64], obstacles: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return (M,) whether each of the places (M, 4) overlaps with none of the obstacles (N, 4)."""
    low, high = places[:, np.newaxis, :2], places[:, np.newaxis, 2:]  # (M, 1, 2)
    apart = (obstacles[:, :2] >= high) | (obstacles[:, 2:] <= low)  # (M, N, 2)
    return np.all(np.any(apart, axis=2), axis=1)


def add_map(sheet: Sheet, corner: tuple[float, float], size: Size, titles: tuple[str, str]) -> Axes:
    """Add empty axes, whose coordinates are inches, at a corner of the sheet."""
    axes = sheet.add_axes(Box(*corner, *size))
    axes.set(xlim=(0, size[0]), ylim=(0, size[1]), xticks=[], yticks=[])
    axes.set_xlabel(titles[0], fontsize=TEXT_SIZE)
    axes.set_ylabel(titles[1], fontsize=TEXT_SIZE)
    axes.spines[:].set_color("0.8")
    return axes


def _draw_points(axes: Axes, places: NDArray[np.float64], groups: Sequence[Group]) -> None:
    """Draw the points of all groups, and a legend above the map."""
    for number, (name, members) in enumerate(groups):
        if members:
            x, y = places[list(members)].T
            marker, area = MARKERS[number % len(MARKERS)], (RADIUS * 2 * 72) ** 2  # points^2
            axes.scatter(x, y, s=area, color=color(number), marker=marker, lw=0, label=name)
    axes.legend(
        *axes.get_legend_handles_labels(),  # there may be none
        loc="lower right",
        bbox_to_anchor=(1, 1),
        ncols=len(groups),
        fontsize=LABEL_SIZE,
        frameon=False,
        borderpad=0.2,
        borderaxespad=0,
    )


def _draw_label(
    axes: Axes, point: NDArray[np.float64], label: str, place: Place, is_highlighted: bool
) -> None:
    """Draw a label at its place, and connect it with its point if that is not close."""
    nearest = np.clip(point, place[:2], place[2:])
    if np.linalg.norm(nearest - point) > CLOSE + 1e-9:
        axes.plot(*np.stack([point, nearest]).T, color="0.75", linewidth=0.5, zorder=0)
    x, y = (place[:2] + place[2:]) / 2
    axes.text(
        x,
        y,
        label,
        fontsize=LABEL_SIZE,
        fontweight="bold" if is_highlighted else "normal",
        ha="center",
        va="center",
        parse_math=False,
    )
