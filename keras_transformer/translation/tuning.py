"""Selection of the default decoding of a run on validation pairs.

The search does not use the length penalty to choose among prefixes, only to rank the hypotheses
that have ended. A search without penalty therefore finds the best hypothesis for every penalty:
the hypotheses that end at the last position of the search have the same length, and the best of
them is always kept. A hypothesis that ended earlier is dropped only if one of them is kept that is
at least as probable. Because the latter is also longer, every penalty prefers it. So one search
suffices for all penalties.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
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
PENALTY = "reranked_length_penalty"
# The values of reranking that are compared. The grids are coarse, because the BLEU of a few hundred
# sentences does not distinguish neighbors.
GRIDS: Mapping[str, Sequence[float]] = {
    PENALTY: PENALTIES,
    "lexicon_weight": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3),
    "ngram_weight": (0.0, 0.025, 0.05, 0.075, 0.1, 0.15),
    "reconstruction_weight": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4),
}

Floats: TypeAlias = NDArray[np.floating]
Pair: TypeAlias = tuple[str, str]  # source, reference


class Candidates(NamedTuple):
    """The hypotheses of one sentence, found by a search without length penalty.

    Attributes:
        log_probabilities: (k,), of the network.
        lengths: (k,), numbers of ids, including the end token.
        features: {name of the weight: (k,)} of the features of reranking.
        counts: (k, 10), the `bleu_counts` of each hypothesis.
    """

    log_probabilities: Floats
    lengths: NDArray[np.int64]
    features: Mapping[str, Floats]
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls, found: Sequence[Translation], features: Mapping[str, Floats], reference: str
    ) -> Self:
        """Return the candidates among which a reference decides."""
        return cls(
            np.array([each.score for each in found]),
            np.array([max(len(each.ids) - 1, 0) for each in found]),
            features,
            np.array([bleu_counts([each.text], [reference]) for each in found]),
        )

    def best(self, length_penalty: float, weights: Mapping[str, float]) -> int:
        """Return the index of the hypothesis with the highest score.

        Args:
            length_penalty: the length penalty.
            weights: {name: weight} of the features; others do not count.
        """
        divisors = ((5 + self.lengths) / 6) ** length_penalty  # as in `search.strategy`
        scores = self.log_probabilities / divisors
        for name in self.features.keys() & weights.keys():
            scores = scores + weights[name] * self.features[name]
        return int(np.argmax(scores))


def select_decoding(translator: Translator, reranker: Reranker, pairs: Sequence[Pair]) -> Decoding:
    """Return the decoding with the highest BLEU on some pairs, by the default search settings.

    Args:
        translator: the `Translator`.
        reranker: its `Reranker`.
        pairs: (source, reference) strings, at least one. They must not be training pairs.
    """
    plain = select_penalty(plain_candidates(translator, pairs))
    values = select_values(reranked_candidates(translator, reranker, pairs))
    return replace(Decoding(plain), **values)


def select_penalty(candidates: Sequence[Candidates]) -> float:
    """Return the length penalty among `PENALTIES` with the highest BLEU, without reranking.

    Of equally good ones, it is the default of `SearchSettings`, or else the smallest.
    """
    default = SearchSettings.length_penalty
    return max((default, *PENALTIES), key=lambda penalty: corpus_bleu(candidates, penalty))


def select_values(candidates: Sequence[Candidates]) -> dict[str, float]:
    """Return {name: value} of the penalty and the weights of reranking with the highest BLEU.

    The search for them begins at the defaults of `Decoding`.

    Args:
        candidates: the hypotheses of at least one sentence, which have the same features.
    """
    defaults = asdict(Decoding())
    grids = {name: GRIDS[name] for name in (PENALTY, *candidates[0].features)}
    start = {name: defaults[name] for name in grids}

    def score(values: Mapping[str, float]) -> float:
        return corpus_bleu(candidates, values[PENALTY], values)

    return coordinate_search(score, start, grids)


def coordinate_search(
    score: Callable[[Mapping[str, float]], float],
    start: Mapping[str, float],
    grids: Mapping[str, Sequence[float]],
) -> dict[str, float]:
    """Return values that no change of a single one improves.

    The values are changed in turn, as in minimum error rate training (Och 2003). A value is kept
    unless another one is better.

    Args:
        score: the function to maximize, of {name: value}.
        start: the first values.
        grids: {name: the values to try}.
    """
    best, before = dict(start), None
    while best != before:
        before = best
        for name, grid in grids.items():
            best = max([best, *(best | {name: value} for value in grid)], key=score)
    return best


def corpus_bleu(
    candidates: Sequence[Candidates],
    length_penalty: float,
    weights: Mapping[str, float] | None = None,
) -> float:
    """Return the BLEU of the best hypotheses of all sentences; for the arguments see `best`."""
    return bleu(best_counts(candidates, length_penalty, weights or {}))


def best_counts(
    candidates: Sequence[Candidates], length_penalty: float, weights: Mapping[str, float]
) -> NDArray[np.int64]:
    """Return the sum of the counts (10,) of the best hypotheses; for the arguments see `best`."""
    return np.sum([each.counts[each.best(length_penalty, weights)] for each in candidates], axis=0)


def plain_candidates(translator: Translator, pairs: Sequence[Pair]) -> list[Candidates]:
    """Return the hypotheses of each source that the network alone chooses from.

    As in the search, a hypothesis that has not ended only counts if none has.
    """
    end = translator.target_subwords.end
    found = hypotheses(translator, pairs, SearchSettings())
    ended = [[each for each in row if each.ids[-1:] == (end,)] or row for row in found]
    return [Candidates.of(each, {}, pair[1]) for each, pair in zip(ended, pairs, strict=True)]


def reranked_candidates(
    translator: Translator, reranker: Reranker, pairs: Sequence[Pair]
) -> list[Candidates]:
    """Return the hypotheses of each source that reranking chooses from, with their features."""
    found = hypotheses(translator, pairs, RERANKED)
    sources = [source for row, (source, _) in zip(found, pairs, strict=True) for _ in row]
    flat, ends = [each for row in found for each in row], np.cumsum([len(row) for row in found])
    columns = {
        name: np.split(feature.values(sources, flat), ends[:-1])
        for name, feature in reranker.features.items()
    }
    return [
        Candidates.of(row, {name: column[i] for name, column in columns.items()}, reference)
        for i, (row, (_, reference)) in enumerate(zip(found, pairs, strict=True))
    ]


def hypotheses(
    translator: Translator, pairs: Sequence[Pair], settings: SearchSettings
) -> list[list[Translation]]:
    """Return all hypotheses of each source, whose scores are their log probabilities."""
    unpenalized = replace(settings.with_all_hypotheses(), length_penalty=0.0)
    return translator.translate([source for source, _ in pairs], unpenalized)
