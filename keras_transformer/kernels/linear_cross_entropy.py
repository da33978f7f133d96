"""The final layer and the loss together, a few tokens at a time.

Logits are by far the largest tensors of a training step. Made for all tokens, they are written to
memory and read again a dozen times. Made for a few hundred tokens, turned into a loss and its
gradient at once and forgotten, they never leave the processor's cache.
"""

import tensorflow as tf

TOKENS = 256  # whose logits exist at a time
SMALLEST = 1.2e-38  # a probability below it is 0 in float32


def projected_crossentropy(features, table, bias, targets, label_smoothing=0.0):
    """Cross-entropy of logits = features table^T + bias, which are never there all at once.

    With label smoothing (Szegedy et al. 2016, section 7) the wanted distribution is 1 - s on the
    target and s spread evenly over the vocabulary. The cross-entropy is the logarithm of the
    softmax's denominator, minus the logit that is wanted; only the former needs all logits.

    Args:
        features: (N, D), whose dtype is that of the products; the rest is float32.
        table: (V, D).
        bias: (V,).
        targets: ids (N,).
        label_smoothing: s, from 0 to below 1.

    Returns:
        The sum of the losses, in nats, which has a gradient for `features`, `table` and `bias`; and
        the number of targets that are the most probable id; both float32 scalars.
    """
    normalizers, correct = _chunked(features, table, bias, targets)
    wide, bias = tf.cast(features, tf.float32), tf.cast(bias, tf.float32)
    rows = tf.cast(tf.gather(table, targets), tf.float32)  # (N, D)
    of_targets = tf.reduce_sum(wide * rows) + tf.reduce_sum(tf.gather(bias, targets))
    mean_row = tf.reduce_mean(tf.cast(table, tf.float32), axis=0)  # (D,)
    count = tf.cast(tf.shape(features)[0], tf.float32)
    means = tf.reduce_sum(tf.reduce_sum(wide, axis=0) * mean_row) + count * tf.reduce_mean(bias)
    return normalizers - (1 - label_smoothing) * of_targets - label_smoothing * means, correct


def _log_normalizers(logits, targets):
    """The logarithm of the softmax's denominator.

    Args:
        logits: float32 (n, V).
        targets: ids (n,).

    Returns:
        Log-normalizers (n,); the gradient of their sum (n, V), which is the softmax; and whether
        each target is the most probable id (n,).
    """
    probabilities = tf.nn.softmax(logits)
    of_targets = tf.gather(probabilities, targets, batch_dims=1)
    log_probabilities = tf.math.log(tf.maximum(of_targets, SMALLEST))
    is_best = of_targets >= tf.reduce_max(probabilities, axis=-1)
    return tf.gather(logits, targets, batch_dims=1) - log_probabilities, probabilities, is_best


def _chunked(features, table, bias, targets):
    """The sum of the log-normalizers of all tokens, and the number of the targets that are best."""
    count = tf.shape(features)[0]

    @tf.custom_gradient
    def total(features, table, bias):
        low_table, low_bias = (tf.cast(each, features.dtype) for each in (table, bias))

        def add_chunk(first, losses, correct, for_features, for_table, for_bias):
            rows = slice(first, first + TOKENS)
            x, wanted = features[rows], targets[rows]
            logits = tf.nn.bias_add(tf.matmul(x, low_table, transpose_b=True), low_bias)
            chunk_losses, wide, is_best = _log_normalizers(tf.cast(logits, tf.float32), wanted)
            gradient = tf.cast(wide, x.dtype)
            return (
                first + TOKENS,
                losses + tf.reduce_sum(chunk_losses),
                correct + tf.reduce_sum(tf.cast(is_best, tf.float32)),
                for_features.write(first // TOKENS, tf.matmul(gradient, low_table)),
                for_table + tf.cast(tf.matmul(gradient, x, transpose_a=True), tf.float32),
                for_bias + tf.reduce_sum(wide, axis=0),
            )

        # A replica that is left without a batch has one chunk, of no tokens.
        chunks = tf.maximum(-(-count // TOKENS), 1)
        parts = tf.TensorArray(features.dtype, chunks, infer_shape=False)
        nothing = tf.zeros_like(table, tf.float32), tf.zeros_like(bias, tf.float32)
        _, losses, correct, for_features, *for_weights = tf.while_loop(
            lambda first, *_: first < chunks * TOKENS, add_chunk, (0, 0.0, 0.0, parts, *nothing)
        )
        for_features = tf.ensure_shape(for_features.concat(), features.shape)

        def gradient(upstream, _):
            return [
                tf.cast(tf.cast(upstream, part.dtype) * part, of.dtype)
                for part, of in zip(
                    (for_features, *for_weights), (features, table, bias), strict=True
                )
            ]

        return (losses, correct), gradient

    return total(features, table, bias)
