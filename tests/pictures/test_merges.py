import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from keras_transformer.pictures.merges import (
    PAGE,
    ROW,
    Box,
    Tree,
    arrange,
    boxes,
    depth,
    levels,
    plot_trees,
    symbol_edges,
)

# a b c d: first c d, then b c d, and a remains
TREE = Tree(
    "abcd",
    [Box("cd", "7", 2, 4), Box("bcd", "9", 1, 4)],
    [Box("a", "1", 0, 1), Box("bcd", "2", 1, 4)],
)
# A character of three bytes.
BYTES = Tree(
    ["x", "☃"], [], [Box("x", "5", 0, 1), *(Box(f"<0x{i}0>", "6", 1, 2) for i in range(3))]
)
LONG = Tree("w" * 40, [], [Box("$\\frac", "12345", i, i + 1) for i in range(40)])


def drawn(figure):
    """Return {label: (left, top, right, bottom)} of the boxes, in inches."""
    [axes] = figure.axes
    corners = [
        (*patch.get_xy(), patch.get_x() + patch.get_width(), patch.get_y() + patch.get_height())
        for patch in axes.patches
    ]
    return [
        (label.get_text(), place) for label, place in zip(labels_of(axes), corners, strict=True)
    ]


def labels_of(axes):
    """Return the labels of the boxes, each of which is followed by its note."""
    return [text for text in axes.texts if text.get_horizontalalignment() == "center"][::2]


def test_a_merge_is_one_row_below_what_it_merges():
    assert levels(TREE) == [1, 2]
    assert (depth(TREE), depth(BYTES)) == (3, 1)
    rows = [(each.box.label, each.top, each.bottom) for each in boxes(TREE, 3)]
    characters = [("a", 0, 3), ("b", 0, 2), ("c", 0, 1), ("d", 0, 1)]
    assert rows == [*characters, ("cd", 1, 2), ("bcd", 2, 3), ("a", 3, 4), ("bcd", 3, 4)]


def test_boxes_have_the_color_of_their_subword():
    colors = {each.box.label: each.color for each in boxes(TREE, 3)}
    assert colors == {"a": 0, "b": 1, "c": 1, "d": 1, "cd": 1, "bcd": 1}


@pytest.mark.parametrize("trees", [[TREE], [BYTES], [TREE, BYTES] * 8, [LONG], [LONG, TREE]])
def test_boxes_tile_each_tree_without_overlap(trees):
    found = drawn(plot_trees(trees))
    assert len(found) == sum(len(boxes(tree, 9)) for tree in trees)
    corners = np.array([each for _, each in found])
    low, high = corners[:, :2], corners[:, 2:]
    apart = (low[:, np.newaxis] >= high - 1e-9).any(-1)
    assert (apart | apart.T | np.eye(len(low), dtype=bool)).all()
    widths = [symbol_edges(tree)[-1] for tree in trees]
    lines = [[trees[i] for i in line] for line in arrange(widths)]
    rows = [max(map(depth, line)) + 1 for line in lines for _ in line]
    area = ((high - low).prod(-1)).sum()
    assert area == pytest.approx(ROW * np.dot(widths, rows))


def test_a_merge_is_as_wide_as_its_two_symbols_and_directly_below_them():
    found = dict(drawn(plot_trees([TREE])))  # of two boxes with the same label, the last one
    (left, top, right, bottom), c, d = found["cd"], found["c"], found["d"]
    assert (left, right) == pytest.approx((c[0], d[2]))
    assert top == pytest.approx(c[3]) == pytest.approx(d[3])
    assert bottom == pytest.approx(found["b"][3])


@pytest.mark.parametrize(
    "trees", [[TREE], [Tree("a", [], [Box("a", "1", 0, 1)])], [BYTES, TREE] * 9, [LONG, BYTES]]
)
def test_texts_neither_overlap_nor_leave_the_page_or_their_box(trees):
    """Compares the bounding boxes that Matplotlib computes."""
    figure = plot_trees(trees, "a title", ["a text $x$ " * 20])
    FigureCanvasAgg(figure).draw()
    [axes] = figure.axes
    texts = [text for text in (*axes.texts, *figure.texts) if text.get_text()]
    extents = np.array([text.get_window_extent().extents for text in texts])
    low, high = extents[:, :2], extents[:, 2:]
    assert (low >= 0).all()
    assert (high <= figure.bbox.size).all()
    apart = (low[:, np.newaxis] >= high - 1).any(-1)  # one pixel is tolerated
    overlapping = ~(apart | apart.T | np.eye(len(texts), dtype=bool))
    assert not overlapping.any(), np.argwhere(overlapping)
    for patch, text in zip(axes.patches, labels_of(axes), strict=True):
        inside, outside = text.get_window_extent(), patch.get_window_extent()
        assert outside.x0 <= inside.x0
        assert inside.x1 <= outside.x1


def test_subwords_of_one_character_share_its_width():
    found = [corners for label, corners in drawn(plot_trees([BYTES])) if label.startswith("<0x")]
    [snowman] = [corners for label, corners in drawn(plot_trees([BYTES])) if label == "☃"]
    assert [each[0] for each in found[1:]] == pytest.approx([each[2] for each in found[:-1]])
    assert (found[0][0], found[-1][2]) == pytest.approx((snowman[0], snowman[2]))
    assert len({round(each[2] - each[0], 6) for each in found}) == 1


def test_a_line_is_as_wide_as_a_page_unless_a_tree_is_wider():
    half = PAGE / 2
    assert arrange([half - 1, half - 1, 2, 2 * PAGE, 1]) == [[0, 1], [2], [3], [4]]
