"""The learning rate (Vaswani et al. 2017, section 5.3)."""

import keras
import tensorflow as tf

SMALLEST_DECAY = 0.01


@keras.saving.register_keras_serializable("keras_transformer")
class CustomSchedule(keras.optimizers.schedules.LearningRateSchedule):
    """Rise linearly over the warm-up, then fall with the inverse square root of the step.

    With `decay_steps`, the last steps fall linearly to zero instead: a short training ends at a
    better minimum that way (Zhai et al. 2022, section 3.5, call it the cool-down).

    Args:
        d_model: depth D of the model.
        warmup_steps: steps until the peak.
        peak: rate at the peak; by default that of the paper, 1 / sqrt(D * warmup_steps).
        decay_steps: number of steps of the linear decay; 0 for none.
        total_steps: step at which the decay ends; not used without decay.
    """

    def __init__(self, d_model, warmup_steps=4000, peak=None, decay_steps=0, total_steps=0):
        super().__init__()
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        self.peak = (d_model * warmup_steps) ** -0.5 if peak is None else peak
        self.decay_steps = decay_steps
        self.total_steps = total_steps

    def __call__(self, step):
        """Return the rate of a step; the optimizer counts from 0, the paper from 1."""
        step = tf.cast(step, tf.float32) + 1
        warmup = float(self.warmup_steps)
        rate = self.peak * tf.minimum(step / warmup, tf.math.rsqrt(step / warmup))
        return rate * self._decay(step) if self.decay_steps else rate

    def _decay(self, step):
        """Return the factor of the decay, never 0: the number of steps is an estimate."""
        left = (self.total_steps + 1 - step) / self.decay_steps
        return tf.clip_by_value(left, SMALLEST_DECAY, 1.0)

    def get_config(self):
        names = ("d_model", "warmup_steps", "peak", "decay_steps", "total_steps")
        return {name: getattr(self, name) for name in names}
