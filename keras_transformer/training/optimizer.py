"""Adam as one operation for each weight."""

import keras
import tensorflow as tf


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
