"""Heat maps of attention weights."""

import math
import warnings

from matplotlib.figure import Figure

COLUMNS = 4
CELL = 0.17  # inches that a label needs
SMALLEST = 1.6  # inches


def plot_attention(weights, queries, keys, title=""):
    """Draws a panel for each head: a row for each query, a column for each key.

    Args:
        weights: array (H, query, key), from 0 (dark) to 1 (bright).
        queries: labels of the rows.
        keys: labels of the columns.
        title: above the panels.

    Returns:
        A `matplotlib.figure.Figure`, for `save`.

    Raises:
        ValueError: the labels do not fit the weights.
    """
    heads = len(weights)
    if weights.shape != (heads, len(queries), len(keys)):
        raise ValueError(
            f"weights {weights.shape} do not fit {len(queries)} queries and {len(keys)} keys"
        )
    columns = min(COLUMNS, heads)
    rows = math.ceil(heads / columns)
    width = max(SMALLEST, CELL * len(keys)) + 0.9
    height = max(SMALLEST, CELL * len(queries)) + 1.1
    figure = Figure(figsize=(columns * width, rows * height + 0.4), dpi=150, layout="constrained")
    figure.suptitle(title)
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for head, panel in enumerate(panels):
        if head < heads:
            image = _draw_head(panel, weights[head], queries, keys, f"head {head + 1}")
        else:
            panel.remove()
    figure.colorbar(image, ax=figure.axes, shrink=0.6, label="attention weight")
    return figure


def save(figure, path):
    """Writes a figure to a file, whose ending names the format.

    Raises:
        OSError: the file cannot be written.
        ValueError: there is no such format.
    """
    with warnings.catch_warnings():
        # A script that the font lacks is drawn as boxes, which is no reason to complain.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(path)


def _draw_head(panel, weights, queries, keys, title):
    image = panel.imshow(weights, cmap="viridis", vmin=0.0, vmax=1.0)
    panel.set_title(title, fontsize=9)
    # A subword such as $ is not mathematics.
    style = {"fontsize": 7, "parse_math": False}
    panel.set_xticks(range(len(keys)), keys, rotation=90, **style)
    panel.set_yticks(range(len(queries)), queries, **style)
    return image
