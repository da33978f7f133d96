"""The features from which the confidence in a translation is computed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from keras_transformer.text.words import cased_words, fold_case
from keras_transformer.translation.forced import Floats, ForcedDecoding
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator


class Features(NamedTuple):
    """The features from which the confidence in a translation is computed.

    Attributes:
        mean: mean probability of the translation's subwords at the calibrated temperature: the
            share of them that should be right. Models of earlier versions have no temperature;
            for those, the mean log probability in nats.
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


class Evidence(NamedTuple):
    """What the network and the lexicon know about one translation.

    Attributes:
        sentence: the source.
        translation: its translation.
        logs: log probability of each subword of the translation (T - 1,).
        explained: log probability in the lexicon of each token of the source (N,).
    """

    sentence: str
    translation: Translation
    logs: Floats
    explained: Floats

    def not_copied(self) -> list[str]:
        """Return the words of the source that do not occur in the translation."""
        copied = set(cased_words(self.translation.text))
        return [word for word in cased_words(self.sentence) if word not in copied]


class FeatureExtractor:
    """Extracts the features of translations.

    Args:
        translator: the `Translator` that made the translations.
        counts: {word: occurrences in the training sources}, as `count_words` returns it.
        lexicon: the `Lexicon` of the training pairs.
        temperature: the temperature of the subwords' probabilities; None for a model of an earlier
            version, which has none.
        mean_share: the `share` of translations that were not reranked.
    """

    def __init__(
        self,
        translator: Translator,
        counts: Mapping[str, int],
        lexicon: Lexicon,
        temperature: float | None = None,
        mean_share: float = 0.0,
    ) -> None:
        self.counts = fold_case(counts)
        self.lexicon = lexicon
        self.temperature = temperature
        self.mean_share = mean_share
        self.forced = ForcedDecoding(translator, temperature or 1.0)

    def evidence(
        self, sentences: Sequence[str], translations: Sequence[Translation]
    ) -> list[Evidence]:
        """Return the `Evidence` on each sentence's translation, which must not be empty."""
        logs = self.forced.log_probabilities(sentences, translations)
        return [
            Evidence(*row, self.lexicon.log_probabilities(row[0], row[1].text))
            for row in zip(sentences, translations, logs, strict=True)
        ]

    def features(self, evidence: Evidence) -> Features:
        """Return the `Features` of one translation."""
        share = evidence.translation.share
        return Features(
            self._mean(evidence.logs),
            sum(1 / (1 + self.counts.get(word.lower(), 0)) for word in evidence.not_copied()),
            float(evidence.explained.min(initial=0.0)),
            self.mean_share if share is None else share,
        )

    def _mean(self, logs: Floats) -> float:
        return float(logs.mean() if self.temperature is None else np.exp(logs).mean())


def indices_with_ids(translations: Iterable[Translation]) -> list[int]:
    """Return the indices of the translations with ids, unlike that of white space."""
    return [i for i, translation in enumerate(translations) if len(translation.ids) > 1]
