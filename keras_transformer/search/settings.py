"""The settings of a search, as one object from the command line to the graph."""

import math
from dataclasses import dataclass, replace
from typing import Self

# To add a strategy, write a module with a `Strategy` and name it here.
STRATEGIES = {
    "beam": "keras_transformer.search.beam:BeamSearch",
    "greedy": "keras_transformer.search.greedy:GreedySearch",
    "sampling": "keras_transformer.search.sampling:Sampling",
}


@dataclass(frozen=True)
class SearchSettings:
    """The settings of a search for translations.

    Args:
        strategy: a key of `STRATEGIES`. Beam search with a beam of 1 is greedy search.
        beam_size: number of hypotheses that beam search keeps for each source.
        length_penalty: exponent alpha of the length penalty of Wu et al. (2016, section 7). 0
            favors short translations, 1 and more favor long ones. Small networks tend to translate
            too briefly, so the default exceeds that of Vaswani et al. (2017), 0.6.
        n_best: number of translations returned for each source: the best of the beam, or samples.
        max_length: maximum number of ids in a translation, including the end token; None: the
            limit of the network.
        temperature: divisor of the logits in sampling; a value below 1 favors probable ids.
        top_k: sampling draws from the `top_k` most probable ids; 0: from all ids.
        top_p: sampling draws from the smallest set of most probable ids whose total probability is
            at least `top_p` (Holtzman et al. 2020, section 3.1).
        seed: seed of sampling; None: different samples each time.

    Raises:
        ValueError: If a setting is out of range.
    """

    strategy: str = "beam"
    beam_size: int = 4
    length_penalty: float = 1.5
    n_best: int = 1
    max_length: int | None = None
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int | None = None

    def __post_init__(self) -> None:
        _require(self.strategy in STRATEGIES, f"strategy must be one of {', '.join(STRATEGIES)}")
        _require(self.beam_size >= 1, "beam_size must be at least 1")
        _require(0 <= self.length_penalty < math.inf, "length_penalty must be a number from 0")
        _require(self.max_length is None or self.max_length >= 1, "max_length must be at least 1")
        _require(0 < self.temperature < math.inf, "temperature must be a number greater than 0")
        _require(self.top_k >= 0, "top_k must be at least 0")
        _require(0 < self.top_p <= 1, "top_p must be greater than 0 and at most 1")
        _require(0 <= (self.seed or 0) < 2**32, "seed must be from 0 to 2**32 - 1")
        _require(1 <= self.n_best <= self.most_results, self._n_best_message())

    @property
    def most_results(self) -> float:
        """The largest `n_best` that the strategy allows."""
        return {"beam": self.beam_size, "greedy": 1}.get(self.strategy, math.inf)

    def _n_best_message(self) -> str:
        if self.most_results == math.inf:
            return "n_best must be at least 1"
        if self.strategy == "beam":
            return f"n_best must be from 1 to beam_size, which is {self.beam_size}"
        return f"n_best must be 1 for {self.strategy} search"

    def with_all_hypotheses(self) -> Self:
        """Return these settings with `n_best` set to all hypotheses that the search keeps."""
        kept = self.beam_size if self.strategy == "beam" else self.n_best
        return replace(self, n_best=kept)

    def greedy(self) -> Self:
        """Return these settings for greedy search."""
        return replace(self, strategy="greedy", n_best=1)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


# Settings of a search whose hypotheses are reranked.
RERANKED = SearchSettings(beam_size=12, length_penalty=0.0)
MAX_PENALTY = 3.0  # length penalty that a run can have by default, and of the slider of a page
