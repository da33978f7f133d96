"""The optimizers: Adam as one operation for each weight, and Keras's Muon."""

import keras
import tensorflow as tf

NEWTON_SCHULZ_STEPS = 4  # enough for small matrices; each costs three products


@keras.saving.register_keras_serializable("keras_transformer")
class Adam(keras.optimizers.Adam):
    """Keras's Adam (Kingma and Ba 2015), computed by TensorFlow's kernel for it.

    Keras composes an update of a dozen operations; for small weights each costs more to start
    than to do. The weights that come out are the same but for rounding. AMSGrad is left out.
    """

    def update_step(self, gradient, variable, learning_rate):
        """One update of one variable; the arguments are those of the base class."""
        step = tf.cast(self.iterations + 1, tf.float32)
        index = self._get_variable_index(variable)
        tf.raw_ops.ResourceApplyAdam(
            var=variable.handle,
            m=self._momentums[index].value.handle,
            v=self._velocities[index].value.handle,
            beta1_power=tf.pow(self.beta_1, step),
            beta2_power=tf.pow(self.beta_2, step),
            lr=tf.cast(learning_rate, tf.float32),
            beta1=self.beta_1,
            beta2=self.beta_2,
            epsilon=self.epsilon,
            grad=tf.cast(gradient, tf.float32),
        )


def make_adam(schedule, clip_norm=None):
    """Return Adam with the constants of the paper (Vaswani et al. 2017, section 5.3).

    Args:
        schedule: the learning-rate schedule.
        clip_norm: largest norm of all gradients together, or None.
    """
    return Adam(
        schedule, beta_1=0.9, beta_2=0.98, epsilon=1e-9, global_clipnorm=clip_norm, name="adam"
    )


def make_muon(schedule, clip_norm=None):
    """Return Muon (Jordan et al. 2024) for the matrices of the layers, Adam for all other weights.

    Muon orthogonalizes the update of a matrix, which then changes all its directions alike. The
    updates are as large as Adam's (Liu et al. 2025, section 2.2), so both take one schedule. The
    arguments are those of `make_adam`.
    """
    return keras.optimizers.Muon(
        schedule,
        adam_beta_1=0.9,
        adam_beta_2=0.98,
        epsilon=1e-9,
        weight_decay=None,
        adam_weight_decay=None,
        ns_steps=NEWTON_SCHULZ_STEPS,
        global_clipnorm=clip_norm,
        name="muon",
    )


OPTIMIZERS = {"adam": make_adam, "muon": make_muon}
