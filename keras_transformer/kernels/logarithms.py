"""A logarithm of probabilities.

Replaces `tf.math.log`, which is infinite at 0. A softmax underflows to 0, so the loss of a token
and the score of a hypothesis would be infinite too.
"""

import tensorflow as tf

from keras_transformer.tensors import Tensor

SMALLEST = 1.2e-38  # smallest normal float32; softmax underflows to 0 below it


def safe_log(probabilities: Tensor) -> Tensor:
    """Return the logarithm of probabilities; it is finite even for a probability of 0."""
    return tf.math.log(tf.maximum(probabilities, SMALLEST))
