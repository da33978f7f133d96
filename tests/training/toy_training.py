"""Trainings of a toy corpus that take seconds."""

import os
import signal

import keras
import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.config import Config
from keras_transformer.runs.checkpoints import (
    latest_checkpoint,
    make_checkpoint,
    named_variables,
    restore,
    saved_checkpoints,
)
from keras_transformer.runs.layout import BEST
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import Corpus
from keras_transformer.training.encoded_corpus import EncodedCorpus
from keras_transformer.training.session import train
from keras_transformer.training.trainer import Trainer
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL, toy_pairs, write_pairs
from tests.listed_pairs import ListedPairs

CORPUS = Corpus(ListedPairs(toy_pairs(60)), ListedPairs(toy_pairs(12, seed=1)), None)


def make_trainer(run, corpus=CORPUS, strategy=None):
    """Return a trainer of a run."""
    return Trainer(run, *EncodedCorpus.of(run, corpus), strategy)


def new_trainer(directory, strategy=None, samples=False, **settings):
    """Return a trainer of a new run, with the samples for TensorBoard or without."""
    run = Run.create(directory, Config().with_settings(SMALL | settings))
    run.make_subwords(CORPUS.train)
    trainer = make_trainer(run, strategy=strategy)
    return without_bleu(trainer if samples else without_samples(trainer))


def without_bleu(trainer):
    """Skip the search of each validation. The BLEU of these trainings would be 0, too."""
    trainer.validator.sample_bleu = lambda: 0.0
    return trainer


class NoSamples:
    """In place of `Samples`, whose translations and pictures take longer than a toy epoch."""

    def __init__(self, *_):
        pass

    def log_step(self, *_):
        pass

    def log_epoch(self, *_):
        pass


def without_samples(trainer):
    """Skip the samples for TensorBoard."""
    trainer.samples = NoSamples()
    return trainer


def reopened(trainer):
    """Return a trainer that knows only the content of the run directory."""
    keras.utils.clear_session(free_memory=False)  # resets names; collecting garbage takes seconds
    other = without_bleu(without_samples(make_trainer(Run.open(trainer.run.directory))))
    assert other.state.restore()
    return other


def first_batch(trainer):
    return next(iter(trainer.batches(trainer.train_pairs, seed=1)))


def interrupt_at(trainer, step):
    """Send SIGINT during a step of the training."""
    take = trainer.train_step

    def step_and_interrupt(*batch):
        result = take(*batch)
        if trainer.state.step == step:
            os.kill(os.getpid(), signal.SIGINT)
        return result

    trainer.train_step = step_and_interrupt
    return trainer


def set_scores(trainer, scores, interrupted=None):
    """Replace the validation BLEU of each epoch by given scores.

    Args:
        trainer: a `Trainer`.
        scores: the scores.
        interrupted: index of the validation that receives SIGINT, or None.
    """
    given = iter(enumerate(scores))

    def score():
        index, value = next(given)
        if index == interrupted:
            os.kill(os.getpid(), signal.SIGINT)
        return value

    trainer.validator.sample_bleu = score


def values(model):
    return {name: variable.numpy() for name, variable in named_variables(model).items()}


def best_values(run):
    """Return the values of all variables of the best weights of a run, with the random states."""
    model = run.build_model(*run.subwords())
    run.restore_weights(model)
    weights = [variable.numpy() for variable in model.trainable_variables]
    path = latest_checkpoint(run.directory / BEST) or latest_checkpoint(run.directory)
    restore(path, named_variables(model))
    for variable, value in zip(model.trainable_variables, weights, strict=True):
        np.testing.assert_array_equal(variable.numpy(), value)
    return values(model)


def best_weights(directory):
    """Return the values with which a run directory translates."""
    return [weight.numpy() for weight in Translator.load(directory).model.weights]


def assert_equal(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        np.testing.assert_array_equal(value, other[name], err_msg=name)


def settings_for(directory, **more):
    """Return the settings of a small training on a file of toy pairs."""
    pairs = write_pairs(directory / "pairs.tsv", toy_pairs(60))
    return SMALL | {"train": (pairs,)} | more


def make_earlier_version(directory):
    """Turn a run into one of version 0.1, without a manifest and identities in checkpoints."""
    (directory / "manifest.json").unlink()
    for path in (*saved_checkpoints(directory), *saved_checkpoints(directory / "best")):
        reader = tf.train.load_checkpoint(str(path))
        names = {key.split("/")[1] for key in reader.get_variable_to_shape_map() if "/" in key}
        make_checkpoint(
            {
                name.replace(".S", "/"): tf.Variable(
                    reader.get_tensor(f"variables/{name}/.ATTRIBUTES/VARIABLE_VALUE")
                )
                for name in names - {"identity"}
            }
        ).write(str(path))


def prepare(monkeypatch, *arguments, **named):
    """Call `train`, but stop before the first step."""

    def stop(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "train", stop)
        with pytest.raises(KeyboardInterrupt):
            train(*arguments, **named)
