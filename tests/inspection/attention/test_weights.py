from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.inspection.attention.weights import (
    Attention,
    attention_of,
    read_attention,
    visible,
)
from keras_transformer.translation.attention_kinds import KINDS
from keras_transformer.translation.translation import Translation

SOURCE = ["<start>", "▁the", "▁cat", "<end>"]
TARGET = ["<start>", "▁die", "▁Kat", "ze", "<end>"]


def numbers(heads, queries, keys):
    """Return weights that are all different."""
    return np.arange(1.0, heads * queries * keys + 1).reshape(heads, queries, keys)


def random_layers(count, heads, queries, keys, causal=False):
    """Return weights (1, H, query, key) for each layer, whose rows sum to 1."""
    values = np.random.default_rng(0).random((count, 1, heads, queries, keys))
    values = np.tril(values) if causal else values
    return list(values / values.sum(-1, keepdims=True))


def test_rows_of_cross_attention_are_the_subwords_being_written():
    weights = numbers(2, 5, 4)
    drawn, rows, columns = visible("cross", weights, SOURCE, TARGET)
    assert rows == ["▁die", "▁Kat", "ze", "<end>"]
    assert columns == SOURCE
    assert drawn.tolist() == [head[:4].tolist() for head in weights]


def test_decoder_attention_hides_later_subwords():
    weights = np.array([[[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.25, 0.25]]])
    drawn, rows, columns = visible("decoder", weights, SOURCE, ["<start>", "▁Ja", "<end>"])
    assert rows == ["▁Ja", "<end>"]
    assert columns == ["<start>", "▁Ja"]
    np.testing.assert_array_equal(drawn, [[[1, np.nan], [0.25, 0.75]]])


def test_encoder_attention_is_unchanged():
    weights = numbers(1, 4, 4)
    drawn, rows, columns = visible("encoder", weights, SOURCE, TARGET)
    assert rows == columns == SOURCE
    np.testing.assert_array_equal(drawn, weights)


def test_axes_have_titles_and_labels_without_marks_of_spaces():
    found = attention_of("cross", [numbers(2, 5, 4)[np.newaxis]], 1, SOURCE, TARGET)
    rows, columns = found.axes()
    assert rows == ("subword being written", ["die", "Kat", "ze", "<end>"])
    assert columns == ("source subword", ["<start>", "the", "cat", "<end>"])
    np.testing.assert_array_equal(found.weights, numbers(2, 5, 4)[:, :4])


def test_a_cut_translation_has_no_end_token():
    """The search wrote the last subword but did not read it."""
    drawn, rows, _ = visible("cross", numbers(1, 3, 4), SOURCE, ["<start>", "▁die", "▁Kat"])
    assert rows == ["▁die", "▁Kat"]
    assert drawn.shape == (1, 2, 4)


def test_a_layer_is_named_and_its_heads_are_numbered():
    found = attention_of("cross", random_layers(3, 2, 5, 4), 2, SOURCE, TARGET)
    assert (found.kind, found.layer, found.num_layers) == ("cross", 2, 3)
    assert found.heads == ["head 1", "head 2"]
    assert found.units == ("subword", "subword")


@pytest.mark.parametrize("kind", KINDS)
def test_rows_sum_to_1_after_heads_are_averaged_and_subwords_merged(kind):
    shape = {"encoder": (4, 4), "decoder": (5, 5), "cross": (5, 4)}[kind]
    layers = random_layers(1, 3, *shape, causal=kind == "decoder")
    found = attention_of(kind, layers, 1, SOURCE, TARGET)
    for each in (found, found.with_mean_head(), found.with_words(), found.with_head(2)):
        assert each.weights.shape == (len(each.heads), len(each.rows), len(each.columns))
        np.testing.assert_allclose(np.nansum(each.weights, -1), 1)
    merged = found.with_mean_head().with_words()
    np.testing.assert_allclose(merged.weights, found.with_words().with_mean_head().weights)


def test_the_words_of_both_sentences_are_merged_by_default():
    weights = np.array([[[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]])
    attention = Attention(
        "cross", 1, 1, weights, ["▁Kat", "ze"], ["<start>", "▁k", "it"], ["head 1"]
    )
    both = attention.with_words()
    assert (both.rows, both.columns) == (["▁Katze"], ["<start>", "▁kit"])
    assert both.units == ("word", "word")
    np.testing.assert_allclose(both.weights, [[[0.2, 0.8]]])
    target = attention.with_words(["target"])
    assert (target.rows, target.columns) == (["▁Katze"], ["<start>", "▁k", "it"])
    assert target.units == ("word", "subword")
    np.testing.assert_allclose(target.weights, [[[0.2, 0.25, 0.55]]])
    source = attention.with_words(["source"])
    assert (source.rows, source.units) == (["▁Kat", "ze"], ("subword", "word"))
    np.testing.assert_allclose(source.weights, [[[0.1, 0.9], [0.3, 0.7]]])


def test_a_word_may_attend_to_its_own_subwords():
    """A cell of decoder attention is hidden only if all weights between two words are."""
    layers = random_layers(1, 1, 5, 5, causal=True)
    found = attention_of("decoder", layers, 1, SOURCE, TARGET).with_words()
    assert found.rows == ["▁die", "▁Katze", "<end>"]
    assert found.columns == ["<start>", "▁die", "▁Katze"]
    hidden = [[False, True, True], [False, False, False], [False, False, False]]
    assert np.isnan(found.weights[0]).tolist() == hidden
    # "ze" is written after "Kat" has been read; "Kat" itself does not attend to "Katze".
    np.testing.assert_allclose(found.weights[0, 1, 2], layers[0][0, 0, 2, 2:4].sum() / 2)


def test_the_mean_of_heads_and_single_heads():
    weights = numbers(3, 2, 2)
    found = Attention("encoder", 1, 1, weights, ["a", "b"], ["a", "b"], ["head 1", "head 2", "x"])
    np.testing.assert_allclose(found.with_mean_head().weights, [np.mean(weights, 0)])
    assert found.with_mean_head().heads == ["mean of 3 heads"]
    np.testing.assert_array_equal(found.with_head(2).weights, [weights[1]])
    assert found.with_head(2).heads == ["head 2"]
    for number in (0, 4):
        with pytest.raises(UserError, match=f"there is no head {number}: each layer has 3"):
            found.with_head(number)


@pytest.mark.parametrize("kind", ["decoder", "cross"])
def test_a_row_is_the_attention_with_which_its_label_was_written(translator, kind):
    """The expected weights come from a network that has read only the preceding subwords."""
    [[translation]] = translator.translate(["ba be lo"])
    [found] = read_attention(translator, "ba be lo", translation, [kind])
    source = tf.constant([translator.source_subwords.encode("ba be lo")])
    assert found.rows == translator.target_subwords.labels(translation.ids)[1:]
    for position in range(len(found.rows)):
        read = tf.constant([translation.ids[: position + 1]])
        _, weights = translator.model((source, read), return_attention=True)
        wanted = getattr(weights, kind)[0][0, :, position].numpy()
        row = found.weights[:, position]
        assert (np.isnan(row) == (np.arange(row.shape[1]) >= wanted.shape[1])).all()
        np.testing.assert_allclose(row[:, : wanted.shape[1]], wanted, atol=1e-5)


def layered(count):
    """Return a translator whose layers have the weights 1, 2, ..."""
    layers = [np.full((1, 1, 2, 3), float(number + 1)) for number in range(count)]
    square = [np.full((1, 1, 3, 3), float(number + 1)) for number in range(2)]
    weights = SimpleNamespace(cross=layers, encoder=square)
    answer = ["<start>", "▁a", "<end>"], ["<start>", "<end>"], weights
    return SimpleNamespace(attention=lambda sentence, translation: answer)


@pytest.mark.parametrize(("layer", "wanted"), [(1, [1]), (3, [3]), (None, [3]), ("all", [1, 2, 3])])
def test_one_layer_the_last_or_all_layers_are_read(layer, wanted):
    found = read_attention(layered(3), "a", Translation("b", 0.0), ["cross"], layer)
    assert [each.layer for each in found] == wanted
    assert [each.weights[0, 0, 0] for each in found] == wanted


def test_each_kind_has_its_own_number_of_layers():
    kinds = ["encoder", "cross"]
    found = read_attention(layered(3), "a", Translation("b", 0.0), kinds, "all")
    places = [(each.kind, each.layer, each.num_layers) for each in found]
    assert places[:2] == [("encoder", 1, 2), ("encoder", 2, 2)]
    assert places[2:] == [("cross", layer, 3) for layer in (1, 2, 3)]
    last = read_attention(layered(3), "a", Translation("b", 0.0), kinds)
    assert [(each.kind, each.layer) for each in last] == [("encoder", 2), ("cross", 3)]
    with pytest.raises(UserError, match="there is no encoder layer 3: the encoder has 2"):
        read_attention(layered(3), "a", Translation("b", 0.0), kinds, 3)


@pytest.mark.parametrize(
    ("sentence", "layer", "message"),
    [
        ("ba be lo", 2, "no decoder layer 2: the decoder has 1"),
        ("ba be lo", 0, "no decoder layer 0"),
        (" ", 1, "empty translation"),
    ],
)
def test_invalid_layers_and_empty_translations_are_errors(translator, sentence, layer, message):
    [[translation]] = translator.translate([sentence])
    with pytest.raises(UserError, match=message):
        read_attention(translator, sentence, translation, layer=layer)


def test_unknown_kinds_of_attention_are_errors(translator):
    with pytest.raises(UserError, match="kind 'self'; kinds: encoder, decoder, cross"):
        read_attention(translator, "ba", Translation("b", 0.0), ["self"])
