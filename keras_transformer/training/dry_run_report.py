"""What a dry run found out, as lines of text."""

from keras_transformer.config import TrainingConfig, required
from keras_transformer.counting import counted
from keras_transformer.text.encoded_pairs import Survey
from keras_transformer.text.statistics import LengthStatistics
from keras_transformer.training.dry_run import DryRun
from keras_transformer.training.few_pairs import few_pairs_lines
from keras_transformer.training.few_steps import few_steps_lines
from keras_transformer.training.throughput import Throughput


def describe(found: DryRun) -> list[str]:
    """Return a `DryRun` as lines of text, without its config."""
    text, lengths, survey, throughput = found.measurement
    used = text.pairs - survey.too_long - survey.empty  # of a large corpus, a sample is surveyed
    lines = [
        f"corpus: {text.pairs:,} pairs, {text.source_words:,} and {text.target_words:,} words",
        *few_pairs_lines(found.config.training, used),
        *_describe_repetitions(found.repetitions),
        *map(_describe_lengths, ("source", "target"), lengths),
        _describe_dropped(survey, text.pairs),
        _describe_validation(found),
        *found.reasons,
        f"network: {throughput.weights:,} weights; peak memory {throughput.memory / 2**30:.1f} GiB",
    ]
    return [*lines, *_describe_time(throughput, found.config.training, found.seconds)]


def _describe_repetitions(repetitions: range) -> list[str]:
    """Return how often the first pairs are in an epoch, if they are repeated."""
    if not repetitions:
        return []
    count, times = repetitions.start, repetitions.stop // repetitions.start
    return [f"repeated: {counted(count, 'new pair')}, each {times} times in an epoch"]


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


def _describe_validation(found: DryRun) -> str:
    held_out = ", held out from the others" if found.held_out else ""
    return f"validation: {counted(found.validation_pairs, 'pair')}{held_out}"


def _describe_time(throughput: Throughput, training: TrainingConfig, limit: float) -> list[str]:
    """Return the estimated time without validation, and whether it is too short.

    Args:
        throughput: the `Throughput`.
        training: the settings.
        limit: time for training in seconds.
    """
    epochs = required(training.epochs)
    passes = sum(1 + training.reversals(epoch) for epoch in range(epochs))
    minutes = passes * throughput.seconds_per_epoch / 60
    if training.hours and minutes > limit / 60:
        return [f"time: {counted(training.hours, 'hour')}, before the limit of {epochs:,} epochs"]
    time = f"time: about {minutes:,.1f} minutes for at most {epochs} epochs, without validation"
    if training.hours:  # whose plan warns of too few steps
        return [time]
    return [time, *few_steps_lines(training, round(passes * throughput.steps_per_epoch))]
