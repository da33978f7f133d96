import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.model.attention import (
    MultiHeadAttention,
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from keras_transformer.model.masks import create_look_ahead_mask

RANDOM = np.random.default_rng(0)


def normal(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def test_attention_equals_numpy():
    q, k, v = normal(2, 3, 5, 4), normal(2, 3, 6, 4), normal(2, 3, 6, 4)
    mask = (RANDOM.random((2, 1, 5, 6)) < 0.3).astype(np.float32)
    mask[..., 0] = 0
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    scores = np.where(mask == 1, -np.inf, q @ k.swapaxes(-1, -2) / 2)
    np.testing.assert_allclose(weights, softmax(scores), atol=1e-6)
    np.testing.assert_allclose(output, softmax(scores) @ v, atol=1e-5)


def test_attention_of_the_tutorials_example():
    k = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], np.float32)
    v = np.array([[1, 0], [10, 0], [100, 5], [1000, 6]], np.float32)
    output, weights = scaled_dot_product_attention(np.array([[0, 0, 10]], np.float32), k, v)
    np.testing.assert_allclose(weights, [[0, 0, 0.5, 0.5]], atol=1e-6)
    np.testing.assert_allclose(output, [[550, 5.5]], rtol=1e-6)


def test_row_with_every_key_hidden_stays_finite():
    output, weights = scaled_dot_product_attention(
        normal(1, 2, 4), normal(1, 3, 4), normal(1, 3, 4), np.ones((1, 2, 3), np.float32)
    )
    assert np.isfinite(output).all()
    np.testing.assert_allclose(np.sum(weights, axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize("mask", [np.eye(3, dtype=bool), tf.constant([[True, False, True]])])
def test_a_boolean_mask_is_an_error(mask):
    x = normal(1, 3, 4)
    with pytest.raises(TypeError, match="^mask must be a float tensor with 1 where .* is hidden"):
        scaled_dot_product_attention(x, x, x, mask)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_softmax_is_in_float32(dtype):
    q, k, v = (tf.cast(normal(1, 3, 4), dtype) for _ in range(3))
    output, weights = scaled_dot_product_attention(q, k, v, np.ones((1, 3, 3), np.float32))
    assert weights.dtype == tf.float32
    assert output.dtype == dtype
    assert np.isfinite(tf.cast(output, tf.float32)).all()


@given(st.integers(1, 3), st.integers(1, 5), st.integers(1, 4), st.integers(1, 4))
def test_merge_is_the_inverse_of_split(batch, length, heads, depth):
    x = normal(batch, length, heads * depth)
    split = split_heads(tf.constant(x), heads)
    assert split.shape == (batch, heads, length, depth)
    np.testing.assert_array_equal(merge_heads(split, heads * depth), x)


def test_split_gives_each_head_its_own_dimensions():
    x = np.arange(8, dtype=np.float32).reshape(1, 1, 8)
    np.testing.assert_array_equal(
        split_heads(tf.constant(x), 2)[0, :, 0], [[0, 1, 2, 3], [4, 5, 6, 7]]
    )


def keras_twin(ours):
    """Keras's own attention with the weights of ours."""
    heads, d_model = ours.num_heads, ours.d_model
    twin = keras.layers.MultiHeadAttention(heads, d_model // heads)
    twin.build((None, None, d_model), (None, None, d_model))
    kernels = np.split(ours.kernel.numpy(), 3, axis=1)
    biases = np.split(ours.bias.numpy(), 3)
    weights = []
    for kernel, bias in zip(kernels, biases, strict=True):
        weights += [kernel.reshape(d_model, heads, -1), bias.reshape(heads, -1)]
    weights += [ours.dense.kernel.numpy().reshape(heads, -1, d_model), ours.dense.bias.numpy()]
    twin.set_weights(weights)
    return twin


@pytest.fixture
def attention():
    layer = MultiHeadAttention(d_model=12, num_heads=3)
    layer.build(None)
    layer.bias.assign(normal(36))
    layer.dense.bias.assign(normal(12))
    return layer


def test_self_attention_equals_keras(attention):
    # Keras would convert an array to three tensors, and the layer would not recognize them as one.
    x, mask = tf.constant(normal(2, 5, 12)), create_look_ahead_mask(5)
    output, weights = attention(x, k=x, q=x, mask=mask)
    wanted, wanted_weights = keras_twin(attention)(
        x, x, attention_mask=1 - mask[tf.newaxis], return_attention_scores=True
    )
    np.testing.assert_allclose(output, wanted, atol=1e-5)
    np.testing.assert_allclose(weights, wanted_weights, atol=1e-5)


def test_attention_to_another_tensor_equals_keras(attention):
    q, source = tf.constant(normal(2, 4, 12)), tf.constant(normal(2, 7, 12))
    output, weights = attention(source, k=source, q=q, mask=None)
    wanted, wanted_weights = keras_twin(attention)(q, source, return_attention_scores=True)
    np.testing.assert_allclose(output, wanted, atol=1e-5)
    np.testing.assert_allclose(weights, wanted_weights, atol=1e-5)


def test_attention_to_other_tensors_equals_keras(attention):
    q, k, v = map(tf.constant, (normal(2, 4, 12), normal(2, 7, 12), normal(2, 7, 12)))
    output, weights = attention(v, k=k, q=q, mask=None)
    wanted, wanted_weights = keras_twin(attention)(q, v, key=k, return_attention_scores=True)
    np.testing.assert_allclose(output, wanted, atol=1e-5)
    np.testing.assert_allclose(weights, wanted_weights, atol=1e-5)
    assert weights.shape == (2, 3, 4, 7)


def test_dropout_changes_the_output_but_not_the_returned_weights():
    layer, x = MultiHeadAttention(8, 2, rate=0.5), normal(2, 5, 8)
    output, weights = layer(x, k=x, q=x, training=False)
    noisy, noisy_weights = layer(x, k=x, q=x, training=True)
    assert not np.allclose(noisy, output, atol=1e-3)
    np.testing.assert_array_equal(noisy_weights, weights)
    np.testing.assert_allclose(np.sum(noisy_weights, axis=-1), 1, atol=1e-6)


def test_heads_must_divide_the_depth():
    with pytest.raises(ValueError, match="512 is not divisible by num_heads 7"):
        MultiHeadAttention(d_model=512, num_heads=7)
