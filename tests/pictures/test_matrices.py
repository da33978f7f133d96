import numpy as np
import pytest
from matplotlib.colors import to_rgb

from keras_transformer.pictures.matrices import LATER, PADDING, Sentence, plot_masks
from tests.pictures.overlaps import check_texts


def sentence(labels, padded=0):
    """Return a sentence whose last labels are padding, with random weights of visible keys."""
    size = len(labels)
    padding, later = np.zeros((size, size)), np.triu(np.ones((size, size)), 1)
    padding[:, size - padded :] = 1
    combined = np.maximum(padding, later)
    weights = np.random.default_rng(0).random((size, size)) * (1 - combined)
    return Sentence(" ".join(labels), labels, padding, later, combined, weights / weights.sum(1))


def rows_of(figure):
    """Return the axes of the panels of each sentence."""
    panels = [axes for axes in figure.axes if axes.images and axes.get_ylabel() == ""]
    return [panels[first : first + 4] for first in range(0, len(panels), 4)]


def test_each_sentence_has_its_masks_and_weights():
    drawn = [
        sentence(["<start>", "$a$", "b", "c"]),
        sentence(["<start>", "d", "<pad>", "<pad>"], 2),
    ]
    figure = plot_masks(drawn, "masks", ["a batch"])
    rows = rows_of(figure)
    assert len(rows) == 2
    for row, each in zip(rows, drawn, strict=True):
        for axes, matrix in zip(row, each[2:5], strict=False):
            np.testing.assert_array_equal(axes.images[0].get_array(), matrix)
        weights = row[3].images[0].get_array()
        np.testing.assert_array_equal(weights.mask, each.combined == 1)
        np.testing.assert_array_equal(weights.filled(0), each.weights)
        for axes in row:
            assert [label.get_text() for label in axes.get_xticklabels()] == each.labels
        assert [label.get_text() for label in row[0].get_yticklabels()] == each.labels
    texts = [text.get_text() for text in figure.texts]
    assert texts[:2] == ["masks", "a batch"]
    assert "<start> $a$ b c" in texts


def test_small_masks_are_written_as_numbers():
    drawn = sentence(["a", "b", "<pad>"], 1)
    [[padding, later, combined, weights]] = rows_of(plot_masks([drawn]))
    for axes, matrix in (
        (padding, drawn.padding),
        (later, drawn.later),
        (combined, drawn.combined),
    ):
        written = {text.get_position(): text.get_text() for text in axes.texts}
        for row, column in np.ndindex(3, 3):
            assert written[column, row] == f"{matrix[row, column]:.0f}"
    for text in weights.texts:
        column, row = text.get_position()
        assert float(text.get_text()) == pytest.approx(drawn.weights[row, column], abs=0.005)
        assert (text.get_text() == "0") == (drawn.combined[row, column] == 1)


def test_the_colors_of_the_combined_mask_tell_padding_from_later_positions():
    """In a cell that is both, the upper right half has the color of later positions."""
    drawn = sentence(["a", "b", "<pad>"], 1)
    [[_, _, combined, _]] = rows_of(plot_masks([drawn]))
    [image], [patches] = combined.images, combined.collections
    assert image.cmap(1.0)[:3] == to_rgb(PADDING)
    assert [tuple(hue[:3]) for hue in patches.get_facecolors()] == [to_rgb(LATER)]
    corners = [len(path.vertices) - 1 for path in patches.get_paths()]
    assert corners == [4, 3, 3], "cells (0, 1), (0, 2) and (1, 2)"


@pytest.mark.parametrize(("length", "count"), [(1, 1), (2, 3), (5, 1), (13, 2), (42, 1)])
def test_texts_neither_overlap_nor_leave_the_sheet(length, count):
    labels = (["<start>", "Freundschafts", "m", "übermäßig", "漢字"] * 9)[:length]
    drawn = [sentence(labels, number % length) for number in range(count)]
    texts = check_texts(plot_masks(drawn, "masks of a batch", ["text " * 50]))
    assert texts.count("Freundschafts") == (length > 1) * count * 5 * ((length + 3) // 5)


def test_arrays_must_fit_the_labels():
    drawn = sentence(["a", "b"])
    with pytest.raises(ValueError, match=r"\(2, 2\) does not fit 3 labels"):
        plot_masks([drawn._replace(labels=["a", "b", "c"])])
