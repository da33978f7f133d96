"""The throughput and the memory of training on this machine, measured on a few steps."""

import resource
import statistics
import sys
import time
from typing import NamedTuple, Self

import tensorflow as tf

from keras_transformer.config import required
from keras_transformer.counting import rounded
from keras_transformer.runs.run import Run
from keras_transformer.text.batches import estimated_batches, make_batches
from keras_transformer.text.encoded_pairs import EncodedPairs
from keras_transformer.training.learner import make_learner
from keras_transformer.training.steps import TrainingStep

WARM_UP_STEPS = 2  # the first one is compiled
MIN_STEPS, SECONDS = 3, 8.0


class Throughput(NamedTuple):
    """What training takes.

    Attributes:
        steps_per_epoch: estimated number of steps of an epoch in one direction.
        seconds_per_step: median duration of a step.
        weights: number of trainable weights.
        memory: peak memory of the process, in bytes.
    """

    steps_per_epoch: int
    seconds_per_step: float
    weights: int
    memory: int

    @property
    def seconds_per_epoch(self) -> float:
        """Estimated duration of an epoch in one direction, without validation."""
        return self.steps_per_epoch * self.seconds_per_step

    def with_batches(self, size: int, measured: int) -> Self:
        """Return the throughput with another batch size, in the same time per epoch.

        Args:
            size: the other batch size.
            measured: the measured one.
        """
        return self._replace(
            steps_per_epoch=round(self.steps_per_epoch * measured / size),
            seconds_per_step=self.seconds_per_step * size / measured,
        )

    def describe(self) -> str:
        """Return the duration of an epoch as text."""
        return f"{rounded(self.seconds_per_epoch)} s each"


def measure(run: Run, pairs: EncodedPairs, scale: float) -> Throughput:
    """Measure training steps of a run with newly initialized weights, which are discarded.

    Args:
        run: the `Run`, with its subword models.
        pairs: a sample of its training pairs.
        scale: number of training pairs for each pair of the sample.
    """
    settings, text = run.config.training, run.config.text
    survey = pairs.survey()
    survey = survey._replace(kept=round(scale * survey.kept), widths=round(scale * survey.widths))
    batch_size = required(settings.batch_size)
    batches = make_batches(pairs, settings.batching, batch_size, settings.shuffle_buffer, seed=0)
    strategy = tf.distribute.get_strategy()
    learner = make_learner(run, pairs.encoding.subwords, survey, strategy, batches.element_spec)
    lengths = text.max_source_length, text.max_target_length
    return Throughput(
        estimated_batches(survey, settings.batching, batch_size, *lengths),
        _median_seconds(learner.train_step, batches),
        sum(int(tf.size(weight.value)) for weight in learner.model.trainable_variables),
        peak_memory(),
    )


def _median_seconds(step: TrainingStep, batches: tf.data.Dataset) -> float:
    """Return the median duration of a step in seconds."""
    durations: list[float] = []
    for number, batch in enumerate(batches.repeat()):
        begin = time.perf_counter()
        float(step(*batch).totals.loss)
        if number >= WARM_UP_STEPS:
            durations.append(time.perf_counter() - begin)
        if len(durations) >= MIN_STEPS and sum(durations) > SECONDS:
            break
    return statistics.median(durations)


def peak_memory() -> int:
    """Return the peak memory of this process in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
