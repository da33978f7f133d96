"""Diagrams of two stacks. Boxes and lines are found by the `gid` of their artists."""

import functools
import io

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from PIL import Image

from keras_transformer.pictures.diagram_layout import Box, Diagram, Group, Junction, Share
from keras_transformer.pictures.diagrams import plot_diagram, tint
from keras_transformer.pictures.saving import encoded
from keras_transformer.pictures.style import COLORS


def box(key, lines=1, width=10, title="Title", note="1,234 weights"):
    return Box(key, title, note, ["x" * width] * lines, COLORS[0])


def sublayer(name, width=20):
    return [box(f"{name} norm"), box(f"{name} f", 4, width), Junction(f"{name} +", ["x + y", name])]


def diagram(width=20, lines=1, shares=3):
    left = Group("2 × Layer", "left[i], i = 0…1", ["2 × 33 =", "66 weights"], sublayer("a", width))
    right = Group("Layer", "right[0]", ["12 weights"], [*sublayer("b"), *sublayer("c")])
    return Diagram(
        [box("source", lines), box("table"), left, box("out")],
        [box("target"), box("table2", 3), right, box("final"), box("top", 0, note="")],
        [("a norm", "a +"), ("b norm", "b +"), ("c norm", "c +")],
        [("out", "c f")],
        [("table", "table2"), ("final", "table2")],
        [Share(f"share {i}", 10**i, COLORS[i]) for i in range(shares)],
        "Shares",
    )


@functools.cache
def plotted(width, lines, shares):
    """Return a figure and what `drawn` returns for it."""
    text = ["a line of text " * 6, "another"]
    figure = plot_diagram(diagram(width, lines, shares), "A title " * 4, text)
    return figure, drawn(figure)


def drawn(figure):
    """Draw a figure, and return {gid: extent in pixels} of its boxes, junctions and frames."""
    FigureCanvasAgg(figure).draw()
    [axes] = figure.axes
    extents = [(patch.get_gid(), patch.get_window_extent()) for patch in axes.patches]
    return {gid: extent for gid, extent in extents if gid}


def texts(figure):
    return [text for text in figure.axes[0].texts if text.get_text()]


def overlaps(boxes):
    """Return the pairs of boxes (n, 4) that overlap by more than a pixel."""
    low, high = boxes[:, :2], boxes[:, 2:]
    apart = (low[:, np.newaxis] >= high - 1).any(-1)  # (n, n)
    return np.argwhere(~(apart | apart.T | np.eye(len(boxes), dtype=bool)))


SIZES = pytest.mark.parametrize(
    ("width", "lines", "shares"), [(20, 1, 3), (90, 7, 5), (1, 0, 0)], ids=["usual", "wide", "tiny"]
)


@SIZES
def test_texts_neither_overlap_nor_leave_the_page(width, lines, shares):
    figure, _ = plotted(width, lines, shares)
    extents = np.array([text.get_window_extent().extents for text in texts(figure)])
    assert len(extents) > 40
    assert not overlaps(extents).size
    assert (extents[:, :2] >= 0).all()
    assert (extents[:, 2:] <= figure.bbox.size).all()


@SIZES
def test_boxes_do_not_overlap_and_contain_their_texts(width, lines, shares):
    figure, places = plotted(width, lines, shares)
    boxes = [place for gid, place in places.items() if gid.startswith(("box", "junction"))]
    assert len(boxes) == 6 + 10
    assert not overlaps(np.array([box.extents for box in boxes])).size
    for text in texts(figure):
        extent = text.get_window_extent()
        for place in boxes:
            if place.overlaps(extent):
                inside = [extent.x0 - place.x0, extent.y0 - place.y0]
                inside += [place.x1 - extent.x1, place.y1 - extent.y1]
                assert min(inside) > 0, text.get_text()


@SIZES
def test_lines_cross_neither_boxes_nor_texts(width, lines, shares):
    figure, places = plotted(width, lines, shares)
    obstacles = [place for gid, place in places.items() if gid.startswith("box")]
    obstacles += [text.get_window_extent() for text in texts(figure)]
    drawn_lines = [line for line in figure.axes[0].lines if line.get_gid() == "line"]
    assert len(drawn_lines) == 5 + 9 + 3 + 1 + 2  # both stacks, bypasses, links, ties
    for line in drawn_lines:
        points = line.get_transform().transform(line.get_xydata())
        for first, last in zip(points, points[1:], strict=False):
            (x0, y0), (x1, y1) = np.minimum(first, last), np.maximum(first, last)
            for place in obstacles:
                crossed = x0 < place.x1 - 1 and place.x0 + 1 < x1 + 0.5
                crossed = crossed and y0 < place.y1 - 1 and place.y0 + 1 < y1
                assert not crossed, (first, last, place)


def test_frames_contain_the_boxes_and_the_bypasses_of_their_groups():
    figure = plot_diagram(diagram())
    places = drawn(figure)
    frames = [patch for patch in figure.axes[0].patches if patch.get_gid() == "frame"]
    extents = [frame.get_window_extent() for frame in frames]
    for frame, names in zip(extents, ("a", "bc"), strict=True):
        for name in names:
            for gid in (f"box {name} norm", f"box {name} f", f"junction {name} +"):
                assert frame.x0 < places[gid].x0
                assert places[gid].x1 < frame.x1
                assert frame.y0 < places[gid].y0
                assert places[gid].y1 < frame.y1
    assert extents[0].x1 < extents[1].x0


def test_a_bypass_leads_from_below_its_first_item_to_the_junction():
    figure = plot_diagram(diagram())
    places = drawn(figure)
    paths = [line.get_transform().transform(line.get_xydata()) for line in figure.axes[0].lines]
    bypasses = [path for path in paths if len(path) == 4 and path[0, 0] != path[1, 0]]
    for name, side in (("a", "x0"), ("b", "x1"), ("c", "x1")):
        junction, first = places[f"junction {name} +"], places[f"box {name} norm"]
        ends = [
            path
            for path in bypasses
            if np.allclose(
                path[-1], (getattr(junction, side), (junction.y0 + junction.y1) / 2), atol=2
            )
        ]
        [path] = ends
        assert path[0, 1] < first.y0
        assert not first.x0 < path[1, 0] < first.x1, "the line passes outside the box"


def test_the_lengths_of_the_bars_are_the_shares_and_the_total_is_their_sum():
    figure = plot_diagram(diagram())
    places = drawn(figure)
    widths = [places[f"bar share {i}"].width for i in range(3)]
    np.testing.assert_allclose(np.array(widths) / widths[2], [0.01, 0.1, 1], rtol=1e-6)
    shown = [text.get_text() for text in texts(figure)]
    assert "100   90.1%" in shown
    assert "111  100.0%" in shown


def test_the_text_of_boxes_is_drawn_as_it_is():
    stack = [Box("a", "$x$", "_1_", ["\\frac", "$y$"], COLORS[1])]
    figure = plot_diagram(Diagram(stack, [box("b")]), "$title$", ["$text$"])
    shown = [text.get_text() for text in texts(figure)]
    assert {"$x$", "_1_", "\\frac", "$y$", "$title$", "$text$"} <= set(shown)
    assert not any(text.get_parse_math() for text in texts(figure))


def test_boxes_are_filled_with_a_light_tint():
    assert tint("black", 0.25) == (0.75, 0.75, 0.75)
    assert tint("white") == (1, 1, 1)
    for color in COLORS:
        luminance = np.dot(tint(color), [0.2126, 0.7152, 0.0722])
        assert luminance > 0.7, "black text is legible"
        assert luminance > np.dot(to_rgb(color), [0.2126, 0.7152, 0.0722])


def test_diagrams_are_saved_with_a_palette():
    figure = plot_diagram(diagram())
    image = Image.open(io.BytesIO(encoded(figure, "png")))
    width, height = figure.get_size_inches() * figure.dpi
    assert image.mode == "P"
    np.testing.assert_allclose(image.size, (width, height), atol=1)
    assert b"<svg" in encoded(figure, "svg")
