"""Words as trees: from symbols in the first row, merge by merge, to subwords in the last row."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from keras_transformer.pictures import sheets
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.sheets import GAP, Sheet
from keras_transformer.pictures.style import LABEL_SIZE, colormap, text_width

PAGE = 10.0  # width in inches that trees fill before the next line begins
# Lengths in inches.
ROW = 0.33  # height of a row of boxes
CELL = 0.24  # smallest width of a symbol
PADDING = 0.12  # between the widest label of a box and its sides, together
BETWEEN = 0.22  # between adjacent trees
NOTE_SIZE = 5.5  # points
CAPTIONS = "characters", "merges", "subwords"
# Values of the color maps.
SYMBOL, MERGE, SUBWORD = 0.06, 0.14, 0.33


class Box(NamedTuple):
    """A merge or a subword of a tree.

    Attributes:
        label: its text.
        note: a short text below the label.
        begin, end: numbers of its first symbol and of the one after its last.
    """

    label: str
    note: str
    begin: int
    end: int


class Tree(NamedTuple):
    """A word.

    Attributes:
        symbols: labels of the symbols in the first row.
        merges: the merges in order, each of two adjacent symbols or results of earlier merges.
        subwords: the subwords, in the order of the symbols. Those with the same symbols share the
            width.
    """

    symbols: Sequence[str]
    merges: Sequence[Box]
    subwords: Sequence[Box]


class Placed(NamedTuple):
    """A box with its place in the tree.

    Attributes:
        box: the box.
        top, bottom: rows where it begins and ends; the symbols begin in row 0.
        color: index of its color.
        shade: value in the color map, from 0 (white) to 1.
    """

    box: Box
    top: int
    bottom: int
    color: int
    shade: float


def plot_trees(trees: Sequence[Tree], title: str = "", text: Iterable[str] = ()) -> NotebookFigure:
    """Plot trees beside each other, in as many lines as needed.

    A box extends downward to the merge that uses it. The box of a merge is therefore below the two
    boxes that it merges, and exactly as wide as both.

    Args:
        trees: the trees, at least one.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.

    Returns:
        A figure that displays itself in a notebook.

    Raises:
        SheetTooLarge: If the figure would have too many pixels.
    """
    edges = [symbol_edges(tree) for tree in trees]
    left = GAP + text_width(CAPTIONS, LABEL_SIZE) + GAP
    lines = arrange([each[-1] for each in edges])
    widths = [sum(edges[i][-1] for i in line) + BETWEEN * (len(line) - 1) for line in lines]
    depths = [max(depth(trees[i]) for i in line) for line in lines]
    heights = [(rows + 1) * ROW + GAP for rows in depths]
    sheet = Sheet(left + max(widths) + GAP, sum(heights), title, text)
    axes, top = _page(sheet, sum(heights)), 0.0
    for line, rows, height in zip(lines, depths, heights, strict=True):
        _write_captions(axes, top, rows)
        x = left
        for i in line:
            _draw(axes, trees[i], edges[i] + x, rows, top)
            x += edges[i][-1] + BETWEEN
        top += height
    return sheet.figure


def symbol_edges(tree: Tree) -> NDArray[np.float64]:
    """Return where the symbols of a tree begin, and the last one ends, in inches.

    Each box is at least as wide as its label and its note. Where symbols are too narrow for a merge
    or a subword of theirs, they are widened equally.
    """
    widths = np.array(
        [max(CELL, text_width([each], LABEL_SIZE) + PADDING) for each in tree.symbols]
    )
    for box in [*tree.merges, *tree.subwords]:
        label = text_width([box.label], LABEL_SIZE, "bold"), text_width([box.note], NOTE_SIZE)
        needed = (max(label) + PADDING) * _sharing(tree, box)
        missing = needed - widths[box.begin : box.end].sum()
        widths[box.begin : box.end] += max(0, missing) / (box.end - box.begin)
    return np.concatenate([[0.0], np.cumsum(widths)])


def _sharing(tree: Tree, box: Box) -> int:
    """Return the number of subwords that have the same symbols as a box, at least 1."""
    return max(1, sum((each.begin, each.end) == (box.begin, box.end) for each in tree.subwords))


def arrange(widths: Sequence[float]) -> list[list[int]]:
    """Return the indices of the trees in each line, given the widths of the trees in inches."""
    lines, used = [[0]], widths[0]
    for number, width in enumerate(widths[1:], 1):
        used += BETWEEN + width
        if used > PAGE:
            lines.append([])
            used = width
        lines[-1].append(number)
    return lines


def levels(tree: Tree) -> list[int]:
    """Return the row of each merge: the one below the lower of the two boxes that it merges."""
    level = np.zeros(len(tree.symbols), int)  # of the box that now contains each symbol
    rows = []
    for box in tree.merges:
        rows.append(int(level[box.begin : box.end].max()) + 1)
        level[box.begin : box.end] = rows[-1]
    return rows


def depth(tree: Tree) -> int:
    """Return the number of rows above the row of the subwords."""
    return max(levels(tree), default=0) + 1


def boxes(tree: Tree, rows: int) -> list[Placed]:
    """Return all boxes of a tree, with `rows` rows above the row of the subwords."""
    symbols = [Box(label, "", i, i + 1) for i, label in enumerate(tree.symbols)]
    tops = [0] * len(symbols) + levels(tree)
    colors = np.zeros(len(symbols), int)
    starts = sorted({box.begin for box in tree.subwords})
    for number, begin in enumerate(starts):
        colors[begin:] = number
    placed: list[Placed] = []
    current = list[int](range(len(symbols)))  # the box that now contains each symbol
    for number, (box, top) in enumerate(zip([*symbols, *tree.merges], tops, strict=True)):
        shade = MERGE if top else SYMBOL
        placed.append(Placed(box, top, rows, int(colors[box.begin]), shade))
        for used in set(current[box.begin : box.end]) if top else ():
            placed[used] = placed[used]._replace(bottom=top)
        current[box.begin : box.end] = [number] * (box.end - box.begin)
    final = (Placed(box, rows, rows + 1, int(colors[box.begin]), SUBWORD) for box in tree.subwords)
    return [*placed, *final]


def _page(sheet: Sheet, height: float) -> Axes:
    """Add axes that cover a sheet, with inches from the upper left corner as coordinates."""
    axes = sheet.add_axes(sheets.Box(0, 0, sheet.width, height))
    axes.set(xlim=(0, sheet.width), ylim=(height, 0))
    axes.set_axis_off()
    return axes


def _write_captions(axes: Axes, top: float, rows: int) -> None:
    """Name the first row, the second, and the last, which is below `rows` others."""
    for caption, row in zip(CAPTIONS, (0, 1, rows), strict=True):
        if row < rows or caption == CAPTIONS[-1]:
            y = top + (row + 0.4) * ROW
            axes.text(GAP, y, caption, fontsize=LABEL_SIZE, color="0.4", va="center")


def _draw(axes: Axes, tree: Tree, edges: NDArray[np.float64], rows: int, top: float) -> None:
    """Draw a tree below `top`; its symbols are between `edges`, in inches."""
    drawn: dict[tuple[int, int], int] = {}  # subwords that share their symbols
    for box, begin, end, color, shade in boxes(tree, rows):
        left, width = edges[box.begin], edges[box.end] - edges[box.begin]
        if begin == rows:
            width /= _sharing(tree, box)
            number = drawn[box.begin, box.end] = drawn.get((box.begin, box.end), -1) + 1
            left += number * width
        corner, height = (left, top + begin * ROW), (end - begin) * ROW
        face = colormap(color)(shade)
        axes.add_patch(Rectangle(corner, width, height, facecolor=face, edgecolor="white", lw=1.5))
        x, y = left + width / 2, top + begin * ROW
        weight = "bold" if begin == rows else "normal"
        style: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
        axes.text(x, y + 0.38 * ROW, box.label, fontsize=LABEL_SIZE, weight=weight, **style)
        axes.text(x, y + 0.77 * ROW, box.note, fontsize=NOTE_SIZE, color="0.25", **style)
