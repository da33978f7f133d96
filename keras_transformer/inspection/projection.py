"""Principal component analysis (Pearson 1901): many dimensions projected to a few."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Projection(NamedTuple):
    """Points projected to the directions in which they vary most.

    Attributes:
        coordinates: float64 array (N, count) of the points.
        components: float64 array (count, D) of the directions, which are orthonormal.
        mean: float64 array (D,), the mean of the points, whose coordinates are 0.
        explained: float64 array (count,), the share of the variance along each direction, from 0
            to 1, in descending order.
    """

    coordinates: NDArray[np.float64]
    components: NDArray[np.float64]
    mean: NDArray[np.float64]
    explained: NDArray[np.float64]

    def project(self, points: NDArray[np.number]) -> NDArray[np.float64]:
        """Return the coordinates (M, count) of other points (M, D)."""
        return np.asarray((points - self.mean) @ self.components.T, np.float64)


def principal_components(points: NDArray[np.number], count: int = 2) -> Projection:
    """Project points to their principal components.

    The directions are the right singular vectors of the centered points. Their signs, which the
    decomposition leaves open, are such that the entry with the largest magnitude is positive.

    Args:
        points: array (N, D), at least one point.
        count: number of components, from 1 to D. Components beyond the rank of the points are
            arbitrary and explain nothing.

    Returns:
        The `Projection`.

    Raises:
        ValueError: If the shape or the count is invalid.

    Examples:
        >>> import numpy as np
        >>> line = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
        >>> projection = principal_components(line, 1)
        >>> print(projection.coordinates.ravel(), projection.explained)
        [-5.  0.  5.] [1.]
    """
    if points.ndim != 2 or not len(points) or not 1 <= count <= points.shape[1]:
        raise ValueError(f"points {points.shape} have no {count} principal components")
    mean = points.mean(axis=0, dtype=np.float64)
    centered = points - mean
    # With at least `count` rows, the decomposition has at least `count` directions.
    missing = np.zeros((max(0, count - len(points)), points.shape[1]))
    _, scales, directions = np.linalg.svd(np.vstack([centered, missing]), full_matrices=False)
    components = _with_sign(directions[:count])
    variances = scales**2
    explained = variances[:count] / (variances.sum() or 1.0)
    return Projection(centered @ components.T, components, mean, explained)


def _with_sign(components: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return components whose entry with the largest magnitude is positive."""
    largest = np.abs(components).argmax(axis=1)
    signs = np.sign(components[np.arange(len(components)), largest])
    return components * signs[:, np.newaxis]
