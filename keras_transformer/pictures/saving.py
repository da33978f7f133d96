"""Pictures as files: figures in the formats of Matplotlib, and animations as GIF."""

import io
import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from keras_transformer.errors import UserError
from keras_transformer.files import write_bytes
from keras_transformer.pictures import style

ANIMATED = (".gif",)  # the formats of `save_animation`
COLORS = 255  # of an animation; the 256th is transparent, for what does not change
CHANNELS = np.array([1 << 16, 1 << 8, 1], np.uint32)
NO_COLORS = np.zeros((0, 3), np.uint8)
SAMPLE = 16  # frames from which the colors are chosen


class NotebookFigure(Figure):
    """A figure that notebooks display as the value of a cell.

    IPython displays figures that do not belong to pyplot only if they implement `_repr_png_`.
    """

    def _repr_png_(self) -> bytes:
        return encoded(self, "png")


class FlatFigure(NotebookFigure):
    """A figure of flat colors. As a PNG file it has a palette, which takes a third of the space."""


def formats() -> list[str]:
    """Return the extensions of the files that `save` writes, each with its period."""
    return [f".{kind}" for kind in sorted({*FigureCanvasBase.get_supported_filetypes(), "gif"})]


def check_path(path: str | os.PathLike[str], allowed: Iterable[str] | None = None) -> None:
    """Check the path of a picture before anything is drawn.

    Args:
        path: the path.
        allowed: the extensions that the name may have; those of `formats` by default.

    Raises:
        UserError: If the format is unknown, the directory is missing, or the path is a directory.
    """
    allowed, path = list(allowed or formats()), Path(path)
    if path.is_dir():
        raise UserError(f"{path}: cannot be written: it is a directory")
    if path.suffix.lower() not in allowed:
        names = " or ".join([", ".join(allowed[:-1]), allowed[-1]] if allowed[1:] else allowed)
        raise UserError(f"{path}: cannot be written: the name must end in {names}")
    if not path.parent.is_dir():
        missing = f"the directory {path.parent} does not exist"
        why = f"{path.parent} is not a directory" if path.parent.exists() else missing
        raise UserError(f"{path}: cannot be written: {why}")


def encoded(figure: Figure, kind: str) -> bytes:
    """Return the content of a file with a figure.

    Args:
        figure: the figure.
        kind: the format, which is the extension of a file name without the period.

    Raises:
        ValueError: If the format is unknown.
    """
    content = io.BytesIO()
    with style.fonts(figure):
        figure.savefig(content, format=kind)
    is_flat = kind == "png" and isinstance(figure, FlatFigure)
    return _with_palette(content) if is_flat else content.getvalue()


def _with_palette(content: io.BytesIO) -> bytes:
    """Return a PNG file as one with at most 256 colors."""
    smaller = io.BytesIO()
    with Image.open(content) as image:
        colors = image.convert("RGB").quantize()
        colors.save(smaller, "PNG", optimize=True, dpi=image.info["dpi"])
    return smaller.getvalue()


def pixels(figure: Figure) -> NDArray[np.uint8]:
    """Return a figure as an array (height, width, 3) of red, green and blue."""
    canvas = FigureCanvasAgg(figure)
    with style.fonts(figure):
        canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Save a figure to a file atomically, in the format of the file name's extension.

    Raises:
        UserError: If the file cannot be written.
    """
    check_path(path)
    try:
        content = encoded(figure, Path(path).suffix.lower().removeprefix("."))
    except (OSError, ValueError, RuntimeError) as error:  # for example, LaTeX is missing for .pgf
        raise UserError(f"{path}: cannot be written: {error}") from error
    write_bytes(path, content)


def save_animation(
    frames: Iterable[Figure],
    path: str | os.PathLike[str],
    milliseconds: int = 100,
    last: int | None = None,
    colors: int = COLORS,
    exact: NDArray[np.uint8] = NO_COLORS,
) -> None:
    """Save an animation to a GIF file atomically. It repeats without end.

    Args:
        frames: the figures, all of the same size. Each is drawn before the next is requested, so
            that all may be one figure that changes.
        path: the file.
        milliseconds: duration of a frame.
        last: duration of the last frame, if it differs.
        colors: maximum number of colors, up to `COLORS`; the fewer, the smaller the file.
        exact: array (n, 3) of some of the colors, which must not be approximated.

    Raises:
        UserError: If the file cannot be written.
    """
    check_path(path, ANIMATED)
    first, *others = _with_one_palette([_packed(pixels(frame)) for frame in frames], colors, exact)
    content, times = io.BytesIO(), [milliseconds] * len(others) + [last or milliseconds]
    first.save(content, "GIF", save_all=True, append_images=others, duration=times, loop=0)
    write_bytes(path, content.getvalue())


def _packed(colors: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return colors (..., 3) as one number each, 65536 red + 256 green + blue."""
    return colors.astype(np.uint32) @ CHANNELS


def _channels(colors: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the red, green and blue (..., 3) of packed colors (...)."""
    return (colors[..., np.newaxis] // CHANNELS % 256).astype(np.uint8)


def _with_one_palette(
    frames: Sequence[NDArray[np.uint32]], count: int, given: NDArray[np.uint8]
) -> list[Image.Image]:
    """Return frames as images with the same colors, so that a GIF file has only what changes."""
    sample = np.concatenate(frames[:: math.ceil(len(frames) / SAMPLE)])
    others = sample[~np.isin(sample, _packed(given))]
    palette = np.vstack([given, _palette(others, count - len(given))])
    images = []
    for frame in frames:
        colors, places = np.unique(frame, return_inverse=True)
        distances = _channels(colors)[:, np.newaxis].astype(np.float32) - palette
        nearest = (distances**2).sum(-1).argmin(1).astype(np.uint8)
        image = Image.fromarray(nearest[places].reshape(frame.shape))
        image.putpalette(palette.ravel().tolist())
        images.append(image)
    return images


def _palette(sample: NDArray[np.uint32], count: int) -> NDArray[np.uint8]:
    """Return at most `count` colors (n, 3): the most frequent ones, and means of the others."""
    colors, counts = np.unique(sample, return_counts=True)
    exact = colors[np.argsort(-counts, kind="stable")[: count // 4]]
    others = sample[~np.isin(sample, exact)]
    if not others.size:
        return _channels(exact)
    means = Image.fromarray(_channels(others[np.newaxis])).quantize(count - len(exact)).getpalette()
    return np.vstack([_channels(exact), np.reshape(means or [], (-1, 3))]).astype(np.uint8)
