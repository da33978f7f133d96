import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.inspection.masks import (
    batch_of_translations,
    batch_of_words,
    check_sentences,
    masks_of,
    plot_translation_masks,
    plot_word_masks,
)

SENTENCES = ["ba be lo ki", "lo", "ki ba"]
sentences = st.lists(
    st.lists(st.text("abcä漢", min_size=1, max_size=3), min_size=1, max_size=6).map(" ".join),
    min_size=1,
    max_size=4,
)


def is_hidden(ids):
    """Return whether each key is hidden from each query, (B, T, T), cell by cell."""
    count, length = ids.shape
    return np.array(
        [
            [[key > query or ids[i, key] == 0 for key in range(length)] for query in range(length)]
            for i in range(count)
        ]
    )


@given(sentences)
def test_masked_cells_have_no_weight_and_visible_cells_share_it_equally(batch_sentences):
    ids, _, weights = batch_of_words(batch_sentences)
    hidden = is_hidden(ids)
    visible = (~hidden).sum(-1, keepdims=True)
    np.testing.assert_allclose(weights, ~hidden / visible, atol=1e-6)
    assert (weights[hidden] == 0).all()


@given(sentences)
def test_the_words_are_those_that_the_decoder_would_read(batch_sentences):
    """All positions of the padded batch but the last."""
    ids, labels, _ = batch_of_words(batch_sentences)
    rows = [["<start>", *sentence.split(), "<end>"] for sentence in batch_sentences]
    width = max(map(len, rows))
    padded = [(row + ["<pad>"] * width)[: width - 1] for row in rows]
    assert labels == padded
    np.testing.assert_array_equal(ids == 0, [[label == "<pad>" for label in row] for row in padded])


def test_masks_are_broadcast_to_queries_and_keys():
    ids = np.array([[3, 4, 5, 2], [3, 2, 0, 0]], np.int32)
    padding, later, combined = masks_of(ids)
    np.testing.assert_array_equal(padding, np.repeat(ids[:, None] == 0, 4, axis=1))
    np.testing.assert_array_equal(later, [np.triu(np.ones((4, 4)), 1)] * 2)
    np.testing.assert_array_equal(combined, is_hidden(ids))


@pytest.fixture(scope="module")
def decoder_weights(translator):
    """The decoder's weights (H, t, t) for each translation by itself, which needs no padding."""
    found = []
    for sentence, [translation] in zip(SENTENCES, translator.translate(SENTENCES), strict=True):
        source = tf.constant([translator.source_subwords.encode(sentence)])
        _, weights = translator.model(
            (source, tf.constant([translation.ids])), return_attention=True
        )
        found.append((translation.ids, weights.decoder[0][0].numpy()))
    return found


@pytest.mark.parametrize("head", [None, 1, 2])
def test_weights_are_those_of_each_translation_by_itself(translator, decoder_weights, head):
    ids, labels, weights = batch_of_translations(translator, SENTENCES, 1, head)
    for row, (target, alone) in enumerate(decoder_weights):
        size = min(len(target), ids.shape[1])
        assert ids[row, :size].tolist() == list(target[:size])
        assert not ids[row, size:].any()
        expected = alone.mean(0) if head is None else alone[head - 1]
        np.testing.assert_allclose(weights[row, :size, :size], expected[:size, :size], atol=1e-5)
    hidden = is_hidden(ids)
    assert (weights[hidden] == 0).all()
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
    assert {len(row) for row in labels} == {ids.shape[1]}
    assert [row[0] for row in labels] == ["<start>"] * 3


def test_weights_are_those_of_keras_with_a_boolean_mask():
    """`keras.layers.Attention` with equal queries and keys takes the mask of visible keys."""
    ids, _, weights = batch_of_words(["a b c", "a"])
    equal = np.zeros((*ids.shape, 1), np.float32)
    layer = keras.layers.Attention()
    _, expected = layer(
        [equal, equal], mask=[None, ids != 0], use_causal_mask=True, return_attention_scores=True
    )
    np.testing.assert_allclose(weights, expected, atol=1e-6)


def test_the_plot_of_words_needs_no_run():
    figure = plot_word_masks(["a $b$ c", "a"])
    texts = [text.get_text() for text in figure.texts]
    assert texts[1].startswith("Words split at spaces. All scores are equal")
    assert "<end> of the longest sentence" in texts[2]
    assert "a $b$ c" in texts


def test_the_plot_of_translations_names_layer_and_head(translator):
    text = plot_translation_masks(translator, ["lo"]).texts[1].get_text()
    assert text.endswith("Weights of its self-attention: layer 1 of 1, mean of 2 heads.")
    text = plot_translation_masks(translator, ["lo"], 1, 2).texts[1].get_text()
    assert text.endswith("layer 1 of 1, head 2 of 2.")


@pytest.mark.parametrize(
    ("invalid", "message"),
    [
        (["a"] * 9, "there are 9 sentences; at most 8 are drawn"),
        (["a", " \t"], "sentence 2 is empty"),
        (["a " * 41], "sentence 1 is too long: it has 41 words; at most 40"),
    ],
)
def test_invalid_batches_are_errors(invalid, message):
    with pytest.raises(UserError, match=message):
        plot_word_masks(invalid)


def test_forty_words_are_drawn():
    assert len(batch_of_words(["a " * 40]).labels[0]) == 41
    check_sentences(["a"] * 8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["ba", "ba " * 50],), "sentence 2 is too long: it has [0-9]+ subwords, .* at most 39"),
        ((["ba"], 2), "no decoder layer 2"),
        ((["ba"], 1, 3), "no head 3: each layer has 2"),
        ((["ba"], 1, 0), "no head 0"),
    ],
)
def test_invalid_translations_are_errors(translator, arguments, message):
    with pytest.raises(UserError, match=message):
        batch_of_translations(translator, *arguments)


def test_a_sentence_of_invisible_characters_is_empty(translator):
    with pytest.raises(UserError, match="^sentence 2 is empty"):
        plot_translation_masks(translator, ["ba", "\u200b\ufeff"])
