import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from keras_transformer.pictures.maps import MAP, RADIUS, Group, frame, place_labels, plot_map
from keras_transformer.pictures.style import fonts

LABELS = ["a", "Freundschaft", "$x$", "漢字", "-ing", "␣"]


def clouds(count, spread, seed=0):
    """Return points around the origin, many of them close to each other."""
    return np.random.default_rng(seed).standard_normal((count, 2)) ** 3 * spread


def overlapping(boxes):
    """Return the pairs of boxes (N, 4) that overlap by more than a pixel."""
    low, high = boxes[:, :2], boxes[:, 2:]
    apart = (low[:, np.newaxis] >= high - 1).any(-1)
    return np.argwhere(~(apart | apart.T | np.eye(len(boxes), dtype=bool)))


@pytest.mark.parametrize(
    ("count", "spread"), [(3, (1, 1)), (40, (1, 1)), (200, (1, 0.01)), (200, (0.1, 5)), (9, (0, 0))]
)
def test_labels_cover_neither_each_other_nor_points(count, spread):
    """Compares the bounding boxes that Matplotlib computes."""
    labels = [LABELS[i % len(LABELS)] + str(i) for i in range(count)]
    groups = [Group("even", range(0, count, 2)), Group("odd", range(1, count, 2))]
    drawn = plot_map(clouds(count, spread), labels, groups, ("x", "y"), "t", ["text"], [1, 2])
    figure, [axes] = drawn.figure, drawn.figure.axes
    with fonts():
        FigureCanvasAgg(figure).draw()
    texts = [*axes.texts, *figure.texts, axes.xaxis.label, axes.yaxis.label]
    boxes = np.array([text.get_window_extent().extents for text in texts])
    assert not len(overlapping(boxes))
    assert (boxes >= 0).all()
    assert (boxes[:, 2:] <= figure.bbox.size).all()
    assert [text.get_text() for text in axes.texts if text.get_text() in labels[1:3]] == labels[1:3]
    found = {text.get_text() for text in axes.texts}
    assert found == {labels[i] for i in range(count) if i not in drawn.unlabelled}
    assert len(found) == count - len(drawn.unlabelled) >= 1
    centers = axes.transData.transform(np.vstack([c.get_offsets() for c in axes.collections]))
    for box in boxes[: len(axes.texts)]:
        inside = ((centers > box[:2] + 1) & (centers < box[2:] - 1)).all(axis=1)
        assert not inside.any()


def test_points_are_drawn_to_scale_in_the_groups_they_belong_to():
    points = clouds(30, (2, 1))
    members = [0, 3, 4], [*range(5, 30), 1, 2]
    groups = [Group("few", members[0]), Group("none", []), Group("many", members[1])]
    [axes] = plot_map(points, ["x"] * 30, groups).figure.axes
    few, many = axes.collections
    assert [few.get_label(), many.get_label()] == ["few", "many"]
    assert not np.allclose(few.get_facecolor(), many.get_facecolor())
    drawn = np.empty_like(points)
    drawn[members[0]], drawn[members[1]] = few.get_offsets(), many.get_offsets()
    scale = np.ptp(drawn[:, 0]) / np.ptp(points[:, 0])
    np.testing.assert_allclose(drawn - drawn[0], (points - points[0]) * scale)


@pytest.mark.parametrize("spread", [(1, 1), (9, 1), (1, 9), (0, 1), (0, 0)])
def test_the_map_has_the_proportions_of_the_points_within_limits(spread):
    (width, height), places = frame(clouds(20, spread))
    assert (places > 0.29).all()
    assert (places < np.array([width, height]) - 0.29).all()
    assert width <= MAP[0] + 1e-9
    assert height <= MAP[1] + 1e-9


def test_labels_without_room_are_counted_in_the_picture():
    """There is room for a few dozen of 300 labels around one point."""
    labels = [f"label {i}" for i in range(300)]
    drawn = plot_map(np.zeros((300, 2)), labels, [Group("all", range(300))])
    assert 200 < len(drawn.unlabelled) < 300
    line = f"Points without a label for lack of room: {len(drawn.unlabelled)} of 300."
    assert line in [text.get_text() for text in drawn.figure.texts]
    assert "without a label" not in str(plot_map(np.eye(2), ["a", "b"], []).figure.texts)


def test_a_label_is_beside_its_point_where_there_is_room():
    points = np.array([[1.0, 1.0], [5.0, 5.0]])
    first, second = place_labels(points, np.array([[0.5, 0.1]] * 2), (6, 6))
    for place, point in ((first, points[0]), (second, points[1])):
        assert 0 < place[0] - point[0] - RADIUS < 0.05
        assert (place[1] + place[3]) / 2 == pytest.approx(point[1])


def test_of_labels_that_compete_for_a_place_the_first_is_drawn():
    points, sizes = np.full((2, 2), 0.5), np.array([[0.6, 0.4]] * 2)
    first, second = place_labels(points, sizes, (1.2, 0.6))
    assert first is not None
    assert second is None


def test_further_points_are_covered_only_if_there_is_no_other_room():
    """They first fill the place to the right of the point, and then the whole map."""
    point, size, area = np.array([[2.0, 2.0]]), np.array([[0.5, 0.1]]), (4.0, 4.0)
    right = np.array([[2.3, 2.0]])
    [alone], [beside] = (place_labels(point, size, area, others) for others in (right[:0], right))
    assert alone[0] > 2
    assert beside[2] < 2, "to the left"
    everywhere = np.stack(np.meshgrid(*[np.arange(0, 4, 0.05)] * 2), axis=-1).reshape(-1, 2)
    assert place_labels(point, size, area, everywhere)[0].tolist() == alone.tolist()


def test_distant_labels_are_connected_with_their_points():
    near = plot_map(np.eye(2), ["a", "b"], [])
    crowded = plot_map(np.zeros((40, 2)), [f"label {i}" for i in range(40)], [])
    assert not near.figure.axes[0].lines
    assert crowded.figure.axes[0].lines


def test_the_numbers_of_points_and_labels_must_match():
    for points in (np.zeros((3, 2)), np.zeros((2, 3)), np.zeros((0, 2))):
        with pytest.raises(ValueError, match="do not fit"):
            plot_map(points, ["a", "b"][: len(points)], [])
