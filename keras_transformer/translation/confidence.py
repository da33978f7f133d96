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
from typing import NamedTuple, Self

from keras_transformer.runs.run import Run
from keras_transformer.text.words import tokens
from keras_transformer.translation.confidence_features import (
    Evidence,
    FeatureExtractor,
    indices_with_ids,
)
from keras_transformer.translation.confidence_model import ConfidenceModel
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator
from keras_transformer.translation.word_probabilities import Word, words_written

PUNCTUATION = ".,;:!?"
UNTRANSLATED = math.log(0.01)  # words with a smaller log probability count as untranslated


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
        model: the `ConfidenceModel`.
    """

    def __init__(
        self,
        translator: Translator,
        counts: Mapping[str, int],
        lexicon: Lexicon,
        model: ConfidenceModel,
    ) -> None:
        self.translator = translator
        self.model = model
        self.extractor = FeatureExtractor(
            translator, counts, lexicon, model.temperature, model.mean_share
        )

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
        model, words = ConfidenceModel.of(run), run.words()
        if model is None or words is None:
            return None
        lexicon = lexicon or Lexicon.of(run)
        return cls(translator, words[0], lexicon, model) if lexicon else None

    def assess(
        self, sentences: Sequence[str], translations: Sequence[Translation]
    ) -> list[Assessment]:
        """Return the `Assessment` of the translation of each sentence.

        A translation without ids, such as that of white space, has confidence 1.
        """
        kept = indices_with_ids(translations)
        chosen = [sentences[i] for i in kept], [translations[i] for i in kept]
        assessments = [Assessment(1.0, False)] * len(sentences)
        for i, evidence in zip(kept, self.extractor.evidence(*chosen), strict=True):
            assessments[i] = self._assessment(evidence)
        return assessments

    def _assessment(self, evidence: Evidence) -> Assessment:
        confidence = self.model.confidence(self.extractor.features(evidence))
        lost = self._lost_characters(evidence)
        one = evidence.translation
        words = words_written(one.text, [(one, evidence.logs)], self.translator.target_subwords)
        return Assessment(
            confidence,
            confidence < self.model.threshold or bool(lost),
            _least_certain(words),
            self._untranslated(evidence),
            tuple(word for word in evidence.not_copied() if not self._is_known(word)),
            lost,
        )

    def _untranslated(self, evidence: Evidence) -> tuple[str, ...]:
        """Return the known words of a sentence without a counterpart in its translation."""
        rows = zip(tokens(evidence.sentence), evidence.explained, strict=True)
        words = (word for word, value in rows if value < UNTRANSLATED)
        return tuple(filter(self._is_known, words))

    def _is_known(self, word: str) -> bool:
        return word.lower() in self.extractor.counts

    def _lost_characters(self, evidence: Evidence) -> str:
        """Return the characters that are neither in the vocabulary nor in the translation."""
        unknown = self.translator.source_subwords.unknown_characters(evidence.sentence)
        return "".join(char for char in unknown if char not in evidence.translation.text)


def _least_certain(words: Iterable[Word], most: int = 3) -> tuple[str, ...]:
    """Return at most `most` words with a probability below 0.5, the least probable first.

    They are listed without the punctuation marks after them.
    """
    written = [(word.probability, word.text) for word in words if word.probability is not None]
    unlikely = [text for value, text in sorted(written)[:most] if value < 0.5]
    return tuple(text.rstrip(PUNCTUATION) or text for text in unlikely)
