"""Maps of embeddings: principal components, or t-SNE."""

import importlib.util
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import missing_extra
from keras_transformer.inspection.embeddings.vectors import Embeddings
from keras_transformer.inspection.embeddings.writing import Kind
from keras_transformer.inspection.projection import principal_components
from keras_transformer.pictures.maps import Group, Map, plot_map

PERPLEXITY = 30  # of t-SNE, if there are enough points


class Plane(NamedTuple):
    """Vectors projected to a plane.

    Attributes:
        coordinates: float64 array (N, 2).
        axes_titles: titles of the horizontal and of the vertical axis.
        explanation: text for readers of the map.
    """

    coordinates: NDArray[np.float64]
    axes_titles: tuple[str, str]
    explanation: str


def plot_embeddings(
    embeddings: Embeddings,
    rows: Sequence[int],
    method: str = "pca",
    seed: int = 0,
    title: str = "",
    text: Sequence[str] = (),
    marked: Sequence[int] = (),
) -> Map:
    """Plot a map of subwords, whose embeddings are scaled to length 1 and projected to a plane.

    Args:
        embeddings: the `Embeddings`.
        rows: numbers of the subwords, at least `MIN_POINTS`.
        method: "pca" (principal components) or "tsne" (t-SNE, van der Maaten and Hinton 2008).
        seed: seed of t-SNE.
        title: title of the figure.
        text: strings below the title and the explanation of the map.
        marked: numbers of subwords that are added to the others, and whose labels are bold.

    Raises:
        UserError: If the method needs a package that is not installed.
    """
    rows = [*rows, *(row for row in dict.fromkeys(marked) if row not in set(rows))]
    places = {row: place for place, row in enumerate(rows)}
    plane = project(embeddings.unit_vectors[rows], method, seed)
    groups = [
        Group(kind, [place for row, place in places.items() if embeddings.kinds[row] == kind])
        for kind in Kind
    ]
    labels = [embeddings.labels[row] for row in rows]
    bold = [places[row] for row in dict.fromkeys(marked)]
    lines = [plane.explanation, *text]
    return plot_map(plane.coordinates, labels, groups, plane.axes_titles, title, lines, bold)


def check_method(method: str) -> None:
    """Raise a `UserError` if a method needs a package that is not installed."""
    if method == "tsne" and importlib.util.find_spec("sklearn") is None:
        raise missing_extra("t-SNE needs scikit-learn", "examples")


def project(vectors: NDArray[np.float64], method: str, seed: int = 0) -> Plane:
    """Project vectors (N, D) to a plane.

    Args:
        vectors: the vectors, at least `embeddings.MIN_POINTS`.
        method: "pca" or "tsne".
        seed: seed of t-SNE.
    """
    return neighbor_plane(vectors, seed) if method == "tsne" else principal_plane(vectors)


def principal_plane(vectors: NDArray[np.float64]) -> Plane:
    """Return the principal components of vectors (N, D)."""
    projection = principal_components(vectors)
    first, second = (f"{part:.1%} of the variance" for part in projection.explained)
    axes_titles = f"first principal component: {first}", f"second principal component: {second}"
    return Plane(projection.coordinates, axes_titles, "Principal components of the embeddings.")


def neighbor_plane(vectors: NDArray[np.float64], seed: int = 0) -> Plane:
    """Return the result of t-SNE for vectors (N, D) (van der Maaten and Hinton 2008).

    Raises:
        UserError: If scikit-learn is not installed.
    """
    check_method("tsne")
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits  # scikit-learn requires it

    # Roughly the number of neighbors that count for each point, of which there are N - 1.
    perplexity = min(PERPLEXITY, (len(vectors) - 1) / 3)
    estimator = TSNE(perplexity=perplexity, init="pca", random_state=seed)
    # Several threads would add in an arbitrary order, and wait for each other most of the time.
    with threadpool_limits(1):
        coordinates = np.asarray(estimator.fit_transform(vectors), np.float64)
    text = (
        f"t-SNE of the embeddings, with perplexity {perplexity:.3g}. Subwords with similar "
        "embeddings are close to each other. Directions and long distances have no meaning."
    )
    return Plane(coordinates, ("", ""), text)
