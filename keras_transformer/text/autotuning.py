"""tf.data pipelines without autotuning."""

import tensorflow as tf


def without_autotuning(dataset: tf.data.Dataset) -> tf.data.Dataset:
    """Return the dataset with autotuning disabled, so that iterations end without delay.

    In TensorFlow 2.21, the end of an iteration waits for the autotuning thread, whose sleep
    intervals grow to one minute. The pipelines of this package gain little from autotuning.
    """
    options = tf.data.Options()
    options.autotune.enabled = False
    return dataset.with_options(options)
