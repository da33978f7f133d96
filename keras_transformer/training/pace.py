"""The pace of a training run: by its epochs, or by the clock of a time budget.

The clock decides the learning rate, the directions and the end.
"""

import statistics
from collections import deque

from keras_transformer.config import TrainingConfig, required
from keras_transformer.counting import counted
from keras_transformer.training.budget import (
    ALMOST_ALL,
    BOTH_SHARE,
    SECONDS_PER_HOUR,
    Budget,
    decay_factor,
)
from keras_transformer.training.schedule import CustomSchedule, PacedSchedule
from keras_transformer.training.state import TrainingState
from keras_transformer.training.workers import Workers

MEASURED_STEPS = 20  # the last steps, whose median duration counts
MIN_MEASURED_STEPS = 3  # the median of fewer durations would depend on the compiled step


class Pace:
    """The pace of a run without a time budget, which ends after its epochs.

    Args:
        epochs: maximum number of epochs.
    """

    def __init__(self, epochs: int) -> None:
        self._epochs = epochs

    @property
    def is_over(self) -> bool:
        """Whether training has stopped at the end of its time budget, or of a larger one."""
        return False

    @property
    def epoch_is_late(self) -> bool:
        """Whether the current epoch began too late to train on all pairs in both directions."""
        return False

    def resume(self) -> None:
        """Continue with the time that the restored state says was used."""

    def begin_epoch(self) -> None:
        """Record when an epoch begins."""

    def time_is_up(self, part: float) -> bool:
        """Set the learning rate of the next step; return whether there is no time for it.

        An epoch has at least one step.

        Args:
            part: completed part of the current epoch.
        """
        return False

    def end_steps(self) -> None:
        """Measure the last step of an epoch."""

    def end_epoch(self) -> None:
        """Record the time, and whether it is too late for another epoch."""

    def record(self) -> None:
        """Record the time that was used, in the state."""

    def describe(self) -> str:
        """Return the number of epochs, or the part of the budget that was used, for a report."""
        return f"/{self._epochs}"


class TimedPace(Pace):
    """Applies a time budget to a training run. Its methods are collective, like those of `Workers`.

    The clock is that of the chief.

    Args:
        budget: the `Budget`.
        epochs: maximum number of epochs.
        state: the `TrainingState`, which contains the time that was used.
        schedule: the learning-rate schedule.
        workers: the `Workers` of the run.
    """

    def __init__(
        self,
        budget: Budget,
        epochs: int,
        state: TrainingState,
        schedule: PacedSchedule,
        workers: Workers,
    ) -> None:
        super().__init__(epochs)
        self.budget = budget
        self._state = state
        self._schedule = schedule
        self._workers = workers
        self._last: float | None = None
        self._durations: deque[float] = deque(maxlen=MEASURED_STEPS)

    def resume(self) -> None:
        self.budget.earlier = float(self._state.elapsed)

    @property
    def is_over(self) -> bool:
        return float(self._state.used_up) >= self.budget.hours

    @property
    def epoch_is_late(self) -> bool:
        return float(self._state.fraction) >= BOTH_SHARE

    def begin_epoch(self) -> None:
        self._last = None  # validation is not part of a step
        self._state.fraction.assign(self._fraction(0.0))

    def time_is_up(self, part: float) -> bool:
        self._time_step()
        fraction = self._fraction(part)
        self._schedule.factor.assign(decay_factor(fraction))
        return fraction >= 1 and int(self._state.batch) > 0

    def _time_step(self) -> None:
        """Measure the time since the last step of the epoch. The median ignores compilation."""
        now = self.budget.clock()
        if self._last is not None:
            self._durations.append(now - self._last)
        self._last = now
        if len(self._durations) >= MIN_MEASURED_STEPS:
            self.budget.step_seconds = statistics.median(self._durations)

    def end_steps(self) -> None:
        self._time_step()

    def end_epoch(self) -> None:
        self.record()
        if self._workers.chief_value(self.budget.time_fraction) >= ALMOST_ALL:
            self._state.used_up.assign(self.budget.hours)

    def record(self) -> None:
        self._state.elapsed.assign(self._workers.chief_value(self.budget.elapsed))

    def describe(self) -> str:
        used = self.budget.elapsed / (self.budget.hours * SECONDS_PER_HOUR)
        return f" ({used:.0%} of {counted(self.budget.hours, 'hour')})"

    def _fraction(self, part: float) -> float:
        """Return the completed fraction of the training, the same on all workers.

        Args:
            part: completed part of the current epoch.
        """
        done = int(self._state.epoch) + part
        return self._workers.chief_value(self.budget.fraction(done, self._epochs))


def make_pace(
    settings: TrainingConfig,
    schedule: CustomSchedule | PacedSchedule,
    state: TrainingState,
    workers: Workers,
    budget: Budget | None = None,
) -> Pace:
    """Return the pace of a run: a `TimedPace` if its schedule depends on the clock.

    Args:
        settings: the settings of the run.
        schedule: the learning-rate schedule.
        state: the `TrainingState`.
        workers: the `Workers` of the run.
        budget: the `Budget`; by default, one that begins now, if the run has a time budget.
    """
    epochs = required(settings.epochs)
    if not isinstance(schedule, PacedSchedule):
        return Pace(epochs)
    budget = budget or Budget(required(settings.hours))
    budget.num_pairs = int(state.corpus_size)
    return TimedPace(budget, epochs, state, schedule, workers)
