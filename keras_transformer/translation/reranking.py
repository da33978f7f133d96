"""Reranking: a second ordering of the hypotheses that the search found.

A small network drops words and confuses endings. Two models based on counts of words correct this:
a lexicon penalizes source words without a translation, and an n-gram model penalizes unusual word
sequences. Their scores are added to the network's score in a log-linear model (Och and Ney 2002).
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Self

import numpy as np

from keras_transformer.runs.run import LEXICON, NGRAMS, Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.decoding import Decoding, default_decoding
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.ngrams import Ngrams
from keras_transformer.translation.translation import SentenceTranslator, Translation

# Chosen on the validation pairs of the built-in corpus and of Multi30k: benchmarks/README.md.
LEXICON_WEIGHT = 0.15
TRANSLATED = math.log(0.02)  # words with at least this log probability count as translated
NGRAM_WEIGHT = 0.05
MAX_PAIRS = 300_000  # pairs to learn from; a larger corpus is sampled


class Reranker:
    """Orders the translations of a sentence.

    Args:
        lexicon: a `Lexicon`.
        ngrams: `Ngrams` of the target language.
        decoding: the `Decoding` of the run; `Decoding()` by default.
    """

    def __init__(self, lexicon: Lexicon, ngrams: Ngrams, decoding: Decoding | None = None) -> None:
        self.lexicon = lexicon
        self.ngrams = ngrams
        self.decoding = decoding or Decoding()

    @classmethod
    def learn(cls, pairs: Iterable[tuple[str, str]]) -> Self:
        """Return the reranker learned from sentence pairs.

        Args:
            pairs: iterable of (source, target) strings, which is read twice. If there are more than
                `MAX_PAIRS`, evenly spaced pairs are used.
        """
        step = max(1, math.ceil(sum(1 for _ in pairs) / MAX_PAIRS))
        sample = list(itertools.islice(pairs, 0, None, step))
        return cls(Lexicon.learn(sample), Ngrams.learn(target for _, target in sample))

    @classmethod
    def of(cls, run: Run) -> Self | None:
        """Load the reranker of a run, or return None if the run has none.

        Raises:
            UserError: If a file is damaged.
        """
        if not (run.has(LEXICON) and run.has(NGRAMS)):
            return None
        lexicon, ngrams = Lexicon.load(run.lexicon_file()), Ngrams.load(run.ngrams_file())
        return cls(lexicon, ngrams, default_decoding(run))

    def save(self, run: Run) -> None:
        """Save the lexicon and the n-grams in a run."""
        with run.replacing(LEXICON) as path:
            self.lexicon.save(path)
        with run.replacing(NGRAMS) as path:
            self.ngrams.save(path)

    def score(self, source: str, translation: Translation) -> float:
        """Return the score by which translations of a source are ordered."""
        explained = self.lexicon.log_probabilities(source, translation.text)
        # Above the threshold, the lexicon only chooses between endings of a word. The n-grams do
        # that better.
        adequacy = np.minimum(explained, TRANSLATED).sum()
        fluency = self.ngrams.scores(translation.text).sum()
        return translation.score + LEXICON_WEIGHT * adequacy + NGRAM_WEIGHT * fluency

    def order(self, source: str, translations: Sequence[Translation]) -> list[Translation]:
        """Return the translations of a source, best first, with their `share` set."""
        scores = np.array([self.score(source, each) for each in translations])
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

    def translate(
        self, sentences: Sequence[str], search: SearchSettings | None = None, **options: object
    ) -> list[list[Translation]]:
        """Translate sentences; for arguments and result see `Translator.translate`.

        All hypotheses of the beam are reranked. The default of `search` is that of the reranker's
        `Decoding`, which has a wider beam.
        """
        search = search or self.reranker.decoding.reranked_search()
        found = self.translator.translate(sentences, search.with_all_hypotheses(), **options)
        ranked = zip(sentences, found, strict=True)
        return [self.reranker.order(sentence, each)[: search.n_best] for sentence, each in ranked]


def reranked(translator: SentenceTranslator, reranker: Reranker | None) -> SentenceTranslator:
    """Return a `Reranking` of the translator, or the translator itself without a reranker."""
    return Reranking(translator, reranker) if reranker else translator
