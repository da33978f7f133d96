"""Sheets: figures that are laid out in inches, with a heading above what is drawn."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.text import Text

from keras_transformer.errors import UserError
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import DPI, LABEL_SIZE, TEXT_SIZE, text_width, wrapped

# Lengths in inches.
GAP = 0.15  # between things that do not belong together
TICK = 0.07  # between a label and its row or column
LINE = 0.19  # height of a line of text
CELL = 0.14  # a row or column, large enough for its label
MAX_PIXELS = 250_000_000  # of a sheet; Matplotlib needs about ten bytes for each


class SheetTooLarge(UserError):
    """A figure with too many pixels."""


class Box(NamedTuple):
    """A rectangle on a sheet, in inches from the upper left corner below the heading."""

    left: float
    top: float
    width: float
    height: float


class Sheet:
    """A figure with a title, lines of text below it, and an area to draw on.

    Args:
        width: width of the area, in inches. If the title is wider, the figure is, too.
        height: height of the area, in inches.
        title: title of the figure.
        text: strings below the title, each wrapped to the width of the figure.

    Raises:
        SheetTooLarge: If the figure would have more than `MAX_PIXELS`.

    Attributes:
        figure: the `NotebookFigure`.
    """

    def __init__(
        self, width: float, height: float, title: str = "", text: Iterable[str] = ()
    ) -> None:
        self.width = max(width, text_width([title], TEXT_SIZE + 1, "bold") + 3 * GAP)
        lines = [line for string in text for line in wrapped(string, self.width - 3 * GAP)]
        self.heading = GAP + LINE * (len(lines) + 2)
        self.height = self.heading + height
        self._check_size()
        self.figure = NotebookFigure(figsize=(self.width, self.height), dpi=DPI)
        self._write_heading(title, lines)

    def _check_size(self) -> None:
        if self.width * self.height * DPI**2 > MAX_PIXELS or max(self.width, self.height) > 400:
            raise SheetTooLarge(
                f"the picture is too large: it would measure {self.width:,.0f} by "
                f"{self.height:,.0f} inches"
            )

    def _write_heading(self, title: str, lines: Sequence[str]) -> None:
        x, y = GAP / self.width, 1 - GAP / self.height
        heading = self.figure.suptitle(title, x=x, y=y, fontsize=TEXT_SIZE + 1, fontweight="bold")
        heading.set(horizontalalignment="left", verticalalignment="top", parse_math=False)
        for number, line in enumerate(lines, 1):
            self.write(GAP, GAP + number * LINE * 1.1 - self.heading, line, va="top")

    def write(self, left: float, top: float, string: str, **options: Any) -> Text:
        """Write a string at a place of the area, with options of `Figure.text`."""
        x, y = left / self.width, 1 - (self.heading + top) / self.height
        return self.figure.text(
            x, y, string, **{"fontsize": TEXT_SIZE, "parse_math": False, **options}
        )

    def add_axes(self, box: Box) -> Axes:
        """Add axes that fill a box, with small ticks and labels."""
        bottom = self.height - self.heading - box.top - box.height
        size = box.width / self.width, box.height / self.height
        axes = self.figure.add_axes((box.left / self.width, bottom / self.height, *size))
        axes.tick_params(length=2, pad=2, labelsize=LABEL_SIZE)
        return axes

    def add_legend(self, handles: Sequence[Patch], left: float, top: float) -> None:
        """Add a legend without a frame, whose upper left corner is at a place of the area."""
        self.figure.legend(
            handles=handles,
            loc="upper left",
            bbox_to_anchor=(left / self.width, 1 - (self.heading + top) / self.height),
            fontsize=LABEL_SIZE,
            frameon=False,
            handlelength=1.2,
            borderpad=0,
            borderaxespad=0,
        )


def label(axes: Axes, rows: Sequence[str] | None, columns: Sequence[str] | None) -> None:
    """Label the rows (0, 1, ... downward) and the columns of axes; None keeps their labels."""
    if columns is not None:
        axes.set_xticks(range(len(columns)), columns, rotation=90)
    if rows is not None:
        axes.set_yticks(range(len(rows)), rows)
    named = [axes.get_xticklabels()] * (columns is not None)
    named += [axes.get_yticklabels()] * (rows is not None)
    for text in (text for texts in named for text in texts):
        text.set(fontsize=LABEL_SIZE, parse_math=False)  # "$" is a subword, not a formula


def flow(sizes: Sequence[tuple[float, float]], width: float) -> list[tuple[float, float]]:
    """Place blocks from left to right, and in a further row where a row would become too wide.

    Args:
        sizes: width and height of each block.
        width: maximum width of a row of several blocks.

    Returns:
        The left and the upper edge of each block.
    """
    places, left, top, height = list[tuple[float, float]](), 0.0, 0.0, 0.0
    for block_width, block_height in sizes:
        if left and left + block_width > width:
            left, top, height = 0.0, top + height, 0.0
        places.append((left, top))
        left, height = left + block_width, max(height, block_height)
    return places
