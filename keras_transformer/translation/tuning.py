"""Selection of the default decoding of a run on validation pairs.

The search does not use the length penalty to choose among prefixes, only to rank the hypotheses
that have ended. A search without penalty therefore finds the best hypothesis for every penalty:
the hypotheses that end at the last position of the search have the same length, and the best of
them is always kept. A hypothesis that ended earlier is dropped only if one of them is kept that is
at least as probable. Because the latter is also longer, every penalty prefers it. So one search
suffices for all penalties.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keras_transformer.search.settings import RERANKED, SearchSettings
from keras_transformer.translation.decoding import LARGEST_PENALTY, Decoding
from keras_transformer.translation.evaluation import bleu, bleu_counts
from keras_transformer.translation.reranking import Reranker
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

PENALTIES = tuple(np.linspace(0.0, LARGEST_PENALTY, 7).tolist())  # 0, 0.5, ..., 3

Floats: TypeAlias = NDArray[np.floating]
Pair: TypeAlias = tuple[str, str]  # source, reference


class Candidates(NamedTuple):
    """The hypotheses of one sentence, found by a search without length penalty.

    Attributes:
        log_probabilities: (k,), of the network.
        lengths: (k,), numbers of ids, including the end token.
        others: (k,), what reranking adds to the network's score; 0 without reranking.
        counts: (k, 10), the `bleu_counts` of each hypothesis.
    """

    log_probabilities: Floats
    lengths: NDArray[np.int64]
    others: Floats
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, found: Sequence[Translation], others: Sequence[float], reference: str) -> Self:
        """Return the candidates among which a reference decides."""
        return cls(
            np.array([each.score for each in found]),
            np.array([max(len(each.ids) - 1, 0) for each in found]),
            np.array(others),
            np.array([bleu_counts([each.text], [reference]) for each in found]),
        )

    def best(self, length_penalty: float) -> int:
        """Return the index of the hypothesis with the highest score."""
        divisors = ((5 + self.lengths) / 6) ** length_penalty  # as in `search.strategy`
        return int(np.argmax(self.log_probabilities / divisors + self.others))


def select_decoding(translator: Translator, reranker: Reranker, pairs: Sequence[Pair]) -> Decoding:
    """Return the decoding with the highest BLEU on some pairs, by the default search settings.

    Args:
        translator: the `Translator`.
        reranker: its `Reranker`.
        pairs: (source, reference) strings, at least one. They must not be training pairs.
    """
    return Decoding(
        select_penalty(plain_candidates(translator, pairs)),
        select_penalty(reranked_candidates(translator, reranker, pairs)),
    )


def select_penalty(candidates: Sequence[Candidates]) -> float:
    """Return the length penalty among `PENALTIES` with the highest BLEU.

    Of equally good ones, it is the default of `SearchSettings`, or else the smallest.
    """
    default = SearchSettings.length_penalty
    return max((default, *PENALTIES), key=lambda penalty: corpus_bleu(candidates, penalty))


def corpus_bleu(candidates: Sequence[Candidates], length_penalty: float) -> float:
    """Return the BLEU of the best hypotheses of all sentences."""
    return bleu(sum(each.counts[each.best(length_penalty)] for each in candidates))


def plain_candidates(translator: Translator, pairs: Sequence[Pair]) -> list[Candidates]:
    """Return the hypotheses of each source that the network alone chooses from.

    As in the search, a hypothesis that has not ended only counts if none has.
    """
    end = translator.target_subwords.end

    def candidates(found: Sequence[Translation], reference: str) -> Candidates:
        kept = [each for each in found if each.ids[-1:] == (end,)] or found
        return Candidates.of(kept, [0.0] * len(kept), reference)

    found = hypotheses(translator, pairs, SearchSettings())
    return [candidates(each, pair[1]) for each, pair in zip(found, pairs, strict=True)]


def reranked_candidates(
    translator: Translator, reranker: Reranker, pairs: Sequence[Pair]
) -> list[Candidates]:
    """Return the hypotheses of each source that reranking chooses from."""

    def candidates(found: Sequence[Translation], source: str, reference: str) -> Candidates:
        others = [reranker.score(source, replace(each, score=0.0)) for each in found]
        return Candidates.of(found, others, reference)

    found = hypotheses(translator, pairs, RERANKED)
    return [candidates(each, *pair) for each, pair in zip(found, pairs, strict=True)]


def hypotheses(
    translator: Translator, pairs: Sequence[Pair], settings: SearchSettings
) -> list[list[Translation]]:
    """Return all hypotheses of each source, whose scores are their log probabilities."""
    unpenalized = replace(settings.with_all_hypotheses(), length_penalty=0.0)
    return translator.translate([source for source, _ in pairs], unpenalized)
