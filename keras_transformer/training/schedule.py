"""The learning rate (Vaswani et al. 2017, section 5.3)."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable("keras_transformer")
class CustomSchedule(keras.optimizers.schedules.LearningRateSchedule):
    """Rises in a line over the warm-up, then falls with the inverse square root of the step.

    Args:
        d_model: depth D of the model.
        warmup_steps: steps until the peak.
        peak: rate at the peak; by default that of the paper, 1 / sqrt(D * warmup_steps).
    """

    def __init__(self, d_model, warmup_steps=4000, peak=None):
        super().__init__()
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        self.peak = (d_model * warmup_steps) ** -0.5 if peak is None else peak

    def __call__(self, step):
        """The rate of a step; the optimizer counts from 0, where the paper counts from 1."""
        step = tf.cast(step, tf.float32) + 1
        warmup = float(self.warmup_steps)
        return self.peak * tf.minimum(step / warmup, tf.math.rsqrt(step / warmup))

    def get_config(self):
        return {"d_model": self.d_model, "warmup_steps": self.warmup_steps, "peak": self.peak}
