"""The projections of a search against `keras.layers.Dense`."""

from collections.abc import Callable

import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.kernels.top_k import BLOCK, NEVER
from keras_transformer.kernels.vocabulary_projection import (
    Projection,
    by_blocks,
    by_kernel,
    padded,
)
from keras_transformer.tensors import Tensor

V, D = 2 * BLOCK + 5, 8
NUMBERS = np.random.default_rng(0)
TABLE = NUMBERS.normal(size=(V, D)).astype(np.float32)
BIAS = NUMBERS.normal(size=V).astype(np.float32)
PROJECTIONS = [by_kernel, by_blocks]


def keras_dense(x: Tensor) -> Tensor:
    layer = keras.layers.Dense(V)
    layer.build(x.shape)
    layer.set_weights([TABLE.T, BIAS])
    return layer(x)


@pytest.mark.parametrize("vocab_size", [BLOCK, BLOCK + 1, V])
def test_padding_to_blocks_excludes_added_and_forbidden_ids(vocab_size: int) -> None:
    table, bias = padded(tf.constant(TABLE[:vocab_size]), BIAS[:vocab_size], [0, 3])
    assert bias.shape[0] % BLOCK == 0
    assert bias.shape[0] - vocab_size < BLOCK
    np.testing.assert_array_equal(table[:vocab_size], TABLE[:vocab_size])
    allowed = np.arange(bias.shape[0]) < vocab_size
    allowed[[0, 3]] = False
    np.testing.assert_array_equal(bias[allowed], BIAS[:vocab_size][allowed[:vocab_size]])
    assert (bias[~allowed].numpy() < NEVER / 2).all()


@pytest.mark.parametrize("make", PROJECTIONS)
@pytest.mark.parametrize("xla", [False, True])
@pytest.mark.parametrize(("batch", "hypotheses"), [(1, 1), (1, 5), (3, 4)])
def test_logits_and_gradients_equal_those_of_keras(
    make: Callable[[Tensor, Tensor], Projection], xla: bool, batch: int, hypotheses: int
) -> None:
    features = tf.constant(NUMBERS.normal(size=(batch, hypotheses, D)), tf.float32)
    table, bias = padded(tf.constant(TABLE), BIAS, [])
    project = tf.function(make(table, bias), jit_compile=xla)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(features)
        logits, wanted = project(features), keras_dense(features)
        known = logits[..., :V]
    assert logits.shape == (batch, hypotheses, bias.shape[0])
    np.testing.assert_allclose(known, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(
        tape.gradient(known, features), tape.gradient(wanted, features), rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize("make", PROJECTIONS)
def test_logits_of_bfloat16_features_are_float32(
    make: Callable[[Tensor, Tensor], Projection],
) -> None:
    features = tf.cast(NUMBERS.normal(size=(1, 2, D)), tf.bfloat16)
    logits = make(*padded(tf.constant(TABLE), BIAS, []))(features)
    assert logits.dtype == tf.float32
    wanted = tf.cast(features, tf.float32).numpy() @ TABLE.T + BIAS
    np.testing.assert_allclose(logits[..., :V], wanted, atol=0.1)
