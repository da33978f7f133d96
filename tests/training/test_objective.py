import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.model.losses import token_losses
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer
from keras_transformer.training import objective
from keras_transformer.training.objective import training_loss

SOURCE = np.array([[7, 3, 4, 8, 0], [7, 5, 8, 0, 0]], np.int32)
TARGET = np.array([[7, 2, 8, 0, 0, 0], [7, 6, 5, 4, 3, 8]], np.int32)


def small_transformer(rate, **settings):
    keras.utils.set_random_seed(1)
    model = Transformer(1, 8, 2, 16, 9, 9, 8, rate=rate, options=Options(**settings))
    model.build(((None, None), (None, None)))
    return model


@pytest.mark.parametrize("tied_embeddings", ["none", "output", "all"])
def test_without_dropout_it_is_the_crossentropy(tied_embeddings):
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


def test_dropout_is_on():
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
