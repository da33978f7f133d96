"""Adam and Muon, which replace `keras.optimizers.Adam` and `keras.optimizers.Muon`.

Keras composes an update of many operations. For a small weight, starting an operation takes longer
than executing it. Here each update by Adam is one fused operation of TensorFlow, and Muon can
compute its matrix products in bfloat16.
"""

from typing import Any

import keras
import tensorflow as tf

from keras_transformer.tensors import Tensor, Variable


def update_by_adam(
    optimizer: keras.optimizers.Optimizer,
    gradient: Tensor,
    variable: Variable,
    learning_rate: Tensor,
    momentum: Variable,
    velocity: Variable,
    betas: tuple[float, float],
) -> None:
    """Update a variable by TensorFlow's Adam operation (Kingma and Ba 2015, before section 2.1).

    Args:
        optimizer: a Keras optimizer, for its `epsilon` and its number of iterations.
        gradient: tensor of the variable's shape.
        variable: the Keras variable.
        learning_rate: scalar.
        momentum, velocity: Keras variables, moving averages of the gradient and of its square.
        betas: decay rates of `momentum` and `velocity`, at least 0 and less than 1.
    """
    step = tf.cast(optimizer.iterations + 1, tf.float32)
    tf.raw_ops.ResourceApplyAdam(
        var=variable.handle,
        m=momentum.value.handle,
        v=velocity.value.handle,
        beta1_power=tf.pow(betas[0], step),
        beta2_power=tf.pow(betas[1], step),
        lr=tf.cast(learning_rate, tf.float32),
        beta1=betas[0],
        beta2=betas[1],
        epsilon=optimizer.epsilon,
        grad=tf.cast(gradient, tf.float32),
    )


@keras.saving.register_keras_serializable("keras_transformer")
class Adam(keras.optimizers.Adam):
    """`keras.optimizers.Adam` (Kingma and Ba 2015) with one operation per weight.

    The updated weights equal those of Keras up to rounding.

    Raises:
        ValueError: If `amsgrad` is set.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.amsgrad:
            raise ValueError("amsgrad is not supported")

    def update_step(self, gradient: Tensor, variable: Variable, learning_rate: Tensor) -> None:
        """Update one variable; the arguments are those of the base class."""
        index = self._get_variable_index(variable)
        averages = self._momentums[index], self._velocities[index]
        betas = self.beta_1, self.beta_2
        update_by_adam(self, gradient, variable, learning_rate, *averages, betas)


@keras.saving.register_keras_serializable("keras_transformer")
class Muon(keras.optimizers.Muon):
    """`keras.optimizers.Muon` (Jordan et al. 2024) with fewer operations.

    The products of the Newton-Schulz iteration can be computed in bfloat16, as in the original
    implementation. Weights that Muon leaves to Adam are updated by TensorFlow's Adam operation.
    With float32 products, the updated weights equal those of Keras up to rounding.

    Args:
        learning_rate: a number or a schedule.
        product_dtype: dtype of the matrix products.
        **kwargs: arguments of `keras.optimizers.Muon`.
    """

    def __init__(
        self,
        learning_rate: float | keras.optimizers.schedules.LearningRateSchedule = 0.001,
        product_dtype: str = "float32",
        **kwargs: object,
    ) -> None:
        super().__init__(learning_rate, **kwargs)
        self.product_dtype = product_dtype

    def update_step(self, gradient: Tensor, variable: Variable, learning_rate: Tensor) -> None:
        """Update one variable; the arguments are those of the base class."""
        index = self._get_variable_index(variable)
        momentum, velocity = self.momentums[index], self.adam_velocities[index]
        if velocity is None:
            super().update_step(gradient, variable, learning_rate)
            return
        betas = self.adam_beta_1, self.adam_beta_2
        rate = learning_rate * self.adam_lr_ratio
        update_by_adam(self, gradient, variable, rate, momentum, velocity, betas)

    def zeropower_via_newtonschulz5(self, x: Tensor, steps: int) -> Tensor:
        """Return a matrix with the singular vectors of x and singular values near 1.

        Args:
            x: float32 (m, n).
            steps: number of iterations.

        Returns:
            float32 (m, n).
        """
        is_tall = x.shape[0] > x.shape[1]
        identity = self.muon_a * tf.eye(min(x.shape), dtype=self.product_dtype)
        x = tf.cast(x / (tf.norm(x) + 1e-7), self.product_dtype)
        for _ in range(steps):
            gram = tf.matmul(x, x, transpose_a=is_tall, transpose_b=not is_tall)
            factor = identity + self.muon_b * gram + self.muon_c * tf.matmul(gram, gram)
            x = tf.matmul(x, factor) if is_tall else tf.matmul(factor, x)
        return tf.cast(x, tf.float32)

    def get_config(self) -> dict[str, object]:
        return super().get_config() | {"product_dtype": self.product_dtype}
