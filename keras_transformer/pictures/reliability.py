"""Reliability diagrams: how often predictions are right, by their confidence."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import COLORS, DPI, LABEL_SIZE, TEXT_SIZE

WIDTH, HEIGHT = 3.7, 4.6  # inches, of a diagram with its histogram
RATIO = 2.6  # of the heights of a diagram and its histogram
RIGHT, GAP = COLORS[5], COLORS[1]


class Diagram(NamedTuple):
    """A reliability diagram (Niculescu-Mizil and Caruana 2005) of M bins of equal width.

    Attributes:
        title: what is above the diagram.
        counts: (M,), the number of predictions in each bin.
        confidence: (M,), their mean confidence.
        accuracy: (M,), the fraction that is right.
    """

    title: str
    counts: NDArray[np.integer]
    confidence: NDArray[np.floating]
    accuracy: NDArray[np.floating]


def plot_reliability(
    diagrams: Sequence[Diagram], title: str = "", predictions: str = "predictions"
) -> NotebookFigure:
    """Plot reliability diagrams side by side, each above a histogram of the confidences.

    A bar shows the accuracy of a bin, and a hatched bar the gap between it and the mean confidence.
    The confidences of a perfectly calibrated network lie on the diagonal.

    Args:
        diagrams: at least one `Diagram`.
        title: title of the figure.
        predictions: the name of the predictions, in the plural.

    Returns:
        A figure that displays itself in a notebook.
    """
    figure = NotebookFigure(figsize=(WIDTH * len(diagrams), HEIGHT), dpi=DPI, layout="constrained")
    figure.suptitle(title, fontsize=TEXT_SIZE + 1, fontweight="bold", parse_math=False)
    axes = figure.subplots(
        2, len(diagrams), squeeze=False, sharex=True, sharey="row", height_ratios=(RATIO, 1)
    )
    for diagram, upper, lower in zip(diagrams, *axes, strict=True):
        _draw_accuracy(upper, diagram)
        _draw_histogram(lower, diagram)
        lower.set_xlabel("confidence", fontsize=TEXT_SIZE)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    # Below the diagrams, since a bar may be anywhere in them.
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=len(labels) if len(diagrams) > 1 else 2,
        fontsize=LABEL_SIZE,
        frameon=False,
    )
    axes[0, 0].set_ylabel(f"{predictions} that are right", fontsize=TEXT_SIZE)
    axes[1, 0].set_ylabel(f"share of {predictions}", fontsize=TEXT_SIZE)
    figure.align_ylabels(axes[:, 0])
    for each in axes.flat:
        each.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        each.tick_params(labelsize=LABEL_SIZE, length=2, pad=2)
    return figure


def _draw_accuracy(axes: Axes, diagram: Diagram) -> None:
    """Draw the accuracy of each bin, its gap to the confidence, and the diagonal."""
    lefts, width = _bins(diagram)
    bars: dict[str, Any] = {"align": "edge", "linewidth": 0.8}
    axes.bar(lefts, diagram.accuracy, width, color=RIGHT, edgecolor="white", label="right", **bars)
    axes.bar(
        lefts,
        diagram.confidence - diagram.accuracy,
        width,
        diagram.accuracy,
        fill=False,
        edgecolor=GAP,
        hatch="////",
        label="gap to the mean confidence",
        **bars,
    )
    axes.plot([0, 1], [0, 1], color="black", linestyle="--", linewidth=1, label="no gap")
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_title(diagram.title, fontsize=TEXT_SIZE, parse_math=False)


def _draw_histogram(axes: Axes, diagram: Diagram) -> None:
    """Draw the share of the predictions that each bin contains."""
    lefts, width = _bins(diagram)
    shares = diagram.counts / max(diagram.counts.sum(), 1)
    axes.bar(lefts, shares, width, align="edge", color="0.6", edgecolor="white", linewidth=0.5)


def _bins(diagram: Diagram) -> tuple[NDArray[np.float64], float]:
    """Return the left edge of each bin, and the width of a bin."""
    return np.linspace(0, 1, len(diagram.counts), endpoint=False), 1 / len(diagram.counts)
