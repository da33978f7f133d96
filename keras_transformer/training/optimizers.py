"""The optimizers that a run can choose, with their constants."""

from typing import TypeAlias

import keras

from keras_transformer.config import Config
from keras_transformer.kernels.optimizers import Adam, Muon

Schedule: TypeAlias = keras.optimizers.schedules.LearningRateSchedule

NEWTON_SCHULZ_STEPS = 3  # enough for small matrices; each takes three matrix products


def make_adam(schedule: Schedule | float, clip_norm: float | None = None) -> Adam:
    """Return Adam with the constants of the paper (Vaswani et al. 2017, section 5.3).

    Args:
        schedule: learning-rate schedule, or a constant learning rate.
        clip_norm: maximum global norm of the gradients, or None.
    """
    return Adam(
        schedule, beta_1=0.9, beta_2=0.98, epsilon=1e-9, global_clipnorm=clip_norm, name="adam"
    )


def make_muon(
    schedule: Schedule | float,
    clip_norm: float | None = None,
    product_dtype: str = "float32",
) -> Muon:
    """Return Muon for the weight matrices of the layers and Adam for all other weights.

    Muon orthogonalizes the update of a matrix, so that the matrix changes equally in all
    directions. Its updates are scaled to the size of Adam's (Liu et al. 2025, section 2.2), so that
    both use the same schedule.

    Args:
        schedule: learning-rate schedule, or a constant learning rate.
        clip_norm: maximum global norm of the gradients, or None.
        product_dtype: dtype of Muon's matrix products.
    """
    return Muon(
        schedule,
        product_dtype=product_dtype,
        adam_beta_1=0.9,
        adam_beta_2=0.98,
        epsilon=1e-9,
        weight_decay=None,
        adam_weight_decay=None,
        ns_steps=NEWTON_SCHULZ_STEPS,
        global_clipnorm=clip_norm,
        name="muon",
    )


def make_optimizer(config: Config, schedule: Schedule) -> keras.optimizers.Optimizer:
    """Return the optimizer that a `Config` describes, with gradient clipping.

    Muon's matrix products have the compute dtype of the network.

    Args:
        config: a `Config`.
        schedule: the learning-rate schedule.
    """
    training = config.training
    clip_norm = training.clip_norm or None
    if training.optimizer == "muon":
        return make_muon(schedule, clip_norm, training.mixed_precision)
    return make_adam(schedule, clip_norm)
