"""Dynamic loss scaling for float16 (Micikevicius et al. 2018, section 3.2).

Small gradients are 0 in float16, and large ones infinite. The loss is therefore multiplied by a
scale that is as large as possible, and the gradients are divided by it. If they overflow, the step
is skipped and the scale halved; after many steps without overflow, the scale is doubled.

`keras.optimizers.LossScaleOptimizer` decides by the gradients of the first replica, and clips those
of each replica on its own. Here both decisions depend on the sum of all replicas.
"""

import keras
import tensorflow as tf

from keras_transformer.tensors import Tensor

INITIAL_SCALE = 2.0**15
GROWTH_STEPS = 2000  # steps without overflow until the scale is doubled


class LossScale:
    """No scaling, for dtypes with the range of float32."""

    def scaled(self, loss: Tensor) -> Tensor:
        """Return the loss times the scale."""
        return loss

    def unscaled(self, gradients: list[Tensor]) -> list[Tensor]:
        """Return the gradients of the loss, given those of the scaled loss."""
        return gradients

    def update(self, loss: Tensor, norm: Tensor) -> Tensor:
        """Adjust the scale after a step.

        Args:
            loss: the loss, before scaling.
            norm: the global norm of the gradients, after unscaling.

        Returns:
            Whether the gradients overflowed because of the scale.
        """
        return tf.constant(False)


class DynamicLossScale(LossScale):
    """A scale that is adjusted after each step.

    Args:
        optimizer: the optimizer, which owns the variables, so that checkpoints contain them.
    """

    def __init__(self, optimizer: keras.optimizers.Optimizer) -> None:
        settings = {"shape": (), "dtype": "float32", "aggregation": "only_first_replica"}
        initial = keras.initializers.Constant(INITIAL_SCALE)
        self.scale = optimizer.add_variable(initializer=initial, name="loss_scale", **settings)
        self.good_steps = optimizer.add_variable(name="loss_scale_steps", **settings)

    def scaled(self, loss: Tensor) -> Tensor:
        return loss * self.scale.value

    def unscaled(self, gradients: list[Tensor]) -> list[Tensor]:
        return [gradient / self.scale.value for gradient in gradients]

    def update(self, loss: Tensor, norm: Tensor) -> Tensor:
        scale, is_finite = tf.identity(self.scale.value), tf.math.is_finite(norm)
        overflowed = tf.math.is_finite(loss) & ~is_finite & (scale > 1)
        steps = tf.where(is_finite, self.good_steps.value + 1, 0)
        grows = steps >= GROWTH_STEPS
        self.good_steps.assign(tf.where(grows, 0.0, steps))
        self.scale.assign(scale * tf.where(overflowed, 0.5, tf.where(grows, 2.0, 1.0)))
        return overflowed


def make_loss_scale(precision: str, optimizer: keras.optimizers.Optimizer) -> LossScale:
    """Return the loss scale for a value of the setting mixed_precision.

    Args:
        precision: "float32", "bfloat16" or "float16".
        optimizer: the optimizer, built.
    """
    return DynamicLossScale(optimizer) if precision == "float16" else LossScale()
