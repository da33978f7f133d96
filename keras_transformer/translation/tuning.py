"""Selection of the default decoding of a run on validation pairs.

The search does not use the length penalty to choose among prefixes, only to rank the hypotheses
that have ended. A search without penalty therefore finds the best hypothesis for every penalty:
the hypotheses that end at the last position of the search have the same length, and the best of
them is always kept. A hypothesis that ended earlier is dropped only if one of them is kept that is
at least as probable. Because the latter is also longer, every penalty prefers it. So one search
suffices for all penalties.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keras_transformer.search.settings import RERANKED, SearchSettings
from keras_transformer.translation.bleu import bleu, bleu_counts
from keras_transformer.translation.decoding import MAX_PENALTY, Decoding
from keras_transformer.translation.features import Values, num_subwords
from keras_transformer.translation.reranking import Reranker
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator

PENALTIES = tuple(np.linspace(0.0, MAX_PENALTY, 7).tolist())  # 0, 0.5, ..., 3
# The weights of reranking that are compared, among them the defaults. The grids are coarse, because
# the BLEU of a thousand sentences does not distinguish neighbors.
GRIDS: Mapping[str, Sequence[float]] = {
    "length_weight": (0.0, 0.4, 0.8, 1.2, 1.6),
    "lexicon_weight": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5),
    "ngram_weight": (0.0, 0.05, 0.1, 0.15, 0.2),
    "reconstruction_weight": (0.0, 0.1, 0.2, 0.3, 0.5),
}

# The best weights for one half of some validation pairs were on average worse for the other half
# than the defaults; with this threshold, they were no worse: benchmarks/README.md.
STEP_GAIN = 0.3

Counts: TypeAlias = NDArray[np.int64]
Pair: TypeAlias = tuple[str, str]  # source, reference


class Candidates(NamedTuple):
    """The hypotheses of N sentences, found by a search without length penalty.

    A sentence with fewer than k hypotheses has further ones that are impossible.

    Attributes:
        log_probabilities: (N, k), of the network; -inf if impossible.
        lengths: (N, k), numbers of subwords, including the end token.
        features: {name of the weight: (N, k)} of the features of reranking.
        counts: (N, k, 10), the `bleu_counts` of each hypothesis.
    """

    log_probabilities: Values
    lengths: Values
    features: Mapping[str, Values]
    counts: Counts

    @classmethod
    def of(
        cls,
        found: Sequence[Sequence[Translation]],
        features: Mapping[str, Values],
        references: Iterable[str],
        tokenize: str,
    ) -> Self:
        """Return the candidates of each sentence, among which its reference decides.

        Args:
            found: the hypotheses of each sentence.
            features: {name: values of all hypotheses, one sentence after the other}.
            references: the reference of each sentence.
            tokenize: tokenizer for BLEU, as sacrebleu names it.
        """
        scores = np.array([each.score for row in found for each in row])
        counts = [
            bleu_counts([each.text], [reference], tokenize)
            for row, reference in zip(found, references, strict=True)
            for each in row
        ]
        rows = list(map(len, found))
        return cls(
            _table(scores, rows, -np.inf),
            _table(num_subwords(itertools.chain(*found)), rows),
            {name: _table(values, rows) for name, values in features.items()},
            _table(np.array(counts), rows),
        )

    def penalized(self, length_penalty: float) -> Values:
        """Return the scores (N, k) of the search with a length penalty."""
        return self.log_probabilities / ((5 + self.lengths) / 6) ** length_penalty

    def weighted(self, weights: Mapping[str, float]) -> Values:
        """Return the scores (N, k) of reranking; weights of other features do not count."""
        names = self.features.keys() & weights.keys()
        return sum((weights[name] * self.features[name] for name in names), self.log_probabilities)

    def best_counts(self, scores: Values) -> Counts:
        """Return the sum of the counts (10,) of the hypotheses with the highest scores (N, k)."""
        rows = np.arange(len(scores))
        return self.counts[rows, scores.argmax(axis=1)].sum(axis=0)

    def bleu(self, scores: Values) -> float:
        """Return the BLEU of the hypotheses with the highest scores (N, k)."""
        return bleu(self.best_counts(scores))

    def take(self, sentences: slice) -> "Candidates":
        """Return the candidates of some sentences."""
        log_probabilities, lengths, features, counts = self
        return Candidates(
            log_probabilities[sentences],
            lengths[sentences],
            {name: values[sentences] for name, values in features.items()},
            counts[sentences],
        )

    def with_features(self, names: Iterable[str]) -> "Candidates":
        """Return these candidates with only some of their features."""
        return self._replace(features={name: self.features[name] for name in names})


def _table(values: NDArray, rows: Sequence[int], padding: float = 0) -> NDArray:
    """Return values, one row after the other, as an array (N, k, ...) with padded rows."""
    is_value = np.arange(max(rows)) < np.array(rows)[:, None]
    table = np.full((*is_value.shape, *values.shape[1:]), padding, values.dtype)
    table[is_value] = values
    return table


def select_decoding(
    translator: Translator, reranker: Reranker, pairs: Sequence[Pair], tokenize: str
) -> Decoding:
    """Return the decoding with the highest BLEU on some pairs, by the default search settings.

    Args:
        translator: the `Translator`.
        reranker: its `Reranker`.
        pairs: (source, reference) strings, at least one. They must not be training pairs.
        tokenize: tokenizer for BLEU, as sacrebleu names it.
    """
    penalty = select_penalty(plain_candidates(translator, pairs, tokenize))
    weights = select_weights(reranked_candidates(translator, reranker, pairs, tokenize))
    return replace(Decoding(penalty), **weights)


def select_penalty(candidates: Candidates) -> float:
    """Return the length penalty among `PENALTIES` with the highest BLEU, without reranking.

    Of equally good ones, it is the default of `SearchSettings`, or else the smallest.
    """
    choices = SearchSettings.length_penalty, *PENALTIES
    return max(choices, key=lambda penalty: candidates.bleu(candidates.penalized(penalty)))


def select_weights(candidates: Candidates) -> dict[str, float]:
    """Return {name: weight} of the features with the highest BLEU among all in `GRIDS`.

    Each step in a grid away from the default weight must raise the BLEU by more than `STEP_GAIN`.
    """
    names = list(candidates.features)
    choices = itertools.product(*(GRIDS[name] for name in names))
    weights = [dict(zip(names, row, strict=True)) for row in choices]

    def regularized(each: Mapping[str, float]) -> float:
        score = candidates.bleu(candidates.weighted(each))
        return score - STEP_GAIN * sum(steps_from_default(*item) for item in each.items())

    return max(weights, key=regularized)


def steps_from_default(name: str, weight: float) -> int:
    """Return the number of steps in the grid of a weight between its value and its default."""
    grid, default = GRIDS[name], asdict(Decoding())[name]
    return abs(grid.index(weight) - grid.index(default))


def plain_candidates(translator: Translator, pairs: Sequence[Pair], tokenize: str) -> Candidates:
    """Return the hypotheses of each source that the network alone chooses from.

    As in the search, a hypothesis that has not ended only counts if none has.
    """
    end = translator.target_subwords.end
    found = hypotheses(translator, pairs, SearchSettings())
    ended = [[each for each in row if each.ids[-1:] == (end,)] or row for row in found]
    return Candidates.of(ended, {}, [reference for _, reference in pairs], tokenize)


def reranked_candidates(
    translator: Translator, reranker: Reranker, pairs: Sequence[Pair], tokenize: str
) -> Candidates:
    """Return the hypotheses of each source that reranking chooses from, with their features."""
    found = hypotheses(translator, pairs, RERANKED)
    sources = [source for row, (source, _) in zip(found, pairs, strict=True) for _ in row]
    flat = list(itertools.chain(*found))
    features = {name: each.values(sources, flat) for name, each in reranker.features.items()}
    return Candidates.of(found, features, [reference for _, reference in pairs], tokenize)


def hypotheses(
    translator: Translator, pairs: Sequence[Pair], settings: SearchSettings
) -> list[list[Translation]]:
    """Return all hypotheses of each source, whose scores are their log probabilities."""
    unpenalized = replace(settings.with_all_hypotheses(), length_penalty=0.0)
    return translator.translate([source for source, _ in pairs], unpenalized)
