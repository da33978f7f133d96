"""Loss and accuracy over real tokens; a target id of 0 is padding and does not count."""

import math
from typing import Any

import keras
import tensorflow as tf

from keras_transformer.tensors import Tensor


def real_tokens(targets: Tensor) -> Tensor:
    """Return float32 (B, T) for target ids (B, T): 1 for a token, 0 for padding."""
    return tf.cast(tf.not_equal(targets, 0), tf.float32)


def token_losses(targets: Tensor, logits: Tensor, label_smoothing: float = 0.0) -> Tensor:
    """Compute the cross-entropy of each token in float32; 0 for padding.

    With label smoothing (Szegedy et al. 2016, section 7) the target distribution is 1 - s on the
    target and s spread evenly over the vocabulary.

    Args:
        targets: ids (B, T).
        logits: (B, T, V).
        label_smoothing: s, at least 0 and less than 1.

    Returns:
        Tensor (B, T), in nats.
    """
    logits = tf.cast(logits, tf.float32)
    of_targets = tf.gather(logits, targets, batch_dims=2)
    means = tf.reduce_mean(logits, axis=-1)
    expected = (1 - label_smoothing) * of_targets + label_smoothing * means
    return (tf.reduce_logsumexp(logits, axis=-1) - expected) * real_tokens(targets)


def perplexity(mean_loss: float) -> float:
    """Return the perplexity for a mean loss in nats per token: its exp, or that of 80 if greater.

    The curves in TensorBoard are of type float32, which ends at about exp(88).
    """
    return math.exp(min(mean_loss, 80))


def correct_tokens(targets: Tensor, logits: Tensor) -> Tensor:
    """Return float32 (B, T): 1 where the most probable id is the target, else 0; 0 for padding."""
    best = tf.argmax(logits, axis=-1, output_type=targets.dtype)
    return tf.cast(best == targets, tf.float32) * real_tokens(targets)


def _token_weights(targets: Tensor, sample_weight: Tensor | None) -> Tensor:
    """Return `sample_weight`, by default 1, with 0 for padding: float32 (B, T)."""
    if sample_weight is None:
        return real_tokens(targets)
    weights = tf.cast(sample_weight, tf.float32)
    if weights.shape.rank == 1:
        weights = weights[:, tf.newaxis]  # (B, 1)
    return weights * real_tokens(targets)


@keras.saving.register_keras_serializable("keras_transformer")
class MaskedCrossentropy(keras.losses.Loss):
    """The mean of `token_losses` over the real tokens of a batch, for `compile` and `fit`.

    Args:
        label_smoothing: at least 0 and less than 1.

    Raises:
        ValueError: `reduction` is given and is not Keras's default, "sum_over_batch_size".
    """

    def __init__(
        self, label_smoothing: float = 0.0, name: str = "masked_crossentropy", **kwargs: Any
    ) -> None:
        super().__init__(name=name, **kwargs)
        if self.reduction != "sum_over_batch_size":
            raise ValueError(
                f"reduction {self.reduction!r} is not supported: "
                "the loss is the mean over the real tokens"
            )
        self.label_smoothing = label_smoothing

    def __call__(
        self, y_true: Tensor, y_pred: Tensor, sample_weight: Tensor | None = None
    ) -> Tensor:
        """Compute the loss. (The mean of the base class would count padding.)

        Args:
            y_true: ids (B, T).
            y_pred: logits (B, T, V).
            sample_weight: weights of the sentences (B,), or of the tokens, broadcastable to
                (B, T); or None.

        Returns:
            The weighted mean in nats per token, a float32 scalar.
        """
        targets = tf.cast(y_true, tf.int32)
        weights = _token_weights(targets, sample_weight)
        losses = token_losses(targets, y_pred, self.label_smoothing)
        return tf.math.divide_no_nan(tf.reduce_sum(losses * weights), tf.reduce_sum(weights))

    def get_config(self) -> dict[str, Any]:
        return super().get_config() | {"label_smoothing": self.label_smoothing}


@keras.saving.register_keras_serializable("keras_transformer")
class MaskedAccuracy(keras.metrics.Mean):
    """The share of real tokens whose most probable id is the target, for `compile` and `fit`."""

    def __init__(self, name: str = "masked_accuracy", **kwargs: Any) -> None:
        super().__init__(name=name, **kwargs)

    def update_state(
        self, y_true: Tensor, y_pred: Tensor, sample_weight: Tensor | None = None
    ) -> None:
        """Count the tokens of a batch.

        Args:
            y_true: ids (B, T).
            y_pred: logits (B, T, V).
            sample_weight: weights of the sentences (B,), or of the tokens, broadcastable to
                (B, T); or None.
        """
        targets = tf.cast(y_true, tf.int32)
        weights = _token_weights(targets, sample_weight)
        correct = correct_tokens(targets, y_pred)
        # `Mean` would reduce rank 2 to a mean over T, so that wide batches would count less.
        correct, weights = (tf.reshape(each, (-1,)) for each in (correct, weights))
        super().update_state(correct, sample_weight=weights)
