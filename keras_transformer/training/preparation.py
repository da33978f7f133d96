"""The preparation of a new run: subword models, and settings that suit a time budget."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from keras_transformer.config import Config, required
from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.text.corpus import Corpus
from keras_transformer.text.encoded_pairs import EncodedPairs, Survey
from keras_transformer.text.hold_out import HeldOutPairs
from keras_transformer.text.pairs import Pair
from keras_transformer.text.statistics import (
    LengthStatistics,
    TextStatistics,
    sample_pairs,
    text_statistics,
)
from keras_transformer.training.budget import Budget
from keras_transformer.training.encoded_corpus import check_kept
from keras_transformer.training.few_steps import few_steps_lines
from keras_transformer.training.planning import (
    Basis,
    Plan,
    plan_batches,
    plan_built_in,
    plan_lengths,
    plan_text,
    plan_training,
)
from keras_transformer.training.throughput import Throughput, measure


@dataclass(frozen=True)
class Preparation:
    """What was found out about a corpus and this machine, and decided, before training.

    Attributes:
        text: the `TextStatistics` of the training pairs.
        lengths: the `LengthStatistics` of sources and targets.
        survey: the `Survey` of a sample of the pairs.
        throughput: the measured `Throughput`.
        validation_pairs: number of validation pairs.
        held_out: whether those are held out from the corpus.
        reasons: a line for each decision; none without a time budget.
    """

    text: TextStatistics
    lengths: tuple[LengthStatistics, LengthStatistics]
    survey: Survey
    throughput: Throughput
    validation_pairs: int
    held_out: bool
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
        self.corpus = corpus
        # The built-in corpus has a vocabulary, lengths and a network of its own.
        self.is_built_in = not chosen.get("train")
        self.sample, count = sample_pairs(corpus.train)
        if budget:
            budget.num_pairs = count
        self.text = text_statistics(self.sample, count)
        self.reasons: list[str] = []

    def with_vocabulary(self, config: Config) -> Config:
        """Return a config with the planned vocabulary."""
        if self.budget is None or self.is_built_in:
            return config
        return self._planned(config, plan_text(self.text, self.chosen))

    def measured(self, run: Run) -> tuple[Config, Preparation]:
        """Return the complete config of a run with subword models, and the `Preparation`.

        Raises:
            UserError: If all pairs are empty or too long.
        """
        lengths = self._lengths(run)
        run = Run(run.directory, self._with_lengths(run.config, *lengths))
        pairs = _encoded(self.sample, run)
        survey = pairs.survey()
        check_kept(self.corpus.train, survey)
        throughput = measure(run, pairs, self.text.pairs / len(self.sample))
        config = self._with_training(run.config, throughput)
        validation = self.corpus.validation
        return config, Preparation(
            self.text,
            lengths,
            survey,
            throughput,
            validation_pairs=sum(1 for _ in validation),
            held_out=isinstance(validation, HeldOutPairs),
            reasons=tuple(self.reasons),
        )

    def _lengths(self, run: Run) -> tuple[LengthStatistics, LengthStatistics]:
        """Return the statistics of the sources and of the targets."""
        sources, targets = zip(*self.sample, strict=True)
        source_subwords, target_subwords = run.subwords()
        return (
            LengthStatistics.of(sources, source_subwords),
            LengthStatistics.of(targets, target_subwords),
        )

    def _with_lengths(
        self, config: Config, source: LengthStatistics, target: LengthStatistics
    ) -> Config:
        """Return a config with the planned maximum lengths."""
        if self.budget is None or self.is_built_in:
            return config
        joint = config.text.joint_vocabulary
        return self._planned(config, plan_lengths(source, target, joint, self.chosen))

    def _with_training(self, config: Config, throughput: Throughput) -> Config:
        """Return a config with settings for the number of epochs for which there is time."""
        if self.budget is None:
            return config
        self.budget.step_seconds = throughput.seconds_per_step
        seconds = self.budget.training_seconds - self.budget.elapsed
        if seconds <= 0:
            raise UserError(
                f"hours must be more than {self.budget.hours:g}: no time is left for training "
                f"after {self.budget.elapsed:,.0f} s of preparation"
            )
        basis = Basis(config, throughput, seconds, self.chosen)
        if self.is_built_in:
            return self._planned(config, plan_built_in(basis))
        basis = self._with_batches(basis)
        return self._planned(basis.config, plan_training(basis))

    def _with_batches(self, basis: Basis) -> Basis:
        """Return a basis with planned batches and optimizer."""
        config = self._planned(basis.config, plan_batches(basis))
        sizes = (required(each.training.batch_size) for each in (config, basis.config))
        return replace(basis, config=config, throughput=basis.throughput.with_batches(*sizes))

    def _planned(self, config: Config, plan: Plan) -> Config:
        """Return a config with a plan, and keep its reasons."""
        self.reasons += plan.reasons
        return plan.applied_to(config, self.chosen)


def _encoded(sample: list[Pair], run: Run) -> EncodedPairs:
    """Return the pairs of a sample as ids."""
    return EncodedPairs(sample, run.encoding())


def describe(preparation: Preparation, config: Config) -> list[str]:
    """Return a `Preparation` as lines of text, as `--dry-run` prints them."""
    text, throughput = preparation.text, preparation.throughput
    lines = [
        f"corpus: {text.pairs:,} pairs, {text.source_words:,} and {text.target_words:,} words",
        *map(_describe_lengths, ("source", "target"), preparation.lengths),
        _describe_dropped(preparation.survey, text.pairs),
        _describe_validation(preparation),
        *preparation.reasons,
        f"network: {throughput.weights:,} weights; peak memory {throughput.memory / 2**30:.1f} GiB",
    ]
    return [*lines, *_describe_time(throughput, config)]


def _describe_lengths(side: str, lengths: LengthStatistics) -> str:
    unknown = lengths.unknown
    return (
        f"{side}: {lengths.mean:.1f} subwords per sentence, 99 % have at most {lengths.most}, the "
        f"longest has {lengths.longest}; unknown characters: {len(unknown)}"
        + (f" ({' '.join(unknown[:20])})" if unknown else "")
    )


def _describe_dropped(survey: Survey, pairs: int) -> str:
    """Return the number of dropped pairs, of all or of a sample."""
    sampled = survey.kept + survey.too_long + survey.empty
    of = f" in a sample of {sampled:,}" if sampled < pairs else ""
    return f"dropped{of}: {survey.too_long:,} too long, {survey.empty:,} with an empty side"


def _describe_validation(preparation: Preparation) -> str:
    held_out = ", held out from the others" if preparation.held_out else ""
    return f"validation: {preparation.validation_pairs:,} pairs{held_out}"


def _describe_time(throughput: Throughput, config: Config) -> list[str]:
    """Return the estimated time without validation, and whether it is too short."""
    training = config.training
    epochs = required(training.epochs)
    passes = sum(1 + training.reversals(epoch) for epoch in range(epochs))
    minutes = passes * throughput.seconds_per_epoch / 60
    if training.hours and minutes > 60 * training.hours:
        return [f"time: {training.hours:g} hours, before the limit of {epochs:,} epochs"]
    time = f"time: about {minutes:,.1f} minutes for at most {epochs} epochs, without validation"
    steps = round(passes * throughput.steps_per_epoch)
    return [time, *few_steps_lines(training, steps)]
