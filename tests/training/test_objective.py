import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.model.transformer import Transformer
from keras_transformer.training import projection
from keras_transformer.training.losses import token_losses
from keras_transformer.training.objective import _normalize_pairs, _side_by_side, training_loss
from keras_transformer.training.projection import projected_crossentropy

SOURCE = np.array([[7, 3, 4, 8, 0], [7, 5, 8, 0, 0]], np.int32)
TARGET = np.array([[7, 2, 8, 0, 0, 0], [7, 6, 5, 4, 3, 8]], np.int32)


def small_transformer(rate, **settings):
    keras.utils.set_random_seed(1)
    model = Transformer(1, 8, 2, 16, 9, 9, 8, rate=rate, **settings)
    model.build(((None, None), (None, None)))
    return model


@pytest.mark.parametrize("tied_embeddings", ["none", "output", "all"])
@pytest.mark.parametrize("r_drop", [0.0, 5.0])
def test_without_dropout_it_is_the_crossentropy(tied_embeddings, r_drop):
    """Both passes of R-Drop are the same, so they do not diverge."""
    model = small_transformer(0.0, tied_embeddings=tied_embeddings)
    with tf.GradientTape(persistent=True) as tape:
        loss, correct = training_loss(model, SOURCE, TARGET, 0.1, r_drop)
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


def test_r_drop_equals_its_definition(monkeypatch):
    """Cross-entropies of both passes, and Keras's divergence in both directions."""
    monkeypatch.setattr(projection, "TOKENS", 4)
    random, count, weight = np.random.default_rng(5), 7, 3.0
    shapes = ((2 * count, 6), (9, 6), (9,))
    features, table, bias = (tf.constant(random.normal(size=s), tf.float32) for s in shapes)
    targets = tf.tile(tf.constant(random.integers(0, 9, count), tf.int32), [2])
    divergence = keras.losses.KLDivergence(reduction="sum")
    entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum")

    def normalize(logits, targets):
        return _normalize_pairs(logits, targets, weight)

    with tf.GradientTape(persistent=True) as tape:
        tape.watch([features, table, bias])
        loss, _ = projected_crossentropy(
            _side_by_side(features),
            table,
            bias,
            _side_by_side(targets[:, tf.newaxis])[:, 0],
            normalize=normalize,
        )
        logits = features @ tf.transpose(table) + bias
        p, q = tf.split(tf.nn.softmax(logits), 2)
        wanted = entropy(targets, logits) + weight / 2 * (divergence(p, q) + divergence(q, p))
    assert float(loss) == pytest.approx(float(wanted), rel=1e-5)
    for x in (features, table, bias):
        gradient = tf.convert_to_tensor(tape.gradient(loss, x))
        np.testing.assert_allclose(gradient, tape.gradient(wanted, x), atol=1e-4)


def test_r_drop_adds_to_the_loss_where_dropout_differs():
    keras.utils.set_random_seed(1)
    plain, _ = training_loss(small_transformer(0.5), SOURCE, TARGET, 0.0, 1e-6)
    weighted, _ = training_loss(small_transformer(0.5), SOURCE, TARGET, 0.0, 100.0)
    assert float(weighted) > float(plain) + 1
