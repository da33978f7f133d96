import numpy as np
import pytest

from keras_transformer.pictures.heatmaps import plot_attention, save


def weights(heads, queries, keys):
    values = np.random.default_rng(0).random((heads, queries, keys))
    return values / values.sum(-1, keepdims=True)


@pytest.mark.parametrize("heads", [1, 3, 8])
def test_a_panel_for_each_head_with_both_axes_labelled(heads):
    queries, keys = ["<start>", "▁Katze", "$x", "<end>"], ["<start>", "▁cat", "<end>"]
    values = weights(heads, 4, 3)
    figure = plot_attention(values, queries, keys, "cross attention")
    panels = [axes for axes in figure.axes if axes.get_title()]
    assert [panel.get_title() for panel in panels] == [f"head {i + 1}" for i in range(heads)]
    for panel, matrix in zip(panels, values, strict=True):
        assert [label.get_text() for label in panel.get_yticklabels()] == queries
        assert [label.get_text() for label in panel.get_xticklabels()] == keys
        np.testing.assert_array_equal(panel.images[0].get_array(), matrix)
    assert figure.get_suptitle() == "cross attention"


def test_long_sentences_and_odd_scripts_are_drawn(tmp_path):
    labels = ["漢字", "😀", "$\\frac", "עברית"] * 10
    save(plot_attention(weights(8, 40, 40), labels, labels), tmp_path / "long.png")
    assert (tmp_path / "long.png").stat().st_size > 10_000


def test_labels_must_fit():
    with pytest.raises(ValueError, match="do not fit 2 queries and 3 keys"):
        plot_attention(weights(2, 3, 3), ["a", "b"], ["a", "b", "c"])
