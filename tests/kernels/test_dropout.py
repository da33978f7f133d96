"""`Dropout` against the definition of dropout, and against `keras.layers.Dropout`.

The two layers draw different random numbers, so they are compared in distribution.
"""

import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.kernels.dropout import Dropout


@pytest.mark.parametrize(("rate", "nearest"), [(0.1, 26 / 256), (0.3, 77 / 256), (0.5, 0.5)])
def test_rate_is_rounded_and_remaining_values_are_scaled(rate: float, nearest: float) -> None:
    kept = Dropout(rate, seed=1)(tf.ones((1000, 1000)), training=True).numpy()
    assert np.mean(kept == 0) == pytest.approx(nearest, abs=0.002)  # 4 standard deviations
    np.testing.assert_allclose(kept[kept != 0], 1 / (1 - nearest), rtol=1e-6)


@pytest.mark.parametrize("rate", [0.25, 0.5, 0.75])  # multiples of 1/256
def test_distribution_of_values_and_gradients_is_that_of_keras(rate: float) -> None:
    x = tf.ones((1000, 1000))
    found = []
    for layer in (Dropout(rate, seed=1), keras.layers.Dropout(rate, seed=2)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x, training=True)
        found.append((y.numpy(), tape.gradient(y, x).numpy()))
    for ours, theirs in zip(*found, strict=True):
        values, counts = np.unique(ours, return_counts=True)
        wanted, wanted_counts = np.unique(theirs, return_counts=True)
        np.testing.assert_allclose(values, wanted, rtol=1e-6)
        # More than 5 standard deviations of the difference.
        np.testing.assert_allclose(counts, wanted_counts, atol=4000)


@given(shape=st.lists(st.integers(0, 5), max_size=3), rate=st.floats(0, 0.999))
def test_any_shape_and_rate(shape: list[int], rate: float) -> None:
    x = tf.ones(shape)
    kept = Dropout(rate, seed=1)(x, training=True).numpy()
    assert kept.shape == x.shape
    assert np.isfinite(kept).all()


@pytest.mark.parametrize("dtype", [tf.float32, tf.bfloat16])
def test_gradient_passes_where_the_value_was_kept(dtype: tf.DType) -> None:
    x = tf.cast(tf.random.stateless_normal((50, 7), (1, 2)), dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = Dropout(0.4, seed=1, dtype=dtype)(x, training=True)
    gradient = tape.gradient(y, x, tf.ones_like(y))
    assert y.dtype == gradient.dtype == dtype
    np.testing.assert_array_equal(y, x * gradient)
    assert 0 < np.mean(gradient == 0) < 1


@pytest.mark.parametrize("training", [False, None])
def test_inference_returns_the_input(training: bool | None) -> None:
    x = tf.random.stateless_normal((3, 4), (1, 2))
    np.testing.assert_array_equal(Dropout(0.9)(x, training=training), x)


def test_calls_draw_different_values_and_a_seed_repeats_them() -> None:
    layer, twin = Dropout(0.5, seed=3), Dropout(0.5, seed=3)
    x = tf.ones((10, 10))
    first, second = layer(x, training=True), layer(x, training=True)
    assert np.any(first != second)
    np.testing.assert_array_equal(first, twin(x, training=True))
    np.testing.assert_array_equal(second, twin(x, training=True))


def test_neighbouring_values_are_dropped_independently() -> None:
    """Four values share a random word; no pair of them may be correlated."""
    kept = Dropout(0.5, seed=1)(tf.ones((100_000, 4)), training=True).numpy() > 0
    correlations = np.corrcoef(kept.T) - np.eye(4)
    assert np.abs(correlations).max() < 0.015  # more than 4 standard deviations


def test_a_noise_shape_is_an_error() -> None:
    with pytest.raises(ValueError, match="noise_shape .* is not supported"):
        Dropout(0.5, noise_shape=(3, 1))


def test_config_round_trip() -> None:
    layer = Dropout(0.25, name="drop")
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(layer))
    assert isinstance(twin, Dropout)
    assert (twin.rate, twin.name) == (0.25, "drop")
