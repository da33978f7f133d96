import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.kernels import linear_cross_entropy as projection
from keras_transformer.kernels.linear_cross_entropy import projected_crossentropy

VOCAB_SIZE, DEPTH = 11, 6


def some_tokens(count, seed=0):
    """Features, table, bias and targets."""
    random = np.random.default_rng(seed)
    shapes = ((count, DEPTH), (VOCAB_SIZE, DEPTH), (VOCAB_SIZE,))
    floats = [tf.constant(random.normal(size=shape), tf.float32) for shape in shapes]
    return floats, tf.constant(random.integers(0, VOCAB_SIZE, count), tf.int32)


def kerass_loss(features, table, bias, targets, smoothing):
    """The sum of Keras's losses on all logits at once, and the number that is right."""
    logits = features @ tf.transpose(table) + bias
    loss = keras.losses.CategoricalCrossentropy(
        from_logits=True, label_smoothing=smoothing, reduction="sum"
    )
    right = np.sum(np.argmax(logits, axis=-1) == targets.numpy())
    return loss(tf.one_hot(targets, VOCAB_SIZE), logits), right


# Tokens that fill no chunk, one, and several, the last not wholly.
@given(count=st.integers(1, 30), smoothing=st.floats(0, 0.9), seed=st.integers(0, 100))
def test_loss_and_gradients_equal_those_of_keras(count, smoothing, seed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projection, "TOKENS", 8)
        inputs, targets = some_tokens(count, seed)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(inputs)
            loss, correct = projected_crossentropy(*inputs, targets, smoothing)
            wanted, right = kerass_loss(*inputs, targets, smoothing)
            tripled, wanted_tripled = 3 * loss, 3 * wanted
    assert float(loss) == pytest.approx(float(wanted), rel=1e-4)
    assert float(correct) == right
    for x in inputs:
        gradient = tf.convert_to_tensor(tape.gradient(tripled, x))
        np.testing.assert_allclose(gradient, tape.gradient(wanted_tripled, x), atol=1e-4)


@pytest.mark.parametrize("in_graph", [False, True])
def test_no_tokens_are_no_loss(in_graph):
    """As on a replica that is left without a batch."""
    inputs, targets = some_tokens(0)

    def loss_and_gradients(inputs):
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            loss, correct = projected_crossentropy(*inputs, targets, 0.1)
        return loss, correct, *map(tf.convert_to_tensor, tape.gradient(loss, inputs))

    function = tf.function(loss_and_gradients) if in_graph else loss_and_gradients
    assert not any(np.any(found) for found in function(inputs))


@pytest.mark.parametrize("weights_too", [False, True])
def test_bfloat16_keeps_the_softmax_in_float32(weights_too):
    (features, *weights), targets = some_tokens(20)
    low = [tf.cast(features, tf.bfloat16), *weights]
    if weights_too:
        low = [tf.cast(x, tf.bfloat16) for x in low]
    with tf.GradientTape() as tape:
        tape.watch(low)
        loss, _ = projected_crossentropy(*low, targets, 0.1)
    assert loss.dtype == tf.float32
    wanted, _ = kerass_loss(features, *weights, targets, 0.1)
    assert float(loss) == pytest.approx(float(wanted), rel=0.02)
    for gradient, x in zip(tape.gradient(loss, low), low, strict=True):
        assert tf.convert_to_tensor(gradient).dtype == x.dtype


def test_an_impossible_target_leaves_the_loss_finite():
    """Its probability is 0 in float32."""
    table = tf.constant([[1.0], [-1.0]])
    with tf.GradientTape() as tape:
        tape.watch(table)
        loss, correct = projected_crossentropy(
            tf.constant([[1000.0]]), table, tf.zeros(2), tf.constant([1])
        )
    assert 87 < float(loss) < 2001
    assert float(correct) == 0
    np.testing.assert_allclose(tf.convert_to_tensor(tape.gradient(loss, table)), [[1000], [-1000]])
