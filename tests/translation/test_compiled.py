"""The search that XLA compiles against the ordinary one."""

from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.translation.compiled import (
    MOST_CONSTANTS,
    SentenceSearch,
    buckets_up_to,
    constants,
)
from tests.conftest import sources_of_all_lengths

ALPHA = 0.6
BUCKETS = [(8, 6), (41, 41)]


def test_buckets():
    assert buckets_up_to(41, 41) == [(12, 24), (20, 32), (30, 41), (41, 41)]
    assert buckets_up_to(12, 10) == [(12, 10)]
    assert buckets_up_to(100, 200)[-2:] == [(30, 48), (100, 200)]


def search_of(translator, beam_size, n_best):
    def search(source, length=None):
        return translator.hypotheses(source, length, beam_size, ALPHA, n_best)

    return search


def assert_same(found, wanted):
    """Whether two have the same hypotheses; one may have more room for ids."""
    np.testing.assert_allclose(found.scores, wanted.scores, atol=1e-4)
    width = min(found.ids.shape[2], wanted.ids.shape[2])
    np.testing.assert_array_equal(found.ids[:, :, :width], wanted.ids[:, :, :width])
    assert not np.any(found.ids[:, :, width:])


@pytest.mark.parametrize(("beam_size", "n_best"), [(1, 1), (3, 1), (3, 3)])
def test_against_the_ordinary_search(translator, beam_size, n_best):
    """Also for those that are longer than their bucket allows: 6 ids are few."""
    search = search_of(translator, beam_size, n_best)
    compiled = SentenceSearch(search, BUCKETS, constants(translator.model))
    for source in sources_of_all_lengths(translator):
        assert_same(compiled(source), search(tf.constant([source])))


def test_of_a_translator(translator):
    search = search_of(translator, 2, 2)
    compiled = SentenceSearch.of(translator, beam_size=2, alpha=ALPHA, n_best=2)
    for source in sources_of_all_lengths(translator)[:3]:
        assert_same(compiled(source), search(tf.constant([source])))


def test_a_single_bucket(translator):
    search = search_of(translator, 1, 1)
    source = sources_of_all_lengths(translator)[0]
    assert_same(SentenceSearch(search, BUCKETS[-1:])(source), search(tf.constant([source])))


def test_weights_are_constants(translator):
    """The compiled search is given no variable."""
    compiled = SentenceSearch.of(translator, beam_size=1)
    compiled(sources_of_all_lengths(translator)[0])
    assert not compiled.compiled.get_concrete_function().variables


def test_constants(translator):
    for variable, value in constants(translator.model):
        np.testing.assert_array_equal(variable, value)


def test_too_many_for_a_graph():
    table = SimpleNamespace(shape=(MOST_CONSTANTS // 64 + 1, 64))
    with pytest.raises(UserError, match="--xla: the network has more than 250,000,000 weights"):
        constants(SimpleNamespace(weights=[table]))
