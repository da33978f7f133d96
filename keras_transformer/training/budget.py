"""The time budget of a training run: how much of it is left, and what follows from that."""

import time
from collections.abc import Callable

from keras_transformer.config import TrainingConfig

SECONDS_PER_HOUR = 3600
# The learning rate falls linearly over the last part of a training run, and reversed pairs are part
# of the first. Neither share has been tuned.
DECAY_SHARE = 0.3
BOTH_SHARE = 0.6
MIN_FACTOR = 0.01  # of the learning rate, at the end
# What remains after this part of the training time is too short for another epoch.
ALMOST_ALL = 0.995
# The time that `session.train` needs after the last step: for the last validation, the reranker,
# the shortlist, the selection of the decoding, and the calibration. The time of a step stands for
# the speed of the machine and the size of the network. With steps of 0.16 s, the selection took
# 13 s for 500 pairs, of which some seconds are for tracing. The shortlist of 29,000 pairs took 8 s.
FINISH_SECONDS = 30.0
FINISH_STEPS = 60
FINISH_SECONDS_PER_PAIR = 0.0008
MAX_RESERVE = 0.5  # part of the budget


class Budget:
    """A time budget, which counts from the start of the command, and across interruptions.

    Args:
        hours: the budget.
        begin: the time at which this session began, of the clock; by default now.
        clock: returns the time in seconds.

    Attributes:
        earlier: seconds that earlier sessions of the same run took.
        num_pairs: number of training pairs; 0 before they are counted.
        step_seconds: duration of a training step; 0 before it is known.
    """

    def __init__(
        self,
        hours: float,
        begin: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.hours = hours
        self.num_pairs = 0
        self.clock = clock
        self.begin = clock() if begin is None else begin
        self.earlier = 0.0
        self.step_seconds = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds that the run has taken so far, in all sessions."""
        return self.earlier + self.clock() - self.begin

    @property
    def training_seconds(self) -> float:
        """The part of the budget that is left for training, in seconds."""
        reserve = (
            FINISH_SECONDS
            + FINISH_SECONDS_PER_PAIR * self.num_pairs
            + FINISH_STEPS * self.step_seconds
        )
        total = self.hours * SECONDS_PER_HOUR
        return total - min(reserve, MAX_RESERVE * total)

    @property
    def time_fraction(self) -> float:
        """The fraction of the time for training that was used, which may exceed 1."""
        return self.elapsed / self.training_seconds

    def fraction(self, epochs_done: float, epochs: int) -> float:
        """Return which fraction of the training is complete, at least 0 and at most 1.

        Training ends after the time or after the epochs, whichever comes first.

        Args:
            epochs_done: number of completed epochs, and the completed part of the current one.
            epochs: maximum number of epochs.
        """
        return min(1.0, max(self.time_fraction, epochs_done / epochs))


def decay_factor(fraction: float) -> float:
    """Return the factor of the learning rate after a fraction of the training.

    The rate falls linearly over the last part (the cool-down of Zhai et al. 2022, section 3.5).
    """
    return min(1.0, max(MIN_FACTOR, (1 - fraction) / DECAY_SHARE))


def make_budget(training: TrainingConfig, begin: float | None = None) -> Budget | None:
    """Return the time budget of a run that has one.

    Args:
        training: the settings of the run.
        begin: the time at which the command began, of `time.monotonic`; by default now.
    """
    return Budget(training.hours, begin) if training.hours else None
