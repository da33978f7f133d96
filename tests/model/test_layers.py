"""Each layer through shapes, config, dtype, build and dropout."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.model.attention import MultiHeadAttention
from keras_transformer.model.decoder import Decoder, DecoderLayer
from keras_transformer.model.embeddings import PositionalEmbedding, TiedProjection
from keras_transformer.model.encoder import Encoder, EncoderLayer
from keras_transformer.model.options import Options
from keras_transformer.model.positions import positional_encoding
from keras_transformer.model.sublayers import (
    PostNormResidual,
    PreNormResidual,
    point_wise_feed_forward_network,
)

RANDOM = np.random.default_rng(1)
SHAPE = {"d_model": 8, "num_heads": 2, "dff": 16}
PRE_NORM = Options(norm_first=True)


def normal(*shape):
    return tf.constant(RANDOM.normal(size=shape), tf.float32)


MASK = tf.constant([[0.0, 0, 0, 1, 1], [0, 0, 0, 0, 1]])[:, tf.newaxis, tf.newaxis]
IDS = tf.constant([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])
X = normal(2, 5, 8)
SOURCE = normal(2, 7, 8)

# layer, its call, the shapes that it gives
LAYERS = [
    (MultiHeadAttention(8, 2), lambda f: f(X, k=X, q=X, mask=MASK), [(2, 5, 8), (2, 2, 5, 5)]),
    (PositionalEmbedding(11, 8, 9), lambda f: f(IDS), [(2, 5, 8)]),
    (TiedProjection(PositionalEmbedding(11, 8, 9)), lambda f: f(X), [(2, 5, 11)]),
    (EncoderLayer(**SHAPE), lambda f: f(X, mask=MASK), [(2, 5, 8), (2, 2, 5, 5)]),
    (EncoderLayer(**SHAPE, options=PRE_NORM), lambda f: f(X), [(2, 5, 8), (2, 2, 5, 5)]),
    (
        DecoderLayer(**SHAPE),
        lambda f: f(X, SOURCE, look_ahead_mask=MASK),
        [(2, 5, 8), (2, 2, 5, 5), (2, 2, 5, 7)],
    ),
    (
        Encoder(2, **SHAPE, input_vocab_size=11, maximum_position_encoding=9),
        lambda f: f(IDS),
        [(2, 5, 8), *[(2, 2, 5, 5)] * 2],
    ),
    (
        Decoder(2, **SHAPE, target_vocab_size=11, maximum_position_encoding=9, options=PRE_NORM),
        lambda f: f(IDS, SOURCE),
        [(2, 5, 8), *[(2, 2, 5, 5)] * 2, *[(2, 2, 5, 7)] * 2],
    ),
]
NAMES = [f"{type(layer).__name__}-{i}" for i, (layer, *_) in enumerate(LAYERS)]


def test_a_mask_that_keras_passes_implicitly_is_an_error():
    """It is True where a position is visible, the opposite of our masks."""
    embedded = keras.layers.Embedding(11, 8, mask_zero=True)(tf.constant([[3, 1, 0]]))
    with pytest.raises(TypeError, match="mask such as Keras passes implicitly"):
        EncoderLayer(**SHAPE)(embedded)


@pytest.mark.parametrize(("layer", "call", "shapes"), LAYERS, ids=NAMES)
def test_shapes(layer, call, shapes):
    assert [tuple(tensor.shape) for tensor in tf.nest.flatten(call(layer))] == shapes


@pytest.mark.parametrize(("layer", "call", "shapes"), LAYERS, ids=NAMES)
def test_comes_back_from_its_config(layer, call, shapes):
    wanted = tf.nest.flatten(call(layer))
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(layer))
    call(twin)
    twin.set_weights(layer.get_weights())
    for a, b in zip(tf.nest.flatten(call(twin)), wanted, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(("layer", "call", "shapes"), LAYERS, ids=NAMES)
def test_mixed_precision(layer, call, shapes):
    wanted = tf.nest.flatten(call(layer))
    twin = type(layer).from_config(layer.get_config() | {"dtype": "mixed_bfloat16"})
    call(twin)
    twin.set_weights(layer.get_weights())
    found = tf.nest.flatten(call(twin))
    assert found[0].dtype == tf.bfloat16
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(tf.cast(a, tf.float32), b, atol=0.2)
    assert {v.dtype for v in twin.trainable_variables} == {"float32"}


@pytest.mark.parametrize(("layer", "call", "shapes"), LAYERS, ids=NAMES)
def test_sublayers_have_the_policy_of_the_layer(layer, call, shapes):
    """With a global policy, Keras gives it to all layers; all of them then round in this way."""
    call(layer)
    of_layer = type(layer).from_config(layer.get_config() | {"dtype": "mixed_bfloat16"})
    keras.config.set_dtype_policy("mixed_bfloat16")
    try:
        of_process = type(layer).from_config(layer.get_config() | {"dtype": None})
    finally:
        keras.config.set_dtype_policy("float32")
    for twin in (of_layer, of_process):
        call(twin)
        twin.set_weights(layer.get_weights())
    outputs = (tf.nest.flatten(call(twin)) for twin in (of_layer, of_process))
    for a, b in zip(*outputs, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(tf.cast(a, tf.float32), tf.cast(b, tf.float32))


@pytest.mark.parametrize(("layer", "call", "shapes"), LAYERS, ids=NAMES)
def test_no_variable_appears_after_build(layer, call, shapes):
    twin = type(layer).from_config(layer.get_config())
    twin.build((None, None, 8))
    built = [v.path for v in twin.variables]
    call(twin)
    assert [v.path for v in twin.variables] == built
    assert len(set(built)) == len(built)


def test_embedding_is_scaled_and_has_the_position_added():
    layer = PositionalEmbedding(11, 8, 9)
    embedded = layer(IDS, training=False)
    table = layer.embedding.embeddings.numpy()
    wanted = table[IDS.numpy()] * np.sqrt(8) + positional_encoding(9, 8)[:, :5]
    np.testing.assert_allclose(embedded, wanted, atol=1e-5)


def test_embedding_from_a_later_position():
    layer = PositionalEmbedding(11, 8, 9)
    np.testing.assert_allclose(
        layer(IDS[:, 3:], position=3, training=False), layer(IDS, training=False)[:, 3:], atol=1e-6
    )


def assert_half_dropped(values, wanted):
    """Assert that about half of the values are 0, and the others are wanted / 0.5."""
    values, wanted = np.asarray(values), np.asarray(wanted)
    kept = values != 0
    assert 0.4 < kept.mean() < 0.6
    np.testing.assert_allclose(values[kept], wanted[kept] / 0.5, rtol=1e-5)


def test_dropout_of_embeddings():
    layer, ids = PositionalEmbedding(11, 8, 200, rate=0.5), tf.tile(IDS, (1, 40))
    assert_half_dropped(layer(ids, training=True), layer(ids, training=False))


def test_dropout_of_what_a_residual_connection_adds():
    y = normal(2, 200, 8)
    added = PreNormResidual(8, rate=0.5).leave(tf.zeros_like(y), y, training=True)
    assert_half_dropped(added, y)


def test_too_long_a_sequence_is_refused():
    with pytest.raises(ValueError, match="10 ids is longer than maximum_position_encoding 9"):
        PositionalEmbedding(11, 8, 9)(tf.ones((1, 10), tf.int32))


def test_tied_projection_is_the_transposed_table():
    embedding = PositionalEmbedding(11, 8, 9)
    embedding.build(None)
    projection = TiedProjection(embedding)
    wanted = X.numpy() @ embedding.embedding.embeddings.numpy().T
    np.testing.assert_allclose(projection(X), wanted, atol=1e-5)


def test_feed_forward_network_equals_numpy():
    network = point_wise_feed_forward_network(8, 16)
    output = network(X)
    w1, b1, w2, b2 = network.get_weights()
    np.testing.assert_allclose(output, np.maximum(X @ w1 + b1, 0) @ w2 + b2, atol=1e-5)


def layer_norm(x):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-6)


def test_post_norm_residual_equals_numpy():
    residual = PostNormResidual(8)
    y = normal(2, 5, 8)
    np.testing.assert_array_equal(residual.enter(X), X)
    np.testing.assert_allclose(residual.leave(X, y), layer_norm((X + y).numpy()), atol=1e-5)


def test_pre_norm_residual_equals_numpy():
    residual = PreNormResidual(8)
    y = normal(2, 5, 8)
    np.testing.assert_allclose(residual.enter(X), layer_norm(X.numpy()), atol=1e-5)
    np.testing.assert_array_equal(residual.leave(X, y), X + y)
