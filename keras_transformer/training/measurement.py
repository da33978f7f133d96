"""What a corpus contains and training on it takes, measured on a sample of the pairs."""

from typing import NamedTuple, TypeAlias

from keras_transformer.runs.run import Run
from keras_transformer.text.encoded_pairs import EncodedPairs, Survey, check_kept
from keras_transformer.text.pairs import Pairs
from keras_transformer.text.statistics import (
    LengthStatistics,
    TextStatistics,
    sample_pairs,
    text_statistics,
)
from keras_transformer.training.throughput import Throughput, measure

# Of the sources and of the targets.
BothLengths: TypeAlias = tuple[LengthStatistics, LengthStatistics]


class Measurement(NamedTuple):
    """What was measured on a corpus and on this machine before training.

    Attributes:
        text: the `TextStatistics` of the training pairs, without repetitions.
        lengths: the `LengthStatistics` of their sources and targets.
        survey: the `Survey` of a sample of them.
        throughput: the `Throughput` of training, with repetitions.
    """

    text: TextStatistics
    lengths: BothLengths
    survey: Survey
    throughput: Throughput


class Measurer:
    """Measures training pairs, and steps of training on them.

    Args:
        pairs: the training `Pairs`.

    Attributes:
        text: their `TextStatistics`.
    """

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self._sample, self._count = sample_pairs(pairs)
        once = pairs.once()
        self._once, count = (self._sample, self._count) if once is pairs else sample_pairs(once)
        self.text = text_statistics(self._once, count)

    def lengths(self, run: Run) -> BothLengths:
        """Return the statistics of the sources and of the targets, by the subwords of a run."""
        sources, targets = zip(*self._once, strict=True)
        source_subwords, target_subwords = run.subwords()
        return (
            LengthStatistics.of(sources, source_subwords),
            LengthStatistics.of(targets, target_subwords),
        )

    def measured(self, run: Run, lengths: BothLengths) -> Measurement:
        """Take a few steps of a run, and return what was measured.

        Args:
            run: the `Run`, with its subword models and maximum lengths.
            lengths: the `lengths` by its subwords.

        Raises:
            UserError: If all pairs are empty or too long.
        """
        encoding = run.encoding()
        pairs = EncodedPairs(self._sample, encoding)
        once = pairs if self._once is self._sample else EncodedPairs(self._once, encoding)
        survey = once.survey()
        check_kept(self._pairs, survey.kept)
        throughput = measure(run, pairs, self._count / len(self._sample))
        return Measurement(self.text, lengths, survey, throughput)
