import numpy as np
import pytest

from keras_transformer.pictures.rings import Rings, frames
from tests.pictures.overlaps import check_texts


def rings(count, length):
    """Return pairs that turn by 0.1, 0.2, ... radians per position."""
    angles = np.outer(np.arange(length), np.arange(1, count + 1) / 10)
    values = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return Rings(range(count), 20 * np.pi / np.arange(1, count + 1), values)


def hands_of(figure):
    """Return the tip of the hand on each ring, in the order of the rings."""
    return np.array([axes.lines[-1].get_xydata()[0] for axes in figure.axes if not axes.axison])


@pytest.mark.parametrize("count", [1, 3, 16])
def test_in_each_frame_each_hand_has_the_angle_of_its_position(count):
    for position, figure in enumerate(frames(rings(count, 7), "rings")):
        angles = position * np.arange(1, count + 1) / 10
        x, y = hands_of(figure).T
        np.testing.assert_allclose(np.arctan2(y, x), (angles + np.pi) % (2 * np.pi) - np.pi)
        np.testing.assert_allclose(np.hypot(x, y), 1)
        assert f"position {position}" in [text.get_text() for text in figure.texts]
    assert position == 6


def test_the_table_has_the_rows_of_the_positions_so_far():
    drawn = rings(3, 5)
    for position, figure in enumerate(frames(drawn, "rings")):
        [table] = [axes for axes in figure.axes if axes.axison]
        values = table.images[0].get_array().filled(np.nan)
        np.testing.assert_array_equal(
            values[: position + 1, ::2], drawn.values[: position + 1, :, 0]
        )
        np.testing.assert_array_equal(
            values[: position + 1, 1::2], drawn.values[: position + 1, :, 1]
        )
        assert np.isnan(values[position + 1 :]).all()
        assert table.lines[0].get_ydata() == [position]


@pytest.mark.parametrize(("count", "length"), [(1, 2), (5, 200), (16, 50)])
def test_texts_neither_overlap_nor_leave_the_frame(count, length):
    figure = next(frames(rings(count, length), "positional encoding of 50 positions, d_model 256"))
    assert "height: sine, the even dimension" in check_texts(figure)
