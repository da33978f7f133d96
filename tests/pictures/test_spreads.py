"""Curves of repeated measurements."""

import numpy as np

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


def test_a_curve_has_the_same_color_in_every_panel_and_a_line_in_the_legend():
    spreads = [Spread(name, np.full((2, 2), value)) for name, value in (("low", 1), ("high", 2))]
    figure = plot_spreads({"a": spreads, "b": spreads}, [1, 2], "epoch")
    colors = [[line.get_color() for line in axes.lines] for axes in figure.axes]
    assert colors[0] == colors[1]
    assert colors[0][0] != colors[0][1]
    legend = figure.axes[-1].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["high", "low"]
