"""Weights drawn over images, such as the attention of a word to the parts of a picture."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize, to_rgba
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import DPI, LABEL_SIZE, TEXT_SIZE, color, text_width, wrapped

# Over colored images: the image is visible where a weight is large, and dark gray elsewhere.
VEIL = LinearSegmentedColormap.from_list(
    "veil", [to_rgba("0.1", 0.88), to_rgba("0.1", 0.45), to_rgba("0.1", 0)]
)
# Lengths in inches.
WIDTH = 11.0  # of a figure; more panels than fit side by side take several lines
PANEL = 0.85  # the longer side of an image
GAP = 0.12
LINE = 0.2  # height of a line of text
COLOR_BAR = 0.95  # width of the color bar with its labels


class Strip(NamedTuple):
    """An image, drawn once as it is and once for each matrix of weights.

    Attributes:
        image: array (height, width) from 0 (black) to 1 (white), or (height, width, 3) of colors
            from 0 to 1.
        weights: array (n, row, column); each matrix is stretched to cover the image.
        labels: label of each matrix, drawn above its panel.
        caption: text above the image.
    """

    image: NDArray[np.floating]
    weights: NDArray[np.floating]
    labels: Sequence[str]
    caption: str = ""


class Grid(NamedTuple):
    """The arrangement of panels, in inches.

    Attributes:
        panel: width and height of a panel.
        pitch: distance between the left edges of panels side by side.
        across: number of panels side by side, without the image.
    """

    panel: tuple[float, float]
    pitch: float
    across: int

    def lines(self, strip: Strip) -> int:
        """Return the number of lines of panels of a strip."""
        return max(1, -(-len(strip.labels) // self.across))

    def height(self, strip: Strip, caption: Sequence[str]) -> float:
        """Return the height of a strip whose caption has these lines."""
        return LINE * len(caption) + self.lines(strip) * (self.panel[1] + LINE) + 2 * GAP


def tint(number: int) -> Colormap:
    """Return a color map for grayscale images: from transparent (0) to the hue of head `number`."""
    hue = color(number)
    return LinearSegmentedColormap.from_list(f"tint {number + 1}", [to_rgba(hue, 0), to_rgba(hue)])


def plot_over_images(
    strips: Sequence[Strip], title: str = "", colors: Colormap = VEIL
) -> NotebookFigure:
    """Draw weights over one or more images.

    All panels share one scale, from 0 to the largest weight, which a color bar shows.

    Args:
        strips: the images with their weights, drawn one below the other.
        title: title of the figure.
        colors: color map of the weights, at least partly transparent.

    Returns:
        A figure that displays itself in a notebook.

    Raises:
        ValueError: If there is no strip, or a strip has another number of labels than matrices.
    """
    if not strips:
        raise ValueError("there is no image to draw")
    for strip in strips:
        if len(strip.labels) != len(strip.weights):
            raise ValueError(f"{len(strip.labels)} labels for {len(strip.weights)} matrices")
    grid = arrange(strips)
    width = (grid.across + 1) * grid.pitch + 2 * GAP + COLOR_BAR
    width = max(width, text_width([title], TEXT_SIZE + 1, "bold") + 3 * GAP)
    captions = [wrapped(strip.caption, width - 2 * GAP) for strip in strips]
    heights = [grid.height(*pair) for pair in zip(strips, captions, strict=True)]
    top = GAP + 1.6 * LINE
    figure = NotebookFigure(figsize=(width, top + sum(heights) - GAP), dpi=DPI)
    _write(figure, title, 0, GAP, fontsize=TEXT_SIZE + 1, fontweight="bold")
    scale: dict[str, Any] = {
        "cmap": colors,
        "norm": Normalize(0, max((s.weights.max() for s in strips if s.weights.size), default=1)),
    }
    images = []
    for number, (strip, caption) in enumerate(zip(strips, captions, strict=True)):
        y = top + sum(heights[:number])
        for line, text in enumerate(caption):
            _write(figure, text, 0, y + line * LINE, fontsize=TEXT_SIZE)
        images += _draw_strip(figure, grid, strip, y + LINE * len(caption), scale)
    if images:
        _add_color_bar(figure, images[0], top + LINE * (len(captions[0]) + 1), grid.panel[1])
    return figure


def arrange(strips: Sequence[Strip]) -> Grid:
    """Return a `Grid` in which labels do not overlap and no line is wider than `WIDTH`."""
    height, width = np.max([strip.image.shape[:2] for strip in strips], axis=0)
    panel = PANEL * width / max(width, height), PANEL * height / max(width, height)
    labels = [label for strip in strips for label in strip.labels]
    pitch = max(panel[0], text_width(labels, LABEL_SIZE) if labels else 0) + GAP
    fitting = max(1, int((WIDTH - COLOR_BAR) / pitch) - 1)
    return Grid(panel, pitch, min(fitting, max(len(strip.labels) for strip in strips)))


def _draw_strip(
    figure: Figure, grid: Grid, strip: Strip, top: float, scale: dict[str, Any]
) -> list[AxesImage]:
    """Draw the image and the panels of a strip, and return the images of the weights."""
    _add_panel(figure, grid, strip.image, 0, top + LINE)
    images = []
    for number, (label, matrix) in enumerate(zip(strip.labels, strip.weights, strict=True)):
        line, column = divmod(number, grid.across)
        panel = _add_panel(
            figure, grid, strip.image, column + 1, top + LINE + line * (grid.panel[1] + LINE)
        )
        height, width = strip.image.shape[:2]
        edges = (-0.5, width - 0.5, height - 0.5, -0.5)
        images.append(panel.imshow(matrix, extent=edges, interpolation="nearest", **scale))
        panel.set_title(label, fontsize=LABEL_SIZE, pad=2.5, parse_math=False)
    return images


def _add_panel(
    figure: Figure, grid: Grid, image: NDArray[np.floating], column: int, top: float
) -> Axes:
    """Draw an image `top` inches below the upper edge of the figure."""
    width, height = figure.get_size_inches()
    left, bottom = GAP + column * grid.pitch, height - top - grid.panel[1]
    size = grid.panel[0] / width, grid.panel[1] / height
    axes = figure.add_axes((left / width, bottom / height, *size))
    axes.imshow(image, cmap="gray", vmin=0, vmax=1, interpolation="nearest")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set(color="0.6", linewidth=0.5)
    return axes


def _write(figure: Figure, text: str, x: float, y: float, **style: Any) -> None:
    """Write a line of text whose upper edge is y inches below that of the figure."""
    width, height = figure.get_size_inches()
    figure.text(
        (GAP + x) / width, 1 - y / height, text, verticalalignment="top", parse_math=False, **style
    )


def _add_color_bar(figure: Figure, image: AxesImage, top: float, length: float) -> None:
    """Draw the color bar at the right edge, `top` inches below the upper edge."""
    width, height = figure.get_size_inches()
    left, bottom = width - COLOR_BAR + GAP, height - top - length
    axes = figure.add_axes((left / width, bottom / height, 0.12 / width, length / height))
    bar = figure.colorbar(image, cax=axes)
    bar.ax.tick_params(labelsize=LABEL_SIZE, length=2, pad=2)
    bar.set_label("attention weight", fontsize=LABEL_SIZE)
