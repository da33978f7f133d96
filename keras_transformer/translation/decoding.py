"""How a run translates by default: values that were selected on its validation pairs.

The best length penalty and the best weights of reranking depend on the corpus and on the network.
The module `tuning` selects them at the end of training.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import MAX_PENALTY, SearchSettings

MAX_WEIGHT = 10.0


@dataclass(frozen=True)
class Decoding:
    """The default decoding of a run. The defaults are those of a run without selected values.

    Attributes:
        length_penalty: length penalty of a search whose hypotheses are not reranked.
        length_weight: weight of `Length` in reranking.
        lexicon_weight: weight of `Adequacy`.
        ngram_weight: weight of `Fluency`.
        reconstruction_weight: weight of `Reconstruction`.

    Raises:
        ValueError: If a value is not a number in its range.
    """

    length_penalty: float = SearchSettings.length_penalty
    # Good ones for several networks and validation pairs: benchmarks/README.md.
    length_weight: float = 0.8
    lexicon_weight: float = 0.3
    ngram_weight: float = 0.05
    reconstruction_weight: float = 0.2

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            _check(name, value, MAX_WEIGHT if name.endswith("_weight") else MAX_PENALTY)

    @classmethod
    def of(cls, run: Run) -> Self | None:
        """Load the decoding of a run, or return None if no values were selected for the run.

        Raises:
            UserError: If the file is damaged.
        """
        values: dict[str, Any] | None = run.decoding()
        try:
            return None if values is None else cls(**values)
        except (TypeError, ValueError) as error:
            raise UserError(f"{run.decoding_file()}: damaged: {error}") from error

    def search(self, settings: SearchSettings | None = None) -> SearchSettings:
        """Return the settings of a search whose hypotheses are not reranked.

        Args:
            settings: the other settings; those of `SearchSettings()` by default.
        """
        return replace(settings or SearchSettings(), length_penalty=self.length_penalty)


def default_decoding(run: Run) -> Decoding:
    """Return the `Decoding` of a run; the defaults if no values were selected for the run.

    Raises:
        UserError: If the file is damaged.
    """
    return Decoding.of(run) or Decoding()


def _check(name: str, value: Any, largest: float) -> None:
    """Raise a `ValueError` unless a value is a number from 0 to `largest`."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and 0 <= value <= largest):
        raise ValueError(f"{name} must be a number from 0 to {largest:g}, not {value!r}")
