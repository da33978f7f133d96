"""Curves of training, and other summaries, in TensorBoard."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path

import tensorflow as tf

from keras_transformer.errors import reason
from keras_transformer.runs.layout import LOGS
from keras_transformer.training.objective import Totals

LOG_EVERY = 50  # steps between two points of the training curves


class Curves:
    """Curves and other summaries in TensorBoard.

    After an error, for example if the disk is full, one warning is printed and the curves end.
    Training continues.

    Args:
        logs: directory of the curves.
    """

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._writer: tf.summary.SummaryWriter | None = None
        with self._ending_after_errors():
            self._writer = tf.summary.create_file_writer(str(logs))

    def add(self, step: int, values: Mapping[str, float]) -> None:
        """Add a point to each of the curves {name: value}."""

        def write() -> None:
            for name, value in values.items():
                tf.summary.scalar(name, value, step)

        self.record(write)

    def record(self, write: Callable[[], object]) -> None:
        """Call a function that writes summaries with `tf.summary`."""
        if self._writer is not None:
            with self._ending_after_errors(), self._writer.as_default():
                write()

    @property
    def ended(self) -> bool:
        """Whether nothing can be written any more."""
        return self._writer is None

    def close(self) -> None:
        """Close the file of the curves."""
        if self._writer is not None:
            with self._ending_after_errors():
                self._writer.close()

    @contextlib.contextmanager
    def _ending_after_errors(self) -> Iterator[None]:
        try:
            yield
        except tf.errors.OpError as error:
            self._writer = None
            message = f"{self._logs}: the curves for TensorBoard end here: {reason(error)}"
            print(f"warning: {message}", file=sys.stderr, flush=True)


_curves: ContextVar[Curves | None] = ContextVar("curves", default=None)


@contextlib.contextmanager
def tensorboard(directory: Path) -> Iterator[None]:
    """Write the curves that are logged inside the context to the logs of a run directory."""
    curves = Curves(directory / LOGS)
    token = _curves.set(curves)
    try:
        yield
    finally:
        _curves.reset(token)
        curves.close()


def log_step(step: int, totals: Totals, rate: float, throughput: float) -> None:
    """Add a point to the training curves every `LOG_EVERY` steps.

    Args:
        step: number of the step.
        totals: the `Totals` of the epoch so far.
        rate: learning rate.
        throughput: real target tokens per second.
    """
    if step % LOG_EVERY == 0:
        values = {
            "train/loss": totals.mean_loss,
            "train/accuracy": totals.accuracy,
            "train/learning_rate": rate,
            "train/target_tokens_per_second": throughput,
        }
        _log(step, values)


def log_validation(step: int, validated: Totals, bleu: float) -> None:
    """Add a point to the validation curves."""
    values = {
        "validation/loss": validated.mean_loss,
        "validation/perplexity": validated.perplexity,
        "validation/bleu": bleu,
    }
    _log(step, values)


def _log(step: int, values: Mapping[str, float]) -> None:
    """Add a point to each of the curves {name: value} inside the context of `tensorboard`."""
    if curves := _curves.get():
        curves.add(step, values)


def record(write: Callable[[], object]) -> None:
    """Call a function that writes summaries, inside the context of `tensorboard`."""
    if curves := _curves.get():
        curves.record(write)


def is_recording() -> bool:
    """Return whether `record` calls its argument."""
    curves = _curves.get()
    return curves is not None and not curves.ended
