"""Fifty steps of training on the same batches, by any strategy."""

from pathlib import Path
from unittest import mock

import numpy as np
import tensorflow as tf

from keras_transformer.kernels.optimizers import Adam
from tests.training.toy_training import new_trainer

STEPS = 50


def train_fifty_steps(directory: Path, strategy: tf.distribute.Strategy) -> dict[str, np.ndarray]:
    """Return the losses per token and the gradients of each step, and the validation totals.

    With a beta_1 of 0, the first moment of Adam is the gradient.
    """

    def make_optimizer(_, schedule):
        return Adam(schedule, beta_1=0.0, name="adam")

    with mock.patch("keras_transformer.training.learner.make_optimizer", make_optimizer):
        trainer = new_trainer(directory, strategy, rate=0.0, batch_size=1)
    moments = [v for v in trainer.optimizer.variables if v.path.endswith("momentum")]
    losses, gradients = [], []
    while trainer.state.step < STEPS:
        for batch in trainer.batches(trainer.train_pairs, seed=trainer.state.step):
            losses.append(trainer.train_step(*batch).totals.loss)
            gradients.append(np.concatenate([moment.numpy().ravel() for moment in moments]))
    return {
        "losses": np.array(losses[:STEPS]),
        "gradients": np.array(gradients[:STEPS]),
        "validation": np.array(trainer.validator.totals()),
    }
