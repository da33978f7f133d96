"""Searches with nearest neighbors."""

import functools

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.kernels.top_k import NEVER
from keras_transformer.search.settings import SearchSettings
from keras_transformer.training.datastore_building import features
from keras_transformer.translation.datastore import NEIGHBORS, Datastore, Interpolation
from keras_transformer.translation.neighbor_search import NeighborSearch
from keras_transformer.translation.translator import Translator
from tests.conftest import toy_pairs

SEARCHES = [
    SearchSettings("greedy"),
    SearchSettings(beam_size=3, n_best=2),
    SearchSettings("sampling", seed=5, n_best=2),
]


@pytest.fixture(scope="module")
def keys_and_ids(translator):
    parts = [each[:2] for each in features(translator, toy_pairs(200))]
    keys, ids = (np.concatenate(part) for part in zip(*parts, strict=True))
    return keys, ids


@pytest.fixture
def with_neighbors(translator, keys_and_ids):
    """A function of an interpolation that returns a translator with neighbors."""

    def make(share, temperature):
        datastore = Datastore.make(*keys_and_ids, Interpolation(share, temperature))
        search = functools.partial(NeighborSearch, datastore)
        return Translator(translator.model, translator.encoding, network_search=search)

    return make


@pytest.mark.parametrize("settings", SEARCHES)
def test_without_a_share_the_search_is_that_of_the_network(translator, with_neighbors, settings):
    sources = [source for source, _ in toy_pairs(10, seed=7)]
    expected = translator.translate(sources, settings)
    found = with_neighbors(0.0, 1.0).translate(sources, settings)
    for before, after in zip(expected, found, strict=True):
        assert [each.ids for each in before] == [each.ids for each in after]
        scores = [[each.score for each in row] for row in (before, after)]
        np.testing.assert_allclose(*scores, rtol=1e-4)


def test_neighbors_alone_reproduce_training_targets(with_neighbors):
    """The nearest key of a training prefix is that of the prefix itself."""
    sources, targets = zip(*toy_pairs(20), strict=True)
    found = with_neighbors(0.999, 1e-3).translate(sources, SEARCHES[1])
    translations = [best.text for best, *_ in found]
    same = sum(a == b for a, b in zip(translations, targets, strict=True))
    assert same >= 18, "some prefixes have equal features in 16 bits"


def test_the_probabilities_are_interpolated(translator, with_neighbors, keys_and_ids):
    """Compared with all keys, in NumPy."""
    keys, ids = keys_and_ids
    search = with_neighbors(0.3, 2.0).batch_search.network_search
    queries = keys[[[3, 50], [7, 90]]] + 0.1
    depth, vocab_size = keys.shape[1], 40
    table = np.random.default_rng(1).normal(size=(depth, vocab_size)).astype(np.float32)
    logits = np.append(queries @ table, np.full((2, 2, 1), NEVER), axis=-1).astype(np.float32)
    found = search._interpolated(tf.constant(queries), tf.constant(logits)).numpy()
    found_ids, _ = np.split(found, [vocab_size], axis=-1)
    differences = queries.reshape(4, 1, depth) - keys.astype(np.float16).astype(np.float32)
    squares = (differences**2).sum(axis=-1)
    expected = np.zeros((4, vocab_size + 1))
    for row, distances in enumerate(squares):
        nearest = distances.argsort()[:NEIGHBORS]
        weights = np.exp((distances.min() - distances[nearest]) / 2.0)
        np.add.at(expected[row], ids[nearest], weights / weights.sum())
    softmax = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    mixed = 0.7 * softmax + 0.3 * expected.reshape(2, 2, -1)
    np.testing.assert_allclose(np.exp(found_ids), mixed[..., :vocab_size], rtol=1e-2, atol=1e-5)
    assert (found[..., -1] == np.float32(NEVER)).all()


def test_a_shortlist_is_not_supported(translator, with_neighbors):
    search = with_neighbors(0.5, 1.0).batch_search.network_search
    source = tf.constant([[40, 3, 41]])
    with pytest.raises(ValueError, match="whole vocabulary"):
        search(source, SearchSettings("greedy"), None, tf.range(42))
