"""Properties of the sinusoidal positional encoding (Vaswani et al. 2017, section 3.5).

Dimensions 2i and 2i + 1 are the sine and the cosine of the same angle, which is the position times
the frequency 1 / 10000^(2i / D). Each such pair is a point on the unit circle.
"""

import os
from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from keras_transformer.counting import counted
from keras_transformer.errors import UserError
from keras_transformer.model.positions import positional_encoding
from keras_transformer.pictures import positions as pictures
from keras_transformer.pictures.positions import Block, Rotation, Waves
from keras_transformer.pictures.rings import Rings, frames
from keras_transformer.pictures.saving import NotebookFigure, save_animation

VIEWS = ("heatmap", "waves", "similarity", "rotation", "all")
MAX_LENGTH, MAX_DEPTH = 2000, 4096
RINGS, MAX_FRAMES, MILLISECONDS, COLORS = 16, 200, 250, 127  # of the animation
PAIRS = 6  # pairs of dimensions whose waves and rotations are drawn
PLACES = 20  # per position, between which the waves are drawn as straight lines


def encoding(length: int, d_model: int) -> NDArray[np.float32]:
    """Return the encoding (length, D) of positions 0 to length - 1."""
    return positional_encoding(length, d_model)[0]


def frequencies(d_model: int) -> NDArray[np.float64]:
    """Return the angle (D / 2,) in radians by which each pair of dimensions turns per position."""
    return 10000.0 ** (-np.arange(0, d_model, 2) / d_model)


def similarities(table: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the cosine similarity (T, T) of all pairs of T positions.

    All encodings have the same norm, sqrt(D / 2), because each pair of dimensions is on the unit
    circle. The similarity of two positions is the mean of the cosines of their distance times each
    frequency, so that it depends only on the distance.

    Args:
        table: the encoding (T, D).
    """
    table = np.asarray(table, np.float64)
    return table @ table.T / (table.shape[1] / 2)


def rotation(offset: int, speeds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the matrix that maps the encoding of each position p to that of p + offset.

    The matrix does not depend on p. It consists of blocks on the diagonal, each of which rotates a
    pair (sine, cosine) by a, the offset times its frequency w, by the angle sum identities

        sin(p w + a) =  cos(a) sin(p w) + sin(a) cos(p w)
        cos(p w + a) = -sin(a) sin(p w) + cos(a) cos(p w)

    Args:
        offset: distance between the positions.
        speeds: the frequencies (N,) of all pairs of dimensions or of some, in radians per
            position.

    Returns:
        Array (2 N, 2 N).
    """
    even, odd = np.arange(0, 2 * len(speeds), 2), np.arange(1, 2 * len(speeds), 2)
    matrix = np.zeros((2 * len(speeds), 2 * len(speeds)))
    matrix[even, even] = matrix[odd, odd] = np.cos(offset * speeds)
    matrix[even, odd] = np.sin(offset * speeds)
    matrix[odd, even] = -matrix[even, odd]
    return matrix


def rotated(table: NDArray[np.floating], offset: int) -> NDArray[np.float64]:
    """Return the product of the `rotation` of all pairs and each row of an encoding (T, D)."""
    angles = offset * frequencies(table.shape[1])
    sine, cosine = np.moveaxis(_pairs(table), -1, 0)  # (T, D / 2)
    parts = (
        np.cos(angles) * sine + np.sin(angles) * cosine,
        np.cos(angles) * cosine - np.sin(angles) * sine,
    )
    return np.stack(parts, axis=-1).reshape(table.shape)


def _pairs(table: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the sines and cosines (T, D / 2, 2) of an encoding (T, D)."""
    return table.reshape(len(table), -1, 2)


def check(length: int, d_model: int, offset: int) -> None:
    """Check the size of an encoding to draw.

    Args:
        length: number of positions.
        d_model: depth D.
        offset: distance between the positions of a rotation.

    Raises:
        UserError: If a number is out of range, or the depth is odd.
    """
    for name, value, limit in (("length", length, MAX_LENGTH), ("d_model", d_model, MAX_DEPTH)):
        if not 1 <= value <= limit:
            raise UserError(f"{name} must be from 1 to {limit:,}, not {value:,}")
    if d_model % 2:
        raise UserError(f"d_model must be even, not {d_model}: each sine has a cosine")
    if not 0 <= offset < length:
        raise UserError(
            f"offset must be from 0 to {length - 1:,}, not {offset:,}: the length is {length:,}"
        )


def plot_positions(
    length: int = 50, d_model: int = 256, offset: int = 4, view: str = "all"
) -> NotebookFigure:
    """Plot the positional encoding.

    Args:
        length: number of positions.
        d_model: depth D, an even number.
        offset: distance between the positions that the rotation maps to each other.
        view: "heatmap", "waves", "similarity", "rotation" or "all".

    Returns:
        A figure that displays itself in a notebook. `pictures.saving.save` writes it to a file.

    Raises:
        UserError: If a number is out of range, the depth is odd, or the view is unknown.
    """
    check(length, d_model, offset)
    if view not in VIEWS:
        raise UserError(f"there is no view {view!r}; views: {', '.join(VIEWS)}")
    makers = _views(length, d_model, offset)
    chosen = makers if view == "all" else {view: makers[view]}
    blocks = [block for make in chosen.values() for block in make()]
    title = f"positional encoding of {counted(length, 'position')}, d_model {d_model:,}"
    return pictures.plot_blocks(blocks, title, _notes(length, d_model, offset, chosen))


def save_rings(path: str | os.PathLike[str], length: int = 50, d_model: int = 256) -> None:
    """Save an animation of the positional encoding: hands that rotate from position to position.

    Args:
        path: the file, whose name ends in .gif.
        length: number of positions, one for each frame.
        d_model: depth D, an even number.

    Raises:
        UserError: If a number is out of range, the depth is odd, or the file cannot be written.
    """
    check_rings(length, d_model)
    title = f"positional encoding of {counted(length, 'position')}, d_model {d_model:,}"
    save_animation(frames(rings_of(length, d_model), title), path, MILLISECONDS, colors=COLORS)


def check_rings(length: int, d_model: int) -> None:
    """Check the size of an encoding to animate.

    Raises:
        UserError: If a number is out of range, or the depth is odd.
    """
    check(length, d_model, 0)
    if length > MAX_FRAMES:
        raise UserError(f"the rings have at most {MAX_FRAMES} positions, not {length:,}")


def rings_of(length: int, d_model: int) -> Rings:
    """Return the pairs of dimensions to animate, at most `RINGS`."""
    pairs = spread_pairs(length, d_model, RINGS)
    values = _pairs(encoding(length, d_model))[:, pairs]
    return Rings(pairs, 2 * np.pi / frequencies(d_model)[pairs], values)


def _views(length: int, d_model: int, offset: int) -> dict[str, Callable[[], list[Block]]]:
    """Return {view: function that returns its blocks}."""
    table, pairs = encoding(length, d_model), spread_pairs(length, d_model)
    wavelengths = 2 * np.pi / frequencies(d_model)

    def rotation_blocks() -> list[Block]:
        rotation = rotation_of(length, d_model, offset, pairs)
        return [pictures.rotation_matrix(rotation), pictures.rotation_circles(rotation)]

    return {
        "heatmap": lambda: [pictures.heat_map(table, wavelengths)],
        "similarity": lambda: [pictures.similarity_map(similarities(table))],
        "waves": lambda: [pictures.wave_strips(waves_of(length, d_model, pairs))],
        "rotation": rotation_blocks,
    }


def _notes(length: int, d_model: int, offset: int, views: Collection[str]) -> list[str]:
    """Return what a sheet with these views says below its title."""
    if "rotation" not in views:
        return []
    table, last = encoding(length, d_model), length - 1 - offset
    difference = np.abs(rotated(table[: last + 1], offset) - table[offset:]).max()
    how = f"differ by at most {difference:.0e}" if difference else "are equal"
    return [
        f"One rotation maps position p to p + {offset:,}, whichever p is: for p from 0 to "
        f"{last:,}, rotated and actual encodings {how}."
    ]


def spread_pairs(length: int, d_model: int, count: int = PAIRS) -> list[int]:
    """Return the numbers of pairs of dimensions whose wavelengths differ widely.

    The first pair is the fastest and the last the slowest. The wavelengths of the others are spread
    up to twice the length, so that they visibly change.
    """
    wavelengths = np.log(2 * np.pi / frequencies(d_model))
    wanted = np.linspace(wavelengths[0], np.log(max(2.0 * length, 4 * np.pi)), count - 1)
    nearest = np.abs(wavelengths - wanted[:, np.newaxis]).argmin(1)
    return sorted({*map(int, nearest), d_model // 2 - 1})


def waves_of(length: int, d_model: int, pairs: Sequence[int]) -> Waves:
    """Return some pairs of dimensions as functions of the position."""
    speeds = frequencies(d_model)[list(pairs)]
    places = np.linspace(0, length - 1, (length - 1) * PLACES + 1)
    angles = np.outer(places, speeds)
    curves = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    points = _pairs(encoding(length, d_model))[:, list(pairs)]
    return Waves(pairs, 2 * np.pi / speeds, places, curves, points)


def rotation_of(length: int, d_model: int, offset: int, pairs: Sequence[int]) -> Rotation:
    """Return the rotation of some pairs of dimensions, applied to all positions that it can be."""
    table, speeds = encoding(length, d_model), frequencies(d_model)[list(pairs)]
    turned = rotated(table[: length - offset], offset)
    chosen = (_pairs(each)[:, list(pairs)] for each in (turned, table[offset:], table[:1]))
    return Rotation(offset, pairs, d_model // 2, rotation(offset, speeds), offset * speeds, *chosen)
