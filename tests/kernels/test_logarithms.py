import numpy as np
import tensorflow as tf

from keras_transformer.kernels.logarithms import safe_log


def test_safe_log_is_the_logarithm_and_finite_at_zero() -> None:
    np.testing.assert_allclose(safe_log(tf.constant([1.0, 0.5])), [0, -0.693147], rtol=1e-5)
    assert -100 < float(safe_log(tf.constant(0.0))) < -80
