"""The calibration error: how far the probabilities of predicted subwords are from their accuracy.

A network is calibrated if, of the subwords that it predicts with probability 0.8, 80 % are right.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self, TypeAlias

import numpy as np
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer.model.losses import real_tokens
from keras_transformer.tensors import Tensor
from keras_transformer.translation.forced import predicted
from keras_transformer.translation.translator import Translator

BINS = 15
LEAST_CONFIDENT = 0.1  # share of the predictions among which wrong ones are counted
BATCH_SIZE = 32  # small, because several tensors (B, T, V) are in memory at once

Pair: TypeAlias = tuple[str, str]  # source, reference


class Predictions(NamedTuple):
    """Predictions of the subwords of references by teacher forcing.

    Attributes:
        confidence: (N,), the probability of the most probable subword.
        right: bool (N,), whether that is the reference's subword.
    """

    confidence: NDArray[np.floating]
    right: NDArray[np.bool_]

    @classmethod
    def of(cls, wanted: Tensor, logits: Tensor, temperature: float = 1.0) -> Self:
        """Return the predictions of a batch.

        Args:
            wanted: ids of the references' subwords (B, T), 0 for padding.
            logits: (B, T, V).
            temperature: the number by which the logits are divided.
        """
        scaled = tf.cast(logits, tf.float32) / temperature
        top = tf.reduce_max(scaled, axis=-1)
        confidence = tf.exp(top - tf.reduce_logsumexp(scaled, axis=-1))
        right = tf.argmax(scaled, axis=-1, output_type=wanted.dtype) == wanted
        is_real = real_tokens(wanted) > 0
        return cls(confidence[is_real].numpy(), right[is_real].numpy())

    @classmethod
    def joined(cls, parts: Iterable["Predictions"]) -> Self:
        """Return all predictions of several batches."""
        nothing = cls(np.zeros(0), np.zeros(0, bool))
        return cls(*map(np.concatenate, zip(nothing, *parts, strict=True)))


class Reliability(NamedTuple):
    """Predictions in bins of equal width by their confidence (Guo et al. 2017, section 2).

    Attributes:
        counts: (M,), the number of predictions in each bin.
        confidence: (M,), their mean confidence; 0 for an empty bin.
        accuracy: (M,), the fraction that is right; 0 for an empty bin.
    """

    counts: NDArray[np.int64]
    confidence: NDArray[np.float64]
    accuracy: NDArray[np.float64]

    @classmethod
    def of(cls, predictions: Predictions, bins: int = BINS) -> Self:
        """Divide predictions into M bins, of which bin m, from 1, is ((m - 1) / M, m / M]."""
        numbers = np.ceil(predictions.confidence * bins).astype(int).clip(1, bins) - 1
        counts = np.bincount(numbers, minlength=bins)
        sums = (
            np.bincount(numbers, values.astype(np.float64), bins) / np.maximum(counts, 1)
            for values in predictions
        )
        return cls(counts, *sums)

    @property
    def error(self) -> float:
        """The expected calibration error, from 0 to 1 (Naeini et al. 2015).

        It is the mean over all predictions of the difference between the accuracy and the mean
        confidence of their bin.
        """
        gaps = np.abs(self.accuracy - self.confidence)
        return float(self.counts @ gaps / max(self.counts.sum(), 1))


def errors_found(predictions: Predictions, share: float = LEAST_CONFIDENT) -> float | None:
    """Return the fraction of the wrong predictions that are among the least confident ones.

    Args:
        predictions: the `Predictions`.
        share: which share of the predictions counts as the least confident ones.

    Returns:
        The fraction, from 0 to 1; None if no prediction is wrong.
    """
    order = np.argsort(predictions.confidence, kind="stable")
    wrong = ~predictions.right[order]
    if not wrong.any():
        return None
    return float(wrong[: round(share * len(wrong))].sum() / wrong.sum())


def describe_errors_found(fraction: float | None) -> str:
    """Return a clause about the result of `errors_found`."""
    if fraction is None:
        return "no subword is predicted wrongly"
    return (
        f"{100 * fraction:.1f} % of the wrongly predicted subwords are among the least confident "
        f"{100 * LEAST_CONFIDENT:.0f} %"
    )


def predict(
    translator: Translator,
    pairs: Sequence[Pair],
    temperature: float = 1.0,
    batch_size: int = BATCH_SIZE,
) -> Predictions:
    """Return the `Predictions` of the subwords of references; see `reference_batches`."""
    batches = predicted(translator, pairs, batch_size)
    return Predictions.joined(Predictions.of(*batch, temperature) for batch in batches)
