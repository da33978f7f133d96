import numpy as np
import tensorflow as tf

from keras_transformer.kernels.logarithms import safe_log


def test_safe_log_is_the_logarithm_and_the_given_value_at_zero() -> None:
    found = safe_log(tf.constant([1.0, 0.5, 1e-37, 0.0]), -1e9)
    np.testing.assert_allclose(found, [0, np.log(0.5), np.log(1e-37), -1e9], rtol=1e-5)


def test_the_gradient_at_zero_is_zero() -> None:
    probabilities = tf.constant([0.5, 0.0])
    with tf.GradientTape() as tape:
        tape.watch(probabilities)
        logs = safe_log(probabilities, -1e9)
    np.testing.assert_allclose(tape.gradient(logs, probabilities), [2, 0])
