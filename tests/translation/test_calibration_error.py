"""The calibration error of predictions of subwords."""

import math

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from keras_transformer.translation.calibration_error import (
    Predictions,
    Reliability,
    describe_errors_found,
    errors_found,
    predict,
)
from tests.translation.references import batch, reference_logits


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


@pytest.mark.parametrize("temperature", [1.0, 0.6])
def test_predictions_equal_a_softmax_in_numpy(temperature):
    wanted, logits = batch()
    found = Predictions.of(tf.constant(wanted), tf.constant(logits), temperature)
    exponentials = np.exp(logits / temperature)
    softmax = (exponentials / exponentials.sum(-1, keepdims=True))[wanted > 0]
    np.testing.assert_allclose(found.confidence, softmax.max(-1), rtol=1e-5)
    np.testing.assert_array_equal(found.right, softmax.argmax(-1) == wanted[wanted > 0])


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
