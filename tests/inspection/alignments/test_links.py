"""Word alignments from cross-attention."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from keras_transformer.errors import UserError
from keras_transformer.inspection.alignments.cross_attention import SubwordAttention, one_by_one
from keras_transformer.inspection.alignments.forced_attention import BatchedAttention
from keras_transformer.inspection.alignments.links import (
    READING,
    aligned,
    balanced,
    between_words,
    head_weights,
    strongest_links,
)
from keras_transformer.translation.translation import Translation

SOURCE = ["<start>", "▁I", "▁sw", "im", ".", "<end>"]
TARGET = ["<start>", "▁Ich", "▁schwimme", ".", "<end>"]
# One layer and head. A row belongs to the step that reads a target subword and writes the next.
WEIGHTS = np.array(
    [
        [0.1, 0.6, 0.1, 0.1, 0.1, 0.0],  # reads <start>, writes Ich
        [0.0, 0.1, 0.2, 0.3, 0.2, 0.2],  # reads Ich, writes schwimme
        [0.0, 0.8, 0.0, 0.0, 0.1, 0.1],  # reads schwimme, writes the period
        [0.0, 0.0, 0.0, 0.2, 0.3, 0.5],  # reads the period, writes <end>
        [0.2, 0.2, 0.2, 0.2, 0.1, 0.1],  # reads <end>
    ]
)[np.newaxis, np.newaxis]
ATTENTION = SubwordAttention(SOURCE, TARGET, WEIGHTS)


def test_words_have_the_weights_of_the_steps_that_write_them():
    """Subwords of a source word are added. Punctuation marks count on neither side."""
    words = between_words(ATTENTION)
    assert (words.source, words.target) == (["I", "swim."], ["Ich", "schwimme."])
    assert words.weights[0, 0] == pytest.approx(np.array([[0.6, 0.2], [0.1, 0.5]]))


def test_the_reading_steps_are_the_next_ones():
    words = between_words(ATTENTION, READING)
    assert words.weights[0, 0] == pytest.approx(np.array([[0.1, 0.5], [0.8, 0.0]]))


def test_subwords_of_a_target_word_are_averaged():
    target = ["<start>", "▁schwim", "me", "<end>"]
    words = between_words(SubwordAttention(SOURCE, target, WEIGHTS[:, :, :4]))
    assert words.weights[0, 0] == pytest.approx(np.array([[(0.6 + 0.1) / 2, (0.2 + 0.5) / 2]]))


def test_a_word_of_punctuation_marks_counts():
    source = ["<start>", "▁-", "▁I", "<end>"]
    target = ["<start>", "▁-", "▁ich", "<end>"]
    weights = np.eye(4)[[1, 2, 3, 3]][np.newaxis, np.newaxis]
    assert aligned([SubwordAttention(source, target, weights)]) == [[(0, 0), (1, 1)]]


def test_a_translation_without_end_token_is_aligned_to_its_last_word():
    cut = SubwordAttention(SOURCE, TARGET[:3], WEIGHTS[:, :, :3])
    assert aligned([cut]) == [[(0, 0), (1, 1)]]


def test_balanced_weights_are_shares_of_a_source_word():
    weights = np.array([[0.6, 0.2, 0.0], [0.6, 0.4, 0.0]])
    assert balanced(weights) == pytest.approx(np.array([[0.5, 1 / 3, 0], [0.5, 2 / 3, 0]]))
    assert strongest_links(weights) == [(0, 0), (0, 1)]
    assert strongest_links(balanced(weights)) == [(0, 0), (1, 1)]


@given(arrays(float, st.tuples(st.integers(0, 5), st.integers(0, 5)), elements=st.floats(0, 1)))
def test_every_target_word_has_one_link_to_an_existing_source_word(weights):
    links = strongest_links(balanced(weights))
    rows, columns = weights.shape
    assert [j for _, j in links] == (list(range(rows)) if columns else [])
    assert all(0 <= i < columns for i, _ in links)


def test_a_layer_and_head_can_be_chosen():
    weights = np.arange(24.0).reshape(2, 3, 2, 2)
    assert (head_weights(weights) == weights[1].mean(0)).all()
    assert (head_weights(weights, 1) == weights[0].mean(0)).all()
    assert (head_weights(weights, 1, 3) == weights[0, 2]).all()


@pytest.mark.parametrize(
    ("layer", "head", "message"),
    [
        (3, None, "there is no decoder layer 3: the decoder has 2"),
        (0, None, "there is no decoder layer 0"),
        (1, 7, "there is no head 7: each layer has 6"),
    ],
)
def test_a_missing_layer_or_head_is_an_error(layer, head, message):
    with pytest.raises(UserError, match=message):
        head_weights(np.ones((2, 6, 1, 1)), layer, head)


def test_attention_in_batches_equals_that_of_single_pairs(translator):
    """Shorter pairs of a batch are padded, which must not change their weights."""
    sentences = ["ba lo ki", "be", "lo ma ba ki le fo"]
    translations = [found[0] for found in translator.translate(sentences)]
    translations[1] = Translation("be ma", 0.0)  # without ids: those of the text are used
    batched = BatchedAttention(translator)(sentences, translations)
    ids = tuple(translator.target_subwords.encode("be ma"))
    translations[1] = Translation("be ma", 0.0, ids)
    for one, other in zip(batched, one_by_one(translator)(sentences, translations), strict=True):
        assert (one.source, one.target) == (other.source, other.target)
        assert one.weights.shape == other.weights.shape
        assert one.weights == pytest.approx(other.weights, abs=1e-5)
        assert one.weights.sum(-1) == pytest.approx(np.ones(one.weights.shape[:-1]), abs=1e-5)


def test_a_text_longer_than_the_decoder_reads_is_truncated(translator):
    [found] = BatchedAttention(translator)(["ba lo"], [Translation("lo " * 60, 0.0)])
    ids = translator.target_subwords.encode("lo " * 60)
    assert len(ids) > translator.max_target_length
    assert found.target == translator.target_subwords.labels(ids[: translator.max_target_length])
    assert found.weights.shape[2:] == (len(found.target), len(found.source))
