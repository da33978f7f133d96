"""The regression that computes the confidence in a translation from its features, and its fit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import sacrebleu
from numpy.typing import ArrayLike

from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.translation.confidence_features import (
    FeatureExtractor,
    Features,
    indices_with_ids,
)
from keras_transformer.translation.forced import Floats
from keras_transformer.translation.translation import Translation

RIGHT_CHRF = 85.0  # minimum chrF of a translation that counts as right
FALSE_ALARMS = 0.09  # fraction of the right validation translations below the threshold
# The prior means of the weights, for standardized features, and the penalties on the squared
# distances from them. The weight of unfamiliar words is practically fixed: validation pairs hardly
# contain any, but text unlike the training data is full of them.
PRIOR = Features(mean=0.8, unfamiliar=-0.5, untranslated=0.9, share=0.8)
PENALTY = Features(mean=10.0, unfamiliar=1e4, untranslated=10.0, share=10.0)


@dataclass(frozen=True)
class ConfidenceModel:
    """A fitted logistic regression over `Features`.

    Attributes:
        center: mean of each feature, subtracted to standardize it.
        scale: standard deviation of each feature, by which it is divided.
        weights: weight of each standardized feature.
        bias: bias of the regression.
        threshold: translations with a smaller confidence are unsure.
        temperature: the temperature at which the probabilities of subwords are calibrated (see
            the module `temperature`); None in a model of an earlier version.
    """

    center: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    threshold: float
    temperature: float | None = None

    def __post_init__(self) -> None:
        if self.temperature is not None and not 0 < self.temperature < math.inf:
            raise ValueError(f"the temperature is {self.temperature}")

    @classmethod
    def of(cls, run: Run) -> Self | None:
        """Load the model of a run, or return None if the run has none.

        Raises:
            UserError: If the file is damaged.
        """
        values: dict[str, Any] | None = run.calibration()
        try:
            return None if values is None else cls(**values)
        except (TypeError, ValueError) as error:
            raise UserError(f"{run.directory}: damaged calibration: {error}") from error

    @property
    def mean_share(self) -> float:
        """The mean `share` of the translations to which the model was fitted."""
        return Features(*self.center).share

    def confidence(self, features: ArrayLike) -> float:
        """Return the probability that a translation is right, from 0 to 1."""
        standard = (np.asarray(features) - self.center) / self.scale
        return float(_logistic(standard @ np.asarray(self.weights) + self.bias))


def saved_temperature(run: Run) -> float | None:
    """Return the temperature in the calibration of a run, or None if the run has none.

    Raises:
        UserError: If the calibration is damaged.
    """
    model = ConfidenceModel.of(run)
    return model.temperature if model else None


def calibrate(
    extractor: FeatureExtractor,
    sentences: Sequence[str],
    translations: Sequence[Translation],
    references: Sequence[str],
) -> ConfidenceModel:
    """Fit a `ConfidenceModel` to translations of validation pairs.

    Args:
        extractor: the `FeatureExtractor`, whose temperature becomes that of the model.
        sentences: the sources.
        translations: a translation of each source.
        references: the reference of each source.
    """
    kept = indices_with_ids(translations)
    evidence = extractor.evidence([sentences[i] for i in kept], [translations[i] for i in kept])
    score = sacrebleu.CHRF().sentence_score
    right = [score(translations[i].text, [references[i]]).score >= RIGHT_CHRF for i in kept]
    fitted = fit(list(map(extractor.features, evidence)), right)
    return replace(fitted, temperature=extractor.temperature)


def fit(features: Sequence[Features], right: Sequence[bool]) -> ConfidenceModel:
    """Fit a `ConfidenceModel` by logistic regression, with a normal prior on the weights.

    Args:
        features: the features of at least one translation.
        right: whether each translation is right.
    """
    table, labels = np.asarray(features, float), np.asarray(right, float)  # (N, F), (N,)
    center, scale = table.mean(0), table.std(0) + 1e-6
    rows = np.column_stack([(table - center) / scale, np.ones(len(table))])  # (N, F + 1)
    weights = _fitted(rows, labels, np.array([*PRIOR, 0.0]), np.array([*PENALTY, 1e-3]))
    confident = _logistic(rows @ weights)[labels == 1]
    threshold = float(np.quantile(confident, FALSE_ALARMS)) if len(confident) else 1.0
    *slopes, bias = weights.tolist()
    return ConfidenceModel(
        tuple(center.tolist()), tuple(scale.tolist()), tuple(slopes), bias, threshold
    )


def _fitted(rows: Floats, labels: Floats, prior: Floats, penalty: Floats) -> Floats:
    """Return the weights (F,) of a logistic regression with penalties, by damped Newton's method.

    A step that would increase the penalized loss is halved. Without that, the method diverges if
    few translations are right.

    Args:
        rows: features (N, F).
        labels: (N,), 1 for a right translation, otherwise 0.
        prior: (F,), where the weights are not penalized.
        penalty: (F,), the penalties on the squared distances from the prior.
    """

    def loss(weights: Floats) -> float:
        logits = rows @ weights
        of_labels = np.logaddexp(0, logits) - labels * logits
        return float(of_labels.sum() + penalty @ (weights - prior) ** 2 / 2)

    weights = prior.copy()
    for _ in range(50):
        predicted = _logistic(rows @ weights)
        gradient = rows.T @ (labels - predicted) - penalty * (weights - prior)
        hessian = (rows * (predicted * (1 - predicted))[:, np.newaxis]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        while loss(weights + step) > loss(weights) and np.abs(step).max() > 1e-9:
            step /= 2
        weights += step
    return weights


def _logistic(value: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(value, -50, 50)))
