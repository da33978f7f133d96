import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.inspection import embedded_sentence as module
from keras_transformer.inspection.embedded_sentence import (
    embedded_sentence,
    plot_embedded_sentence,
)

SENTENCE = "ba lo ba ki"


def test_vectors_are_those_of_the_networks_own_embedding_layer(translator):
    subwords, before, after = embedded_sentence(translator, SENTENCE)
    ids = translator.source_subwords.encode(SENTENCE)
    assert subwords == translator.source_subwords.labels(ids)
    layer = translator.model.encoder.embedding
    np.testing.assert_allclose(after, layer(tf.constant([ids]), training=False)[0])
    table = layer.embedding.embeddings.numpy()
    depth = table.shape[1]
    np.testing.assert_allclose(before, table[ids] * np.sqrt(depth), rtol=1e-6)
    angles = np.arange(len(ids))[:, None] / 10000 ** (np.arange(0, depth, 2) / depth)
    np.testing.assert_allclose((after - before)[:, 0::2], np.sin(angles), atol=1e-5)
    np.testing.assert_allclose((after - before)[:, 1::2], np.cos(angles), atol=1e-5)


def test_both_are_projected_to_the_principal_components_of_all_vectors(translator):
    figure = plot_embedded_sentence(translator, SENTENCE)
    _, before, after = embedded_sentence(translator, SENTENCE)
    vectors = np.concatenate([before, after]).astype(np.float64)
    _, scales, directions = np.linalg.svd(vectors - vectors.mean(0), full_matrices=False)
    expected = (after - vectors.mean(0)) @ directions[:2].T
    [axes] = figure.axes
    drawn = next(line for line in axes.lines if line.get_label() == "with its position added")
    places = drawn.get_xydata() - drawn.get_xydata().mean(0)
    expected -= expected.mean(0)
    ratio = places / expected
    np.testing.assert_allclose(np.abs(ratio), np.abs(ratio[0, 0]), rtol=1e-4)
    shares = scales**2 / (scales**2).sum()
    assert axes.get_xlabel() == f"first principal component ({shares[0]:.0%} of the variance)"
    assert axes.get_ylabel() == f"second principal component ({shares[1]:.0%} of the variance)"


def test_equal_words_are_at_one_place_before_and_at_several_after(translator):
    figure = plot_embedded_sentence(translator, "ba ba ba")
    subwords, before, after = embedded_sentence(translator, "ba ba ba")
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    assert len(lines["embedding, scaled by √d_model"].get_xdata()) == len(set(subwords))
    assert len(lines["with its position added"].get_xdata()) == len(subwords)
    assert len(np.unique(before, axis=0)) == len(set(subwords))
    assert len(np.unique(after, axis=0)) == len(subwords)


def test_a_subword_with_a_space_before_it_is_another_one_than_without(translator):
    sentence = "b ab b"
    subwords, before, _ = embedded_sentence(translator, sentence)
    assert len({each.strip("\u2581") for each in subwords}) < len(set(subwords))
    figure = plot_embedded_sentence(translator, sentence)
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    assert len(lines["embedding, scaled by √d_model"].get_xdata()) == len(set(subwords))


def test_different_subwords_with_one_label_are_different_points(translator, monkeypatch):
    """A hyphen within a word and one after a space, for example, are both shown as "-"."""

    class Same:
        label = staticmethod(lambda piece: "-")

    monkeypatch.setattr(module, "writing_of", lambda lang: Same())
    subwords, _, _ = embedded_sentence(translator, SENTENCE)
    figure = plot_embedded_sentence(translator, SENTENCE)
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    assert len(lines["embedding, scaled by √d_model"].get_xdata()) == len(set(subwords))


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (" ", "the sentence is empty"),
        ("ba " * 50, "too long: it has [0-9]+ subwords, .* at most 39"),
    ],
)
def test_invalid_sentences_are_errors(translator, sentence, message):
    with pytest.raises(UserError, match=message):
        plot_embedded_sentence(translator, sentence)


@pytest.mark.parametrize(
    ("lang", "wanted"),
    [("en", {"<start>", "b", "␣", "-a", "-b", "<end>"}), ("ja", {"<start>", "␣b", "␣", "a", "b"})],
)
def test_hyphens_precede_continuations_of_words_only(translator, monkeypatch, lang, wanted):
    """The special tokens continue no word, nor do subwords of languages without spaces."""
    monkeypatch.setattr(translator.source_subwords.bpemb, "lang", lang)
    subwords, _, _ = embedded_sentence(translator, "b ab")
    assert subwords == ["<start>", "▁b", "▁", "a", "b", "<end>"]
    figure = plot_embedded_sentence(translator, "b ab")
    labels = {text.get_text() for text in figure.axes[0].texts}
    assert wanted <= labels
    assert not {"-<start>", "-<end>"} & labels
