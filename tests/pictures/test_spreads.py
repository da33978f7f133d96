"""Curves of repeated measurements."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from keras_transformer.pictures.spreads import Spread, plot_spreads


def test_the_mean_and_the_range_of_the_repetitions_are_drawn():
    values = np.array([[1.0, 2.0, 4.0], [3.0, 2.0, 5.0]])
    figure = plot_spreads({"a": [Spread("one", values)], "b": []}, [1, 2, 3], "epoch")
    first, second = figure.axes
    [line] = first.lines
    np.testing.assert_allclose(line.get_xydata(), [[1, 2], [2, 2], [3, 4.5]])
    [band] = first.collections
    corners = band.get_paths()[0].vertices
    for x, low, high in ((1, 1, 3), (2, 2, 2), (3, 4, 5)):
        heights = corners[corners[:, 0] == x, 1]
        assert (heights.min(), heights.max()) == (low, high)
    assert not second.lines


def test_a_single_point_has_a_marker():
    figure = plot_spreads({"a": [Spread("one", np.array([[1.0], [3.0]]))]}, [1], "epoch")
    [line] = figure.axes[0].lines
    assert line.get_marker() == "o"
    np.testing.assert_allclose(line.get_xydata(), [[1, 2]])


def test_the_legend_stays_on_the_page():
    spreads = [Spread(name, np.ones((1, 2))) for name in ("rate 0", "a rate of 0.123456789")]
    figure = plot_spreads({"a": spreads}, [1, 2], "epoch")
    FigureCanvasAgg(figure).draw()
    for text in figure.axes[0].get_legend().get_texts():
        assert text.get_window_extent().x1 <= figure.bbox.x1


def test_a_curve_has_the_same_color_in_every_panel_and_a_line_in_the_legend():
    spreads = [Spread(name, np.full((2, 2), value)) for name, value in (("low", 1), ("high", 2))]
    figure = plot_spreads({"a": spreads, "b": spreads}, [1, 2], "epoch")
    colors = [[line.get_color() for line in axes.lines] for axes in figure.axes]
    assert colors[0] == colors[1]
    assert colors[0][0] != colors[0][1]
    legend = figure.axes[-1].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["high", "low"]
