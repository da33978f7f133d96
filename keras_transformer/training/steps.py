"""The compiled training and validation steps under a `tf.distribute.Strategy`."""

import math
from collections.abc import Callable
from typing import NamedTuple

import keras
import tensorflow as tf

from keras_transformer.model.transformer import Transformer
from keras_transformer.tensors import Nest, Tensor
from keras_transformer.training.loss_scale import LossScale
from keras_transformer.training.objective import (
    Totals,
    batch_totals,
    target_tokens,
    training_loss,
    validation_loss,
)
from keras_transformer.training.updates import apply_if, clip, sum_over_replicas


class StepResult(NamedTuple):
    """The outcome of a training step.

    Attributes:
        totals: the `Totals` of the batch.
        gradient_norm: global norm of the gradient of the mean loss, before clipping.
        overflowed: whether the gradient only exceeded the range of float16, so that the loss scale
            was lowered. This is no error.
    """

    totals: Totals
    gradient_norm: Tensor
    overflowed: Tensor

    @property
    def is_finite(self) -> bool:
        """Whether the loss is finite, and so is the gradient unless it only overflowed.

        A step whose loss or gradient is not finite changed neither weights nor optimizer.
        """
        is_bounded = math.isfinite(self.gradient_norm) or bool(self.overflowed)
        return math.isfinite(self.totals.loss) and is_bounded


Step = Callable[[Tensor, Tensor], Totals]  # source ids (B, S), target ids (B, T)
TrainingStep = Callable[[Tensor, Tensor], StepResult]


def compile_training_step(
    model: Transformer,
    optimizer: keras.optimizers.Optimizer,
    scale: LossScale,
    label_smoothing: float,
    strategy: tf.distribute.Strategy,
    signature: Nest,
) -> TrainingStep:
    """Return a function that updates the weights with one batch on every replica.

    If the loss or a gradient is not finite, neither the weights nor the optimizer change.

    Args:
        model: a `Transformer`, built in the scope of the strategy.
        optimizer: an optimizer built for the model.
        scale: the scale of the loss.
        label_smoothing: at least 0 and less than 1.
        strategy: the strategy whose replicas share the work.
        signature: the `tf.TypeSpec` of source and target, as the strategy distributes them.
    """
    variables = model.trainable_variables

    def differentiate(source: Tensor, target: Tensor) -> tuple[Tensor, list[Tensor], Tensor]:
        """Return the totals, the gradients and their norm, summed over all replicas."""
        tokens = sum_over_replicas(target_tokens(target))
        with tf.GradientTape() as tape:
            losses, correct = training_loss(model, source, target, label_smoothing)
            # The gradients are summed over replicas, so each one divides by the tokens of all.
            loss = losses / tf.maximum(tokens, 1)
            loss = scale.scaled(loss)
        gradients = [_dense(gradient) for gradient in tape.gradient(loss, variables)]
        gradients = scale.unscaled(sum_over_replicas(gradients))
        norm = tf.linalg.global_norm(gradients)
        totals = sum_over_replicas(tf.stack(batch_totals(source, target, losses, correct)))
        return totals, clip(gradients, norm, optimizer.global_clipnorm), norm

    @tf.function(input_signature=signature, autograph=False)
    def step(source: Tensor, target: Tensor) -> StepResult:
        sums, gradients, norms = strategy.run(differentiate, args=(source, target))
        totals, norm = Totals(*tf.unstack(_first(strategy, sums))), _first(strategy, norms)
        is_finite = tf.math.is_finite(totals.loss) & tf.math.is_finite(norm)
        with strategy.scope():
            apply_if(is_finite, optimizer, gradients, variables)
            overflowed = scale.update(totals.loss, norm)
        return StepResult(totals, norm, overflowed)

    return step


def compile_validation_step(
    model: Transformer, strategy: tf.distribute.Strategy, signature: Nest
) -> Step:
    """Return a function that computes the `Totals` of one batch on every replica.

    The arguments are those of `compile_training_step`.
    """

    def measure(source: Tensor, target: Tensor) -> Tensor:
        totals = batch_totals(source, target, *validation_loss(model, source, target))
        return sum_over_replicas(tf.stack(totals))

    @tf.function(input_signature=signature, autograph=False)
    def step(source: Tensor, target: Tensor) -> Totals:
        sums = strategy.run(measure, args=(source, target))
        return Totals(*tf.unstack(_first(strategy, sums)))

    return step


def _first(strategy: tf.distribute.Strategy, values: Tensor) -> Tensor:
    """Return the value of the first replica of this process, which all replicas share."""
    return strategy.experimental_local_results(values)[0]


def _dense(gradient: Tensor) -> Tensor:
    """Return a dense gradient, which sums the occurrences of an id before Adam squares it."""
    return tf.convert_to_tensor(gradient)
