"""Reranking: the search's best translations, compared once more.

A small network drops words and confuses endings. Two models that only count words know better:
a lexicon notices what is missing, n-grams notice what nobody says. The score of a translation is
extended by theirs in a log-linear model (Och and Ney 2002).
"""

import itertools
import math
from dataclasses import replace

import numpy as np

from keras_transformer.search.settings import RERANKED
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.ngrams import Ngrams

# Chosen on the validation pairs of the built-in corpus and of Multi30k: benchmarks/README.md.
LEXICON_WEIGHT = 0.15
TRANSLATED = math.log(0.02)  # log probability from which on a word counts as translated
NGRAM_WEIGHT = 0.05
MOST_PAIRS = 300_000


class Reranker:
    """Orders the translations of a sentence.

    Args:
        lexicon: a `Lexicon`.
        ngrams: `Ngrams` of the target language.
    """

    def __init__(self, lexicon, ngrams):
        self.lexicon = lexicon
        self.ngrams = ngrams

    @classmethod
    def learn(cls, pairs):
        """Return the reranker learned from (source, target) strings, which are read twice.

        Of more than `MOST_PAIRS`, evenly spaced ones are learned from.
        """
        step = -(-sum(1 for _ in pairs) // MOST_PAIRS) or 1
        pairs = list(itertools.islice(pairs, 0, None, step))
        return cls(Lexicon.learn(pairs), Ngrams.learn(target for _, target in pairs))

    @classmethod
    def of(cls, run):
        """Return the reranker of a `Run`, or None where it has none.

        Raises:
            UserError: what is saved is damaged.
        """
        paths = run.lexicon_file(), run.ngrams_file()
        if not all(path.is_file() for path in paths):
            return None
        return cls(Lexicon.load(paths[0]), Ngrams.load(paths[1]))

    def save(self, run):
        """Save the reranker in a `Run`."""
        self.lexicon.save(run.lexicon_file())
        self.ngrams.save(run.ngrams_file())

    def score(self, source, translation):
        """Return the score by which translations of a source are ordered.

        Args:
            source: a string.
            translation: a `Translation` of it.
        """
        explained = self.lexicon.log_probabilities(source, translation.text)
        # Which of the endings of a word is right, the n-grams know better.
        adequacy = np.minimum(explained, TRANSLATED).sum()
        fluency = self.ngrams.scores(translation.text).sum()
        return translation.score + LEXICON_WEIGHT * adequacy + NGRAM_WEIGHT * fluency

    def order(self, source, translations):
        """Return `Translation`s of a source with their shares, the best first."""
        scores = np.array([self.score(source, each) for each in translations])
        shares = scores - np.logaddexp.reduce(scores)
        order = np.argsort(-scores, kind="stable")
        return [replace(translations[i], share=float(shares[i])) for i in order]


class Reranking:
    """A translator whose translations are reranked.

    Args:
        translator: a `Translator`.
        reranker: a `Reranker`.
    """

    def __init__(self, translator, reranker):
        self.translator = translator
        self.reranker = reranker

    def translate(self, sentences, search=None, **options):
        """Translate sentences; the arguments and the result are those of `Translator.translate`.

        All hypotheses of the beam are reranked. The default is a wider beam, `RERANKED`.
        """
        search = search or RERANKED
        found = self.translator.translate(sentences, search.with_all_hypotheses(), **options)
        ranked = zip(sentences, found, strict=True)
        return [self.reranker.order(sentence, each)[: search.n_best] for sentence, each in ranked]


def reranked(translator, reranker):
    """Return a translator with its reranker, or as it is if that is None."""
    return Reranking(translator, reranker) if reranker else translator
