"""How likely a translation is to be right, calibrated on validation pairs.

The probability that a network gives to its own translation says little by itself: a small network
is often sure of nonsense. A logistic regression combines it with how familiar the source's words
are from the training and with what a lexicon finds untranslated. It is fitted to translations of
validation pairs, where a translation close to its reference counts as right. (Kepler et al. 2019
survey features for such quality estimation.)
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import sacrebleu
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.text.batches import pad
from keras_transformer.text.words import WORD, fold_case, tokens
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.parallel import side_by_side

RIGHT_CHRF = 85.0  # of a translation that counts as right; readers agree in nine of ten cases
FALSE_ALARMS = 0.09  # share of right validation translations below the threshold
UNTRANSLATED = math.log(0.01)  # log probability in the lexicon below which a word counts as such
BATCH_SIZE = 64


class Features(NamedTuple):
    """What the confidence in a translation is computed from.

    `mean` is the mean log probability of the translation's subwords, in nats. `unfamiliar` sums
    1 / (1 + occurrences in the training) over the source's words, without those that the
    translation copies. `untranslated` is the log probability in the lexicon of the source word
    that the translation explains worst, and `share` that of a `Translation`.
    """

    mean: float
    unfamiliar: float
    untranslated: float
    share: float


# The weights that the regression assumes, for features in standard deviations, and the penalty of
# the squared distance from them. The weight of unknown words is as good as fixed: validation pairs
# hardly have any, but text far from the training is full of them.
PRIOR = Features(mean=0.8, unfamiliar=-0.5, untranslated=0.9, share=0.8)
PENALTY = Features(mean=10.0, unfamiliar=1e4, untranslated=10.0, share=10.0)


@dataclass(frozen=True)
class Calibration:
    """A fitted logistic regression and the confidence below which a translation is unsure.

    `center` and `scale` standardize the features, `weights` and `bias` combine them.
    """

    center: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    threshold: float

    def confidence(self, features):
        """Return the probability that a translation is right, from 0 to 1."""
        standard = (np.asarray(features) - self.center) / self.scale
        return float(_logistic(standard @ np.asarray(self.weights) + self.bias))


def fit(features, right):
    """Fit a `Calibration` by maximum likelihood with a normal prior (Newton's method).

    Args:
        features: list of `Features`, at least one.
        right: list of bools of the same length.
    """
    table, right = np.asarray(features, float), np.asarray(right, float)  # (N, F), (N,)
    center, scale = table.mean(0), table.std(0) + 1e-6
    rows = np.column_stack([(table - center) / scale, np.ones(len(table))])  # (N, F + 1)
    prior = np.array([*PRIOR, 0.0])
    weights = prior.copy()
    penalty = np.diag([*PENALTY, 1e-3])  # the bias is hardly penalized
    for _ in range(25):
        predicted = _logistic(rows @ weights)
        gradient = rows.T @ (right - predicted) - penalty @ (weights - prior)
        hessian = (rows * (predicted * (1 - predicted))[:, np.newaxis]).T @ rows + penalty
        weights += np.linalg.solve(hessian, gradient)
    confident = _logistic(rows @ weights)[right == 1]
    threshold = float(np.quantile(confident, FALSE_ALARMS)) if len(confident) else 1.0
    *slopes, bias = weights.tolist()
    return Calibration(tuple(center), tuple(scale), tuple(slopes), bias, threshold)


def _logistic(value):
    return 1 / (1 + np.exp(-np.clip(value, -50, 50)))


class Assessment(NamedTuple):
    """What is known about one translation.

    `confidence` is from 0 to 1; `unsure` tells whether it is below the threshold or a character
    was lost; `least_certain` are words of the translation, the least probable first; nothing in
    the translation seems to stand for the `untranslated` words of the source; its `unknown_words`
    do not occur in the training, its `lost_characters` neither in the vocabulary nor in the
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
        translator: the `Translator` that made them.
        counts: {word: occurrences in the training} of the source, as `count_words` returns it.
        lexicon: the `Lexicon` of the training.
        calibration: a `Calibration`; None to extract features only.
    """

    def __init__(self, translator, counts, lexicon, calibration=None):
        self.translator = translator
        self.lexicon = lexicon
        self.counts = fold_case(counts)
        self.calibration = calibration
        self._log_probabilities = tf.function(
            self._forward,
            input_signature=[tf.TensorSpec((None, None), tf.int32)] * 2,
            autograph=False,
        )

    @classmethod
    def of(cls, translator, run):
        """Return the assessor of a `Run`, or None where the run is not calibrated.

        Raises:
            UserError: what is saved is damaged.
        """
        values, words, path = run.calibration(), run.words(), run.lexicon_file()
        if values is None or words is None or not path.is_file():
            return None
        try:
            return cls(translator, words[0], Lexicon.load(path), Calibration(**values))
        except TypeError as error:
            raise UserError(f"{run.directory}: damaged calibration: {error}") from error

    def features(self, sentences, translations):
        """Return the `Features` of each sentence's translation, which must not be empty."""
        logs = self.log_probabilities(sentences, translations)
        rows = zip(sentences, translations, logs, strict=True)
        return [self._features(*row) for row in rows]

    def _features(self, sentence, translation, logs):
        text = translation.text
        explained = self.lexicon.log_probabilities(sentence, text).min(initial=0.0)
        unfamiliar = self._unfamiliar(sentence, text)
        return Features(float(logs.mean()), unfamiliar, float(explained), translation.share)

    def assess(self, sentences, translations):
        """Return the `Assessment` of each sentence's `Translation`; an empty one is certain."""
        found = [Assessment(1.0, False)] * len(sentences)
        rows = [i for i, translation in enumerate(translations) if len(translation.ids) > 1]
        sentences, translations = [[side[i] for i in rows] for side in (sentences, translations)]
        logs = self.log_probabilities(sentences, translations)
        for row, *each in zip(rows, sentences, translations, logs, strict=True):
            found[row] = self._assessment(*each)
        return found

    def _assessment(self, sentence, translation, logs):
        text = translation.text
        features = self._features(sentence, translation, logs)
        confidence = self.calibration.confidence(features)
        lost = self._lost_characters(sentence, text)
        return Assessment(
            confidence,
            confidence < self.calibration.threshold or bool(lost),
            self._least_certain(translation, logs),
            self._untranslated(sentence, text),
            tuple(word for word in self._not_copied(sentence, text) if word not in self.counts),
            lost,
        )

    def _untranslated(self, sentence, text):
        """Return the known words of a sentence that nothing in its translation stands for."""
        explained = self.lexicon.log_probabilities(sentence, text)
        rows = zip(tokens(sentence), explained, strict=True)
        words = (word for word, value in rows if value < UNTRANSLATED)
        return tuple(word for word in words if word.lower() in self.counts)

    def log_probabilities(self, sentences, translations):
        """Return for each translation an array (T - 1,): the log probability of each subword."""
        order = sorted(range(len(sentences)), key=lambda i: len(translations[i].ids))
        batches = [order[i : i + BATCH_SIZE] for i in range(0, len(order), BATCH_SIZE)]

        def forward(batch):
            source = [self.translator.source_ids(sentences[i]) for i in batch]
            target = [translations[i].ids for i in batch]
            return self._log_probabilities(pad(source), pad(target)).numpy()

        found = [None] * len(sentences)
        for batch, rows in zip(batches, side_by_side(forward, batches), strict=True):
            for i, row in zip(batch, rows, strict=True):
                found[i] = row[: len(translations[i].ids) - 1]
        return found

    def _forward(self, source, target):
        """Source ids (B, S), target ids (B, T) -> log probabilities (B, T - 1)."""
        wanted = target[:, 1:]
        logits = self.translator.model((source, target[:, :-1]), training=False)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(wanted, tf.cast(logits, tf.float32))
        return -losses

    def _unfamiliar(self, sentence, translation):
        return sum(
            1 / (1 + self.counts.get(word, 0)) for word in self._not_copied(sentence, translation)
        )

    @staticmethod
    def _not_copied(sentence, translation):
        """Return the words of a sentence that do not occur in its translation as they are."""
        copied = set(WORD.findall(translation))
        return [word.lower() for word in WORD.findall(sentence) if word not in copied]

    def _lost_characters(self, sentence, translation):
        """Return the characters outside the vocabulary that the translation does not have."""
        unknown = self.translator.source_subwords.unknown_characters(sentence)
        return "".join(char for char in unknown if char not in translation)

    def _least_certain(self, translation, logs, most=3):
        """Return the least probable words of a translation, with a probability below a half."""
        pieces = self.translator.target_subwords.labels(translation.ids[1:])
        least = {}
        for word, value in zip(_word_numbers(pieces), logs, strict=True):
            least[word] = min(value, least.get(word, 0.0))
        texts = translation.text.split()
        ranked = sorted((value, word) for word, value in least.items() if word < len(texts))
        return tuple(texts[word] for value, word in ranked[:most] if value < np.log(0.5))


def _word_numbers(pieces):
    """Return for each piece the number of the word that it belongs to, from 0."""
    starts = [piece.startswith("▁") for piece in pieces]
    return np.maximum(np.cumsum(starts) - 1, 0).tolist()


def calibrate(assessor, sentences, translations, references):
    """Fit a `Calibration` to translations of validation pairs.

    Args:
        assessor: an `Assessor`.
        sentences, references: lists of strings.
        translations: list of the `Translation`s of the sentences.
    """
    kept = [i for i, translation in enumerate(translations) if len(translation.ids) > 1]
    chosen = [[side[i] for i in kept] for side in (sentences, translations)]
    chrf = sacrebleu.CHRF()
    right = [
        chrf.sentence_score(translations[i].text, [references[i]]).score >= RIGHT_CHRF for i in kept
    ]
    return fit(assessor.features(*chosen), right)
