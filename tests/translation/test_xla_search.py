"""Searches compiled by XLA against the same search by TensorFlow."""

from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.paddable_source import ListSource, TensorSource
from keras_transformer.translation.xla_search import (
    MAX_CONSTANTS,
    SentenceSearch,
    XlaSearch,
    buckets_up_to,
    constants,
)
from tests.conftest import sources_of_all_lengths
from tests.translation.test_batch_search import SETTINGS

BUCKETS = [(8, 6), (41, 41)]
SAMPLING = SearchSettings("sampling", n_best=3, seed=5)


def test_buckets():
    assert buckets_up_to(41, 41) == [(12, 24), (20, 32), (30, 41), (41, 41)]
    assert buckets_up_to(12, 10) == [(12, 10)]
    assert buckets_up_to(100, 200)[-2:] == [(30, 48), (100, 200)]


@pytest.fixture
def search(translator):
    """The `NetworkSearch` of the small run."""
    return translator.batch_search.network_search


@pytest.fixture(scope="module")
def xla(translator):
    """Compiles each search once for all tests."""
    return XlaSearch(translator.batch_search.network_search, 41)


def assert_same(found, wanted):
    """Assert that a `Found` equals the hypotheses of one source; it may have more room for ids."""
    np.testing.assert_allclose(found.scores, wanted.scores[0], atol=1e-4)
    width = min(found.ids.shape[1], wanted.ids.shape[2])
    np.testing.assert_array_equal(found.ids[:, :width], wanted.ids[0, :, :width])
    assert not np.any(found.ids[:, width:])


@pytest.mark.parametrize("settings", SETTINGS)
def test_xla_finds_what_tensorflow_finds(translator, search, settings):
    """Including targets that are longer than the first bucket, which has only 6 ids."""
    compiled = SentenceSearch(search, settings, BUCKETS)
    in_graph = tf.function(
        lambda source: compiled(TensorSource(source)),
        [tf.TensorSpec((None,), tf.int32)],
        autograph=False,
    )
    for source in sources_of_all_lengths(translator):
        wanted = translator.batch_search([source], settings)
        assert_same(compiled(ListSource(source)), wanted)
        assert_same(in_graph(tf.constant([*source, 0, 0])), wanted)


def test_a_single_bucket_whose_search_reads_no_variable(translator, search):
    source = sources_of_all_lengths(translator)[0]
    compiled = SentenceSearch(search, SETTINGS[0], BUCKETS[-1:])
    assert_same(compiled(ListSource(source)), translator.batch_search([source], SETTINGS[0]))
    assert not compiled.compiled.get_concrete_function().variables


@pytest.mark.parametrize(("settings", "size"), [(SETTINGS[0], 1), (SAMPLING, 1), (SETTINGS[0], 2)])
def test_a_batch_of_one_is_searched_by_xla_with_the_same_result(translator, xla, settings, size):
    sources = sources_of_all_lengths(translator)[:size]
    found, wanted = (search(sources, settings) for search in (xla, translator.batch_search))
    np.testing.assert_allclose(found.scores, wanted.scores, atol=1e-4)
    np.testing.assert_array_equal(found.ids, wanted.ids)


def test_samples_are_never_drawn_twice(translator, search):
    """The buckets leave room for every target, so that long samples are not drawn less often."""
    compiled = XlaSearch(search, 41).sentence_search(SAMPLING)
    assert set(compiled.target_lengths) == {translator.max_target_length - 1}
    assert len(compiled.source_lengths) > 1


def test_a_search_is_compiled_once(search, translator):
    [source, *_] = sources_of_all_lengths(translator)
    made = []

    class Counting(XlaSearch):
        def sentence_search(self, settings):
            made.append(settings)
            return lambda source: (tf.zeros((1, 41), tf.int32), tf.zeros(1), tf.constant(True))

    xla = Counting(search, 41)
    for settings in (SETTINGS[0], SETTINGS[1], SETTINGS[0]):
        xla([source], settings)
    assert made == SETTINGS[:2]


def test_too_many_weights_for_a_graph():
    table = SimpleNamespace(shape=(MAX_CONSTANTS // 64 + 1, 64))
    with pytest.raises(UserError, match="250,000,064 weights; XLA can compile at most 250,000,000"):
        constants(SimpleNamespace(weights=[table]))
