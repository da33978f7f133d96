import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.model.losses import token_losses
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer
from keras_transformer.training import objective
from keras_transformer.training.objective import (
    Totals,
    batch_totals,
    training_loss,
    validation_loss,
)

SOURCE = np.array([[7, 3, 4, 8, 0], [7, 5, 8, 0, 0]], np.int32)
TARGET = np.array([[7, 2, 8, 0, 0, 0], [7, 6, 5, 4, 3, 8]], np.int32)


def small_transformer(rate, **settings):
    keras.utils.set_random_seed(1)
    model = Transformer(1, 8, 2, 16, 9, 9, 8, rate=rate, options=Options(**settings))
    model.build(((None, None), (None, None)))
    return model


@pytest.mark.parametrize("tied_embeddings", ["none", "output", "all"])
def test_without_dropout_the_loss_is_the_crossentropy(tied_embeddings):
    model = small_transformer(0.0, tied_embeddings=tied_embeddings)
    with tf.GradientTape(persistent=True) as tape:
        loss, correct = training_loss(model, SOURCE, TARGET, 0.1)
        logits = model((SOURCE, TARGET[:, :-1]))
        wanted = tf.reduce_sum(token_losses(TARGET[:, 1:], logits, 0.1))
    assert float(loss) == pytest.approx(float(wanted), rel=1e-5)
    right = (np.argmax(logits, axis=-1) == TARGET[:, 1:]) & (TARGET[:, 1:] != 0)
    assert float(correct) == right.sum()
    for variable in model.trainable_variables:
        ours = tape.gradient(loss, variable.value)
        np.testing.assert_allclose(
            tf.convert_to_tensor(ours),
            tf.convert_to_tensor(tape.gradient(wanted, variable.value)),
            atol=1e-4,
        )


def test_the_training_loss_has_dropout():
    model = small_transformer(0.5)
    losses = [float(training_loss(model, SOURCE, TARGET)[0]) for _ in range(2)]
    assert losses[0] != losses[1]


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("shares", [1, 2, 5])
def test_shares_add_up_even_if_some_are_empty(monkeypatch, rows, shares):
    monkeypatch.setattr(objective, "SHARES", shares)
    model = small_transformer(0.0)
    source, target = (np.resize(each, (rows, each.shape[1])) for each in (SOURCE, TARGET))
    loss, _ = training_loss(model, source, target)
    logits = model((source, target[:, :-1]))
    assert float(loss) == pytest.approx(float(tf.reduce_sum(token_losses(target[:, 1:], logits))))


def test_the_validation_loss_has_neither_dropout_nor_smoothing():
    model = small_transformer(0.5)
    loss, correct = validation_loss(model, SOURCE, TARGET)
    logits = model((SOURCE, TARGET[:, :-1])).numpy().astype(np.float64)
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    wanted = TARGET[:, 1:]
    chosen = np.take_along_axis(logs, wanted[..., np.newaxis], axis=-1)[..., 0]
    assert float(loss) == pytest.approx(-chosen[wanted != 0].sum(), rel=1e-5)
    assert float(correct) == ((logits.argmax(-1) == wanted) & (wanted != 0)).sum()


def test_totals_count_real_tokens_and_pairs():
    """The start token is not predicted, and a row of padding is no pair."""
    source, target = (np.pad(ids, ((0, 1), (0, 0))) for ids in (SOURCE, TARGET))
    totals = batch_totals(source, target, 2.0, 3.0)
    assert (float(totals.tokens), float(totals.pairs)) == (2 + 5, 2)
    both = Totals().plus(totals).plus(totals)
    assert both == Totals(loss=4.0, correct=6.0, tokens=14.0, pairs=4.0)
    assert both.mean_loss == pytest.approx(4 / 14)
    assert both.perplexity == pytest.approx(np.exp(4 / 14))
    assert both.accuracy == pytest.approx(6 / 14)


def test_the_perplexity_of_a_huge_loss_fits_into_float32():
    """TensorBoard's curves have this type."""
    assert np.isfinite(np.float32(Totals(loss=1e30, tokens=1.0).perplexity))


def test_totals_of_nothing_are_finite():
    assert (Totals().mean_loss, Totals().perplexity, Totals().accuracy) == (0, 1, 0)
