from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.inspection.attention import check_layer, panels_of, plot_translation
from keras_transformer.pictures.saving import save
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.translation import Translation

SOURCE = ["<start>", "▁the", "▁cat", "<end>"]
TARGET = ["<start>", "▁die", "▁Kat", "ze", "<end>"]


def numbers(heads, queries, keys):
    """Return weights that are all different."""
    return np.arange(1.0, heads * queries * keys + 1).reshape(heads, queries, keys)


def test_rows_of_cross_attention_are_the_subwords_being_written():
    weights = numbers(2, 5, 4)
    drawn, rows, columns = panels_of("cross", weights, SOURCE, TARGET)
    assert rows == ("subword being written", ["die", "Kat", "ze", "<end>"])
    assert columns == ("source subword", ["<start>", "the", "cat", "<end>"])
    assert drawn.tolist() == [head[:4].tolist() for head in weights]


def test_decoder_attention_hides_later_subwords():
    weights = np.array([[[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.25, 0.25]]])
    drawn, rows, columns = panels_of("decoder", weights, SOURCE, ["<start>", "▁Ja", "<end>"])
    assert rows == ("subword being written", ["Ja", "<end>"])
    assert columns == ("subword read", ["<start>", "Ja"])
    np.testing.assert_array_equal(drawn, [[[1, np.nan], [0.25, 0.75]]])


def test_encoder_attention_is_plotted_unchanged():
    weights = numbers(1, 4, 4)
    drawn, rows, columns = panels_of("encoder", weights, SOURCE, TARGET)
    labels = ["<start>", "the", "cat", "<end>"]
    assert rows == ("source subword", labels)
    assert columns == ("source subword attended to", labels)
    np.testing.assert_array_equal(drawn, weights)


def test_a_cut_translation_has_no_end_token():
    """The search wrote the last subword but did not read it."""
    drawn, rows, _ = panels_of("cross", numbers(1, 3, 4), SOURCE, ["<start>", "▁die", "▁Kat"])
    assert rows.labels == ["die", "Kat"]
    assert drawn.shape == (1, 2, 4)


@pytest.mark.parametrize(
    ("subword", "label"),
    [
        ("▁cat", "cat"),
        ("s", "s"),
        ("▁", "␣"),
        ("▁a▁b", "a b"),
        ("\u3000", "␣"),
        ("a\nb", "a b"),
        ("\x00", "\ufffd"),
        ("$x", "$x"),
    ],
)
def test_labels_of_subwords(subword, label):
    _, rows, columns = panels_of("encoder", np.ones((1, 1, 1)), [subword], ["<start>", "<end>"])
    assert rows.labels == columns.labels == [label]


@pytest.mark.parametrize("kind", ["decoder", "cross"])
def test_a_row_is_the_attention_with_which_its_label_was_written(translator, kind):
    """The expected weights come from a network that has read only the preceding subwords."""
    [[translation]] = translator.translate(["ba be lo"])
    figure = plot_translation(translator, "ba be lo", translation, kind)
    panels = [axes for axes in figure.axes if axes.get_title()]
    source = tf.constant([translator.source_subwords.encode("ba be lo")])
    written = translator.target_subwords.labels(translation.ids)[1:]
    assert len(panels) == 2
    for head, panel in enumerate(panels):
        image = panel.images[0].get_array().filled(np.nan)
        labels = [label.get_text() for label in panel.get_yticklabels()]
        assert labels == [label.strip("▁") or "␣" for label in written]
        assert len(image) == len(labels)
        for position in range(len(labels)):
            read = tf.constant([translation.ids[: position + 1]])
            _, weights = translator.model((source, read), return_attention=True)
            wanted = getattr(weights, kind)[0][0, head, position].numpy()
            shown = image[position][~np.isnan(image[position])]
            np.testing.assert_allclose(shown, wanted, atol=1e-5)


def test_the_sentence_and_its_translation_are_above_the_panels(translator):
    [[translation]] = translator.translate(["ba \udcff $lo$"])
    figure = plot_translation(translator, "ba \udcff $lo$", translation)
    texts = [text.get_text() for text in figure.texts]
    assert texts[:2] == ["cross attention, layer 1 of 1", "ba \ufffd $lo$"]
    assert texts[2].startswith(f"→ {translation.text}"[:20])


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_figures_are_displayed_by_notebooks_and_saved(translator, tmp_path, kind):
    path = tmp_path / "plot.png"
    sentence = "ba be $lo$ 漢"
    [[translation]] = translator.translate([sentence], SearchSettings(beam_size=2))
    figure = plot_translation(translator, sentence, translation, kind)
    assert figure._repr_png_().startswith(b"\x89PNG")
    save(figure, path)
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("sentence", "layer", "message"),
    [
        ("ba", 2, "no layer 2: the network has 1"),
        ("ba", 0, "no layer 0"),
        (" ", 1, "empty translation"),
    ],
)
def test_invalid_layers_and_empty_translations_are_errors(translator, sentence, layer, message):
    [[translation]] = translator.translate([sentence])
    with pytest.raises(UserError, match=message):
        plot_translation(translator, sentence, translation, layer=layer)


def test_unknown_kinds_of_attention_are_errors(translator):
    with pytest.raises(UserError, match="kind 'self'; kinds: encoder, decoder, cross"):
        plot_translation(translator, "ba", Translation("b", 0.0), "self")


def test_layers_can_be_checked_in_advance():
    with pytest.raises(UserError, match="there is no layer 3: the network has 2"):
        check_layer(3, 2)
    for layer, num_layers in ((2, 2), (1, 2), (None, 2), (99, None)):
        check_layer(layer, num_layers)


def test_the_last_layer_is_plotted_by_default():
    layers = [np.full((1, 1, 2, 3), value) for value in (0.25, 0.5)]
    weights = SimpleNamespace(cross=layers)
    answer = ["<start>", "▁a", "<end>"], ["<start>", "<end>"], weights
    translator = SimpleNamespace(attention=lambda sentence, translation: answer)
    for layer, value in ((1, 0.25), (2, 0.5), (None, 0.5)):
        figure = plot_translation(translator, "a", Translation("b", 0.0), layer=layer)
        assert figure.axes[0].images[0].get_array().tolist() == [[value] * 3]
