import io
import warnings

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread

from keras_transformer.pictures.heatmaps import (
    Axis,
    arrange,
    plot_attention,
)
from keras_transformer.pictures.saving import encoded


def weights(heads, rows, columns):
    values = np.random.default_rng(0).random((heads, rows, columns))
    return values / values.sum(-1, keepdims=True)


def panels_of(figure):
    return [axes for axes in figure.axes if axes.get_title()]


def texts(figure):
    return [text.get_text() for text in figure.texts]


@pytest.mark.parametrize("heads", [1, 3, 8])
def test_each_head_has_a_panel_with_labels_on_both_axes(heads):
    rows, columns = ["Katze", "$x", "y", "<end>"], ["<start>", "cat", "<end>"]
    values = weights(heads, 4, 3)
    axes = Axis("target", rows), Axis("source", columns)
    figure = plot_attention(values, *axes, "cross attention", ["The cat $x$.", "Die Katze."])
    panels = panels_of(figure)
    assert [panel.get_title() for panel in panels] == [f"head {i + 1}" for i in range(heads)]
    for panel, matrix in zip(panels, values, strict=True):
        assert [label.get_text() for label in panel.get_yticklabels()] == rows
        assert [label.get_text() for label in panel.get_xticklabels()] == columns
        np.testing.assert_array_equal(panel.images[0].get_array(), matrix)
    assert figure.get_suptitle() == "cross attention"
    assert (figure.get_supylabel(), figure.get_supxlabel()) == ("target", "source")
    assert texts(figure)[1:3] == ["The cat $x$.", "Die Katze."]


def test_hidden_positions_are_gray_and_explained():
    values = np.array([[[1.0, np.nan], [0.0, 1.0]]])
    axes = Axis("rows", ["a", "b"]), Axis("columns", ["c", "d"])
    figure = plot_attention(values, *axes)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    [panel] = panels_of(figure)
    pixels = np.asarray(canvas.buffer_rgba())[..., :3].astype(int)

    def color(row, column):
        x, y = panel.transData.transform((column, row))
        return pixels[round(len(pixels) - y), round(x)]

    np.testing.assert_array_equal(color(0, 1), [217, 217, 217])
    assert color(1, 0).sum() < 200, "a weight of 0 is dark"
    assert [text.get_text() for legend in figure.legends for text in legend.texts] == ["hidden"]
    assert plot_attention(np.zeros((1, 2, 2)), *axes).legends == []


LONG = ["Freundschafts", "<start>", "m", "␣"]


@pytest.mark.parametrize("heads", [1, 4, 8])
@pytest.mark.parametrize(
    ("rows", "columns"), [(3, 3), (10, 12), (41, 42), (41, 3), (1, 30), (2, 3)]
)
@pytest.mark.parametrize("title", ["cross attention, layer 4", "a title " * 5])
def test_texts_neither_overlap_nor_leave_the_page(heads, rows, columns, title):
    """Compares the bounding boxes that Matplotlib computes."""
    labels = [(LONG * 11)[:count] for count in (rows, columns)]
    text = ["word " * max(rows, columns), "a" * 3 * columns]
    axes = Axis("subword being generated", labels[0]), Axis("source subword", labels[1])
    figure = plot_attention(weights(heads, rows, columns), *axes, title, text)
    FigureCanvasAgg(figure).draw()
    drawn = [*figure.texts, *(panel.title for panel in panels_of(figure))]
    for axes in figure.axes:
        drawn += [*axes.get_xticklabels(), *axes.get_yticklabels(), axes.yaxis.label]
    boxes = np.array([each.get_window_extent().extents for each in drawn if each.get_text()])
    assert len(boxes) > heads * (rows + columns + 1)
    low, high = boxes[:, :2], boxes[:, 2:]  # (n, 2): x and y
    assert (low >= 0).all()
    assert (high <= figure.bbox.size).all()
    before = (low[:, np.newaxis] >= high - 1).any(-1)  # (n, n); one pixel is tolerated
    overlapping = ~(before | before.T | np.eye(len(boxes), dtype=bool))
    assert not overlapping.any(), np.argwhere(overlapping)


@pytest.mark.parametrize(
    ("heads", "rows", "columns", "grid"),
    [
        (8, 10, 10, (2, 4)),
        (4, 10, 10, (2, 2)),
        (8, 41, 42, (2, 4)),
        (8, 41, 3, (1, 8)),
        (4, 3, 41, (4, 1)),
        (1, 5, 5, (1, 1)),
    ],
)
def test_panels_are_arranged_to_fill_a_page(heads, rows, columns, grid):
    layout = arrange(heads, ["word"] * rows, ["word"] * columns)
    assert (layout.rows, layout.columns) == grid


def test_scripts_that_the_font_lacks_cause_no_warnings():
    labels = ["漢字", "😀", "$\\frac", "עברית"] * 10
    axes = Axis("a", labels), Axis("b", labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = plot_attention(weights(8, 40, 40), *axes, "漢字", ["漢字" * 200, "😀"])
        assert len(encoded(figure, "png")) > 10_000


def test_figures_display_themselves_in_notebooks():
    """IPython calls `_repr_png_`, which has to work without pyplot."""
    axes = Axis("a", ["漢"]), Axis("b", ["c", "d"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = plot_attention(weights(1, 1, 2), *axes)
        pixels = imread(io.BytesIO(figure._repr_png_()))
    width, height = figure.get_size_inches() * figure.dpi
    np.testing.assert_allclose(pixels.shape, (height, width, 4), atol=1)


def test_the_numbers_of_labels_must_match_the_weights():
    with pytest.raises(ValueError, match="do not fit 2 rows, 3 columns"):
        plot_attention(weights(2, 3, 3), Axis("", ["a", "b"]), Axis("", ["a", "b", "c"]))
