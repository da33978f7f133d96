"""Logs of made-up trainings, and readers of what is drawn from them."""

import json

import numpy as np

from keras_transformer.inspection.history.recorded_attention import PLUGIN, TAG, RecordedAttention
from keras_transformer.training.curves import log_step, log_validation, record, tensorboard
from keras_transformer.training.objective import Totals

SOURCE = ["<start>", "▁the", "▁cat", "$", "<end>"]
TARGET = ["<start>", "▁die", "▁Kat", "ze", "<end>"]


def totals(loss, accuracy=0.5):
    return Totals(loss=loss * 1000, correct=accuracy * 1000, tokens=1000.0)


def make_run(directory, *sessions):
    """Make a directory that has only what `draw history` needs.

    Args:
        directory: the directory.
        sessions: functions that log what a process logs that starts or resumes a training.
    """
    directory.mkdir(parents=True)
    (directory / "config.json").write_text(json.dumps({}))
    for session in sessions:
        with tensorboard(directory):
            session()
    return directory


def training(first, last, epoch=100, offset=0.0):
    """Return a session that takes steps `first` to `last`, with an epoch of so many steps.

    All values of a session with another offset are different.
    """

    def session():
        for step in range(first, last + 1):
            log_step(step, totals(8 - step / 100 + offset), step / 1e5, 1000.0 + step + offset)
            if step % epoch == 0:
                log_validation(step, totals(6 - step / 100 + offset), step / 10 + offset)

    return session


def recorded(step, epoch, layers=2, heads=3, target=TARGET):
    """Return attention with random weights."""
    shape = layers, heads, len(target), len(SOURCE)
    weights = np.random.default_rng(step).random(shape).astype(np.float32)
    weights /= weights.sum(-1, keepdims=True)
    return RecordedAttention(step, epoch, "The cat$", "Die Katze", SOURCE, target, weights)


def log_attention(each):
    import tensorflow as tf

    data = tf.compat.v1.SummaryMetadata.PluginData(plugin_name=PLUGIN, content=each.labels())
    metadata = tf.compat.v1.SummaryMetadata(plugin_data=data)
    record(lambda: tf.summary.write(TAG, each.weights, each.step, metadata))
