"""Pipelines of tf.data without autotuning."""

import tensorflow as tf

from keras_transformer.text.autotuning import without_autotuning


def test_autotuning_is_disabled_and_the_elements_stay():
    dataset = tf.data.Dataset.range(3)
    changed = without_autotuning(dataset)
    assert changed.options().autotune.enabled is False
    assert dataset.options().autotune.enabled is not False
    assert list(changed.as_numpy_iterator()) == [0, 1, 2]


def test_other_options_are_kept():
    options = tf.data.Options()
    options.deterministic = False
    changed = without_autotuning(tf.data.Dataset.range(3).with_options(options))
    assert changed.options().deterministic is False
