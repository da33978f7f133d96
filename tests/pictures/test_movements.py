import numpy as np
import pytest

from keras_transformer.pictures.movements import plot_movements
from tests.pictures.overlaps import check_texts

AXES = "first principal component", "second principal component"
NAMES = "before", "after"


def points_of(count, seed=0):
    return np.random.default_rng(seed).normal(size=(count, 2))


def drawn_points(figure, name):
    [axes] = figure.axes
    return next(line.get_xydata() for line in axes.lines if line.get_label() == name)


def test_places_are_the_coordinates_on_one_scale():
    before, after = points_of(4), points_of(4, 1)
    figure = plot_movements(before, after, ["a", "b", "c", "d"], NAMES, AXES)
    places = np.concatenate([drawn_points(figure, name) for name in NAMES])
    points = np.concatenate([before, after])
    scale = np.ptp(places[:, 0]) / np.ptp(points[:, 0])
    expected = places[0] + (points - points[0]) * scale
    np.testing.assert_allclose(places, expected)


def test_arrows_lead_from_before_to_after():
    figure = plot_movements(points_of(3), points_of(3, 1), ["a", "b", "c"], NAMES, AXES)
    before, after = (drawn_points(figure, name) for name in NAMES)
    arrows = [text for text in figure.axes[0].texts if getattr(text, "arrow_patch", None)]
    for arrow, start, end in zip(arrows, before, after, strict=True):
        np.testing.assert_allclose(arrow.xyann, start)
        np.testing.assert_allclose(arrow.xy, end)


def test_a_repeated_label_has_one_point_before_and_several_after():
    before = points_of(4)
    before[3] = before[1]
    figure = plot_movements(before, points_of(4, 1), ["a", "the", "$b", "the"], NAMES, AXES)
    assert len(drawn_points(figure, "before")) == 3
    assert len(drawn_points(figure, "after")) == 4
    texts = [text.get_text() for text in figure.axes[0].texts if text.get_text()]
    assert sorted(texts) == ["$b", "$b₂", "a", "a₀", "the", "the₁", "the₃"]


def test_points_with_equal_labels_and_different_keys_are_different_points():
    figure = plot_movements(
        points_of(3), points_of(3, 1), ["a", "-", "-"], NAMES, AXES, keys=["▁a", "▁-", "-"]
    )
    assert len(drawn_points(figure, "before")) == 3
    texts = [text.get_text() for text in figure.axes[0].texts if text.get_text()]
    assert sorted(texts) == ["-", "-", "-₁", "-₂", "a", "a₀"]


@pytest.mark.parametrize("count", [1, 3, 42])
def test_labels_do_not_overlap(count):
    """If there is no room for a label, the figure says so."""
    labels = [f"Freundschaft {i % 30}" for i in range(count)]
    before = points_of(30)[np.arange(count) % 30]
    figure = plot_movements(
        before, before + 1 + points_of(count, 2) / 5, labels, NAMES, AXES, "a", ["b"]
    )
    texts = check_texts(figure)
    labels_drawn = sum(text.startswith("Freundschaft") for text in texts)
    missing = count + min(count, 30) - labels_drawn
    assert (f"Labels missing for lack of room: {missing}." in texts) == (missing > 0)
    assert missing <= 3


def test_equal_points_are_drawn_at_one_place():
    figure = plot_movements(np.ones((2, 2)), np.ones((2, 2)), ["a", "b"], NAMES, AXES)
    assert np.ptp(drawn_points(figure, "after"), axis=0).tolist() == [0, 0]
