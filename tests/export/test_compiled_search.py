"""The compiled search of an export, in a graph, against the ordinary search."""

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.export.compiled_search import MAX_COMPILED, CompiledSearch
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.batches import pad
from keras_transformer.translation.xla_search import SentenceSearch
from tests.conftest import sources_of_all_lengths


@pytest.fixture(scope="module")
def searches(translator):
    """The compiled and the ordinary search: source ids (B, S) -> ids (B, T) and scores (B,)."""
    search = translator.batch_search.network_search
    settings = SearchSettings(beam_size=3, n_best=2)

    def ordinary(source):
        found = search(source, settings)
        return found.ids[:, 0], found.scores[:, 0]

    alone = SentenceSearch(search, settings, [(8, 6), (41, 41)])
    signature = [tf.TensorSpec((None, None), tf.int32)]
    compiled = CompiledSearch(alone, ordinary)
    return tuple(tf.function(each, signature, autograph=False) for each in (compiled, ordinary))


@pytest.fixture(scope="module")
def sources(translator):
    return sources_of_all_lengths(translator)


def assert_same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_single_sentences_equal_the_ordinary_search(searches, sources):
    """Some translations do not fit into the first bucket, of 6 ids."""
    compiled, ordinary = searches
    for source in sources:
        batch = tf.constant([source])
        assert_same(compiled(batch), ordinary(batch))


@pytest.mark.parametrize("count", [0, 2, MAX_COMPILED, MAX_COMPILED + 1])
def test_batches_equal_the_ordinary_search(searches, sources, count):
    compiled, ordinary = searches
    batch = tf.constant(pad(sources[:count]) if count else np.zeros((0, 5), np.int32))
    assert_same(compiled(batch), ordinary(batch))


@pytest.mark.parametrize("shape", [(1, 0), (1, 7), (3, 7)])
def test_a_row_of_padding_yields_padding_and_score_0(searches, shape):
    compiled, _ = searches
    ids, scores = compiled(tf.zeros(shape, tf.int32))
    assert ids.shape == (shape[0], 41)
    assert not ids.numpy().any()
    assert not scores.numpy().any()
