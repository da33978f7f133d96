"""The features of a translation that reranking combines: log scores of models, and the length."""

import math
from collections.abc import Iterable, Sequence
from typing import Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keras_transformer.runs.run import Run
from keras_transformer.translation.forced import ForcedDecoding
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.ngrams import Ngrams
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

TRANSLATED = math.log(0.02)  # words with at least this log probability count as translated

Values: TypeAlias = NDArray[np.float64]


class Feature(Protocol):
    """A property of translations."""

    def values(self, sources: Sequence[str], translations: Sequence[Translation]) -> Values:
        """Return the values (N,) of N translations, the larger the better.

        Args:
            sources: the source of each translation.
            translations: the translations.
        """


class Length:
    """How long a translation is, in subwords.

    The other features are sums over words, and so favor short translations. A weight of the length
    makes up for it, as in statistical translation (Och and Ney 2002, section 4).
    """

    def values(self, sources: Sequence[str], translations: Sequence[Translation]) -> Values:
        """Return the numbers of subwords; see `Feature`."""
        return num_subwords(translations)


def num_subwords(translations: Iterable[Translation]) -> Values:
    """Return the number of subwords of each translation, including the end token."""
    return np.array([max(len(each.ids) - 1, 0) for each in translations], np.float64)


class Adequacy:
    """How well the words of a translation explain those of its source.

    Args:
        lexicon: the `Lexicon` of the training pairs.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def values(self, sources: Sequence[str], translations: Sequence[Translation]) -> Values:
        """Return the sum of the log probabilities of the source's words; see `Feature`."""
        return np.array([self._value(*each) for each in zip(sources, translations, strict=True)])

    def _value(self, source: str, translation: Translation) -> float:
        explained = self.lexicon.log_probabilities(source, translation.text)
        # Above the threshold, the lexicon only chooses between endings of a word. The n-grams do
        # that better.
        return float(np.minimum(explained, TRANSLATED).sum())


class Fluency:
    """How usual the word sequences of a translation are.

    Args:
        ngrams: the `Ngrams` of the training targets.
    """

    def __init__(self, ngrams: Ngrams) -> None:
        self.ngrams = ngrams

    def values(self, sources: Sequence[str], translations: Sequence[Translation]) -> Values:
        """Return the sum of the log scores of the translation's words; see `Feature`."""
        return np.array([self.ngrams.scores(each.text).sum() for each in translations])


class Reconstruction:
    """How probable the source is as a translation of the translation (Yee et al. 2019).

    This is the channel model of statistical translation, as a network that was also trained on the
    reversed pairs.

    Args:
        translator: the `Translator`, whose two languages share a vocabulary.
    """

    def __init__(self, translator: Translator) -> None:
        self.translator = translator
        self.forced = ForcedDecoding(translator)

    @classmethod
    def of(cls, run: Run, translator: Translator) -> Self | None:
        """Return the reconstruction by a network, or None if it was not trained for it.

        Training in both directions at first does not suffice, because the network then forgets the
        reverse direction.

        Args:
            run: the `Run`.
            translator: its `Translator`.
        """
        return cls(translator) if run.config.training.reversed_share else None

    def values(self, sources: Sequence[str], translations: Sequence[Translation]) -> Values:
        """Return the log probability of the source's subwords; see `Feature`."""
        targets = [self._as_target(source) for source in sources]
        rows = self.forced.log_probabilities([each.text for each in translations], targets)
        return np.array([row.sum() for row in rows], np.float64)

    def _as_target(self, source: str) -> Translation:
        """Return a source with its ids as a target, truncated to the maximum length."""
        return Translation(source, 0.0, tuple(self.translator.target_ids(source)))
