"""What a training step makes smaller: the cross-entropy of a batch, and R-Drop's divergence."""

import functools

import tensorflow as tf

from keras_transformer.text.subwords import PADDING
from keras_transformer.training.projection import log_normalizers, projected_crossentropy


def training_loss(model, source, target, label_smoothing=0.0, r_drop=0.0):
    """The loss of a batch with dropout.

    With R-Drop (Liang et al. 2021, section 2.1) each pair passes the network twice, each time with
    another dropout. The loss is the mean of both cross-entropies, plus `r_drop` / 2 times the mean
    of both Kullback-Leibler divergences between the two distributions.

    Args:
        model: a `Transformer`.
        source: ids (B, S).
        target: ids (B, T); the network reads all but the last and is taught all but the first.
        label_smoothing: from 0 to below 1.
        r_drop: weight of the divergence; 0: a single pass.

    Returns:
        The sum of the losses over the tokens of the target, in nats, and the number of tokens
        that are the most probable id, the mean of both passes; both float32 scalars.
    """
    read, wanted = target[:, :-1], target[:, 1:]
    weights = model.final_weights()
    if not r_drop:
        rows, tokens = _real(model.features((source, read), training=True), wanted)
        return projected_crossentropy(rows, *weights, tokens, label_smoothing)
    source, read, wanted = (tf.concat([ids, ids], axis=0) for ids in (source, read, wanted))
    rows, tokens = _real(model.features((source, read), training=True), wanted)
    normalize = functools.partial(_normalize_pairs, weight=r_drop)
    rows, tokens = _side_by_side(rows), _side_by_side(tokens[:, tf.newaxis])[:, 0]
    loss, correct = projected_crossentropy(rows, *weights, tokens, label_smoothing, normalize)
    return loss / 2, correct / 2


def _real(features, wanted):
    """Features (B, T, D) and ids (B, T) -> those of real tokens, (N, D) and (N,)."""
    real = wanted != PADDING
    return tf.boolean_mask(features, real), tf.boolean_mask(wanted, real)


def _side_by_side(rows):
    """(2 N, D), two passes one after the other -> (2 N, D), both rows of a token in succession."""
    passes = tf.reshape(rows, (2, -1, rows.shape[-1]))
    return tf.reshape(tf.transpose(passes, (1, 0, 2)), (-1, rows.shape[-1]))


def _normalize_pairs(logits, targets, weight):
    """`log_normalizers` of pairs of rows, with half of R-Drop's term added to either row.

    With p and q the two distributions and d the difference of their logits, both divergences
    together are the sum of (p - q) d: the normalizers cancel.
    """
    normalizers, probabilities, is_best = log_normalizers(logits, targets)
    shape = tf.shape(logits)
    logits = tf.reshape(logits, (-1, 2, logits.shape[-1]))  # (n, 2, V)
    pairs = tf.reshape(probabilities, tf.shape(logits))
    difference = logits[:, :1] - logits[:, 1:]  # (n, 1, V)
    change = pairs[:, :1] - pairs[:, 1:]
    divergence = tf.reduce_sum(change * difference, axis=-1)  # (n, 1)
    mean = tf.reduce_sum(pairs * difference, axis=-1, keepdims=True)  # (n, 2, 1)
    signs = tf.constant([[[weight / 2], [-weight / 2]]])
    gradient = signs * (change + pairs * (difference - mean))
    added = tf.reshape(tf.repeat(divergence, 2, axis=1), (-1,)) * weight / 4
    return normalizers + added, probabilities + tf.reshape(gradient, shape), is_best
