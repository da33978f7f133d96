"""The networks in examples/ that are built from the layers of `model`."""

import importlib.util

import keras
import numpy as np
import tensorflow as tf

from keras_transformer.search.execution import TensorFlowExecution
from keras_transformer.search.greedy import GreedySearch
from keras_transformer.search.settings import SearchSettings
from keras_transformer.search.strategy import Target, search
from tests.programs import HOME


def example(name):
    """Import a file of examples/."""
    spec = importlib.util.spec_from_file_location(name, HOME / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def classifier():
    keras.utils.set_random_seed(0)
    return example("encoder_only").Classifier(1, 16, 2, 32, 12, 9, 0.0, num_classes=2)


def test_padding_does_not_change_the_class():
    model, ids = classifier(), tf.constant([[3, 4, 5], [6, 7, 0]])
    padded = tf.pad(ids, [[0, 0], [0, 4]])
    np.testing.assert_allclose(model(ids), model(padded), atol=1e-5)


def test_the_classifier_learns():
    """The class is whether id 5 occurs."""
    ids = np.random.default_rng(0).integers(1, 12, size=(512, 8))
    classes = np.any(ids == 5, axis=1).astype(int)
    model = classifier()
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.01), loss, metrics=["accuracy"])
    history = model.fit(ids, classes, batch_size=32, epochs=6, verbose=0).history
    assert history["accuracy"][-1] > 0.97


def language_model():
    keras.utils.set_random_seed(0)
    return example("decoder_only").LanguageModel(2, 16, 2, 32, 12, 9, rate=0.0)


def test_a_later_id_does_not_change_earlier_logits():
    model, ids = language_model(), np.array([[1, 2, 3, 4]])
    changed = np.array([[1, 2, 9, 4]])
    np.testing.assert_allclose(model(ids)[:, :2], model(changed)[:, :2], atol=1e-6)
    assert np.abs(model(ids)[:, 2:] - model(changed)[:, 2:]).max() > 1e-3


def test_cached_steps_equal_the_full_pass():
    model, ids = language_model(), tf.constant([[1, 2, 3, 4], [5, 6, 7, 8]])
    expected, caches = model(ids), model.caches(2)
    for position in range(4):
        logits, caches = model.step(ids[:, position : position + 1], position, caches)
        np.testing.assert_allclose(logits[:, 0], expected[:, position], atol=1e-5)


def test_the_search_continues_a_prefix():
    """Greedy search equals taking the best id of the full pass, position by position."""
    model, start = language_model(), 1
    expected = [start]
    for _ in range(5):
        expected.append(int(tf.argmax(model(tf.constant([expected]))[0, -1])))
    settings, target = SearchSettings("greedy"), Target(start, end=11, max_length=5)
    strategy = GreedySearch(settings, target, TensorFlowExecution())

    def step(ids, position, lineage, caches):
        return model.step(ids, position, caches)

    found = tf.function(lambda: search(strategy, step, tf.constant(1), model.caches(1)))()
    ids = found.ids[0, 0].numpy().tolist()
    end = ids.index(11) + 1 if 11 in ids else 5
    assert ids[:end] == expected[1 : end + 1]
