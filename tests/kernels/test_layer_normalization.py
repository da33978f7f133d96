import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.kernels.layer_normalization import LayerNormalization

RANDOM = np.random.default_rng(3)


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def both_layers(depth):
    """Ours and Keras's, with the same weights."""
    gamma, beta = normal(depth), normal(depth)
    layers = LayerNormalization(epsilon=1e-6), keras.layers.LayerNormalization(epsilon=1e-6)
    for layer in layers:
        layer.build((None, None, depth))
        layer.set_weights([gamma, beta])
    return layers


@pytest.mark.parametrize("shape", [(2, 5, 8), (3, 6), (1, 1, 2)])
def test_output_and_gradients_equal_those_of_keras(shape):
    ours, theirs = both_layers(shape[-1])
    x, upstream = tf.constant(normal(*shape) * 3 + 5), normal(*shape)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        output, wanted = ours(x), theirs(x)
    np.testing.assert_allclose(output, wanted, atol=1e-5)
    gradients, wanted_gradients = (
        tape.gradient(y, [x, *layer.trainable_variables], upstream)
        for y, layer in ((output, ours), (wanted, theirs))
    )
    for gradient, wanted_gradient in zip(gradients, wanted_gradients, strict=True):
        np.testing.assert_allclose(gradient, wanted_gradient, atol=1e-4)


def test_it_is_computed_in_float32():
    layer = LayerNormalization(dtype="mixed_bfloat16")
    x = tf.cast(normal(4, 64) + 100, tf.bfloat16)  # in bfloat16 the variance would be lost
    output = layer(x)
    assert output.dtype == tf.bfloat16
    wide = tf.cast(x, tf.float32).numpy()
    wanted = (wide - wide.mean(-1, keepdims=True)) / np.sqrt(wide.var(-1, keepdims=True) + 1e-3)
    np.testing.assert_allclose(tf.cast(output, tf.float32), wanted, atol=0.02)


def test_it_comes_back_from_its_config():
    layer = LayerNormalization(epsilon=0.5, name="norm")
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(layer))
    assert isinstance(twin, LayerNormalization)
    assert twin.epsilon == 0.5
