"""The output projection and its cross-entropy, fused over a few tokens at a time.

Replaces a `keras.layers.Dense` of vocabulary size followed by
`keras.losses.CategoricalCrossentropy(from_logits=True)`. The logits (N, V) are by far the largest
tensor of a training step. Computed for all tokens at once, they are written to memory and read
again by several operations. Computed for a few hundred tokens at a time and reduced immediately to
a loss and its gradient, they can stay in the processor's cache.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import tensorflow as tf

from keras_transformer.tensors import Tensor

TOKENS = 256  # tokens in a chunk: only the logits of one chunk exist at a time
SMALLEST = 1.2e-38  # smallest normal float32; softmax underflows to 0 below it


def projected_crossentropy(
    features: Tensor, table: Tensor, bias: Tensor, targets: Tensor, label_smoothing: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Return the cross-entropy of the logits features table^T + bias, without storing them.

    With label smoothing (Szegedy et al. 2016, section 7) the target distribution is 1 - s on the
    target plus s spread evenly over the vocabulary. The cross-entropy is the logarithm of the
    softmax's denominator minus the mean of the logits under that distribution. Only the former
    requires computing all logits.

    Args:
        features: (N, D); the logits and matrix products have its dtype, the losses are float32.
        table: (V, D).
        bias: (V,).
        targets: ids (N,).
        label_smoothing: s, at least 0 and less than 1.

    Returns:
        The sum of the losses in nats, differentiable with respect to `features`, `table` and
        `bias`; and the number of tokens whose target is the most probable id, of several the first.
        Both are float32 scalars.
    """
    normalizers, correct = _sum_of_log_normalizers(features, table, bias, targets)
    wide, bias = tf.cast(features, tf.float32), tf.cast(bias, tf.float32)
    rows = tf.cast(tf.gather(table, targets), tf.float32)  # (N, D)
    of_targets = tf.reduce_sum(wide * rows) + tf.reduce_sum(tf.gather(bias, targets))
    mean_row = tf.reduce_mean(tf.cast(table, tf.float32), axis=0)  # (D,)
    count = tf.cast(tf.shape(features)[0], tf.float32)
    means = tf.reduce_sum(tf.reduce_sum(wide, axis=0) * mean_row) + count * tf.reduce_mean(bias)
    return normalizers - (1 - label_smoothing) * of_targets - label_smoothing * means, correct


class _Sums(NamedTuple):
    """Sums over the chunks so far.

    `losses` (of log-normalizers) and `correct`: scalars; `for_features`: a `TensorArray` with the
    gradient (n, D) of each chunk; `for_table` (V, D) and `for_bias` (V,): gradients. All but
    `for_features` are float32.
    """

    losses: Tensor
    correct: Tensor
    for_features: tf.TensorArray
    for_table: Tensor
    for_bias: Tensor


def _sum_of_log_normalizers(
    features: Tensor, table: Tensor, bias: Tensor, targets: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the summed log-normalizers of all tokens, and the number of correct tokens.

    The gradient is computed together with the value, while the logits of a chunk are in memory.
    """

    @tf.custom_gradient
    def total(
        features: Tensor, table: Tensor, bias: Tensor
    ) -> tuple[tuple[Tensor, Tensor], Callable[[Tensor, Tensor], list[Tensor]]]:
        sums = _sum_chunks(features, table, bias, targets)
        for_features = tf.ensure_shape(sums.for_features.concat(), features.shape)
        gradients = for_features, sums.for_table, sums.for_bias

        def gradient(upstream: Tensor, _: Tensor) -> list[Tensor]:
            return _scaled(gradients, upstream, (features, table, bias))

        return (sums.losses, sums.correct), gradient

    return total(features, table, bias)


def _scaled(gradients: Sequence[Tensor], factor: Tensor, like: Sequence[Tensor]) -> list[Tensor]:
    """Return gradients times a scalar, each in the dtype of its tensor in `like`."""
    return [
        tf.cast(tf.cast(factor, gradient.dtype) * gradient, of.dtype)
        for gradient, of in zip(gradients, like, strict=True)
    ]


def _sum_chunks(features: Tensor, table: Tensor, bias: Tensor, targets: Tensor) -> _Sums:
    """Return the sums over all chunks of `TOKENS` tokens."""
    low_table, low_bias = (tf.cast(each, features.dtype) for each in (table, bias))

    def add_chunk(first: Tensor, sums: _Sums) -> tuple[Tensor, _Sums]:
        rows = slice(first, first + TOKENS)
        chunk = features[rows], low_table, low_bias, targets[rows]
        return first + TOKENS, _add_chunk(sums, first // TOKENS, *chunk)

    # A replica without a batch has a single, empty chunk.
    chunks = tf.maximum(-(-tf.shape(features)[0] // TOKENS), 1)
    parts = tf.TensorArray(features.dtype, chunks, infer_shape=False)
    nothing = tf.zeros_like(table, tf.float32), tf.zeros_like(bias, tf.float32)
    start = 0, _Sums(tf.constant(0.0), tf.constant(0.0), parts, *nothing)
    _, sums = tf.while_loop(lambda first, _: first < chunks * TOKENS, add_chunk, start)
    return sums


def _add_chunk(
    sums: _Sums, number: Tensor, x: Tensor, table: Tensor, bias: Tensor, targets: Tensor
) -> _Sums:
    """Return the sums including chunk `number`, with features x (n, D) and targets (n,)."""
    logits = tf.nn.bias_add(tf.matmul(x, table, transpose_b=True), bias)  # (n, V)
    losses, wide, is_best = _log_normalizers(tf.cast(logits, tf.float32), targets)
    gradient = tf.cast(wide, x.dtype)
    return _Sums(
        sums.losses + tf.reduce_sum(losses),
        sums.correct + tf.reduce_sum(tf.cast(is_best, tf.float32)),
        sums.for_features.write(number, tf.matmul(gradient, table)),
        sums.for_table + tf.cast(tf.matmul(gradient, x, transpose_a=True), tf.float32),
        sums.for_bias + tf.reduce_sum(wide, axis=0),
    )


def _log_normalizers(logits: Tensor, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Compute the logarithm of the softmax's denominator, its gradient, and the correct tokens.

    Args:
        logits: float32 (n, V).
        targets: ids (n,).

    Returns:
        Log-normalizers (n,); the gradient of their sum (n, V), which is the softmax; and whether
        each target is the most probable id (n,).
    """
    probabilities = tf.nn.softmax(logits)
    best = tf.argmax(logits, axis=-1, output_type=targets.dtype)
    underflows = tf.gather(probabilities, targets, batch_dims=1) < SMALLEST
    ids = tf.where(underflows, best, targets)  # the normalizer of any id is that of all
    of_logits, of_ids = (tf.gather(each, ids, batch_dims=1) for each in (logits, probabilities))
    return of_logits - tf.math.log(of_ids), probabilities, best == targets
