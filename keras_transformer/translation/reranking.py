"""Reranking: a second ordering of the hypotheses that the search found.

A small network drops words and confuses endings. Further models correct this: a lexicon penalizes
source words without a translation, an n-gram model penalizes unusual word sequences, and a network
that translates in both directions penalizes translations from which the source is improbable. Their
scores are added to the network's score in a log-linear model (Och and Ney 2002), whose weights are
selected on validation pairs.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Self

import numpy as np

from keras_transformer.runs.layout import LEXICON, NGRAMS
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import RERANKED, SearchSettings
from keras_transformer.text.pairs import evenly_spaced
from keras_transformer.translation.decoding import Decoding, default_decoding
from keras_transformer.translation.features import (
    Adequacy,
    Feature,
    Fluency,
    Length,
    Reconstruction,
    Values,
)
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.ngrams import Ngrams
from keras_transformer.translation.translation import (
    SentenceTranslator,
    Translation,
    without_repetitions,
)
from keras_transformer.translation.translator import Translator

MAX_PAIRS = 300_000  # pairs to learn from; a larger corpus is sampled


class Reranker:
    """Orders the translations of sentences.

    Args:
        lexicon: a `Lexicon`.
        ngrams: `Ngrams` of the target language.
        decoding: the `Decoding` of the run, which has the weights; `Decoding()` by default.
        reconstruction: the `Reconstruction` of the sources by the network, or None to leave it out.

    Attributes:
        features: the `Feature`s, by the names of their weights.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        ngrams: Ngrams,
        decoding: Decoding | None = None,
        reconstruction: Reconstruction | None = None,
    ) -> None:
        self.lexicon = lexicon
        self.decoding = decoding or Decoding()
        self.ngrams = ngrams
        self.features: dict[str, Feature] = {
            "length_weight": Length(),
            "lexicon_weight": Adequacy(lexicon),
            "ngram_weight": Fluency(ngrams),
        }
        self.reconstruction = reconstruction
        if reconstruction:
            self.features["reconstruction_weight"] = reconstruction

    @classmethod
    def learn(
        cls, pairs: Iterable[tuple[str, str]], reconstruction: Reconstruction | None = None
    ) -> Self:
        """Return the reranker learned from sentence pairs.

        Args:
            pairs: iterable of (source, target) strings, which is read twice. If there are more than
                `MAX_PAIRS`, evenly spaced pairs are used.
            reconstruction: the `Reconstruction` by the network, or None to leave it out.
        """
        sample = evenly_spaced(pairs, MAX_PAIRS)
        ngrams = Ngrams.learn(target for _, target in sample)
        return cls(Lexicon.learn(sample), ngrams, None, reconstruction)

    @classmethod
    def of(cls, run: Run, translator: Translator | None = None) -> Self | None:
        """Load the reranker of a run, or return None if the run has none.

        Args:
            run: the `Run`.
            translator: its `Translator`, for the reconstruction. Without it, reconstruction is left
                out.

        Raises:
            UserError: If a file is damaged.
        """
        lexicon = Lexicon.of(run) if run.has(NGRAMS) else None
        if lexicon is None:
            return None
        ngrams, decoding = Ngrams.load(run.ngrams_file()), default_decoding(run)
        reconstruction = Reconstruction.of(run, translator) if translator else None
        return cls(lexicon, ngrams, decoding, reconstruction)

    def by(self, decoding: Decoding) -> Self:
        """Return this reranker with other weights."""
        return type(self)(self.lexicon, self.ngrams, decoding, self.reconstruction)

    def save(self, run: Run) -> None:
        """Save the lexicon and the n-grams in a run."""
        with run.replacing(LEXICON) as path:
            self.lexicon.save(path)
        with run.replacing(NGRAMS) as path:
            self.ngrams.save(path)

    def scores(self, sources: Sequence[str], translations: Sequence[Translation]) -> Values:
        """Return the scores (N,) by which translations are ordered.

        Args:
            sources: the source of each translation.
            translations: the translations.
        """
        total = np.array([each.score for each in translations])
        for name, feature in self.features.items():
            if weight := getattr(self.decoding, name):
                total = total + weight * feature.values(sources, translations)
        return total

    def order(
        self, sources: Sequence[str], found: Sequence[Sequence[Translation]]
    ) -> list[list[Translation]]:
        """Return the translations of each source, best first, with their `share` set.

        Args:
            sources: the sources.
            found: the translations of each source.
        """
        repeated = [source for source, each in zip(sources, found, strict=True) for _ in each]
        scores = self.scores(repeated, list(itertools.chain(*found)))
        ends = np.cumsum([len(each) for each in found])
        return [
            _ordered(each, scores[end - len(each) : end])
            for each, end in zip(found, ends, strict=True)
        ]


def _ordered(translations: Sequence[Translation], scores: Values) -> list[Translation]:
    """Return the translations of one source by their scores (k,), best first."""
    shares = scores - np.logaddexp.reduce(scores)
    order = np.argsort(-scores, kind="stable")
    return [replace(translations[i], share=float(shares[i])) for i in order]


class Reranking:
    """A translator that reranks its translations.

    Args:
        translator: a `Translator`.
        reranker: a `Reranker`.
    """

    def __init__(self, translator: SentenceTranslator, reranker: Reranker) -> None:
        self.translator = translator
        self.reranker = reranker
        self.search = RERANKED  # the default

    def translate(
        self, sentences: Sequence[str], search: SearchSettings | None = None, **options: object
    ) -> list[list[Translation]]:
        """Translate sentences; for arguments and result see `Translator.translate`.

        All hypotheses of the beam are reranked. The default of `search` is `RERANKED`, which has a
        wider beam, and no length penalty, because the length is a feature of reranking. Of
        hypotheses with the same text, which differ in their subwords, the best one is returned.
        Samples may be equal.
        """
        search = search or self.search
        found = list(self.translator.translate(sentences, search.with_all_hypotheses(), **options))
        ordered = self.reranker.order(sentences, found)
        if search.strategy == "beam":
            ordered = list(map(without_repetitions, ordered))
        return [each[: search.n_best] for each in ordered]


def reranked(translator: SentenceTranslator, reranker: Reranker | None) -> SentenceTranslator:
    """Return a `Reranking` of the translator, or the translator itself without a reranker."""
    return Reranking(translator, reranker) if reranker else translator
