"""The temperature that calibrates the probabilities of subwords.

Training with label smoothing makes a network less confident than it should be, overfitting more
confident. Dividing the logits by a temperature corrects both, and changes no prediction (Guo et al.
2017, section 4.2).

The temperature is the one at which the mean confidence of the predictions equals their accuracy
(Clarté et al. 2023). Guo et al. minimize the loss of the references instead. After label smoothing,
the two differ: the loss mainly depends on the improbable subwords, to which label smoothing has
given too much probability, and their temperature can increase the calibration error.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.model.losses import correct_tokens, real_tokens
from keras_transformer.tensors import Tensor
from keras_transformer.translation.calibration_error import (
    BATCH_SIZE,
    Pair,
    Predictions,
    predict,
)
from keras_transformer.translation.forced import reference_batches
from keras_transformer.translation.translator import Translator

MIN_TEMPERATURE, MAX_TEMPERATURE = 0.1, 10.0
TOLERANCE = 1e-5  # of the inverse of a fitted temperature


def fit_temperature(
    translator: Translator, pairs: Sequence[Pair], batch_size: int = BATCH_SIZE
) -> float:
    """Return the temperature at which the mean confidence equals the accuracy.

    The pairs must not be training pairs. Each of a few steps of Newton's method is a pass over the
    pairs.

    Args:
        translator, pairs, batch_size: see `reference_batches`.

    Returns:
        The temperature, from `MIN_TEMPERATURE` to `MAX_TEMPERATURE`; 1 without pairs.
    """
    batches = list(reference_batches(translator, pairs, batch_size))
    if not batches:
        return 1.0

    @tf.function(input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2 + [tf.TensorSpec(())])
    def of_batch(source: Tensor, target: Tensor, inverse: Tensor) -> Tensor:
        logits = translator.model((source, target[:, :-1]), training=False)
        return tf.stack(overconfidence(target[:, 1:], logits, inverse))

    def of_all(inverse: float) -> tuple[float, float]:
        sums = sum(of_batch(*batch, inverse).numpy().astype(np.float64) for batch in batches)
        value, slope = np.asarray(sums).tolist()
        return value, slope

    return 1 / zero(of_all, 1 / MAX_TEMPERATURE, 1 / MIN_TEMPERATURE)


def overconfidence(wanted: Tensor, logits: Tensor, inverse: Tensor) -> tuple[Tensor, Tensor]:
    """Return how much the confidence of predictions exceeds their accuracy, and the derivative.

    For logits z, of which z_1 is the largest, and inverse temperature b, the confidence is
    c = exp(b z_1) / sum(exp(b z)). Its derivative with respect to b is c times the mean of z_1 - z
    over the network's distribution at this temperature, so it never decreases.

    Args:
        wanted: ids of the references' subwords (B, T), 0 for padding.
        logits: (B, T, V).
        inverse: the inverse of the temperature, a scalar.

    Returns:
        The sum of the confidences minus the number of right predictions, over all real tokens; and
        its derivative with respect to the inverse.
    """
    logits = tf.cast(logits, tf.float32)
    below = tf.reduce_max(logits, axis=-1, keepdims=True) - logits  # (B, T, V)
    probabilities = tf.nn.softmax(-inverse * below)
    confidence = tf.reduce_max(probabilities, axis=-1)
    slopes = confidence * tf.reduce_sum(probabilities * below, axis=-1)
    excess = confidence * real_tokens(wanted) - correct_tokens(wanted, logits)
    return tf.reduce_sum(excess), tf.reduce_sum(slopes * real_tokens(wanted))


def zero(function: Callable[[float], tuple[float, float]], low: float, high: float) -> float:
    """Return where an increasing function is zero, by Newton's method.

    A step that would leave the interval in which the zero must be is replaced by bisection.

    Args:
        function: returns the value and the derivative of the function at a point.
        low, high: the interval to search, which contains 1, where the search begins. If the
            function is not zero in it, the end nearest to the zero is returned.
    """
    point, step = 1.0, high - low
    while abs(step) > TOLERANCE:
        value, slope = function(point)
        low, high = (low, point) if value > 0 else (point, high)
        newton = point - value / slope if slope > 0 else low
        following = newton if low < newton < high else (low + high) / 2
        point, step = following, following - point
    return point


class CrossFitted(NamedTuple):
    """Predictions at temperatures that are fitted to other pairs than those predicted.

    Attributes:
        predictions: the `Predictions` of all pairs.
        temperatures: the temperature of each half of the pairs, which is fitted to the other half.
    """

    predictions: Predictions
    temperatures: tuple[float, float]


def cross_fit(
    translator: Translator, pairs: Sequence[Pair], batch_size: int = BATCH_SIZE
) -> CrossFitted:
    """Divide pairs into two halves, and predict each at the temperature fitted to the other.

    The calibration error of the result is as unbiased as one that is measured on pairs that no
    temperature was fitted to, and all pairs count.

    Args:
        translator, pairs, batch_size: see `reference_batches`. Every other pair is in the same
            half.

    Raises:
        UserError: If a half has no pair that can be predicted.
    """
    halves = pairs[::2], pairs[1::2]
    first, second = (fit_temperature(translator, half, batch_size) for half in halves)
    parts = [
        predict(translator, half, temperature, batch_size)
        for half, temperature in zip(halves, (second, first), strict=True)
    ]
    if not all(len(part.right) for part in parts):
        raise UserError(
            "two halves need at least two sentence pairs: each half, of every other pair, needs "
            "one that is neither empty nor too long"
        )
    return CrossFitted(Predictions.joined(parts), (second, first))
