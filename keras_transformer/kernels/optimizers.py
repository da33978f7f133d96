"""Adam and Muon: Keras's optimizers, computed with fewer and cheaper operations."""

import keras
import tensorflow as tf


def update_by_adam(optimizer, gradient, variable, learning_rate, momentum, velocity, betas):
    """Update a variable by TensorFlow's kernel for Adam (Kingma and Ba 2015, algorithm 1).

    Args:
        optimizer: a Keras optimizer with an `epsilon`, which counts the iterations.
        gradient: tensor of the variable's shape.
        variable: the Keras variable.
        learning_rate: scalar.
        momentum, velocity: Keras variables, the moving averages of the gradient and its square.
        betas: decay rates of `momentum` and `velocity`.
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
    """Keras's Adam (Kingma and Ba 2015), computed by TensorFlow's kernel for it.

    Keras composes an update of a dozen operations; for small weights each costs more to start
    than to do. The weights that come out are the same but for rounding. AMSGrad is left out.
    """

    def update_step(self, gradient, variable, learning_rate):
        """Update one variable; the arguments are those of the base class."""
        index = self._get_variable_index(variable)
        averages = self._momentums[index], self._velocities[index]
        betas = self.beta_1, self.beta_2
        update_by_adam(self, gradient, variable, learning_rate, *averages, betas)


@keras.saving.register_keras_serializable("keras_transformer")
class Muon(keras.optimizers.Muon):
    """Keras's Muon (Jordan et al. 2024) at less than half the cost.

    The products of the Newton-Schulz iteration may be computed in bfloat16, as in the original
    implementation, and the weights that Muon leaves to Adam are updated by TensorFlow's kernel.
    In float32 the weights that come out are those of Keras but for rounding.

    Args:
        learning_rate: a number or a schedule.
        product_dtype: dtype of the matrix products.
        **kwargs: arguments of `keras.optimizers.Muon`.
    """

    def __init__(self, learning_rate=0.001, product_dtype="float32", **kwargs):
        super().__init__(learning_rate, **kwargs)
        self.product_dtype = product_dtype

    def update_step(self, gradient, variable, learning_rate):
        """Update one variable; the arguments are those of the base class."""
        index = self._get_variable_index(variable)
        momentum, velocity = self.momentums[index], self.adam_velocities[index]
        if velocity is None:
            super().update_step(gradient, variable, learning_rate)
            return
        betas = self.adam_beta_1, self.adam_beta_2
        rate = learning_rate * self.adam_lr_ratio
        update_by_adam(self, gradient, variable, rate, momentum, velocity, betas)

    def zeropower_via_newtonschulz5(self, x, steps):
        """Return a matrix with the singular vectors of x and singular values near 1.

        Args:
            x: float32 (m, n).
            steps: number of iterations.
        """
        is_tall = x.shape[0] > x.shape[1]
        identity = self.muon_a * tf.eye(min(x.shape), dtype=self.product_dtype)
        x = tf.cast(x / (tf.norm(x) + 1e-7), self.product_dtype)
        for _ in range(steps):
            gram = tf.matmul(x, x, transpose_a=is_tall, transpose_b=not is_tall)
            factor = identity + self.muon_b * gram + self.muon_c * tf.matmul(gram, gram)
            x = tf.matmul(x, factor) if is_tall else tf.matmul(factor, x)
        return tf.cast(x, tf.float32)

    def get_config(self):
        return super().get_config() | {"product_dtype": self.product_dtype}
