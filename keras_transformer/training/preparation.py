"""The preparation of a new run: subword models, and settings that suit a time budget."""

from collections.abc import Mapping
from dataclasses import dataclass

from keras_transformer.config import Config, required
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import Corpus, Pair
from keras_transformer.text.encoded_pairs import EncodedPairs, Survey
from keras_transformer.text.encoding import Encoding
from keras_transformer.text.statistics import (
    LengthStatistics,
    TextStatistics,
    sample_pairs,
    text_statistics,
)
from keras_transformer.training.budget import Budget
from keras_transformer.training.planning import Plan, plan_lengths, plan_text, plan_training
from keras_transformer.training.throughput import Throughput, measure


@dataclass(frozen=True)
class Preparation:
    """What was found out about a corpus and this machine, and decided, before training.

    Attributes:
        text: the `TextStatistics` of the training pairs.
        lengths: the `LengthStatistics` of sources and targets.
        survey: the `Survey` of a sample of the pairs.
        throughput: the measured `Throughput`.
        reasons: a line for each decision; none without a time budget.
    """

    text: TextStatistics
    lengths: tuple[LengthStatistics, LengthStatistics]
    survey: Survey
    throughput: Throughput
    reasons: tuple[str, ...] = ()


class Planner:
    """Chooses the settings of a new run that the user did not choose, if it has a time budget.

    Args:
        chosen: {name: value} of the settings that the user chose.
        budget: the `Budget`, or None.
        corpus: the `Corpus`.
    """

    def __init__(self, chosen: Mapping[str, object], budget: Budget | None, corpus: Corpus) -> None:
        self.chosen = chosen
        self.budget = budget
        # The built-in corpus has settings of its own.
        self.is_planned = budget is not None and bool(chosen.get("train"))
        self.sample, count = sample_pairs(corpus.train.vocabulary())
        self.text = text_statistics(self.sample, count)
        self.reasons: list[str] = []

    def with_vocabulary(self, config: Config) -> Config:
        """Return a config with the planned vocabulary."""
        return (
            self._planned(config, plan_text(self.text, self.chosen)) if self.is_planned else config
        )

    def measured(self, run: Run) -> tuple[Config, Preparation]:
        """Return the complete config of a run with subword models, and the `Preparation`."""
        source, target = run.subwords()
        lengths = (
            LengthStatistics.of((pair[0] for pair in self.sample), source),
            LengthStatistics.of((pair[1] for pair in self.sample), target),
        )
        config = run.config
        if self.is_planned:
            config = self._planned(config, plan_lengths(*lengths, config.text.joint_vocabulary))
        pairs = _encoded(self.sample, Run(run.directory, config))
        throughput = measure(Run(run.directory, config), pairs, self.text.pairs / len(self.sample))
        if self.budget and self.is_planned:
            seconds = self.budget.training_seconds - self.budget.elapsed
            config = self._planned(config, plan_training(config, throughput, seconds))
        survey = pairs.survey()
        return config, Preparation(self.text, lengths, survey, throughput, tuple(self.reasons))

    def _planned(self, config: Config, plan: Plan) -> Config:
        """Return a config with a plan, and keep its reasons."""
        self.reasons += plan.reasons
        return plan.applied_to(config, self.chosen)


def _encoded(sample: list[Pair], run: Run) -> EncodedPairs:
    """Return the pairs of a sample as ids."""
    text = run.config.text
    encoding = Encoding(*run.subwords(), text.max_source_length, text.max_target_length)
    return EncodedPairs(sample, *encoding)


def describe(preparation: Preparation, config: Config) -> list[str]:
    """Return a `Preparation` as lines of text, as `--dry-run` prints them."""
    text, throughput = preparation.text, preparation.throughput
    lines = [
        f"corpus: {text.pairs:,} pairs, {text.source_words:,} and {text.target_words:,} words",
        *map(_describe_lengths, ("source", "target"), preparation.lengths),
        _describe_dropped(preparation.survey),
        *preparation.reasons,
        f"network: {throughput.weights:,} weights; peak memory {throughput.memory / 2**30:.1f} GiB",
    ]
    return [*lines, _describe_time(throughput, config)]


def _describe_lengths(side: str, lengths: LengthStatistics) -> str:
    unknown = lengths.unknown
    return (
        f"{side}: {lengths.mean:.1f} subwords per sentence, 99 % have at most {lengths.most}, the "
        f"longest has {lengths.longest}; unknown characters: {len(unknown)}"
        + (f" ({' '.join(unknown[:20])})" if unknown else "")
    )


def _describe_dropped(survey: Survey) -> str:
    return (
        f"sample of {survey.kept + survey.too_long + survey.empty:,} pairs; dropped: "
        f"{survey.too_long:,} too long, {survey.empty:,} with an empty side"
    )


def _describe_time(throughput: Throughput, config: Config) -> str:
    """Return the estimated time of the training, without validation."""
    training = config.training
    if training.hours:
        return f"time: at most {training.hours:g} hours"
    epochs = required(training.epochs)
    passes = epochs + min(training.both_directions, epochs)
    minutes = passes * throughput.seconds_per_epoch / 60
    return f"time: about {minutes:,.0f} minutes for at most {epochs} epochs, without validation"
