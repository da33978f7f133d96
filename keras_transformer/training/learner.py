"""The network, its optimizer, and the compiled steps that train and validate it."""

from typing import NamedTuple

import keras
import tensorflow as tf

from keras_transformer.config import Config
from keras_transformer.model.transformer import Transformer
from keras_transformer.runs.run import Run
from keras_transformer.tensors import Nest
from keras_transformer.text.encoded_pairs import Survey
from keras_transformer.text.subwords import Subwords
from keras_transformer.training.loss_scale import LossScale, make_loss_scale
from keras_transformer.training.optimizers import make_optimizer
from keras_transformer.training.precision import POLICIES, dtype_policy, warn_if_emulated
from keras_transformer.training.schedule import CustomSchedule, PacedSchedule, make_schedule
from keras_transformer.training.steps import (
    Step,
    TrainingStep,
    compile_training_step,
    compile_validation_step,
)


class Learner(NamedTuple):
    """A network and what is needed to train it.

    Attributes:
        model, optimizer: the network and its optimizer.
        schedule: the optimizer's schedule: a `PacedSchedule` with a time budget.
        loss_scale: the scale of the loss; see `make_loss_scale`.
        train_step: updates the weights with a batch; see `compile_training_step`.
        validation_step: computes the `Totals` of a batch.
    """

    model: Transformer
    optimizer: keras.optimizers.Optimizer
    schedule: CustomSchedule | PacedSchedule
    loss_scale: LossScale
    train_step: TrainingStep
    validation_step: Step


def make_learner(
    run: Run,
    subwords: tuple[Subwords, Subwords],
    survey: Survey,
    strategy: tf.distribute.Strategy,
    signature: Nest,
) -> Learner:
    """Return a `Learner` whose weights are initialized with the run's seed.

    Args:
        run: the `Run`.
        subwords: the `Subwords` of the source and the target language.
        survey: the `Survey` of the training pairs.
        strategy: the strategy whose replicas share the work.
        signature: the `tf.TypeSpec` of source and target, as the strategy distributes them.

    Raises:
        UserError: If the network is too large.
    """
    settings = run.config.training
    keras.utils.set_random_seed(settings.seed)
    warn_if_emulated(settings.mixed_precision)
    with strategy.scope(), dtype_policy(POLICIES[settings.mixed_precision]):
        model = run.build_model(*subwords)
        schedule = _schedule(run.config, survey)
        optimizer = make_optimizer(run.config, schedule)
        optimizer.build(model.trainable_variables)
        scale = make_loss_scale(settings.mixed_precision, optimizer)
    train_step = compile_training_step(
        model, optimizer, scale, settings.label_smoothing, strategy, signature
    )
    validation_step = compile_validation_step(model, strategy, signature)
    return Learner(model, optimizer, schedule, scale, train_step, validation_step)


def _schedule(config: Config, survey: Survey) -> CustomSchedule | PacedSchedule:
    """Return the schedule of a run, whose decay depends on the clock with a time budget."""
    schedule = make_schedule(config, survey)
    return PacedSchedule(schedule) if config.training.hours else schedule
