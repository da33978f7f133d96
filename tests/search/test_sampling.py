"""Sampling against distributions computed by NumPy."""

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_transformer.kernels.top_k import NEVER
from keras_transformer.search.sampling import Sampling, draw
from keras_transformer.search.settings import SearchSettings
from tests.search.test_search import (
    END,
    LONGEST,
    XLA,
    found_by,
    log_softmax,
    logits_of,
    penalty,
    random_model,
    run,
    traced,
    trimmed,
)

NUMBERS = 4000


def distribution(logits, temperature, top_k, top_p):
    """Return the probabilities that `draw` must sample from."""
    order = np.argsort(-logits)[: top_k or None]
    scaled = np.exp((logits[order] - logits[order[0]]) / temperature)
    probabilities = scaled / scaled.sum()
    count = 1 + int(np.sum(np.cumsum(probabilities)[:-1] < top_p))  # the fewest that reach top_p
    kept = np.zeros(len(logits))
    kept[order[:count]] = probabilities[:count] / probabilities[:count].sum()
    return kept


@settings(max_examples=30)
@given(
    seed=st.integers(0, 1000),
    temperature=st.sampled_from([0.3, 1.0, 2.0]),
    top_k=st.sampled_from([0, 1, 3, 50]),
    top_p=st.sampled_from([0.1, 0.6, 0.95, 1.0]),
)
def test_ids_are_drawn_in_proportion_to_their_probabilities(seed, temperature, top_k, top_p):
    """Evenly spaced numbers in place of random ones draw each id just as often as it should be."""
    logits = np.random.default_rng(seed).normal(size=9).astype(np.float32) * 2
    uniform = (np.arange(NUMBERS) + 0.5) / NUMBERS
    chosen = draw(
        tf.tile(tf.constant(logits)[tf.newaxis, tf.newaxis], (1, NUMBERS, 1)),
        tf.constant(uniform[np.newaxis], tf.float32),
        SearchSettings("sampling", temperature=temperature, top_k=top_k, top_p=top_p),
    )
    shares = np.bincount(chosen.numpy()[0], minlength=9) / NUMBERS
    expected = distribution(logits, temperature, top_k, top_p)
    np.testing.assert_allclose(shares, expected, atol=2 / NUMBERS)


@pytest.mark.parametrize("uniform", [0.0, 1 - 2**-24])
def test_the_extreme_random_numbers_draw_allowed_ids(uniform):
    logits = tf.constant([[[1.0, 3.0, 2.0, -9.0]]])
    chosen = draw(logits, tf.constant([[uniform]]), SearchSettings("sampling", top_k=2))
    assert int(chosen[0, 0]) == (1 if uniform == 0 else 2)


def test_a_top_p_that_is_0_in_float32_draws_the_most_probable_id():
    logits = tf.constant([[[1.0, 3.0, 2.0, -9.0]]])
    chosen = draw(logits, tf.constant([[0.5]]), SearchSettings("sampling", top_p=1e-50))
    assert int(chosen[0, 0]) == 1


@pytest.mark.parametrize("uniform", [0.0, 0.5, 1 - 2**-24])
def test_suppressed_ids_are_not_drawn_at_the_highest_temperature(uniform):
    logits = tf.constant([[[NEVER + 5, 3.0, NEVER, 2.0]]])
    hot = SearchSettings("sampling", temperature=1e9)
    assert int(draw(logits, tf.constant([[uniform]]), hot)[0, 0]) in (1, 3)


@pytest.mark.parametrize("temperature", [1e-38, 1e-45])
def test_the_most_probable_id_is_drawn_at_the_lowest_temperature(temperature):
    logits = tf.constant([[[12.0, 11.0, 13.0, 12.5]]])
    cold = SearchSettings("sampling", temperature=temperature)
    assert int(draw(logits, tf.constant([[0.9]]), cold)[0, 0]) == 2


def sample(table, execution=None, **options):
    options = {"n_best": 3, "length_penalty": 0.6, "seed": 5} | options
    return run(table, Sampling, SearchSettings("sampling", **options), execution)


@pytest.mark.parametrize("options", [{}, {"temperature": 0.5}, {"top_k": 2}, {"top_p": 0.7}])
def test_scores_are_those_of_the_samples_and_the_best_come_first(options):
    """The network's own probabilities count, not those from which the samples are drawn."""
    table = random_model(0)
    hypotheses = sample(table, n_best=5, **options)
    for source in range(3):
        found = found_by(hypotheses, source)
        for score, ids in found:
            ids = trimmed(ids)
            total = sum(log_softmax(table[source, ids[:n]])[ids[n]] for n in range(len(ids)))
            assert score == pytest.approx(total / penalty(len(ids), 0.6), rel=1e-4)
        assert [score for score, _ in found] == sorted((score for score, _ in found), reverse=True)


@pytest.mark.parametrize("execution", [None, XLA])
def test_the_first_id_is_drawn_from_all_but_the_end(execution):
    table = random_model(0, sharpness=0.5)
    for (_, prefix), logits in table.items():
        if not prefix:
            logits[:] = [-30, 1, 1, 1 + np.log(8)]  # the end has a probability of 0.8
    hypotheses = sample(table, execution, n_best=100, length_penalty=0.0)
    first = hypotheses.ids.numpy()[:, :, 0]
    assert 0.3 < (first == 1).mean() < 0.7
    assert set(first.ravel()) == {1, 2}
    for source in range(3):
        score, ids = found_by(hypotheses, source)[0]
        ids = trimmed(ids)
        logs = [log_softmax(table[source, ids[:n]])[ids[n]] for n in range(len(ids))]
        assert score == pytest.approx(sum(logs), rel=1e-4)
        assert logs[0] == pytest.approx(np.log(0.1), rel=1e-4)


def test_the_seed_determines_the_samples():
    table = random_model(1, sharpness=0.5)
    first, again, other = (sample(table, seed=seed).ids.numpy() for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_without_a_seed_samples_differ():
    search = traced(Sampling, SearchSettings("sampling", n_best=8))
    logits = tf.constant(logits_of(random_model(1, sharpness=0.1)))
    assert len({search(logits).ids.numpy().tobytes() for _ in range(3)}) > 1


@pytest.mark.parametrize("seed", range(3))
def test_sources_that_leave_the_batch_do_not_change_the_others(seed):
    table = random_model(seed, sharpness=4.0)
    for (source, _), logits in table.items():
        if source == 0:
            logits[:] = [0, 0, 0, 30]  # ends as soon as possible
    leaving, staying = (sample(table, execution) for execution in (None, XLA))
    np.testing.assert_array_equal(leaving.ids, staying.ids)
    np.testing.assert_allclose(leaving.scores, staying.scores, rtol=1e-5)
    assert leaving.ids[0, :, 1].numpy().tolist() == [END] * 3


def test_top_k_of_one_equals_greedy_search():
    table = random_model(4)
    hypotheses = sample(table, top_k=1, n_best=1, length_penalty=0.0)
    for source in range(3):
        [(_, ids)] = found_by(hypotheses, source)
        prefix = ()
        while len(prefix) < LONGEST and END not in prefix:
            prefix += (int(np.argmax(table[source, prefix])),)
        assert trimmed(ids) == prefix


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "random"}, "strategy must be one of beam, greedy, sampling"),
        ({"beam_size": 0}, "beam_size must be at least 1"),
        ({"beam_size": 2, "n_best": 3}, "n_best must be from 1 to beam_size, which is 2"),
        ({"strategy": "greedy", "n_best": 2}, "n_best must be 1 for greedy search"),
        ({"strategy": "sampling", "n_best": 0}, "n_best must be at least 1"),
        ({"length_penalty": float("nan")}, "length_penalty must be a number from 0"),
        ({"max_length": 0}, "max_length must be at least 1"),
        ({"temperature": 0.0}, "temperature must be a number greater than 0"),
        ({"top_k": -1}, "top_k must be at least 0"),
        ({"top_p": 1.5}, "top_p must be greater than 0 and at most 1"),
    ],
)
def test_settings_out_of_range_are_errors(options, message):
    with pytest.raises(ValueError, match=message):
        SearchSettings(**options)
