import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.model.losses import (
    MaskedAccuracy,
    MaskedCrossentropy,
    correct_tokens,
    token_losses,
)

RANDOM = np.random.default_rng(2)
LOGITS = RANDOM.normal(size=(2, 4, 5)).astype(np.float32)
TARGETS = np.array([[1, 4, 2, 0], [3, 0, 0, 0]], np.int32)
REAL = TARGETS != 0


def numpy_losses(smoothing):
    """Cross-entropy with the smoothed distribution, written out."""
    log_probabilities = np.log(np.exp(LOGITS) / np.exp(LOGITS).sum(-1, keepdims=True))
    wanted = np.eye(5)[TARGETS] * (1 - smoothing) + smoothing / 5
    return -(wanted * log_probabilities).sum(-1) * REAL


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_losses_equal_numpy(smoothing):
    losses = token_losses(TARGETS, LOGITS, smoothing)
    np.testing.assert_allclose(losses, numpy_losses(smoothing), atol=1e-5)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_gradient_equals_that_of_keras(smoothing):
    weights = RANDOM.normal(size=(2, 4)).astype(np.float32)
    logits = tf.constant(LOGITS)
    wanted_loss = keras.losses.CategoricalCrossentropy(
        from_logits=True, label_smoothing=smoothing, reduction=None
    )
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(logits)
        ours = tf.reduce_sum(token_losses(TARGETS, logits, smoothing) * weights)
        wanted = tf.reduce_sum(wanted_loss(np.eye(5)[TARGETS], logits) * REAL * weights)
    np.testing.assert_allclose(
        tape.gradient(ours, logits), tape.gradient(wanted, logits), atol=1e-5
    )


def test_huge_logits_stay_finite():
    losses = token_losses(np.array([[1]]), np.array([[[-1e4, 1e4]]], np.float32), 0.1)
    assert losses.numpy() == pytest.approx(0.1 * 1e4)  # half the smoothing, on a logit 2e4 lower


def test_mean_is_over_real_tokens():
    loss = MaskedCrossentropy(label_smoothing=0.1)
    wanted = numpy_losses(0.1).sum() / 4
    assert float(loss(TARGETS, LOGITS)) == pytest.approx(wanted, rel=1e-5)
    weighted = float(loss(TARGETS, LOGITS, sample_weight=[[1.0], [0.0]]))
    assert weighted == pytest.approx(numpy_losses(0.1)[0].sum() / 3, rel=1e-5)


def test_loss_comes_back_from_its_config():
    loss = MaskedCrossentropy(label_smoothing=0.2)
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(loss))
    assert float(twin(TARGETS, LOGITS)) == float(loss(TARGETS, LOGITS))


def test_accuracy_is_over_real_tokens():
    logits = np.eye(5)[[[1, 4, 3, 0], [3, 1, 1, 1]]].astype(np.float32)  # one of four is wrong
    np.testing.assert_array_equal(correct_tokens(TARGETS, logits), [[1, 1, 0, 0], [1, 0, 0, 0]])
    metric = MaskedAccuracy()
    metric.update_state(TARGETS, logits)
    assert float(metric.result()) == 0.75


def test_accuracy_is_over_the_tokens_of_all_batches_whatever_their_width():
    metric, draw = MaskedAccuracy(), np.random.default_rng(5)
    correct = tokens = 0
    for width in (3, 12):
        targets = draw.integers(0, 5, size=(2, width))
        logits = draw.normal(size=(2, width, 5)).astype(np.float32)
        metric.update_state(targets, logits)
        correct += np.sum((logits.argmax(-1) == targets) & (targets != 0))
        tokens += np.sum(targets != 0)
    assert float(metric.result()) == pytest.approx(correct / tokens, rel=1e-6)


@pytest.mark.parametrize("length", [4, 2])  # 2 is also the number of sentences
def test_each_sentence_may_have_a_weight(length):
    targets, logits = TARGETS[:, :length], LOGITS[:, :length]
    weights = np.array([2.0, 0.5])
    of_tokens = weights[:, np.newaxis] * REAL[:, :length]
    wanted = (numpy_losses(0.1)[:, :length] * of_tokens).sum() / of_tokens.sum()
    loss = MaskedCrossentropy(label_smoothing=0.1)
    assert float(loss(targets, logits, sample_weight=weights)) == pytest.approx(wanted, rel=1e-5)

    metric = MaskedAccuracy()
    metric.update_state(targets, logits, sample_weight=weights)
    correct = (logits.argmax(-1) == targets) * of_tokens
    assert float(metric.result()) == pytest.approx(correct.sum() / of_tokens.sum())


def test_keras_passes_the_weights_of_sentences():
    model = keras.Sequential([keras.layers.Embedding(5, 5)])
    model.build((None, 4))
    table = LOGITS.reshape(-1, 5)[:5]
    model.layers[0].embeddings.assign(table)
    ids, weights = np.array([[1, 4, 3, 2], [3, 1, 1, 1]]), np.array([2.0, 0.5])
    model.compile(loss=MaskedCrossentropy(), weighted_metrics=[MaskedAccuracy()])
    found = model.evaluate(ids, TARGETS, sample_weight=weights, verbose=0, return_dict=True)
    logits, of_tokens = table[ids], weights[:, np.newaxis] * REAL
    probabilities = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    losses = -np.log(np.take_along_axis(probabilities, TARGETS[..., np.newaxis], -1)[..., 0])
    correct = (logits.argmax(-1) == TARGETS) * of_tokens
    assert found["loss"] == pytest.approx((losses * of_tokens).sum() / of_tokens.sum(), rel=1e-5)
    assert found["masked_accuracy"] == pytest.approx(correct.sum() / of_tokens.sum(), rel=1e-5)


@pytest.mark.parametrize("reduction", ["sum", "none", None])
def test_another_reduction_is_an_error(reduction):
    with pytest.raises(ValueError, match="reduction .* is not supported"):
        MaskedCrossentropy(reduction=reduction)
