"""`Dense` and `dense` against `keras.layers.Dense`."""

from collections.abc import Sequence

import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.kernels.dense import Dense, dense, sizes


@given(
    shape=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    activation=st.sampled_from([None, "relu", "gelu"]),
    use_bias=st.booleans(),
)
def test_value_and_gradients_equal_those_of_keras(
    shape: list[int], activation: str | None, use_bias: bool
) -> None:
    settings = {"activation": activation, "use_bias": use_bias, "bias_initializer": "normal"}
    ours, theirs = Dense(5, **settings), keras.layers.Dense(5, **settings)
    x = tf.random.stateless_normal((*shape, 3), (1, 2))
    ours.build(x.shape)
    theirs.build(x.shape)
    theirs.set_weights(ours.get_weights())
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        output, wanted = ours(x), theirs(x)
    np.testing.assert_allclose(output, wanted, rtol=1e-5, atol=1e-6)
    variables = ([x, *layer.trainable_variables] for layer in (ours, theirs))
    for one, other in zip(*variables, strict=True):
        gradients = tape.gradient(output, one), tape.gradient(wanted, other)
        np.testing.assert_allclose(gradients[0], gradients[1], rtol=1e-5, atol=1e-5)


def test_mixed_precision_computes_in_the_same_dtype_as_keras() -> None:
    ours, theirs = (
        kind(8, dtype="mixed_bfloat16", bias_initializer="normal")
        for kind in (Dense, keras.layers.Dense)
    )
    x = tf.random.stateless_normal((2, 3, 16), (1, 2))
    for layer in (ours, theirs):
        layer.build(x.shape)
        layer.set_weights(ours.get_weights())
    output, wanted = ours(x), theirs(x)
    assert output.dtype == wanted.dtype == tf.bfloat16
    np.testing.assert_allclose(
        tf.cast(output, tf.float32), tf.cast(wanted, tf.float32), rtol=0.02, atol=0.02
    )


def test_a_transposed_kernel_gives_the_same_product() -> None:
    x, kernel, bias = (np.random.default_rng(1).normal(size=n) for n in ((2, 3, 4), (5, 4), 5))
    np.testing.assert_allclose(dense(x, kernel, bias, transpose_b=True), x @ kernel.T + bias)


def test_a_product_without_bias() -> None:
    x, kernel = (np.random.default_rng(1).normal(size=n) for n in ((2, 3, 4), (4, 5)))
    np.testing.assert_allclose(dense(x, kernel, None), x @ kernel)


@pytest.mark.parametrize(
    ("known", "wanted"),
    [((2, 3, 4), [2, 3, 4]), ((None, 3, 4), [-1, 3, 4]), ((2, None, 4), [2, -1, 4])],
)
def test_known_sizes_are_integers(known: Sequence[int | None], wanted: list[int]) -> None:
    found = []
    compiled = tf.function(lambda x: found.append(sizes(x)), [tf.TensorSpec(known)])
    compiled.get_concrete_function()
    assert found == [wanted]


@pytest.mark.parametrize("shape", [(2, 3, 4), (0, 0, 4), (0, 3, 4), (2, 0, 4)])
def test_unknown_sizes_are_read_from_the_tensor(shape: tuple[int, ...]) -> None:
    """This includes empty batches, where a size cannot be computed from the others."""
    compiled = tf.function(
        lambda x: tf.reshape(tf.transpose(x, (1, 0, 2)), sizes(x)),
        [tf.TensorSpec((None, None, 4))],
    )
    assert compiled(tf.zeros(shape)).shape == shape
