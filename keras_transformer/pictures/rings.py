"""Positional encodings as an animation: hands that rotate on rings, one per pair of dimensions."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from matplotlib.transforms import ScaledTranslation
from numpy.typing import NDArray

from keras_transformer.pictures.positions import (
    COSINE,
    SIGNED,
    SINE,
    rounded,
    whole_numbers,
)
from keras_transformer.pictures.sheets import GAP, LINE, Box, Sheet
from keras_transformer.pictures.style import DIVERGING, LABEL_SIZE

ACROSS = 4  # rings side by side
PIXELS_PER_INCH = 88
# Lengths in inches.
RING = 1.0  # both sides of the axes of a ring
TABLE = 2.6  # width of the table of values
MARGIN = 0.5  # to the left of the table
BELOW = 0.3  # the title and the labels of its axis
# Below the rings: texts and their colors.
LEGEND = (
    ("dimensions, wavelength λ in positions", "black"),
    ("height: sine, the even dimension", SINE),
    ("width: cosine, the odd dimension", COSINE),
)
LEGEND_WIDTH = 2.1


class Rings(NamedTuple):
    """The pairs of dimensions to animate.

    Attributes:
        pairs: the numbers of N pairs; pair i has the dimensions 2i and 2i + 1.
        wavelengths: array (N,), in positions.
        values: array (T, N, 2), the sines and cosines at positions 0 to T - 1.
    """

    pairs: Sequence[int]
    wavelengths: NDArray[np.floating]
    values: NDArray[np.floating]


class Hand:
    """A ring with a hand, whose tip is at (cosine, sine).

    Args:
        axes: the axes to draw on.
        values: array (T, 2), the sine and cosine at each position.
    """

    def __init__(self, axes: Axes, values: NDArray[np.floating]) -> None:
        self.values = values
        axes.add_patch(Circle((0, 0), 1, fill=False, edgecolor="0.75", linewidth=1))
        axes.plot([-1, 1], [0, 0], color="0.88", linewidth=0.8)
        self.past = _line(axes, "o", color="0.6", markersize=1.6)
        self.cosine = _line(axes, "-", color=COSINE, linewidth=2)
        self.sine = _line(axes, "-", color=SINE, linewidth=2)
        self.hand = _line(axes, "-", color="0.15", linewidth=1.2)
        self.tip = _line(axes, "o", color="0.15", markersize=4)
        axes.set(xlim=(-1.12, 1.12), ylim=(-1.12, 1.12), aspect="equal")
        axes.set_axis_off()

    def turn(self, position: int) -> None:
        """Turn the hand to a position."""
        y, x = self.values[position]
        past = self.values[:position]
        self.past.set_data(past[:, 1], past[:, 0])
        self.cosine.set_data([0, x], [0, 0])
        self.sine.set_data([x, x], [0, y])
        self.hand.set_data([0, x], [0, y])
        self.tip.set_data([x], [y])


def _line(axes: Axes, style: str, **options: Any) -> Line2D:
    [line] = axes.plot([], [], style, **options)
    return line


def frames(rings: Rings, title: str) -> Iterator[Figure]:
    """Draw the rings at each position, beside a table of the values so far.

    Args:
        rings: the `Rings`.
        title: title of the figure.

    Yields:
        One figure for each position, which is always the same object: draw or save it before the
        next is requested.
    """
    down = math.ceil(len(rings.pairs) / ACROSS)
    pitch = RING + 0.12, RING + LINE
    width = max(min(ACROSS, len(rings.pairs)) * pitch[0], LEGEND_WIDTH)
    table = Box(GAP + width + MARGIN, LINE, TABLE, max(down * pitch[1] - LINE, TABLE))
    legend = down * pitch[1] + LINE / 2
    height = max(table.top + table.height + BELOW, legend + len(LEGEND) * LINE * 0.8)
    sheet = Sheet(table.left + TABLE + 2 * GAP, height + GAP, title)
    sheet.figure.set_dpi(PIXELS_PER_INCH)
    hands = [
        _add_hand(sheet, rings, number, divmod(number, ACROSS), pitch)
        for number in range(len(rings.pairs))
    ]
    _write_legend(sheet, legend)
    axes = sheet.add_axes(table)
    image, pointer = _add_table(axes, rings)
    caption = sheet.write(table.left, 0.8 * LINE, "", va="bottom", fontweight="bold")
    for position in range(len(rings.values)):
        for hand in hands:
            hand.turn(position)
        image.set_data(_shown(rings.values, position))
        pointer.set_data([2 * len(hands) - 0.5], [position])
        caption.set_text(f"position {position}")
        yield sheet.figure


def _add_hand(
    sheet: Sheet, rings: Rings, number: int, cell: tuple[int, int], pitch: tuple[float, float]
) -> Hand:
    """Add a ring with its label above it, in a cell (row, column) of the grid of rings."""
    left, top = GAP + cell[1] * pitch[0], cell[0] * pitch[1] + LINE
    pair, wavelength = rings.pairs[number], rounded(rings.wavelengths[number])
    label = f"{2 * pair}, {2 * pair + 1}: λ {wavelength}"
    sheet.write(left + RING / 2, top - 0.02, label, fontsize=LABEL_SIZE, ha="center", va="bottom")
    return Hand(sheet.add_axes(Box(left, top, RING, RING)), rings.values[:, number])


def _write_legend(sheet: Sheet, top: float) -> None:
    """Explain the labels and the colors below the rings."""
    for number, (text, hue) in enumerate(LEGEND):
        place = GAP, top + number * LINE * 0.8
        sheet.write(*place, text, color=hue, fontsize=LABEL_SIZE, va="top")


def _add_table(axes: Axes, rings: Rings) -> tuple[AxesImage, Line2D]:
    """Add the table of values, and a mark to the right of the current row."""
    image = axes.imshow(
        _shown(rings.values, 0), cmap=DIVERGING, norm=SIGNED, aspect="auto", interpolation="nearest"
    )
    axes.yaxis.set_major_locator(whole_numbers())
    axes.set_xticks([])
    axes.set_xlabel("the same dimensions, sine and cosine in turn", fontsize=LABEL_SIZE)
    axes.set_ylabel("position", fontsize=LABEL_SIZE, labelpad=2)
    [pointer] = axes.plot([], [], "<", color="0.15", markersize=5, clip_on=False)
    pointer.set_transform(axes.transData + ScaledTranslation(0.05, 0, axes.figure.dpi_scale_trans))
    return image, pointer


def _shown(values: NDArray[np.floating], position: int) -> NDArray[np.floating]:
    """Return the table (T, 2 N) of values (T, N, 2), with NaN after a position."""
    table = np.array(values, np.float64).reshape(len(values), -1)
    table[position + 1 :] = np.nan
    return table
