"""`projected_crossentropy` against `keras.losses.CategoricalCrossentropy` on all logits at once."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.kernels import linear_cross_entropy
from keras_transformer.kernels.linear_cross_entropy import projected_crossentropy
from keras_transformer.tensors import Tensor

VOCAB_SIZE, DEPTH = 11, 6


def random_tokens(count: int, seed: int = 0) -> tuple[tuple[Tensor, Tensor, Tensor], Tensor]:
    """Return (features, table, bias) and targets."""
    random = np.random.default_rng(seed)

    def normal(*shape: int) -> Tensor:
        return tf.constant(random.normal(size=shape), tf.float32)

    weights = normal(VOCAB_SIZE, DEPTH), normal(VOCAB_SIZE)
    targets = tf.constant(random.integers(0, VOCAB_SIZE, count), tf.int32)
    return (normal(count, DEPTH), *weights), targets


def keras_loss(
    features: Tensor, table: Tensor, bias: Tensor, targets: Tensor, smoothing: float
) -> tuple[Tensor, int]:
    """Return the sum of Keras's losses, and the number of correct tokens."""
    logits = features @ tf.transpose(table) + bias
    loss = keras.losses.CategoricalCrossentropy(
        from_logits=True, label_smoothing=smoothing, reduction="sum"
    )
    right = np.sum(np.argmax(logits, axis=-1) == targets.numpy())
    return loss(tf.one_hot(targets, VOCAB_SIZE), logits), right


# Chunks of 8 tokens: less than one chunk, exactly one, and several with an incomplete last one.
@given(count=st.integers(1, 30), smoothing=st.floats(0, 0.9), seed=st.integers(0, 100))
def test_value_and_gradients_equal_those_of_keras(count: int, smoothing: float, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_cross_entropy, "TOKENS", 8)
        inputs, targets = random_tokens(count, seed)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(inputs)
            loss, correct = projected_crossentropy(*inputs, targets, smoothing)
            wanted, right = keras_loss(*inputs, targets, smoothing)
            tripled, wanted_tripled = 3 * loss, 3 * wanted
    assert float(loss) == pytest.approx(float(wanted), rel=1e-4)
    assert float(correct) == right
    for x in inputs:
        gradient = tf.convert_to_tensor(tape.gradient(tripled, x))
        np.testing.assert_allclose(gradient, tape.gradient(wanted_tripled, x), atol=1e-4)


@pytest.mark.parametrize("in_graph", [False, True])
def test_loss_and_gradients_of_no_tokens_are_zero(in_graph: bool) -> None:
    """A replica can be left without a batch."""
    inputs, targets = random_tokens(0)

    def loss_and_gradients(inputs: tuple[Tensor, Tensor, Tensor]) -> tuple[Tensor, ...]:
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            loss, correct = projected_crossentropy(*inputs, targets, 0.1)
        return loss, correct, *map(tf.convert_to_tensor, tape.gradient(loss, inputs))

    function = tf.function(loss_and_gradients) if in_graph else loss_and_gradients
    assert not any(np.any(found) for found in function(inputs))


@pytest.mark.parametrize("low_weights", [False, True])
def test_bfloat16_products_with_a_float32_softmax(low_weights: bool) -> None:
    wide, targets = random_tokens(20)
    dtype = tf.bfloat16 if low_weights else tf.float32
    low = tf.cast(wide[0], tf.bfloat16), tf.cast(wide[1], dtype), tf.cast(wide[2], dtype)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([low, wide])
        loss, _ = projected_crossentropy(*low, targets, 0.1)
        wanted, _ = keras_loss(*wide, targets, 0.1)
    assert loss.dtype == tf.float32
    assert float(loss) == pytest.approx(float(wanted), rel=0.02)
    for x, wide_x in zip(low, wide, strict=True):
        gradient = tf.convert_to_tensor(tape.gradient(loss, x))
        assert gradient.dtype == x.dtype
        wanted_gradient = tape.gradient(wanted, wide_x)
        np.testing.assert_allclose(tf.cast(gradient, tf.float32), wanted_gradient, atol=0.15)


@pytest.mark.parametrize(("smoothing", "wanted"), [(0.0, 2000), (0.1, 1900)])
def test_the_loss_of_a_target_whose_probability_underflows(smoothing: float, wanted: float) -> None:
    """The logits are 1000 and -1000, their mean is 0, and the log-normalizer is 1000."""
    table = tf.constant([[1.0], [-1.0]])
    with tf.GradientTape() as tape:
        tape.watch(table)
        loss, correct = projected_crossentropy(
            tf.constant([[1000.0]]), table, tf.zeros(2), tf.constant([1]), smoothing
        )
    assert float(loss) == pytest.approx(wanted, rel=1e-6)
    assert float(correct) == 0
    expected = [[1 - smoothing / 2], [smoothing / 2 - 1]]  # softmax minus target distribution
    np.testing.assert_allclose(
        tf.convert_to_tensor(tape.gradient(loss, table)), 1000 * np.array(expected), rtol=1e-5
    )


def test_of_equally_probable_ids_the_first_counts_as_the_most_probable() -> None:
    """As in `tf.argmax`, so that accuracies in training and validation can be compared."""
    inputs = tf.zeros((3, 2)), tf.zeros((4, 2)), tf.constant([0.0, 1.0, 1.0, 0.0])
    for target, wanted in ((0, 0), (1, 3), (2, 0)):
        _, correct = projected_crossentropy(*inputs, tf.fill((3,), target))
        assert float(correct) == wanted
