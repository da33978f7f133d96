"""A logarithm of probabilities.

Replaces `tf.math.log`, which is infinite at 0. A softmax underflows to 0, so the score of a
hypothesis would be infinite too.
"""

import tensorflow as tf

from keras_transformer.tensors import Tensor

SMALLEST = 1.2e-38  # smallest normal float32; softmax underflows to 0 below it


def safe_log(probabilities: Tensor, of_zero: float) -> Tensor:
    """Return the logarithm of probabilities, and `of_zero` for those that underflow to 0."""
    # Without `tf.maximum`, the gradient of the logarithm would be NaN where it is not used.
    logs = tf.math.log(tf.maximum(probabilities, SMALLEST))
    return tf.where(probabilities < SMALLEST, of_zero, logs)
