"""The update of the weights by the gradients of all replicas, guarded against bad values."""

from collections.abc import Sequence

import keras
import tensorflow as tf

from keras_transformer.tensors import Nest, Tensor, Variable


def sum_over_replicas(values: Nest) -> Nest:
    """Return the sum over all replicas of each tensor, in the context of a replica."""
    replica = tf.distribute.get_replica_context()
    return replica.all_reduce(tf.distribute.ReduceOp.SUM, values)


def clip(gradients: Sequence[Tensor], norm: Tensor, longest: float | None) -> list[Tensor]:
    """Return gradients whose global norm is at most `longest` (Pascanu et al. 2013, section 3.2).

    Args:
        gradients: dense gradients.
        norm: their global norm.
        longest: maximum norm; None for no clipping.
    """
    if longest is None:
        return list(gradients)
    factor = longest / tf.maximum(norm, longest)
    return [gradient * factor for gradient in gradients]


def apply_if(
    condition: Tensor,
    optimizer: keras.optimizers.Optimizer,
    gradients: Sequence[Tensor],
    variables: Sequence[Variable],
) -> None:
    """Take a step of the optimizer if a condition holds; otherwise change no variable.

    `optimizer.apply_gradients` would clip the gradients of each replica on its own and sum them
    afterwards. Here they are already summed and clipped.

    Args:
        condition: a boolean scalar.
        optimizer: an optimizer built for the variables.
        gradients: dense gradients, the same on each replica.
        variables: the Keras variables.
    """
    strategy = tf.distribute.get_strategy()

    def update(variable: Variable, gradient: Tensor, rate: Tensor) -> None:
        optimizer.update_step(gradient, variable, rate)

    def apply() -> None:
        rate = optimizer.learning_rate
        for gradient, variable in zip(gradients, variables, strict=True):
            strategy.extended.update(variable.value, update, (gradient, rate), group=False)
        optimizer.iterations.assign_add(1)

    tf.cond(condition, apply, lambda: None)
