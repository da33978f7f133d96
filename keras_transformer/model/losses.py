"""Loss and accuracy over real tokens: a target of id 0 is padding and counts nowhere."""

import keras
import tensorflow as tf


def real_tokens(targets):
    """Target ids (B, T) -> float32 (B, T), 1 where there is a token."""
    return tf.cast(tf.not_equal(targets, 0), tf.float32)


def token_losses(targets, logits, label_smoothing=0.0):
    """Cross-entropy of each token, in float32; 0 for padding.

    With label smoothing (Szegedy et al. 2016, section 7) the wanted distribution is 1 - s on the
    target and s spread evenly over the vocabulary.

    Args:
        targets: ids (B, T).
        logits: (B, T, V).
        label_smoothing: s, from 0 to below 1.

    Returns:
        Tensor (B, T), in nats.
    """
    logits = tf.cast(logits, tf.float32)
    of_targets = tf.gather(logits, targets, batch_dims=2)
    means = tf.reduce_mean(logits, axis=-1)
    wanted = (1 - label_smoothing) * of_targets + label_smoothing * means
    return (tf.reduce_logsumexp(logits, axis=-1) - wanted) * real_tokens(targets)


def correct_tokens(targets, logits):
    """float32 (B, T): 1 where the most probable id is the target, 0 elsewhere and for padding."""
    best = tf.argmax(logits, axis=-1, output_type=targets.dtype)
    return tf.cast(best == targets, tf.float32) * real_tokens(targets)


def _token_weights(targets, sample_weight):
    """(B, T): the weights that a user gave, or 1, and 0 for padding."""
    weights = real_tokens(targets)
    return weights if sample_weight is None else weights * tf.cast(sample_weight, tf.float32)


@keras.saving.register_keras_serializable("keras_transformer")
class MaskedCrossentropy(keras.losses.Loss):
    """Mean of `token_losses` over the real tokens of a batch, for `compile` and `fit`.

    Args:
        label_smoothing: from 0 to below 1.
    """

    def __init__(self, label_smoothing=0.0, name="masked_crossentropy", **kwargs):
        super().__init__(name=name, **kwargs)
        self.label_smoothing = label_smoothing

    def __call__(self, y_true, y_pred, sample_weight=None):
        """Not Keras's own, whose mean counts padding too.

        Args:
            y_true: ids (B, T).
            y_pred: logits (B, T, V).
            sample_weight: weights of the tokens, broadcastable to (B, T), or None.
        """
        targets = tf.cast(y_true, tf.int32)
        weights = _token_weights(targets, sample_weight)
        losses = token_losses(targets, y_pred, self.label_smoothing)
        return tf.math.divide_no_nan(tf.reduce_sum(losses * weights), tf.reduce_sum(weights))

    def get_config(self):
        return super().get_config() | {"label_smoothing": self.label_smoothing}


@keras.saving.register_keras_serializable("keras_transformer")
class MaskedAccuracy(keras.metrics.Mean):
    """Share of the real tokens whose most probable id is the target, for `compile` and `fit`."""

    def __init__(self, name="masked_accuracy", **kwargs):
        super().__init__(name=name, **kwargs)

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Counts the tokens of a batch.

        Args:
            y_true: ids (B, T).
            y_pred: logits (B, T, V).
            sample_weight: weights of the tokens, broadcastable to (B, T), or None.
        """
        targets = tf.cast(y_true, tf.int32)
        weights = _token_weights(targets, sample_weight)
        super().update_state(correct_tokens(targets, y_pred), sample_weight=weights)
