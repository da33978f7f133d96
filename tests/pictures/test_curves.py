import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from keras_transformer.pictures.curves import (
    Panel,
    Series,
    Style,
    number,
    plot_curves,
    shortened,
)
from keras_transformer.pictures.style import COLORS

LINE, POINTS = Style(COLORS[0], dashed=True), Style(COLORS[1], points=True)
X = np.arange(0, 1000, 50)


def panel(y, x=X, ratios=False, title="loss $x$", style=LINE):
    return Panel(title, [Series(x, np.asarray(y, float), style)], ratios)


def test_lines_are_the_data():
    other = Series(X[:3], np.array([3.0, 1.0, 2.0]), POINTS)
    panels = [Panel("two", [Series(X, X**0.5, LINE), other]), panel(X * 2.0)]
    figure = plot_curves(panels, "step", [("a", LINE), ("b", POINTS)], "title")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["two", "loss $x$"]
    for axes, (_, series, _) in zip(figure.axes, panels, strict=True):
        for line, (x, y, style) in zip(axes.lines, series, strict=True):
            np.testing.assert_array_equal(line.get_xdata(), x)
            np.testing.assert_array_equal(line.get_ydata(), y)
            assert line.get_color() == style.color
            assert line.get_linestyle() == ("--" if style.dashed else "-")
            assert (line.get_marker() == "o") == style.points


def test_values_that_are_not_finite_are_not_drawn():
    y = [3.0, np.nan, 2.0, np.inf, -np.inf]
    [axes] = plot_curves([panel(y, X[:5])], "step", [("a", LINE)]).axes
    assert axes.lines[0].get_xdata().tolist() == [0, 100]
    assert axes.lines[0].get_ydata().tolist() == [3, 2]


@pytest.mark.parametrize("y", [[], [np.nan]])
def test_a_panel_without_data_says_so(y):
    figure = plot_curves([panel(y, X[: len(y)])], "step", [("a", LINE)])
    [axes] = figure.axes
    assert [text.get_text() for text in axes.texts] == ["no data"]
    FigureCanvasAgg(figure).draw()


def test_a_single_point_is_visible():
    [axes] = plot_curves([panel([2.0], X[:1])], "step", [("a", LINE)]).axes
    assert axes.lines[0].get_marker() == "o"


@pytest.mark.parametrize(
    ("y", "ratios", "scale"),
    [
        ([1.5, 20.0], True, "log"),
        ([1.5, 20.0], False, "linear"),
        ([1.5, 4.0], True, "linear"),
        ([0.0, 20.0], True, "linear"),
    ],
)
def test_axes_of_ratios_are_logarithmic_if_values_differ_much(y, ratios, scale):
    [axes] = plot_curves([panel(y, X[:2], ratios)], "step", [("a", LINE)]).axes
    assert axes.get_yscale() == scale


@pytest.mark.parametrize(
    ("y", "low"), [([5.0, 8.0], 0), ([0.0, 0.0], 0), ([-5.0, 8.0], -5.65), ([-5.0, -8.0], -8.4)]
)
def test_linear_axes_begin_at_0_unless_values_are_negative(y, low):
    [axes] = plot_curves([panel(y, X[:2])], "step", [("a", LINE)]).axes
    bottom, top = axes.get_ylim()
    assert bottom == pytest.approx(low)
    assert top >= max(y)
    assert top > bottom


def test_all_panels_have_the_same_range_of_x():
    panels = [panel([1.0, 2.0], X[:2]), panel(X + 1.0), panel([])]
    first, second, _ = plot_curves(panels, "step", [("a", LINE)]).axes
    assert first.get_xlim() == second.get_xlim()
    assert first.get_xlim()[0] == 0
    assert first.get_xlim()[1] >= X[-1]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (5e-5, "0.00005"), (0.0005, "0.0005"), (1.5, "1.5"), (12_500.0, "12,500")],
)
def test_numbers_have_no_powers_of_ten(value, text):
    assert number(value) == text


def test_long_labels_are_shortened_in_the_middle():
    label = "".join(map(str, range(100)))
    assert len(shortened(label)) == 60
    assert shortened(label).startswith(label[:20])
    assert shortened(label).endswith(label[-20:])
    assert shortened("a" * 60) == "a" * 60


@pytest.mark.parametrize("labels", [["a"], ["$run$_1", "run " * 30, "b"], ["a long name"] * 10])
@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e3])
@pytest.mark.parametrize(("count", "title"), [(1, "title " * 20), (6, "a run")])
def test_texts_neither_overlap_nor_leave_the_page(labels, scale, count, title):
    """Compares the bounding boxes that Matplotlib computes."""
    x = X * int(max(scale, 1))
    panels = [
        panel((X + 1) * scale, x, ratios, "throughput (tokens per second)")
        for ratios in itertools.islice(itertools.cycle([True, False]), count)
    ]
    figure = plot_curves(panels, "step", [(label, LINE) for label in labels], title)
    FigureCanvasAgg(figure).draw()
    [legend] = figure.legends
    drawn = [*figure.texts, *legend.get_texts()]
    for axes in figure.axes:
        ticks = [*_visible(axes.xaxis), *_visible(axes.yaxis)]
        assert len(ticks) >= 4
        drawn += ticks
    boxes = [each.get_window_extent() for each in drawn if each.get_text()]
    boxes += [line.get_window_extent() for line in legend.get_lines()]
    boxes = np.array([box.extents for box in boxes])
    low, high = boxes[:, :2], boxes[:, 2:]  # (n, 2): x and y
    assert (low >= 0).all()
    assert (high <= figure.bbox.size).all()
    before = (low[:, np.newaxis] >= high - 1).any(-1)  # (n, n); one pixel is tolerated
    overlapping = ~(before | before.T | np.eye(len(boxes), dtype=bool))
    assert not overlapping.any(), np.argwhere(overlapping)


def _visible(axis):
    """Return the labels of an axis that are inside its range."""
    low, high = axis.get_view_interval()
    places = zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=True)
    return [label for place, label in places if low <= place <= high]
