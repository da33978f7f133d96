"""Weights drawn over images."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from keras_transformer.pictures.overlays import Strip, plot_over_images, tint


def strip(count, shape=(12, 12, 3), grid=(3, 3), labels=None, caption="a caption"):
    random = np.random.default_rng(count)
    weights = random.random((count, *grid))
    labels = labels or [f"word {number}" for number in range(count)]
    return Strip(random.random(shape), weights, labels, caption)


def panels(figure):
    """The axes of each image, without those of the color bar."""
    return [axes for axes in figure.axes if axes.images]


def pixels(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(int)


@pytest.mark.parametrize("shape", [(12, 12, 3), (8, 8), (10, 16, 3)])
def test_each_panel_shows_the_image_and_its_own_weights(shape):
    one, two = strip(2, shape), strip(3, shape)
    drawn = panels(plot_over_images([one, two]))
    first = {0: one, 3: two}  # the panels without weights
    assert len(drawn) == 2 + 2 + 3
    for number, axes in enumerate(drawn):
        source = one if number < 3 else two
        np.testing.assert_array_equal(axes.images[0].get_array(), source.image)
        assert len(axes.images) == (1 if number in first else 2)
    for start, source in first.items():
        for matrix, label, axes in zip(
            source.weights, source.labels, drawn[start + 1 :], strict=False
        ):
            np.testing.assert_array_equal(axes.images[1].get_array(), matrix)
            assert axes.images[1].get_extent() == axes.images[0].get_extent()
            assert axes.get_title() == label


def test_all_panels_share_the_scale_of_the_color_bar():
    strips = [strip(2), strip(3)]
    largest = max(each.weights.max() for each in strips)
    for axes in panels(plot_over_images(strips)):
        for overlay in axes.images[1:]:
            assert overlay.get_clim() == (0, largest)


def color_of_cell(figure, axes, row, column, side=2):
    """The color in the middle of a cell of the weights (side, side) over an image (4, 4)."""
    drawn, cell = pixels(figure), 4 / side
    x, y = axes.transData.transform(((column + 0.5) * cell - 0.5, (row + 0.5) * cell - 0.5))
    return drawn[round(len(drawn) - y), round(x)]


def test_the_image_is_visible_where_the_weight_is_large_and_dark_elsewhere():
    red = np.broadcast_to([1.0, 0, 0], (4, 4, 3))
    figure = plot_over_images([Strip(red, np.array([[[1.0, 0], [0, 0.5]]]), ["word"])])
    axes = panels(figure)[1]
    np.testing.assert_array_equal(color_of_cell(figure, axes, 0, 0), [255, 0, 0])
    dark = color_of_cell(figure, axes, 0, 1)
    assert dark.max() < 70
    np.testing.assert_array_equal(color_of_cell(figure, axes, 1, 0), dark)
    assert dark[0] < color_of_cell(figure, axes, 1, 1)[0] < 255


def test_a_tint_leaves_the_image_as_it_is_where_the_weight_is_0():
    white = np.ones((4, 4))
    figure = plot_over_images([Strip(white, np.array([[[1.0, 0], [0, 0]]]), ["head"])], "", tint(0))
    axes = panels(figure)[1]
    np.testing.assert_array_equal(color_of_cell(figure, axes, 0, 0), [0, 0x72, 0xB2])
    np.testing.assert_array_equal(color_of_cell(figure, axes, 1, 1), [255, 255, 255])


LONG = ["Freundschafts", "$x$", "m", "Straßenbahn"]


@pytest.mark.parametrize("count", [1, 8, 40])
@pytest.mark.parametrize("shape", [(12, 12, 3), (10, 16, 3)])
@pytest.mark.parametrize("title", ["attention", "a title " * 5])
def test_texts_neither_overlap_nor_leave_the_page(count, shape, title):
    """Compares the bounding boxes that Matplotlib computes."""
    long = strip(count, shape, labels=(LONG * 10)[:count], caption="word " * count + "$x$")
    figure = plot_over_images([long, strip(min(3, count), shape), long], title)
    FigureCanvasAgg(figure).draw()
    drawn = [*figure.texts, *(axes.title for axes in figure.axes)]
    drawn += [label for axes in figure.axes for label in axes.get_yticklabels()]
    boxes = np.array([each.get_window_extent().extents for each in drawn if each.get_text()])
    images = np.array([axes.get_window_extent().extents for axes in panels(figure)])
    boxes = np.concatenate([boxes, images])
    low, high = boxes[:, :2], boxes[:, 2:]  # (n, 2): x and y
    assert (low >= 0).all()
    assert (high <= figure.bbox.size).all()
    before = (low[:, np.newaxis] >= high - 1).any(-1)  # (n, n); one pixel is tolerated
    overlapping = ~(before | before.T | np.eye(len(boxes), dtype=bool))
    assert not overlapping.any(), np.argwhere(overlapping)


def test_a_figure_needs_images_and_a_label_for_each_matrix():
    with pytest.raises(ValueError, match="no image"):
        plot_over_images([])
    with pytest.raises(ValueError, match="1 labels for 2 matrices"):
        plot_over_images([strip(2, labels=["word"])])
