import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.kernels.dense import Dense, dense, sizes


@given(
    shape=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    activation=st.sampled_from([None, "relu"]),
)
def test_dense_is_that_of_keras(shape, activation):
    ours, theirs = (
        kind(5, activation=activation, bias_initializer="normal")
        for kind in (Dense, keras.layers.Dense)
    )
    x = tf.random.stateless_normal((*shape, 3), (1, 2))
    ours.build(x.shape)
    theirs.build(x.shape)
    theirs.set_weights(ours.get_weights())
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        both = ours(x), theirs(x)
    np.testing.assert_allclose(*both, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(*(tape.gradient(y, x) for y in both), rtol=1e-5, atol=1e-6)
    for one, other in zip(ours.weights, theirs.weights, strict=True):
        np.testing.assert_allclose(
            tape.gradient(both[0], one.value),
            tape.gradient(both[1], other.value),
            rtol=1e-5,
            atol=1e-5,
        )


def test_dense_by_a_transposed_kernel():
    x, kernel, bias = (np.random.default_rng(1).normal(size=n) for n in ((2, 3, 4), (5, 4), 5))
    np.testing.assert_allclose(dense(x, kernel, bias, transpose_b=True), x @ kernel.T + bias)


@pytest.mark.parametrize(
    ("known", "wanted"),
    [((2, 3, 4), [2, 3, 4]), ((None, 3, 4), [-1, 3, 4]), ((2, None, 4), [2, -1, 4])],
)
def test_sizes_are_numbers_where_they_can_be(known, wanted):
    found = []
    compiled = tf.function(lambda x: found.append(sizes(x)), [tf.TensorSpec(known)])
    compiled.get_concrete_function()
    assert found == [wanted]


@pytest.mark.parametrize("shape", [(2, 3, 4), (0, 0, 4), (0, 3, 4), (2, 0, 4)])
def test_sizes_that_are_not_known_are_found(shape):
    """An empty batch too, of which a size could not be worked out from the others."""
    compiled = tf.function(
        lambda x: tf.reshape(tf.transpose(x, (1, 0, 2)), sizes(x)),
        [tf.TensorSpec((None, None, 4))],
    )
    assert compiled(tf.zeros(shape)).shape == shape
