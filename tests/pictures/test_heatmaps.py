import io
import itertools
import warnings

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread

from keras_transformer.pictures.heatmaps import (
    Axis,
    Band,
    Panel,
    Strip,
    arrange,
    plot_attention,
    plot_bands,
)
from keras_transformer.pictures.saving import encoded
from keras_transformer.pictures.sheets import SheetTooLarge
from keras_transformer.pictures.style import COLORS, colormap
from tests.pictures.overlaps import check_texts


def weights(heads, rows, columns):
    values = np.random.default_rng(0).random((heads, rows, columns))
    return values / values.sum(-1, keepdims=True)


def panels_of(figure):
    return [axes for axes in figure.axes if axes.get_title() and axes.images]


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
    assert texts(figure)[1:] == ["The cat $x$.", "Die Katze.", "target", "source"]


def test_hidden_positions_are_hatched_and_explained():
    values = np.array([[[1.0, np.nan], [0.0, 1.0]]])
    axes = Axis("rows", ["a", "b"]), Axis("columns", ["c", "d"])
    figure = plot_attention(values, *axes)
    [panel] = panels_of(figure)
    assert panel.patch.get_hatch()
    black, hidden, white = (pixels(figure, panel, *cell) for cell in ((0, 0), (0, 1), (1, 0)))
    assert len(np.unique(black, axis=0)) == len(np.unique(white, axis=0)) == 1
    assert black[0].sum() < 250, "a weight of 1 is dark"
    np.testing.assert_array_equal(white[0], [255, 255, 255])
    assert len(np.unique(hidden, axis=0)) > 5, "the pattern has several shades"
    assert hidden.min() > 150, "the pattern is light"
    assert [text.get_text() for legend in figure.legends for text in legend.texts] == ["hidden"]
    assert plot_attention(np.zeros((1, 2, 2)), *axes).legends == []


def pixels(figure, panel, row, column):
    """Return the colors (N, 3) in the middle of a cell."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = np.asarray(canvas.buffer_rgba())[..., :3].astype(int)
    x, y = panel.transData.transform((column, row))
    part = image[round(len(image) - y) - 12 :, round(x) - 12 :][:24, :24]
    return part.reshape(-1, 3)


def test_the_color_bar_shows_each_hue_once_with_one_scale():
    figure = plot_attention(weights(10, 3, 3), Axis("", "abc"), Axis("", "def"))
    [bar] = [axes for axes in figure.axes if axes.get_ylabel() == "attention weight"]
    shades = bar.images[0].get_array()
    assert shades.shape[1] == len(COLORS), "the colors of heads 9 and 10 are repeated"
    for hue, column in enumerate(np.swapaxes(shades, 0, 1)):
        np.testing.assert_allclose(column[::-1], colormap(hue)(np.linspace(0, 1, 256))[:, :3])
    assert bar.get_ylim() == (0, 1)


LONG = ["Freundschafts", "<start>", "m", "␣"]


@pytest.mark.parametrize(
    ("heads", "rows", "columns"),
    [(8, 41, 42), *itertools.product([1, 4], [1, 10, 41], [3, 41]), (8, 3, 3), (8, 41, 3)],
)
@pytest.mark.parametrize("title", ["cross attention, layer 4", "a title " * 5])
def test_texts_neither_overlap_nor_leave_the_page(heads, rows, columns, title):
    labels = [(LONG * 11)[:count] for count in (rows, columns)]
    text = ["word " * max(rows, columns), "a" * 3 * columns]
    axes = Axis("subword being generated", labels[0]), Axis("source subword", labels[1])
    figure = plot_attention(weights(heads, rows, columns), *axes, title, text)
    check_texts(figure, heads * (rows + columns + 1) + 1)


def strip_of(rows):
    notes = [f"0.50 ({LONG[row % 4]} 4e-05)" for row in range(rows)]
    return Strip("probability (network's choice)", np.full(rows, 0.5), notes, [True] * rows)


@pytest.mark.parametrize(
    ("heads", "rows", "columns"), [(3, 41, 41), (2, 2, 41), (1, 41, 2), (1, 41, 41), (8, 1, 1)]
)
def test_texts_of_a_sheet_neither_overlap_nor_leave_the_page(heads, rows, columns):
    source, target = ((LONG * 11)[:count] for count in (columns, rows))
    shapes = [(target, source, None), (source, source, None), (target, target, strip_of(rows))]
    bands = [
        Band(
            f"decoder attention, layer {number} of 3",
            Axis("subword being written", down),
            Axis("source subword attended to", across),
            [
                Panel(f"head {head + 1}", matrix, head)
                for head, matrix in enumerate(weights(heads, len(down), len(across)))
            ],
            strip,
        )
        for number, (down, across, strip) in enumerate(shapes, 1)
    ]
    figure = plot_bands(bands, "encoder, decoder and cross attention", ["a text " * 20])
    check_texts(figure, heads * 2 * (rows + columns))
    for kind in ("encoder", "cross"):
        assert kind in figure.get_suptitle()


def test_the_panels_of_bands_are_aligned():
    bands = [
        Band("a", Axis("", ["x"] * rows), Axis("", ["y"] * columns), panels(rows, columns), strip)
        for rows, columns, strip in ((3, 4, None), (8, 9, strip_of(8)), (20, 20, None))
    ]
    figure = plot_bands(bands)
    lefts = np.array([panel.get_position().x0 for panel in panels_of(figure)]).reshape(3, 3)
    bottoms = np.array([panel.get_position().y0 for panel in panels_of(figure)]).reshape(3, 3)
    steps = np.diff(lefts, axis=1)
    np.testing.assert_allclose(steps, steps[0, 0])
    np.testing.assert_allclose(bottoms, bottoms[:, :1].repeat(3, axis=1))
    assert (np.diff(bottoms[:, 0]) < 0).all(), "each band is below the one before"


def test_the_panels_of_bands_with_labels_of_different_lengths_are_aligned():
    bands = [
        Band("a", Axis("", [label] * 3), Axis("", ["y"] * 4), panels(3, 4), strip)
        for label, strip in (("x", None), ("Geschwindigkeitsbegrenzung", strip_of(3)))
    ]
    figure = plot_bands(bands)
    lefts = np.array([each.get_position().x0 for each in panels_of(figure)]).reshape(2, -1)
    np.testing.assert_allclose(lefts[0], lefts[1])
    check_texts(figure)


def panels(rows, columns):
    values = weights(3, rows, columns)
    return [Panel(f"head {head + 1}", matrix, head) for head, matrix in enumerate(values)]


def test_a_sheet_that_is_too_large_is_an_error():
    labels = ["x"] * 400
    with pytest.raises(SheetTooLarge, match=r"the picture is too large: it would measure \d+ by"):
        plot_attention(np.zeros((16, 400, 400)), Axis("", labels), Axis("", labels))


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
    axes = Axis("", ["word"] * rows), Axis("", ["word"] * columns)
    layout = arrange(Band("", *axes, [Panel("head 1", np.zeros((rows, columns)), 0)] * heads))
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
