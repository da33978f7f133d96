"""Positional encodings as a heat map, waves, similarities, and a rotation of the positions."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.image import AxesImage
from matplotlib.patches import Circle, Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.sheets import GAP, LINE, TICK, Box, Sheet, flow
from keras_transformer.pictures.style import (
    DIVERGING,
    LABEL_SIZE,
    SEQUENTIAL,
    TEXT_SIZE,
    color,
    text_width,
)

PAGE = 10.2  # width of a sheet, in inches
# Lengths in inches.
SIDE = 3.0  # height of the heat map, and both sides of the similarities and of the rotation
WIDE = 7.9  # width of the heat map
MARGIN = 0.62  # to the left of axes, for labels and the title of the axis
BELOW = 0.45  # the same below them
BAR, BAR_GAP, BAR_LABELS = 0.12, 0.1, 0.55  # of a color bar
WAVE, WAVE_WIDTH, WAVE_LABEL = 0.46, 3.5, 1.15  # height and width of a strip, width of its label
CIRCLE = 1.22  # both sides of the axes of a circle
TITLE = 0.3  # height of the title of a block
# Colors of the first dimension of a pair, the sine, and of the second, the cosine.
SINE, COSINE = color(0), color(1)
DOTTED = 120  # at most so many positions are drawn as dots
SIGNED = Normalize(-1, 1)


class Waves(NamedTuple):
    """Pairs of dimensions as functions of the position.

    Attributes:
        pairs: the numbers of N pairs; pair i has the dimensions 2i and 2i + 1.
        wavelengths: array (N,), in positions.
        places: array (M,), positions between which the curves are drawn as straight lines.
        curves: array (M, N, 2), the sines and cosines at these positions.
        points: array (T, N, 2), the sines and cosines at positions 0 to T - 1.
    """

    pairs: Sequence[int]
    wavelengths: NDArray[np.floating]
    places: NDArray[np.floating]
    curves: NDArray[np.floating]
    points: NDArray[np.floating]


class Rotation(NamedTuple):
    """The rotation of N pairs of dimensions that maps each position to a later one.

    Attributes:
        offset: how much later the other position is.
        pairs: the numbers of the pairs.
        of: the number of all pairs, of which these are drawn.
        matrix: array (2 N, 2 N), the rows and columns of the matrix that belong to the pairs.
        angles: array (N,), the angle by which each pair rotates, in radians.
        rotated: array (T, N, 2), the rotated sines and cosines of T positions.
        later: array (T, N, 2), the sines and cosines of the later positions.
        start: array (1, N, 2), the sines and cosines of position 0.
    """

    offset: int
    pairs: Sequence[int]
    of: int
    matrix: NDArray[np.floating]
    angles: NDArray[np.floating]
    rotated: NDArray[np.floating]
    later: NDArray[np.floating]
    start: NDArray[np.floating]


class Block(NamedTuple):
    """A part of a sheet.

    Attributes:
        width: width in inches.
        height: height in inches.
        draw: a function that draws it, given a sheet and the upper left corner in inches.
    """

    width: float
    height: float
    draw: Callable[[Sheet, float, float], None]


def plot_blocks(
    blocks: Sequence[Block], title: str = "", text: Iterable[str] = ()
) -> NotebookFigure:
    """Plot blocks on one sheet, from left to right and from top to bottom.

    Args:
        blocks: `Block`s that the other functions of this module return.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.

    Returns:
        A figure that displays itself in a notebook.
    """
    places = flow([block[:2] for block in blocks], PAGE)
    right, bottom = (np.array(places) + [block[:2] for block in blocks]).max(0)
    sheet = Sheet(right + GAP, bottom + GAP, title, text)
    for block, place in zip(blocks, places, strict=True):
        block.draw(sheet, *place)
    return sheet.figure


def heat_map(table: NDArray[np.floating], wavelengths: NDArray[np.floating]) -> Block:
    """Return a heat map of an encoding, with a row for each position.

    Args:
        table: array (T, D), from -1 to 1.
        wavelengths: array (D / 2,), the wavelength of each pair of dimensions, in positions.
    """

    def draw(sheet: Sheet, left: float, top: float) -> None:
        box = Box(left + MARGIN, top + TITLE + 1.8 * LINE, WIDE, SIDE)
        axes = _titled(sheet, box, "encoding", 1.8 * LINE)
        # Blended columns would have colors that are not on the color bar.
        image = axes.imshow(table, DIVERGING, SIGNED, aspect="auto", interpolation="nearest")
        _name_axes(axes, "dimension: even sine, odd cosine", "position")
        _mark_whole_numbers(axes)
        _mark_wavelengths(axes, wavelengths)
        _add_color_bar(sheet, box, image, "value")

    width = MARGIN + WIDE + BAR_GAP + BAR + BAR_LABELS
    return Block(width, TITLE + 1.8 * LINE + SIDE + BELOW, draw)


def similarity_map(similarities: NDArray[np.floating]) -> Block:
    """Return a heat map of the cosine similarities (T, T) of all pairs of positions."""

    def draw(sheet: Sheet, left: float, top: float) -> None:
        box = Box(left + MARGIN, top + TITLE, SIDE, SIDE)
        axes = _titled(sheet, box, "similarity of positions")
        lowest = min(0.99, similarities.min())
        norm = Normalize(np.floor(lowest * 10) / 10, 1)
        image = axes.imshow(similarities, cmap=SEQUENTIAL, norm=norm, aspect="auto")
        _name_axes(axes, "position", "position")
        _mark_whole_numbers(axes)
        _add_color_bar(sheet, box, image, "cosine similarity")

    width = MARGIN + SIDE + BAR_GAP + BAR + BAR_LABELS
    return Block(width, TITLE + SIDE + BELOW, draw)


def wave_strips(waves: Waves) -> Block:
    """Return strips with the sine and the cosine of each pair of dimensions."""
    height = WAVE * len(waves.pairs)

    def draw(sheet: Sheet, left: float, top: float) -> None:
        top += TITLE
        for number in range(len(waves.pairs)):
            box = Box(left + MARGIN, top + number * WAVE, WAVE_WIDTH, 0.86 * WAVE)
            axes = _titled(sheet, box, "" if number else "columns as waves")
            _draw_wave(axes, waves, number)
            label = _wave_label(waves.pairs[number], waves.wavelengths[number])
            x, y = box.left + WAVE_WIDTH + GAP / 2, box.top + box.height / 2
            sheet.write(x, y, label, fontsize=LABEL_SIZE, va="center")
        axes.tick_params(labelbottom=True)
        axes.set_xlabel("position", fontsize=LABEL_SIZE, labelpad=2)
        _add_wave_legend(sheet, left + MARGIN + WAVE_WIDTH, top - TICK)

    return Block(MARGIN + WAVE_WIDTH + WAVE_LABEL, TITLE + height + BELOW, draw)


def rotation_matrix(rotation: Rotation) -> Block:
    """Return the matrix of a rotation, with the value of each entry."""

    def draw(sheet: Sheet, left: float, top: float) -> None:
        box = Box(left + MARGIN, top + TITLE, SIDE, SIDE)
        title = f"rotation of position p to p + {rotation.offset:,}"
        axes = _titled(sheet, box, title)
        image = axes.imshow(rotation.matrix, cmap=DIVERGING, norm=SIGNED, aspect="auto")
        _label_dimensions(axes, rotation.pairs)
        _write_entries(axes, rotation.matrix)
        later = f"dimension of position p + {rotation.offset:,}"
        _name_axes(axes, "dimension of position p", later)
        _add_color_bar(sheet, box, image, "entry")

    width = MARGIN + SIDE + BAR_GAP + BAR + BAR_LABELS
    return Block(width, TITLE + SIDE + BELOW, draw)


def rotation_circles(rotation: Rotation) -> Block:
    """Return a unit circle for each pair, on which the rotated positions meet the later ones."""
    across = min(3, len(rotation.pairs))
    down = math.ceil(len(rotation.pairs) / across)
    pitch = CIRCLE + 0.22, CIRCLE + LINE
    title = (
        f"{len(rotation.pairs)} of {rotation.of:,} pairs of dimensions, each turned by its angle"
    )
    legend = (
        ("○", SINE, "position p, rotated"),
        ("●", COSINE, f"position p + {rotation.offset:,}"),
    )

    def draw(sheet: Sheet, left: float, top: float) -> None:
        sheet.write(left, top + TITLE - TICK, title, va="bottom", fontweight="bold")
        top += TITLE + LINE
        for number in range(len(rotation.pairs)):
            row, column = divmod(number, across)
            box = Box(left + column * pitch[0], top + row * pitch[1], CIRCLE, CIRCLE)
            _draw_circle(sheet.add_axes(box), rotation, number)
        for number, (mark, hue, text) in enumerate(legend):
            place = left + number * 1.5, top + down * pitch[1]
            sheet.write(*place, f"{mark} {text}", color=hue, fontsize=LABEL_SIZE, va="top")

    width = max(across * pitch[0], text_width([title], TEXT_SIZE, "bold"))
    return Block(width, TITLE + LINE + down * pitch[1] + BELOW, draw)


def _titled(sheet: Sheet, box: Box, title: str, above: float = 0) -> Axes:
    """Add axes with a title, between which `above` inches are free."""
    sheet.write(box.left, box.top - above - TICK, title, va="bottom", fontweight="bold")
    return sheet.add_axes(box)


def _name_axes(axes: Axes, x: str, y: str) -> None:
    axes.set_xlabel(x, fontsize=LABEL_SIZE, labelpad=2)
    axes.set_ylabel(y, fontsize=LABEL_SIZE, labelpad=2)


def _mark_whole_numbers(axes: Axes) -> None:
    """Place ticks at whole numbers only."""
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(whole_numbers())


def whole_numbers() -> MaxNLocator:
    """Return a locator of ticks at multiples of 1, 2, 5, 10, ..."""
    return MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10], min_n_ticks=1)


def _mark_wavelengths(axes: Axes, wavelengths: NDArray[np.floating]) -> None:
    """Mark powers of ten among the wavelengths (D / 2,) above a heat map of D dimensions."""
    axis = axes.secondary_xaxis("top")
    powers = [10.0**n for n in range(1, 6) if wavelengths[0] <= 10**n <= wavelengths[-1]]
    middles = 2 * np.arange(len(wavelengths)) + 0.5  # of each pair of dimensions
    places = np.interp(np.log(powers), np.log(wavelengths), middles)
    axis.set_xticks(places, [f"{power:,.0f}" for power in powers])
    axis.tick_params(length=2, pad=2, labelsize=LABEL_SIZE)
    axis.set_xlabel("wavelength in positions", fontsize=LABEL_SIZE, labelpad=3)


def _add_color_bar(sheet: Sheet, box: Box, image: AxesImage, title: str) -> None:
    """Draw the color bar of an image to its right."""
    axes = sheet.add_axes(Box(box.left + box.width + BAR_GAP, box.top, BAR, box.height / 2))
    bar = sheet.figure.colorbar(image, cax=axes)
    bar.ax.tick_params(labelsize=LABEL_SIZE, length=2, pad=2)
    bar.set_label(title, fontsize=LABEL_SIZE)


def _draw_wave(axes: Axes, waves: Waves, number: int) -> None:
    """Draw the sine and the cosine of a pair: curves, and dots at whole positions."""
    length = len(waves.points)
    for column, hue in enumerate((SINE, COSINE)):
        axes.plot(waves.places, waves.curves[:, number, column], color=hue, linewidth=1)
        if length <= DOTTED:
            axes.plot(range(length), waves.points[:, number, column], ".", color=hue, markersize=3)
    edge = max(0.5, length / 100)
    axes.set(xlim=(-edge, length - 1 + edge), ylim=(-1.2, 1.2))
    axes.set_yticks([-1, 1], ["−1", "1"])
    axes.axhline(0, color="0.8", linewidth=0.5, zorder=0)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.xaxis.set_major_locator(whole_numbers())
    axes.tick_params(bottom=False, labelbottom=False)


def _wave_label(pair: int, wavelength: float) -> str:
    return f"dimensions {2 * pair}, {2 * pair + 1}\nwavelength {rounded(wavelength)}"


def rounded(value: float) -> str:
    """Return a positive number with one decimal if it is small, and without otherwise."""
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def _add_wave_legend(sheet: Sheet, right: float, bottom: float) -> None:
    """Name the colors of the sine and the cosine, above the right end of the strips."""
    sheet.write(right, bottom, "cosine", color=COSINE, ha="right", va="bottom")
    sheet.write(right - 0.55, bottom, "sine", color=SINE, ha="right", va="bottom")


def _label_dimensions(axes: Axes, pairs: Sequence[int]) -> None:
    """Label rows and columns with their dimensions, and frame the block of each pair."""
    numbers = [2 * pair + part for pair in pairs for part in (0, 1)]
    labels = list(map(str, numbers))
    axes.set_xticks(range(len(labels)), labels, rotation=90 if numbers[-1] > 999 else 0)
    axes.set_yticks(range(len(labels)), labels)
    for first in range(0, len(numbers), 2):
        corner = first - 0.5, first - 0.5
        axes.add_patch(Rectangle(corner, 2, 2, fill=False, edgecolor="0.3", linewidth=0.8))


def _write_entries(axes: Axes, matrix: NDArray[np.floating]) -> None:
    """Write the entries of the diagonal blocks, and 0 elsewhere."""
    for (row, column), value in np.ndenumerate(matrix):
        same = row // 2 == column // 2
        tone = "white" if abs(value) > 0.6 else "black" if same else "0.7"
        text = _entry(value) if same else "0"
        axes.text(column, row, text, ha="center", va="center", color=tone, fontsize=5.5)


def _entry(value: float) -> str:
    """Return a number from -1 to 1 with two decimals, without the zero before the point."""
    text = f"{abs(value):.2f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + text.removeprefix("0")


def _draw_circle(axes: Axes, rotation: Rotation, number: int) -> None:
    """Draw the rotated pairs as rings and the later ones as dots, and the rotation of position 0.

    The cosine is horizontal and the sine vertical, so that positive angles are counterclockwise.
    """
    axes.add_patch(Circle((0, 0), 1, fill=False, edgecolor="0.8", linewidth=0.8))
    step = math.ceil(len(rotation.later) / DOTTED)
    rotated, later = (each[::step, number, ::-1] for each in (rotation.rotated, rotation.later))
    axes.plot(*rotated.T, "o", markersize=5, fillstyle="none", color=SINE, markeredgewidth=0.7)
    axes.plot(*later.T, "o", markersize=2, color=COSINE)
    start, end = rotation.start[0, number, ::-1], rotated[0]
    axes.plot([0, start[0]], [0, start[1]], color="0.6", linewidth=1)
    axes.plot([0, end[0]], [0, end[1]], color="0.2", linewidth=1.2)
    axes.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
    axes.set_axis_off()
    pair = rotation.pairs[number]
    degrees = np.degrees(rotation.angles[number])
    title = f"{2 * pair}, {2 * pair + 1}: {degrees:{',.0f' if degrees >= 100 else '.3g'}}°"
    axes.set_title(title, fontsize=LABEL_SIZE, pad=1)
