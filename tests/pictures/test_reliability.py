import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from keras_transformer.pictures.reliability import Diagram, plot_reliability
from keras_transformer.pictures.saving import encoded

COUNTS = np.array([0, 10, 30])
CONFIDENCE, ACCURACY = np.array([0, 0.5, 0.9]), np.array([0, 0.25, 1.0])


def diagram(title="temperature 1"):
    return Diagram(title, COUNTS, CONFIDENCE, ACCURACY)


def spans(bars):
    """Return the left edge, bottom and top of each bar."""
    return [(bar.get_x(), *sorted((bar.get_y(), bar.get_y() + bar.get_height()))) for bar in bars]


def test_bars_show_accuracy_gap_and_counts():
    figure = plot_reliability([diagram()], "a title", "subwords")
    upper, lower = figure.axes
    right, gaps = upper.containers
    edges = [0, 1 / 3, 2 / 3]
    np.testing.assert_allclose(spans(right), [*zip(edges, [0] * 3, ACCURACY, strict=True)])
    low, high = np.minimum(ACCURACY, CONFIDENCE), np.maximum(ACCURACY, CONFIDENCE)
    np.testing.assert_allclose(spans(gaps), [*zip(edges, low, high, strict=True)])
    [histogram] = lower.containers
    np.testing.assert_allclose(
        spans(histogram), [*zip(edges, [0] * 3, [0, 0.25, 0.75], strict=True)]
    )
    assert [bar.get_width() for bar in histogram] == pytest.approx([1 / 3] * 3)
    assert upper.lines[0].get_xydata().tolist() == [[0, 0], [1, 1]]
    assert upper.get_xlim() == upper.get_ylim() == (0, 1)
    assert upper.get_ylabel() == "subwords that are right"


def test_diagrams_are_side_by_side_with_the_same_scales():
    figure = plot_reliability([diagram("$a$"), diagram("b")], "both")
    upper, lower = figure.axes[:2], figure.axes[2:]
    assert [axes.get_title() for axes in upper] == ["$a$", "b"]
    for axes in (upper, lower):
        assert axes[0].get_ylim() == axes[1].get_ylim()
    assert figure.get_suptitle() == "both"
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_bins_without_predictions_can_be_drawn():
    zeros = np.zeros(15)
    figure = plot_reliability([Diagram("none", zeros.astype(int), zeros, zeros)])
    assert encoded(figure, "png")


@pytest.mark.parametrize("count", [1, 2])
def test_texts_neither_overlap_nor_leave_the_page(count):
    title = "temperatures 0.995 and 0.988\ncalibration error 0.0202"
    figure = plot_reliability(
        [diagram(title)] * count, "the most probable next subword", "subwords"
    )
    FigureCanvasAgg(figure).draw()
    drawn = [*figure.texts, *figure.legends[0].get_texts()]
    for axes in figure.axes:
        drawn += [*axes.get_yticklabels(), axes.title, axes.xaxis.label, axes.yaxis.label]
        drawn += axes.get_xticklabels() if axes.xaxis.label.get_text() else []
    visible = [each for each in drawn if each.get_text() and each.get_visible()]
    boxes = np.array([each.get_window_extent().extents for each in visible])
    low, high = boxes[:, :2], boxes[:, 2:]  # (n, 2): x and y
    assert len(boxes) > 10
    assert (low >= 0).all()
    assert (high <= figure.bbox.size).all()
    before = (low[:, np.newaxis] >= high - 1).any(-1)  # (n, n); one pixel is tolerated
    overlapping = ~(before | before.T | np.eye(len(boxes), dtype=bool))
    assert not overlapping.any(), [visible[i].get_text() for i in np.argwhere(overlapping)[0]]
