"""The search that XLA compiles against the ordinary one."""

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.serving.compiled_search import (
    MOST_COMPILED,
    CompiledSearch,
    buckets_up_to,
)
from keras_transformer.serving.weights import constants
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

    def search(source, length=None):
        if size == 1:
            return translator.greedy(source, ALPHA, fixed_length=length)
        return translator.beam(source, ALPHA, size, fixed_length=length)

    return compiled_and_ordinary(search, [(8, 6), (41, 41)], constants(translator))


def compiled_and_ordinary(search, buckets, weights):
    """Two functions, source ids (B, S) -> ids (B, T) and scores (B,)."""

    def ordinary(source):
        found = search(source)
        return found.ids[:, 0], found.scores[:, 0]

    compiled = CompiledSearch(search, ordinary, buckets, weights)
    signature = [tf.TensorSpec((None, None), tf.int32)]
    return tf.function(compiled, input_signature=signature, autograph=False), ordinary


def assert_same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_single_sentences(searches, sources):
    """Also those that are longer than their bucket allows: 6 ids are few."""
    compiled, ordinary = searches
    for source in sources:
        batch = tf.constant([source])
        assert_same(compiled(batch), ordinary(batch))


def test_weights_are_constants(searches, sources, translator):
    """The compiled search is given no variable."""
    compiled, _ = searches
    compiled(tf.constant(sources[:1]))
    assert not compiled.python_function.compiled.get_concrete_function().variables


def test_a_single_bucket(translator, sources):
    def search(source, length=None):
        return translator.greedy(source, ALPHA, fixed_length=length)

    compiled, ordinary = compiled_and_ordinary(search, [(41, 41)], [])
    assert_same(compiled(tf.constant(sources[:1])), ordinary(tf.constant(sources[:1])))


@pytest.mark.parametrize("count", [0, 2, MOST_COMPILED, MOST_COMPILED + 1])
def test_batches(searches, sources, count):
    compiled, ordinary = searches
    batch = tf.constant(pad(sources[:count]) if count else np.zeros((0, 5), np.int32))
    assert_same(compiled(batch), ordinary(batch))


@pytest.mark.parametrize("shape", [(1, 0), (1, 7), (3, 7)])
def test_padding(searches, shape):
    """A row of padding gives padding, with a score of 0."""
    compiled, _ = searches
    ids, scores = compiled(tf.zeros(shape, tf.int32))
    assert ids.shape == (shape[0], 41)
    assert not ids.numpy().any()
    assert not scores.numpy().any()
