"""Masks: the positions that attention must not see.

A mask is a float tensor that is 1 where a position is hidden, broadcastable to (B, H, query, key).
"""

import tensorflow as tf

from keras_transformer.tensors import Tensor


def create_padding_mask(ids: Tensor) -> Tensor:
    """Hide padding (id 0) from every query.

    Args:
        ids: integer tensor (B, S).

    Returns:
        float32 tensor (B, 1, 1, S).

    Examples:
        >>> create_padding_mask(tf.constant([[7, 6, 0]])).numpy()
        array([[[[0., 0., 1.]]]], dtype=float32)
    """
    return tf.cast(tf.equal(ids, 0), tf.float32)[:, tf.newaxis, tf.newaxis, :]


def create_look_ahead_mask(size: Tensor) -> Tensor:
    """Hide from each position the later positions, so that the decoder cannot look ahead.

    Args:
        size: target length T, an int or a scalar tensor.

    Returns:
        float32 tensor (T, T): 0 on and below the diagonal, 1 above it.

    Examples:
        >>> create_look_ahead_mask(3).numpy()
        array([[0., 1., 1.],
               [0., 0., 1.],
               [0., 0., 0.]], dtype=float32)
    """
    return 1 - tf.linalg.band_part(tf.ones((size, size)), -1, 0)


def create_combined_mask(ids: Tensor) -> Tensor:
    """Hide from each position the later positions and padding, for the decoder's self-attention.

    Args:
        ids: integer tensor (B, T).

    Returns:
        float32 tensor (B, 1, T, T), the maximum of the look-ahead mask and the padding mask.

    Examples:
        >>> create_combined_mask(tf.constant([[7, 6, 0]])).numpy()
        array([[[[0., 1., 1.],
                 [0., 0., 1.],
                 [0., 0., 1.]]]], dtype=float32)
    """
    return tf.maximum(create_look_ahead_mask(tf.shape(ids)[1]), create_padding_mask(ids))


def float_mask(mask: Tensor) -> Tensor:
    """Return a mask in float32.

    Raises:
        TypeError: If the mask is boolean. Those of Keras are, and are True where ours are 0.
    """
    mask = tf.convert_to_tensor(mask)
    if mask.dtype == tf.bool:
        raise TypeError(
            "mask must be a float tensor with 1 where a position is hidden, "
            "not a boolean mask such as Keras passes implicitly"
        )
    return tf.cast(mask, tf.float32)


class ExplicitMask:
    """Mixin that attaches no mask to the output of a layer with a `mask` argument.

    Keras would attach the mask to the layer's output, where the next layer finds it. Here each
    layer receives its mask as an argument. Only the mask of the output is disabled: to a layer with
    one tensor argument, Keras passes the mask of this tensor, if it has one, as after
    `Embedding(mask_zero=True)`. Such a mask is boolean, and attention raises a `TypeError`.
    """

    def compute_mask(self, inputs: Tensor, previous_mask: Tensor | None = None) -> None:
        return None
