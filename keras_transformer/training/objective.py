"""What a training step makes smaller: the cross-entropy of a batch.

A batch is computed in shares that do not depend on each other. TensorFlow then has two operations
to run at any time, each on its part of the cores, which takes less time than one after the other
on all cores; benchmarks/steps.py measures both.
"""

import itertools

import tensorflow as tf

from keras_transformer.kernels.linear_cross_entropy import projected_crossentropy
from keras_transformer.text.subwords import PADDING

SHARES = 2  # of a batch, on any machine: dropout draws its numbers for each share


def training_loss(model, source, target, label_smoothing=0.0):
    """The loss of a batch with dropout, computed in shares.

    Args:
        model: a `Transformer`.
        source: ids (B, S).
        target: ids (B, T); the network reads all but the last and is taught all but the first.
        label_smoothing: from 0 to below 1.

    Returns:
        The sum of the losses over the tokens of the target, in nats, and the number of tokens
        that are the most probable id; both float32 scalars.
    """
    count = tf.shape(source)[0]
    bounds = [count * i // SHARES for i in range(SHARES + 1)]
    found = [
        _share_loss(model, source[first:end], target[first:end], label_smoothing)
        for first, end in itertools.pairwise(bounds)
    ]
    losses, correct = zip(*found, strict=True)
    return tf.add_n(losses), tf.add_n(correct)


def _share_loss(model, source, target, label_smoothing):
    """`training_loss` of a share of a batch, which may be empty."""
    read, wanted = target[:, :-1], target[:, 1:]
    real = wanted != PADDING
    features = model.features((source, read), training=True)  # (B, T, D)
    rows, tokens = tf.boolean_mask(features, real), tf.boolean_mask(wanted, real)  # (N, D), (N,)
    return projected_crossentropy(rows, *model.final_weights(), tokens, label_smoothing)
