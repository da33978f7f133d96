"""`LayerNormalization` against `keras.layers.LayerNormalization`."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keras_transformer.kernels.layer_normalization import LayerNormalization


def normal(*shape: int, seed: int = 0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def both_layers(
    depth: int, dtype: str = "float32", epsilon: float = 1e-6
) -> tuple[LayerNormalization, keras.layers.LayerNormalization]:
    """Return the kernel and Keras's layer, with the same weights."""
    gamma, beta = normal(depth, seed=1), normal(depth, seed=2)
    layers = (
        LayerNormalization(epsilon=epsilon, dtype=dtype),
        keras.layers.LayerNormalization(epsilon=epsilon, dtype=dtype),
    )
    for layer in layers:
        layer.build((None, None, depth))
        layer.set_weights([gamma, beta])
    return layers


def assert_same_value_and_gradients(
    ours: LayerNormalization, theirs: keras.layers.LayerNormalization, x: tf.Tensor
) -> None:
    upstream = normal(*x.shape, seed=3)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        output, wanted = ours(x), theirs(x)
    np.testing.assert_allclose(output, wanted, atol=1e-4)
    gradients, wanted_gradients = (
        tape.gradient(y, [x, *layer.trainable_variables], upstream)
        for y, layer in ((output, ours), (wanted, theirs))
    )
    for gradient, wanted_gradient in zip(gradients, wanted_gradients, strict=True):
        np.testing.assert_allclose(gradient, wanted_gradient, rtol=1e-3, atol=1e-3)


@given(
    shape=st.lists(st.integers(1, 6), min_size=1, max_size=3),
    depth=st.integers(2, 9),
    seed=st.integers(0, 100),
)
def test_value_and_gradients_equal_those_of_keras(shape: list[int], depth: int, seed: int) -> None:
    ours, theirs = both_layers(depth)
    # Values along the last axis differ by at least 1, so that the variance is not close to epsilon.
    noise = np.random.default_rng(seed).uniform(-1, 1, size=(*shape, depth))
    x = tf.constant(noise + 3 * np.arange(depth) + 5, tf.float32)
    assert_same_value_and_gradients(ours, theirs, x)


@pytest.mark.parametrize("x", [normal(4, 8) * 0.1, np.full((4, 8), 2, np.float32)])
def test_epsilon_limits_the_scale_of_a_small_variance(x: NDArray[np.float32]) -> None:
    ours, theirs = both_layers(8, epsilon=0.5)
    assert_same_value_and_gradients(ours, theirs, tf.constant(x))


def test_bfloat16_value_and_gradients_are_close_to_those_of_keras() -> None:
    ours, theirs = both_layers(64, "mixed_bfloat16")
    x, upstream = (tf.cast(normal(4, 64, seed=seed), tf.bfloat16) for seed in (4, 5))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        both = ours(x), theirs(x)
    gradients = [tape.gradient(y, x, upstream) for y in both]
    for one, other in (both, gradients):
        assert one.dtype == other.dtype == tf.bfloat16
        np.testing.assert_allclose(
            tf.cast(one, tf.float32), tf.cast(other, tf.float32), rtol=0.05, atol=0.05
        )


def test_statistics_are_computed_in_float32() -> None:
    layer = LayerNormalization(dtype="mixed_bfloat16")
    x = tf.cast(normal(4, 64) + 100, tf.bfloat16)  # in bfloat16 the variance would be lost
    output = layer(x)
    assert output.dtype == tf.bfloat16
    wide = tf.cast(x, tf.float32).numpy()
    wanted = (wide - wide.mean(-1, keepdims=True)) / np.sqrt(wide.var(-1, keepdims=True) + 1e-3)
    np.testing.assert_allclose(tf.cast(output, tf.float32), wanted, atol=0.02)


@pytest.mark.parametrize(
    "settings",
    [{"axis": 1}, {"axis": (-2, -1)}, {"center": False}, {"scale": False}, {"rms_scaling": True}],
)
@pytest.mark.filterwarnings("ignore:.*rms_scaling")
def test_what_the_layer_does_not_support_is_an_error(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="axis must be -1|only .* with center and scale"):
        LayerNormalization(**settings)


def test_config_round_trip() -> None:
    layer = LayerNormalization(epsilon=0.5, name="norm")
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(layer))
    assert isinstance(twin, LayerNormalization)
    assert twin.epsilon == 0.5
