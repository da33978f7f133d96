"""Confidence: the probability that a translation is right, calibrated on validation pairs.

The network's probability of its own translation is a poor measure, because a small network often
assigns a high probability to a wrong translation. A logistic regression combines the probabilities
of the subwords with three other features: how familiar the source's words are from the training
data, how well a lexicon explains the worst-translated one, and how clearly reranking prefers the
translation. The regression is fitted to translations of validation pairs, where a translation close
to its reference counts as right. This is a form of quality estimation (Kepler et al. 2019).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
import sacrebleu
from numpy.typing import ArrayLike

from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.text.words import WORD, fold_case, tokens
from keras_transformer.translation.forced import Floats, ForcedDecoding
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator
from keras_transformer.translation.word_probabilities import Word, words_written

RIGHT_CHRF = 85.0  # minimum chrF of a translation that counts as right
FALSE_ALARMS = 0.09  # fraction of the right validation translations below the threshold
PUNCTUATION = ".,;:!?"
UNTRANSLATED = math.log(0.01)  # words with a smaller log probability count as untranslated


class Features(NamedTuple):
    """The features from which the confidence in a translation is computed.

    Attributes:
        mean: mean probability of the translation's subwords at the calibrated temperature: the
            share of them that should be right. Calibrations of earlier versions have no
            temperature; for those, the mean log probability in nats.
        unfamiliar: sum of 1 / (1 + occurrences in the training data) over the source's words,
            excluding words that the translation copies.
        untranslated: log probability, in the lexicon, of the source word that the translation
            explains worst.
        share: the `share` of the `Translation`; for one that was not reranked, the mean of the
            validation translations, so that it has no influence.
    """

    mean: float
    unfamiliar: float
    untranslated: float
    share: float


# The prior means of the weights, for standardized features, and the penalties on the squared
# distances from them. The weight of unfamiliar words is practically fixed: validation pairs hardly
# contain any, but text unlike the training data is full of them.
PRIOR = Features(mean=0.8, unfamiliar=-0.5, untranslated=0.9, share=0.8)
PENALTY = Features(mean=10.0, unfamiliar=1e4, untranslated=10.0, share=10.0)


@dataclass(frozen=True)
class Calibration:
    """A fitted logistic regression over `Features`.

    Attributes:
        center: mean of each feature, subtracted to standardize it.
        scale: standard deviation of each feature, by which it is divided.
        weights: weight of each standardized feature.
        bias: bias of the regression.
        threshold: translations with a smaller confidence are unsure.
        temperature: the temperature at which the probabilities of subwords are calibrated (see
            the module `calibration`); None in a calibration of an earlier version.
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
        """Load the calibration of a run, or return None if the run has none.

        Raises:
            UserError: If the file is damaged.
        """
        values: dict[str, Any] | None = run.calibration()
        try:
            return None if values is None else cls(**values)
        except (TypeError, ValueError) as error:
            raise UserError(f"{run.directory}: damaged calibration: {error}") from error

    def confidence(self, features: ArrayLike) -> float:
        """Return the probability that a translation is right, from 0 to 1."""
        standard = (np.asarray(features) - self.center) / self.scale
        return float(_logistic(standard @ np.asarray(self.weights) + self.bias))


def saved_temperature(run: Run) -> float | None:
    """Return the temperature in the calibration of a run, or None if the run has none.

    Raises:
        UserError: If the calibration is damaged.
    """
    calibration = Calibration.of(run)
    return calibration.temperature if calibration else None


def fit(features: Sequence[Features], right: Sequence[bool]) -> Calibration:
    """Fit a `Calibration` by logistic regression, with a normal prior on the weights.

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
    return Calibration(
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


class Assessment(NamedTuple):
    """The confidence in one translation, and the reasons for doubt.

    Attributes:
        confidence: probability that the translation is right, from 0 to 1.
        unsure: whether the confidence is below the threshold or a character was lost.
        least_certain: up to three words of the translation with a probability below 0.5, the least
            probable first. Words that were corrected have none.
        untranslated: known source words without a counterpart in the translation.
        unknown_words: source words that occur neither in the training data nor in the translation.
        lost_characters: source characters that are neither in the vocabulary nor in the
            translation.
    """

    confidence: float
    unsure: bool
    least_certain: tuple[str, ...] = ()
    untranslated: tuple[str, ...] = ()
    unknown_words: tuple[str, ...] = ()
    lost_characters: str = ""


class Assessor:
    """Assesses translations.

    Args:
        translator: the `Translator` that made the translations.
        counts: {word: occurrences in the training sources}, as `count_words` returns it.
        lexicon: the `Lexicon` of the training pairs.
        calibration: a `Calibration`; not required to extract features.
        temperature: the temperature of the subwords' probabilities if there is no calibration yet.
    """

    def __init__(
        self,
        translator: Translator,
        counts: Mapping[str, int],
        lexicon: Lexicon,
        calibration: Calibration | None = None,
        temperature: float | None = None,
    ) -> None:
        self.translator = translator
        self.lexicon = lexicon
        self.counts = fold_case(counts)
        self.calibration = calibration
        self.temperature = calibration.temperature if calibration else temperature
        self.forced = ForcedDecoding(translator, self.temperature or 1.0)

    @classmethod
    def of(cls, translator: Translator, run: Run, lexicon: Lexicon | None = None) -> Self | None:
        """Load the assessor of a run, or return None if the run is not calibrated.

        Args:
            translator: the `Translator` of the run.
            run: the `Run`.
            lexicon: the lexicon of the run if it is already in memory, such as a reranker's.

        Raises:
            UserError: If a file is damaged.
        """
        calibration, words = Calibration.of(run), run.words()
        if calibration is None or words is None:
            return None
        lexicon = lexicon or Lexicon.of(run)
        return cls(translator, words[0], lexicon, calibration) if lexicon else None

    def features(
        self, sentences: Sequence[str], translations: Sequence[Translation]
    ) -> list[Features]:
        """Return the `Features` of each sentence's translation, which must not be empty."""
        logs = self.forced.log_probabilities(sentences, translations)
        explained = map(self._explained, sentences, translations)
        rows = zip(sentences, translations, logs, explained, strict=True)
        return [self._features(*row) for row in rows]

    def _explained(self, sentence: str, translation: Translation) -> Floats:
        return self.lexicon.log_probabilities(sentence, translation.text)

    def _features(
        self, sentence: str, translation: Translation, logs: Floats, explained: Floats
    ) -> Features:
        """Return the `Features` of one translation.

        Args:
            sentence: the source.
            translation: its translation.
            logs: log probability of each subword of the translation.
            explained: log probability in the lexicon of each token of the source.
        """
        unfamiliar = self._unfamiliar(sentence, translation.text)
        untranslated = float(explained.min(initial=0.0))
        return Features(self._mean(logs), unfamiliar, untranslated, self._share(translation))

    def _mean(self, logs: Floats) -> float:
        return float(logs.mean() if self.temperature is None else np.exp(logs).mean())

    def _share(self, translation: Translation) -> float:
        """Return the `share` of a translation; the mean share if it was not reranked."""
        if translation.share is not None:
            return translation.share
        return Features(*self.calibration.center).share if self.calibration else 0.0

    def assess(
        self, sentences: Sequence[str], translations: Sequence[Translation]
    ) -> list[Assessment]:
        """Return the `Assessment` of the translation of each sentence.

        An empty translation has confidence 1.

        Raises:
            ValueError: If the assessor has no calibration.
        """
        if self.calibration is None:
            raise ValueError("the assessor has no calibration")
        kept = _indices_of_nonempty(translations)
        chosen = [sentences[i] for i in kept], [translations[i] for i in kept]
        logs = self.forced.log_probabilities(*chosen)
        assessments = [Assessment(1.0, False)] * len(sentences)
        for i, sentence, translation, row in zip(kept, *chosen, logs, strict=True):
            assessments[i] = self._assessment(self.calibration, sentence, translation, row)
        return assessments

    def _assessment(
        self, calibration: Calibration, sentence: str, translation: Translation, logs: Floats
    ) -> Assessment:
        explained = self._explained(sentence, translation)
        features = self._features(sentence, translation, logs, explained)
        confidence = calibration.confidence(features)
        words = self._not_copied(sentence, translation.text)
        lost = self._lost_characters(sentence, translation.text)
        return Assessment(
            confidence,
            confidence < calibration.threshold or bool(lost),
            _least_certain(words_written(translation, logs, self.translator.target_subwords)),
            self._untranslated(sentence, explained),
            tuple(word for word in words if word.lower() not in self.counts),
            lost,
        )

    def _untranslated(self, sentence: str, explained: Floats) -> tuple[str, ...]:
        """Return the known words of a sentence without a counterpart in its translation."""
        rows = zip(tokens(sentence), explained, strict=True)
        words = (word for word, value in rows if value < UNTRANSLATED)
        return tuple(word for word in words if word.lower() in self.counts)

    def _unfamiliar(self, sentence: str, translation: str) -> float:
        words = self._not_copied(sentence, translation)
        return sum(1 / (1 + self.counts.get(word.lower(), 0)) for word in words)

    @staticmethod
    def _not_copied(sentence: str, translation: str) -> list[str]:
        """Return the words of a sentence that do not occur in its translation."""
        copied = set(WORD.findall(translation))
        return [word for word in WORD.findall(sentence) if word not in copied]

    def _lost_characters(self, sentence: str, translation: str) -> str:
        """Return the characters that are neither in the vocabulary nor in the translation."""
        unknown = self.translator.source_subwords.unknown_characters(sentence)
        return "".join(char for char in unknown if char not in translation)


def _least_certain(words: Iterable[Word], most: int = 3) -> tuple[str, ...]:
    """Return at most `most` words with a probability below 0.5, the least probable first.

    They are listed without the punctuation marks after them.
    """
    written = [(word.probability, word.text) for word in words if word.probability is not None]
    unlikely = [text for value, text in sorted(written)[:most] if value < 0.5]
    return tuple(text.rstrip(PUNCTUATION) or text for text in unlikely)


def _indices_of_nonempty(translations: Iterable[Translation]) -> list[int]:
    return [i for i, translation in enumerate(translations) if len(translation.ids) > 1]


def calibrate(
    assessor: Assessor,
    sentences: Sequence[str],
    translations: Sequence[Translation],
    references: Sequence[str],
) -> Calibration:
    """Fit a `Calibration` to translations of validation pairs.

    Args:
        assessor: an `Assessor`, whose temperature becomes that of the calibration.
        sentences: the sources.
        translations: a translation of each source.
        references: the reference of each source.
    """
    kept = _indices_of_nonempty(translations)
    chosen = [sentences[i] for i in kept], [translations[i] for i in kept]
    score = sacrebleu.CHRF().sentence_score
    right = [score(translations[i].text, [references[i]]).score >= RIGHT_CHRF for i in kept]
    fitted = fit(assessor.features(*chosen), right)
    return replace(fitted, temperature=assessor.temperature)
