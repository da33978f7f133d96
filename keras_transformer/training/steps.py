"""The compiled training and validation steps under a `tf.distribute.Strategy`."""

from collections.abc import Callable

import keras
import tensorflow as tf

from keras_transformer.model.transformer import Transformer
from keras_transformer.tensors import Nest, Tensor
from keras_transformer.training.objective import (
    Totals,
    batch_totals,
    target_tokens,
    training_loss,
    validation_loss,
)

Step = Callable[[Tensor, Tensor], Totals]  # source ids (B, S), target ids (B, T)


def compile_training_step(
    model: Transformer,
    optimizer: keras.optimizers.Optimizer,
    label_smoothing: float,
    strategy: tf.distribute.Strategy,
    signature: Nest,
) -> Step:
    """Return a function that updates the weights with one batch on every replica.

    Args:
        model: a `Transformer`, built in the scope of the strategy.
        optimizer: an optimizer built for the model.
        label_smoothing: at least 0 and less than 1.
        strategy: the strategy whose replicas share the work.
        signature: the `tf.TypeSpec` of source and target, as the strategy distributes them.
    """

    def update(source: Tensor, target: Tensor) -> Totals:
        tokens = _sum_over_replicas(target_tokens(target))
        with tf.GradientTape() as tape:
            losses, correct = training_loss(model, source, target, label_smoothing)
            # The optimizer sums gradients over replicas, so each one divides by the tokens of all.
            loss = losses / tf.maximum(tokens, 1)
        variables = model.trainable_variables
        gradients = [_dense(gradient) for gradient in tape.gradient(loss, variables)]
        optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return batch_totals(source, target, losses, correct)

    return _compile(update, strategy, signature)


def compile_validation_step(
    model: Transformer, strategy: tf.distribute.Strategy, signature: Nest
) -> Step:
    """Return a function that computes the `Totals` of one batch on every replica.

    The arguments are those of `compile_training_step`.
    """

    def measure(source: Tensor, target: Tensor) -> Totals:
        return batch_totals(source, target, *validation_loss(model, source, target))

    return _compile(measure, strategy, signature)


def _compile(on_replica: Step, strategy: tf.distribute.Strategy, signature: Nest) -> Step:
    """Return a compiled function that runs `on_replica` on every replica and sums the results."""

    @tf.function(input_signature=signature, autograph=False)
    def step(source: Tensor, target: Tensor) -> Totals:
        totals = strategy.run(on_replica, args=(source, target))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, totals, axis=None)

    return step


def _sum_over_replicas(value: Tensor) -> Tensor:
    replicas = tf.distribute.get_replica_context()
    return replicas.all_reduce(tf.distribute.ReduceOp.SUM, value)


def _dense(gradient: Tensor) -> Tensor:
    """Return a dense gradient, which sums the occurrences of an id before Adam squares it."""
    return tf.convert_to_tensor(gradient)
