"""The optimizers that a run may choose, with their constants."""

import keras

from keras_transformer.kernels.optimizers import Adam, Muon

NEWTON_SCHULZ_STEPS = 3  # enough for small matrices; each costs three products


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
    """Return Muon for the matrices of the layers, Adam for all other weights.

    Muon orthogonalizes the update of a matrix, which then changes all its directions alike. The
    updates are as large as Adam's (Liu et al. 2025, section 2.2), so both take one schedule. The
    arguments are those of `make_adam`. Its products have the dtype that the network computes in.
    """
    return Muon(
        schedule,
        product_dtype=keras.config.dtype_policy().compute_dtype,
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
