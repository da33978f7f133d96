import numpy as np
import pytest

from keras_transformer.inspection.positions import plot_positions
from keras_transformer.pictures import positions as pictures
from keras_transformer.pictures.positions import Rotation, Waves
from tests.pictures.overlaps import check_texts

WAVELENGTHS = np.array([6.3, 100.0, 9000.0])
random = np.random.default_rng(0)


def axes_of(figure, x_title):
    return next(axes for axes in figure.axes if axes.get_xlabel() == x_title)


def test_the_heat_map_has_a_row_for_each_position():
    table = random.uniform(-1, 1, (7, 6))
    figure = pictures.plot_blocks([pictures.heat_map(table, WAVELENGTHS)])
    axes = axes_of(figure, "dimension: even sine, odd cosine")
    [image] = axes.images
    np.testing.assert_array_equal(image.get_array(), table)
    assert image.get_clim() == (-1, 1)
    assert image.get_interpolation() == "nearest", "no color that is not on the color bar"


def test_powers_of_ten_are_marked_above_the_dimensions_with_these_wavelengths():
    """Pair 1, dimensions 2 and 3, has the wavelength 100."""
    figure = pictures.plot_blocks([pictures.heat_map(np.zeros((7, 6)), WAVELENGTHS)])
    [above] = axes_of(figure, "dimension: even sine, odd cosine").child_axes
    names = [label.get_text() for label in above.get_xticklabels()]
    marks = dict(zip(names, above.get_xticks(), strict=True))
    assert list(marks) == ["10", "100", "1,000"]
    assert marks["100"] == pytest.approx(2.5)


def test_similarities_are_drawn_as_they_are():
    values = random.uniform(0.34, 1, (5, 5))
    figure = pictures.plot_blocks([pictures.similarity_map(values)])
    [image] = axes_of(figure, "position").images
    np.testing.assert_array_equal(image.get_array(), values)
    assert image.get_clim() == (0.3, 1)


def test_waves_are_curves_with_a_dot_at_each_position():
    places, curves, points = (
        np.linspace(0, 4, 9),
        random.random((9, 2, 2)),
        random.random((5, 2, 2)),
    )
    waves = Waves([0, 3], np.array([6.28, 12345.6]), places, curves, points)
    figure = pictures.plot_blocks([pictures.wave_strips(waves)])
    for number, axes in enumerate(figure.axes):
        sine, sine_dots, cosine, cosine_dots, _ = axes.lines
        for column, curve, dots in ((0, sine, sine_dots), (1, cosine, cosine_dots)):
            np.testing.assert_array_equal(curve.get_xdata(), places)
            np.testing.assert_array_equal(curve.get_ydata(), curves[:, number, column])
            np.testing.assert_array_equal(dots.get_ydata(), points[:, number, column])
        assert sine.get_color() != cosine.get_color()
    texts = [text.get_text() for text in figure.texts]
    assert "dimensions 0, 1\nwavelength 6.3" in texts
    assert "dimensions 6, 7\nwavelength 12,346" in texts


def rotation():
    angles = np.array([0.3, 2.0])
    matrix = np.zeros((4, 4))
    for i, angle in enumerate(angles):
        block = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
    return Rotation(3, [0, 5], 8, matrix, angles, *random.random((2, 6, 2, 2)), np.ones((1, 2, 2)))


def test_the_entries_of_the_matrix_are_drawn_and_written():
    figure = pictures.plot_blocks([pictures.rotation_matrix(rotation())])
    axes = axes_of(figure, "dimension of position p")
    np.testing.assert_array_equal(axes.images[0].get_array(), rotation().matrix)
    written = {text.get_position(): text.get_text() for text in axes.texts}
    assert [written[column, 0] for column in range(4)] == [".96", ".30", "0", "0"]
    assert [written[column, 3] for column in range(4)] == ["0", "0", "−.91", "−.42"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "10", "11"]


def test_circles_show_rotated_and_later_positions_at_cosine_and_sine():
    values = rotation()
    figure = pictures.plot_blocks([pictures.rotation_circles(values)])
    for number, axes in enumerate(figure.axes):
        rings, dots, start, end = axes.lines
        for line, expected in ((rings, values.rotated), (dots, values.later)):
            np.testing.assert_array_equal(line.get_xdata(), expected[:, number, 1])
            np.testing.assert_array_equal(line.get_ydata(), expected[:, number, 0])
        assert start.get_xydata().tolist() == [[0, 0], [1, 1]]
        assert end.get_xydata()[1].tolist() == values.rotated[0, number, ::-1].tolist()
    assert [axes.get_title() for axes in figure.axes] == ["0, 1: 17.2°", "10, 11: 115°"]


@pytest.mark.parametrize(
    ("length", "d_model", "offset"), [(50, 256, 4), (1, 2, 0), (1100, 1100, 1050), (3, 4, 1)]
)
def test_texts_neither_overlap_nor_leave_the_sheet(length, d_model, offset):
    texts = check_texts(plot_positions(length, d_model, offset))
    assert "columns as waves" in texts
