import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.kernels.dropout import Dropout


@pytest.mark.parametrize(("rate", "nearest"), [(0.1, 26 / 256), (0.3, 77 / 256), (0.5, 0.5)])
def test_share_that_is_dropped_and_scale_of_what_is_kept(rate, nearest):
    kept = Dropout(rate, seed=1)(tf.ones((1000, 1000)), training=True).numpy()
    assert np.mean(kept == 0) == pytest.approx(nearest, abs=0.002)  # 4 standard deviations
    np.testing.assert_allclose(kept[kept != 0], 1 / (1 - nearest), rtol=1e-6)


@given(shape=st.lists(st.integers(0, 5), max_size=3), rate=st.floats(0, 0.999))
def test_every_shape_and_rate(shape, rate):
    x = tf.ones(shape)
    kept = Dropout(rate, seed=1)(x, training=True).numpy()
    assert kept.shape == x.shape
    assert np.isfinite(kept).all()


def test_the_gradient_passes_where_the_value_did():
    x = tf.random.normal((50, 7))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = Dropout(0.4, seed=1)(x, training=True)
    gradient = tape.gradient(y, x, tf.ones_like(y))
    np.testing.assert_allclose(y, x * gradient, rtol=1e-6)
    assert 0 < np.mean(gradient == 0) < 1


@pytest.mark.parametrize("training", [False, None])
def test_nothing_is_dropped_outside_training(training):
    x = tf.random.normal((3, 4))
    np.testing.assert_array_equal(Dropout(0.9)(x, training=training), x)


def test_each_call_drops_others_and_a_seed_repeats_them():
    layer, twin = Dropout(0.5, seed=3), Dropout(0.5, seed=3)
    x = tf.ones((10, 10))
    first, second = layer(x, training=True), layer(x, training=True)
    assert np.any(first != second)
    np.testing.assert_array_equal(first, twin(x, training=True))
    np.testing.assert_array_equal(second, twin(x, training=True))


def test_neighbours_are_independent():
    """Four values share a random word: each pair of them is dropped together as by chance."""
    kept = Dropout(0.5, seed=1)(tf.ones((100_000, 4)), training=True).numpy() > 0
    correlations = np.corrcoef(kept.T) - np.eye(4)
    assert np.abs(correlations).max() < 0.015  # more than 4 standard deviations


def test_it_comes_back_from_its_config():
    layer = Dropout(0.25, name="drop")
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(layer))
    assert (twin.rate, twin.name) == (0.25, "drop")
