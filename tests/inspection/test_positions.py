import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageSequence

from keras_transformer.errors import UserError
from keras_transformer.inspection import positions
from keras_transformer.inspection.positions import (
    encoding,
    frequencies,
    plot_positions,
    rings_of,
    rotated,
    rotation,
    rotation_of,
    save_rings,
    similarities,
    spread_pairs,
    waves_of,
)

sizes = st.integers(1, 60), st.integers(1, 40).map(lambda half: 2 * half)


def formula(length, d_model):
    """Return the encoding entry by entry, as section 3.5 of Vaswani et al. (2017) defines it."""
    table = np.zeros((length, d_model))
    for position in range(length):
        for i in range(d_model // 2):
            angle = position / 10000 ** (2 * i / d_model)
            table[position, 2 * i] = math.sin(angle)
            table[position, 2 * i + 1] = math.cos(angle)
    return table


def turns(offset, d_model):
    """Return the rotation (D / 2, 2, 2) of each row of sine and cosine, by the addition theorem."""
    angles = [offset / 10000 ** (2 * i / d_model) for i in range(d_model // 2)]
    return np.array([[[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]] for a in angles])


def test_the_heat_map_is_the_formula_of_the_paper():
    figure = plot_positions(50, 256, view="heatmap")
    [image] = figure.axes[0].images
    np.testing.assert_allclose(image.get_array(), formula(50, 256), atol=1e-6)


@given(*sizes, st.data())
def test_one_rotation_maps_each_position_to_the_later_one(length, d_model, data):
    offset = data.draw(st.integers(0, length - 1))
    table, matrix = formula(length, d_model), rotation(offset, frequencies(d_model))
    np.testing.assert_allclose(table[: length - offset] @ matrix.T, table[offset:], atol=1e-9)
    np.testing.assert_allclose(rotated(table, offset), table @ matrix.T, atol=1e-12)


def test_the_rotation_is_orthogonal_and_block_diagonal():
    matrix = rotation(5, frequencies(12))
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(12), atol=1e-12)
    assert np.linalg.det(matrix) == pytest.approx(1)
    blocks = np.kron(np.eye(6), np.ones((2, 2)))
    assert (matrix[blocks == 0] == 0).all()
    np.testing.assert_allclose(rotation(2, frequencies(12)) @ rotation(3, frequencies(12)), matrix)


def test_the_drawn_part_of_the_rotation_is_that_of_the_whole_matrix():
    pairs = [0, 2, 5]
    part, whole = rotation_of(20, 12, 4, pairs), rotation(4, frequencies(12))
    chosen = [0, 1, 4, 5, 10, 11]
    np.testing.assert_array_equal(part.matrix, whole[np.ix_(chosen, chosen)])
    table = formula(20, 12)
    expected = table[4:].reshape(16, 6, 2)[:, pairs]
    np.testing.assert_allclose(part.later, expected, atol=1e-6)
    np.testing.assert_allclose(part.rotated, expected, atol=1e-6)
    np.testing.assert_array_equal(part.start, [[[0, 1]] * 3])
    np.testing.assert_allclose(part.angles, [4 / 10000 ** (2 * i / 12) for i in pairs])


@given(*sizes)
def test_similarities_are_the_cosines_between_the_vectors(length, d_model):
    table = formula(length, d_model)
    norms = np.linalg.norm(table, axis=1)
    expected = table @ table.T / np.outer(norms, norms)
    np.testing.assert_allclose(similarities(encoding(length, d_model)), expected, atol=1e-5)


def test_waves_have_the_values_of_the_encoding_at_whole_positions():
    waves = waves_of(9, 8, [0, 2])
    table = formula(9, 8)
    np.testing.assert_allclose(waves.points[:, 1], table[:, 4:6], atol=1e-6)
    assert waves.wavelengths == pytest.approx([2 * np.pi, 2 * np.pi * 100])
    whole = np.isin(waves.places, np.arange(9))
    assert whole.sum() == 9
    np.testing.assert_allclose(waves.curves[whole, 1], table[:, 4:6], atol=1e-6)


@given(*sizes, st.integers(2, 16))
def test_pairs_include_the_fastest_and_the_slowest(length, d_model, count):
    pairs = spread_pairs(length, d_model, count)
    assert pairs == sorted(set(pairs))
    assert (pairs[0], pairs[-1]) == (0, d_model // 2 - 1)
    assert len(pairs) <= count


@pytest.mark.parametrize("view", positions.VIEWS)
def test_each_view_has_its_panels(view):
    texts = [text.get_text() for text in plot_positions(10, 16, 3, view).texts]
    titles = {
        "heatmap": "encoding",
        "waves": "columns as waves",
        "similarity": "similarity of positions",
        "rotation": "rotation of position p to p + 3",
    }
    for name, title in titles.items():
        assert (title in texts) == (view in (name, "all"))


def test_the_sheet_says_how_exactly_the_rotation_maps_positions():
    figure = plot_positions(50, 256, 4, "rotation")
    text = " ".join(text.get_text() for text in figure.texts)
    table = formula(50, 256).astype(np.float32)
    turned = table[:46].reshape(46, 128, 1, 2) @ turns(4, 256)  # (46, 128, 1, 2)
    wanted = np.abs(turned.reshape(46, 256) - table[4:]).max()
    assert 0 < wanted < np.finfo(np.float32).eps
    assert f"rotated and actual encodings differ by at most {wanted:.0e}." in text
    assert "for p from 0 to 45, rotated" in text


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((0, 256, 0), "length must be from 1 to 2,000, not 0"),
        ((2001, 256, 0), "length must be from 1 to 2,000, not 2,001"),
        ((50, 0, 0), "d_model must be from 1 to 4,096, not 0"),
        ((50, 4098, 0), "d_model must be from 1 to 4,096, not 4,098"),
        ((50, 7, 0), "d_model must be even, not 7"),
        ((50, 8, -1), "offset must be from 0 to 49, not -1"),
        ((50, 8, 50), "offset must be from 0 to 49, not 50"),
        ((50, 8, 4, "spiral"), "no view 'spiral'; views: heatmap, waves"),
    ],
)
def test_invalid_sizes_are_errors(size, message):
    with pytest.raises(UserError, match=message):
        plot_positions(*size)


def test_rings_have_the_angles_of_the_paper():
    rings = rings_of(30, 64)
    assert len(rings.pairs) <= 16
    angles = np.arctan2(rings.values[..., 0], rings.values[..., 1])
    expected = np.outer(np.arange(30), [1 / 10000 ** (2 * i / 64) for i in rings.pairs])
    np.testing.assert_allclose(np.sin(angles - expected), 0, atol=1e-5)
    np.testing.assert_allclose(np.cos(angles - expected), 1, atol=1e-5)


def test_the_animation_has_a_frame_for_each_position(tmp_path):
    save_rings(tmp_path / "rings.gif", 5, 8)
    with Image.open(tmp_path / "rings.gif") as film:
        frames = [np.array(frame.convert("RGB")) for frame in ImageSequence.Iterator(film)]
    assert len(frames) == 5
    assert all((one != other).any() for one, other in zip(frames, frames[1:], strict=False))
    assert (frames[0][0, 0] == 255).all()


def test_long_animations_are_errors(tmp_path):
    with pytest.raises(UserError, match="at most 200 positions, not 201"):
        save_rings(tmp_path / "rings.gif", 201, 8)
    assert not list(tmp_path.iterdir())


def test_the_rotation_by_no_position_changes_nothing():
    figure = plot_positions(1, 8, 0, "rotation")
    text = " ".join(each.get_text() for each in figure.texts)
    assert "rotated and actual encodings are equal." in text
