"""The calibration error, and the temperature that reduces it."""

import math

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.batches import pad
from keras_transformer.translation.calibration import (
    MAX_TEMPERATURE,
    MIN_TEMPERATURE,
    Predictions,
    Reliability,
    cross_fit,
    describe_errors_found,
    errors_found,
    fit_temperature,
    overconfidence,
    predict,
    zero,
)
from tests.conftest import toy_pairs


@pytest.fixture(scope="module")
def pairs(translator):
    """Pairs of which the network predicts some subwords well: those of its own translations."""
    sources = [source for source, _ in toy_pairs(16, seed=6)]
    found = translator.translate(sources, SearchSettings().greedy())
    own = [(source, best.text[:9]) for source, [best] in zip(sources, found, strict=True)]
    return [*own, *toy_pairs(6, seed=7)]


def predictions(confidence, right):
    return Predictions(np.array(confidence, float), np.array(right, bool))


def test_the_calibration_error_of_three_predictions_by_hand():
    """Two are in bin 15: |0.5 - 0.95|, weight 2/3. One is in bin 6: |1 - 0.35|, weight 1/3."""
    found = Reliability.of(predictions([0.94, 0.96, 0.35], [True, False, True]))
    assert found.error == pytest.approx(2 / 3 * 0.45 + 1 / 3 * 0.65)
    assert found.counts.tolist() == [0] * 5 + [1] + [0] * 8 + [2]
    assert (found.accuracy[14], found.confidence[14]) == (0.5, pytest.approx(0.95))


def test_a_boundary_belongs_to_the_bin_below():
    found = Reliability.of(predictions([0.0, 0.25, 0.5, 0.75, 1.0], [True] * 5), bins=4)
    assert found.counts.tolist() == [2, 1, 1, 1]


def test_nothing_has_no_calibration_error():
    assert Reliability.of(predictions([], [])).error == 0.0


@pytest.mark.parametrize("confidence", [[], [0.5, 0.9]])
def test_without_wrong_predictions_there_is_no_share_of_them(confidence):
    found = errors_found(predictions(confidence, [True] * len(confidence)))
    assert found is None
    assert describe_errors_found(found) == "no subword is predicted wrongly"


probabilities = arrays.arrays(
    np.float64, st.integers(1, 60), elements=st.floats(0, 1, allow_subnormal=False)
)


@given(probabilities, st.integers(1, 20), st.randoms())
def test_the_calibration_error_equals_brute_force(confidence, bins, draw):
    right = np.array([draw.random() < 0.5 for _ in confidence])
    wanted = 0.0
    for number in range(bins):
        inside = [
            i for i, value in enumerate(confidence) if max(math.ceil(value * bins), 1) == number + 1
        ]
        if inside:
            gap = abs(np.mean(right[inside]) - np.mean(confidence[inside]))
            wanted += len(inside) / len(confidence) * gap
    found = Reliability.of(Predictions(confidence, right), bins)
    assert found.error == pytest.approx(wanted, abs=1e-12)
    assert found.counts.sum() == len(confidence)


def test_predictions_that_are_right_as_often_as_they_say_have_no_error():
    confidence = np.repeat([0.25, 0.5, 0.75], 4)
    right = [1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0]
    assert Reliability.of(predictions(confidence, right)).error == pytest.approx(0)


def test_wrong_predictions_among_the_least_confident():
    """Of 20 predictions, the two least confident ones are wrong, and two others."""
    confidence = np.linspace(0.1, 0.9, 20)
    right = [False, False] + [True] * 10 + [False, False] + [True] * 6
    found = predictions(confidence, right)
    assert errors_found(found) == 0.5
    assert errors_found(found, share=0.7) == 1.0
    shuffled = np.random.default_rng(0).permutation(20)
    assert errors_found(Predictions(*(values[shuffled] for values in found))) == 0.5


def batch(rows=3, length=4, vocabulary=9, seed=0):
    """Random ids with padding, and random logits."""
    random = np.random.default_rng(seed)
    wanted = random.integers(1, vocabulary, (rows, length)).astype(np.int32)
    wanted[0, 2:] = 0
    return wanted, random.normal(0, 2, (rows, length, vocabulary)).astype(np.float32)


def excess(wanted, logits, inverse):
    """Return the confidences minus the number of right predictions, in float64."""
    exponentials = np.exp(logits.astype(np.float64) * inverse)
    softmax = exponentials / exponentials.sum(-1, keepdims=True)
    return ((softmax.max(-1) - (logits.argmax(-1) == wanted)) * (wanted > 0)).sum()


@pytest.mark.parametrize("temperature", [1.0, 0.6])
def test_predictions_equal_a_softmax_in_numpy(temperature):
    wanted, logits = batch()
    found = Predictions.of(tf.constant(wanted), tf.constant(logits), temperature)
    exponentials = np.exp(logits / temperature)
    softmax = (exponentials / exponentials.sum(-1, keepdims=True))[wanted > 0]
    np.testing.assert_allclose(found.confidence, softmax.max(-1), rtol=1e-5)
    np.testing.assert_array_equal(found.right, softmax.argmax(-1) == wanted[wanted > 0])


@pytest.mark.parametrize("inverse", [0.3, 1.0, 2.5])
def test_overconfidence_and_its_derivative_equal_those_in_numpy(inverse):
    wanted, logits = batch()
    value, slope = overconfidence(tf.constant(wanted), tf.constant(logits), inverse)
    step = 1e-5
    below, above = (excess(wanted, logits, inverse + d) for d in (-step, step))
    assert float(value) == pytest.approx(excess(wanted, logits, inverse), rel=1e-5)
    assert float(slope) == pytest.approx((above - below) / (2 * step), rel=1e-4)


@pytest.mark.parametrize("place", [0.11, 0.7, 1.0, 4.0, 9.5])
def test_the_zero_is_found_where_newtons_method_alone_diverges(place):
    """The arc tangent is almost flat far from its zero, where a step goes too far."""

    def function(x):
        return math.atan(20 * (x - place)), 20 / (1 + (20 * (x - place)) ** 2)

    assert zero(function, 0.1, 10.0) == pytest.approx(place, abs=1e-4)


@pytest.mark.parametrize(("value", "place"), [(1.0, 0.1), (-1.0, 10.0)])
def test_without_a_zero_an_end_of_the_interval_is_returned(value, place):
    assert zero(lambda _: (value, 0.0), 0.1, 10.0) == pytest.approx(place, abs=1e-4)


def reference_logits(translator, pairs):
    """Return the ids and logits of each pair, one pair at a time."""
    for source, target in pairs:
        ids = translator.target_subwords.encode(target)
        inputs = pad([translator.source_subwords.encode(source)]), pad([ids[:-1]])
        logits = translator.model(tuple(map(tf.constant, inputs)), training=False).numpy()
        yield np.array([ids[1:]]), logits


def test_the_fitted_temperature_equals_that_of_a_fine_grid(translator, pairs):
    """At this temperature the mean confidence equals the accuracy."""
    rows = list(reference_logits(translator, pairs))
    grid = np.geomspace(0.2, 5, 1500)  # steps of 0.2 %
    sums = [abs(sum(excess(*row, 1 / temperature) for row in rows)) for temperature in grid]
    found = fit_temperature(translator, pairs, batch_size=4)
    assert found == pytest.approx(grid[np.argmin(sums)], rel=3e-3)
    fitted = predict(translator, pairs, found)
    assert fitted.confidence.mean() == pytest.approx(fitted.right.mean(), abs=1e-4)
    assert grid[0] < found < grid[-1]
    assert found != pytest.approx(1, abs=0.01)


def test_a_temperature_cannot_be_fitted_to_nothing(translator):
    assert fit_temperature(translator, []) == 1.0
    assert fit_temperature(translator, [("ba", ""), ("ba " * 99, "ba")]) == 1.0


def test_a_temperature_has_limits(translator, pairs):
    """The network hardly ever predicts the references of the second case."""
    never = [(source, "zz" * 8) for source, _ in pairs]
    assert MIN_TEMPERATURE < fit_temperature(translator, pairs) < MAX_TEMPERATURE
    assert fit_temperature(translator, never) <= MAX_TEMPERATURE * (1 + 1e-3)


def test_predictions_of_references_equal_those_in_numpy(translator, pairs):
    found = predict(translator, pairs, 0.7, batch_size=4)
    confidence, right = [], []
    for wanted, logits in reference_logits(translator, pairs):
        exponentials = np.exp(logits[0].astype(np.float64) / 0.7)
        softmax = exponentials / exponentials.sum(-1, keepdims=True)
        confidence += softmax.max(-1).tolist()
        right += (softmax.argmax(-1) == wanted[0]).tolist()
    order = np.argsort(found.confidence)
    wanted = np.argsort(confidence)
    np.testing.assert_allclose(found.confidence[order], np.array(confidence)[wanted], rtol=1e-4)
    assert found.right.sum() == sum(right)
    plain = predict(translator, pairs, batch_size=4)
    np.testing.assert_array_equal(plain.right, found.right)


def test_each_half_is_predicted_at_the_temperature_fitted_to_the_other(translator, pairs):
    halves = pairs[::2], pairs[1::2]
    found = cross_fit(translator, pairs)
    temperatures = tuple(fit_temperature(translator, half) for half in halves[::-1])
    assert found.temperatures == pytest.approx(temperatures)
    assert temperatures[0] != temperatures[1]
    parts = map(predict, [translator] * 2, halves, temperatures)
    wanted = np.concatenate([part.confidence for part in parts])
    np.testing.assert_allclose(found.predictions.confidence, wanted, rtol=1e-6)
