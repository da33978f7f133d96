"""The training objective: the cross-entropy of a batch, and its sums over batches.

A training batch is computed in independent shares, so that TensorFlow can run two operations at the
same time, each on half of the cores. This takes less time than running one operation after the
other on all cores; benchmarks/steps.py measures both.
"""

import itertools
from typing import NamedTuple

import tensorflow as tf

from keras_transformer.kernels.linear_cross_entropy import projected_crossentropy
from keras_transformer.model.losses import correct_tokens, perplexity, real_tokens, token_losses
from keras_transformer.model.transformer import Transformer
from keras_transformer.tensors import Tensor
from keras_transformer.text.subwords import PADDING

SHARES = 2  # fixed, because the random numbers of dropout depend on it


class Totals(NamedTuple):
    """Sums over batches: losses in nats, correct and real target tokens, sentence pairs."""

    loss: float = 0.0
    correct: float = 0.0
    tokens: float = 0.0
    pairs: float = 0.0

    def plus(self, other: "Totals") -> "Totals":
        """Return the sums of both, as Python floats."""
        return Totals(*(a + float(b) for a, b in zip(self, other, strict=True)))

    @property
    def mean_loss(self) -> float:
        """The loss in nats per token."""
        return self.loss / max(self.tokens, 1)

    @property
    def perplexity(self) -> float:
        """The `perplexity` per token."""
        return perplexity(self.mean_loss)

    @property
    def accuracy(self) -> float:
        """The fraction of tokens that are correct, from 0 to 1."""
        return self.correct / max(self.tokens, 1)


def training_loss(
    model: Transformer, source: Tensor, target: Tensor, label_smoothing: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Compute the loss of a batch with dropout, in shares.

    Args:
        model: a `Transformer`.
        source: ids (B, S).
        target: ids (B, T); the network reads all but the last and predicts all but the first.
        label_smoothing: at least 0 and less than 1.

    Returns:
        The sum of the losses over the target tokens, in nats, and the number of correctly
        predicted tokens; both float32 scalars.
    """
    count = tf.shape(source)[0]
    bounds = [count * i // SHARES for i in range(SHARES + 1)]
    parts = [
        _share_loss(model, source[first:end], target[first:end], label_smoothing)
        for first, end in itertools.pairwise(bounds)
    ]
    losses, correct = zip(*parts, strict=True)
    return tf.add_n(losses), tf.add_n(correct)


def _share_loss(
    model: Transformer, source: Tensor, target: Tensor, label_smoothing: float
) -> tuple[Tensor, Tensor]:
    """Compute the `training_loss` of one share of a batch, which may be empty."""
    read, wanted = target[:, :-1], target[:, 1:]
    real = wanted != PADDING
    features = model.features((source, read), training=True)  # (B, T, D)
    rows, tokens = tf.boolean_mask(features, real), tf.boolean_mask(wanted, real)  # (N, D), (N,)
    table, bias = model.final_weights()
    return projected_crossentropy(rows, table, bias, tokens, label_smoothing)


def validation_loss(model: Transformer, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Compute the loss of a batch without dropout or label smoothing.

    Arguments and return values have the same shapes as in `training_loss`.
    """
    wanted = target[:, 1:]
    logits = model((source, target[:, :-1]), training=False)
    losses = tf.reduce_sum(token_losses(wanted, logits))
    return losses, tf.reduce_sum(correct_tokens(wanted, logits))


def batch_totals(source: Tensor, target: Tensor, loss: Tensor, correct: Tensor) -> Totals:
    """Return the `Totals` of a batch, as float32 scalars.

    Args:
        source: ids (B, S); rows of padding are not counted as pairs.
        target: ids (B, T).
        loss: sum of the losses.
        correct: number of correct tokens.
    """
    pairs = tf.reduce_sum(tf.reduce_max(real_tokens(source), axis=1))
    return Totals(loss, correct, target_tokens(target), pairs)


def target_tokens(target: Tensor) -> Tensor:
    """Return the number of tokens to predict in target ids (B, T), a float32 scalar."""
    return tf.reduce_sum(real_tokens(target[:, 1:]))
