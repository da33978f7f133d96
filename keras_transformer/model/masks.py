"""Which positions attention may not see.

A mask is a float tensor that is 1 where a position is hidden, broadcastable to (B, H, query, key).
"""

import tensorflow as tf


def create_padding_mask(ids):
    """Hides padding (id 0) from every query.

    Args:
        ids: integer tensor (B, S).

    Returns:
        float32 tensor (B, 1, 1, S).
    """
    return tf.cast(tf.equal(ids, 0), tf.float32)[:, tf.newaxis, tf.newaxis, :]


def create_look_ahead_mask(size):
    """Hides from each position the positions after it, so that the decoder cannot look ahead.

    Args:
        size: target length T, an int or a scalar tensor.

    Returns:
        float32 tensor (T, T): 0 on and below the diagonal, 1 above it.
    """
    return 1 - tf.linalg.band_part(tf.ones((size, size)), -1, 0)


class ExplicitMask:
    """For a layer with an argument `mask`: it takes the mask and passes none on.

    Keras would attach the mask to the layer's output, for the next layer to find; here each layer
    is given its mask.
    """

    def compute_mask(self, inputs, previous_mask=None):
        return None
