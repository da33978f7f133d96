"""Progress reports of training: progress bar, TensorBoard curves and lines on standard output."""

import contextlib
import io
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path

import tensorflow as tf
from tqdm import tqdm

from keras_transformer.errors import reason
from keras_transformer.runs.layout import LOGS
from keras_transformer.training.objective import Totals

BAR = "{desc} {percentage:3.0f}% |{bar}| {remaining}{postfix}"
WIDEST = 100  # columns
LINE = "{desc}: {percentage:.0f}%, {remaining} left{postfix}"
LINE_EVERY = 120  # seconds between two lines of progress outside a terminal
LOG_EVERY = 50  # steps between two points of the training curves in TensorBoard


def epoch_bar(description: str, total: int, done: int) -> tqdm:
    """Return a progress bar that fits the terminal; outside a terminal, `ProgressLines`.

    Args:
        description: text at the beginning of the line.
        total: number of sentence pairs in the epoch.
        done: number of sentence pairs already processed.
    """
    options = {"desc": description, "total": total, "initial": done, "leave": False}
    if not sys.stderr.isatty():
        return ProgressLines(bar_format=LINE, file=io.StringIO(), **options)
    columns = min(shutil.get_terminal_size().columns, WIDEST)
    return tqdm(bar_format=BAR, ncols=columns, **options)


class ProgressLines(tqdm):
    """A progress bar for log files: it prints a line every `LINE_EVERY` seconds."""

    next_line = LINE_EVERY  # seconds after the start of the bar

    def display(self, msg: str | None = None, pos: int | None = None) -> None:
        """Print a line if it is time; `tqdm` calls this up to ten times per second."""
        elapsed = self.format_dict["elapsed"]
        if msg is None and elapsed >= self.next_line:
            self.next_line = elapsed + LINE_EVERY
            print_line(str(self))


def show_figures(bar: tqdm, totals: Totals, rate: float, throughput: float) -> None:
    """Show the figures of the current epoch. The line fits into 80 columns.

    Args:
        bar: a bar made by `epoch_bar`.
        totals: the `Totals` so far.
        rate: learning rate.
        throughput: real target tokens per second.
    """
    fit = f"loss {totals.mean_loss:.3f}, acc {totals.accuracy:.3f}"
    bar.set_postfix_str(f"{fit}, lr {rate:.1e}, {throughput:,.0f} tok/s", refresh=False)


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


def epoch_line(trained: Totals, validation: str, seconds: float, throughput: float) -> str:
    """Return a line of text with the figures of an epoch.

    Args:
        trained: the `Totals` of the training batches.
        validation: the `validation_line` of the epoch.
        seconds: time spent on training, without validation.
        throughput: real target tokens per second.
    """
    return (
        f"loss {trained.mean_loss:.3f}, accuracy {trained.accuracy:.3f}; {validation}; "
        f"{seconds:.0f} s, {throughput:,.0f} target tokens/s"
    )


def validation_line(validated: Totals, bleu: float) -> str:
    """Return the figures of a validation as text."""
    return (
        f"validation loss {validated.mean_loss:.3f}, perplexity {validated.perplexity:.2f}, "
        f"BLEU {bleu:.2f}"
    )


def print_line(line: str) -> None:
    """Print a line without buffering, even if standard output is a file or a pipe."""
    print(line, flush=True)


def print_stopping() -> None:
    """Confirm an interruption. As a handler of signals calls this, no error is raised."""
    with contextlib.suppress(OSError, RuntimeError, ValueError):  # for example, a closed pipe
        print("\nstopping: the state is saved after this step", file=sys.stderr, flush=True)
