"""The learning-rate schedule (Vaswani et al. 2017, section 5.3)."""

import math
from typing import Any, Self

import keras
import tensorflow as tf

from keras_transformer.config import Config, required
from keras_transformer.tensors import Tensor
from keras_transformer.text.batches import estimated_batches
from keras_transformer.text.encoded_pairs import Survey
from keras_transformer.training.budget import MIN_FACTOR


@keras.saving.register_keras_serializable("keras_transformer")
class CustomSchedule(keras.optimizers.schedules.LearningRateSchedule):
    """Linear warm-up, then decay with the inverse square root of the step.

    With `decay_steps`, the rates of the last steps are also multiplied by a factor that falls
    linearly almost to zero. A short training run then ends at a lower loss (the cool-down of Zhai
    et al. 2022, section 3.5).

    Args:
        d_model: depth D of the model.
        warmup_steps: number of steps until the peak.
        peak: learning rate at the peak; by default 1 / sqrt(D * warmup_steps), as in the paper.
        decay_steps: number of steps of the linear decay; 0 for none.
        total_steps: step at which the linear decay ends; unused if `decay_steps` is 0.
    """

    def __init__(
        self,
        d_model: int,
        warmup_steps: int = 4000,
        peak: float | None = None,
        decay_steps: int = 0,
        total_steps: int = 0,
    ) -> None:
        super().__init__()
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        self.peak = (d_model * warmup_steps) ** -0.5 if peak is None else peak
        self.decay_steps = decay_steps
        self.total_steps = total_steps

    def __call__(self, step: Tensor) -> Tensor:
        """Return the learning rate of a step; the optimizer counts from 0, the paper from 1."""
        step = tf.cast(step, tf.float32) + 1
        warmup = float(self.warmup_steps)
        rate = self.peak * tf.minimum(step / warmup, tf.math.rsqrt(step / warmup))
        return rate * self._decay(step) if self.decay_steps else rate

    def _decay(self, step: Tensor) -> Tensor:
        """Return the decay factor; it stays above 0, because `total_steps` is an estimate."""
        left = (self.total_steps + 1 - step) / self.decay_steps
        return tf.clip_by_value(left, MIN_FACTOR, 1.0)

    def get_config(self) -> dict[str, float]:
        names = ("d_model", "warmup_steps", "peak", "decay_steps", "total_steps")
        return {name: getattr(self, name) for name in names}


@keras.saving.register_keras_serializable("keras_transformer")
class PacedSchedule(keras.optimizers.schedules.LearningRateSchedule):
    """A schedule whose rates are multiplied by a factor that the training loop sets.

    With a time budget, the decay depends on the clock, of which a step knows nothing.

    Args:
        schedule: the schedule that gives the rate of a step.

    Attributes:
        factor: variable with the factor, 1 at first.
    """

    def __init__(self, schedule: CustomSchedule) -> None:
        super().__init__()
        self.schedule = schedule
        self.factor = tf.Variable(1.0, trainable=False, name="pace")

    def __call__(self, step: Tensor) -> Tensor:
        """Return the learning rate of a step, counted from 0."""
        return self.schedule(step) * self.factor

    def get_config(self) -> dict[str, object]:
        return {"schedule": keras.saving.serialize_keras_object(self.schedule)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        return cls(keras.saving.deserialize_keras_object(config["schedule"]))


def make_schedule(config: Config, survey: Survey) -> CustomSchedule:
    """Return the schedule that a `Config` describes. It needs a `PacedSchedule` with a budget.

    Args:
        config: a resolved `Config` (see `Config.resolved`).
        survey: `Survey` of the training pairs, from which the number of steps is estimated.
    """
    training, text = config.training, config.text
    epochs, batch_size = required(training.epochs), required(training.batch_size)
    lengths = text.max_source_length, text.max_target_length
    steps = estimated_batches(survey, training.batching, batch_size, *lengths)
    # Reversed pairs add to the steps of an epoch.
    lengths_of_epochs = [1 + training.reversals(epoch) for epoch in range(epochs)]
    decayed = lengths_of_epochs[max(0, epochs - training.decay_epochs) :]
    return CustomSchedule(
        config.model.d_model,
        training.warmup_steps,
        training.peak_learning_rate,
        decay_steps=round(math.fsum(decayed) * steps),
        total_steps=round(math.fsum(lengths_of_epochs) * steps),
    )
