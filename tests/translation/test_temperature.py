"""The temperature that reduces the calibration error."""

import math

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.translation.calibration_error import predict
from keras_transformer.translation.temperature import (
    cross_fit,
    fit_temperature,
    overconfidence,
    zero,
)
from tests.translation.references import batch, reference_logits


def excess(wanted, logits, inverse):
    """Return the confidences minus the number of right predictions, in float64."""
    exponentials = np.exp(logits.astype(np.float64) * inverse)
    softmax = exponentials / exponentials.sum(-1, keepdims=True)
    return ((softmax.max(-1) - (logits.argmax(-1) == wanted)) * (wanted > 0)).sum()


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


def test_a_temperature_has_limits(translator, pairs, monkeypatch):
    """With a limit between 1 and the temperature without it, the result is the limit."""
    limit = (1 + fit_temperature(translator, pairs)) / 2
    name = "MAX_TEMPERATURE" if limit > 1 else "MIN_TEMPERATURE"
    monkeypatch.setattr(f"keras_transformer.translation.temperature.{name}", limit)
    assert fit_temperature(translator, pairs) == pytest.approx(limit, rel=1e-3)


def test_each_half_is_predicted_at_the_temperature_fitted_to_the_other(translator, pairs):
    halves = pairs[::2], pairs[1::2]
    found = cross_fit(translator, pairs)
    temperatures = tuple(fit_temperature(translator, half) for half in halves[::-1])
    assert found.temperatures == pytest.approx(temperatures)
    assert temperatures[0] != temperatures[1]
    parts = map(predict, [translator] * 2, halves, temperatures)
    wanted = np.concatenate([part.confidence for part in parts])
    np.testing.assert_allclose(found.predictions.confidence, wanted, rtol=1e-6)
