"""The search that XLA compiles against the ordinary one."""

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.serving.compiled_search import (
    MOST_COMPILED,
    CompiledSearch,
    buckets_up_to,
)
from keras_transformer.text.batches import pad
from tests.conftest import toy_pairs

ALPHA = 0.6


def test_buckets():
    assert buckets_up_to(41, 41) == [(12, 24), (20, 32), (30, 41), (41, 41)]
    assert buckets_up_to(12, 10) == [(12, 10)]
    assert buckets_up_to(100, 200)[-2:] == [(30, 48), (100, 200)]


@pytest.fixture(scope="module")
def sources(translator):
    """Ids of sentences, some in each bucket that is used."""
    sentences = [" ".join(["ba", "lo", "ki"] * n) for n in (1, 2, 3, 5, 8)]
    sentences += [source for source, _ in toy_pairs(10, seed=7)]
    return [translator.source_subwords.encode(sentence)[:40] for sentence in sentences]


@pytest.fixture(scope="module", params=[1, 3])
def searches(request, translator):
    """An ordinary search and one that is compiled, for beams of a size."""
    size = request.param

    def ordinary(source):
        if size == 1:
            return translator.greedy(source, ALPHA)
        return translator.beam(source, ALPHA, size)

    def fixed(source, length):
        if size == 1:
            return translator.greedy(source, ALPHA, fixed_length=length)
        return translator.beam(source, ALPHA, size, fixed_length=length)

    compiled = CompiledSearch(fixed, ordinary, [(8, 6), (41, 41)])
    return ordinary, tf.function(compiled, autograph=False)


def assert_same(found, wanted):
    np.testing.assert_array_equal(found.ids, wanted.ids[:, :1])
    np.testing.assert_allclose(found.scores, wanted.scores[:, :1], atol=1e-4)


def test_single_sentences(searches, sources):
    """Also those that are longer than their bucket allows: 6 ids are few."""
    ordinary, compiled = searches
    for source in sources:
        batch = tf.constant([source])
        assert_same(compiled(batch), ordinary(batch))


def test_a_single_bucket(translator, sources):
    def search(source, length=None):
        return translator.greedy(source, ALPHA, fixed_length=length)

    compiled = CompiledSearch(search, search, [(41, 41)])
    assert_same(compiled(tf.constant(sources[:1])), search(tf.constant(sources[:1])))


@pytest.mark.parametrize("count", [0, 2, MOST_COMPILED, MOST_COMPILED + 1])
def test_batches(searches, sources, count):
    ordinary, compiled = searches
    batch = tf.constant(pad(sources[:count]) if count else np.zeros((0, 5), np.int32))
    assert_same(compiled(batch), ordinary(batch))
