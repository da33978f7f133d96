"""What a training step makes smaller: the cross-entropy of a batch."""

import tensorflow as tf

from keras_transformer.text.subwords import PADDING
from keras_transformer.training.projection import projected_crossentropy


def training_loss(model, source, target, label_smoothing=0.0):
    """The loss of a batch with dropout.

    Args:
        model: a `Transformer`.
        source: ids (B, S).
        target: ids (B, T); the network reads all but the last and is taught all but the first.
        label_smoothing: from 0 to below 1.

    Returns:
        The sum of the losses over the tokens of the target, in nats, and the number of tokens
        that are the most probable id; both float32 scalars.
    """
    read, wanted = target[:, :-1], target[:, 1:]
    real = wanted != PADDING
    features = model.features((source, read), training=True)  # (B, T, D)
    rows, tokens = tf.boolean_mask(features, real), tf.boolean_mask(wanted, real)  # (N, D), (N,)
    return projected_crossentropy(rows, *model.final_weights(), tokens, label_smoothing)
