"""Progress reports of training: progress bar, TensorBoard curves and lines on standard output."""

import contextlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import tensorflow as tf
from tqdm import tqdm

from keras_transformer.training.objective import Totals

BAR = "{desc} {percentage:3.0f}% |{bar}| {remaining}{postfix}"
WIDEST = 100  # columns
LOG_EVERY = 50  # steps between two points of the training curves in TensorBoard


def epoch_bar(description: str, total: int, done: int) -> tqdm:
    """Return a progress bar that fits the terminal; outside a terminal it is invisible.

    Args:
        description: text at the beginning of the line.
        total: number of sentence pairs in the epoch.
        done: number of sentence pairs already processed.
    """
    return tqdm(
        desc=description,
        total=total,
        initial=done,
        bar_format=BAR,
        ncols=min(shutil.get_terminal_size().columns, WIDEST),
        disable=None,  # visible on a terminal only
        leave=False,
    )


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


@contextlib.contextmanager
def tensorboard(directory: Path) -> Iterator[None]:
    """Write the curves that are logged inside the context to the logs of a run directory."""
    with tf.summary.create_file_writer(str(directory / "logs")).as_default():
        yield


def log_step(step: int, totals: Totals, rate: float, throughput: float) -> None:
    """Add a point to the training curves every `LOG_EVERY` steps.

    Args:
        step: number of the step.
        totals: the `Totals` of the epoch so far.
        rate: learning rate.
        throughput: real target tokens per second.
    """
    if step % LOG_EVERY == 0:
        tf.summary.scalar("train/loss", totals.mean_loss, step)
        tf.summary.scalar("train/accuracy", totals.accuracy, step)
        tf.summary.scalar("train/learning_rate", rate, step)
        tf.summary.scalar("train/target_tokens_per_second", throughput, step)


def log_validation(step: int, validated: Totals, bleu: float) -> None:
    """Add a point to the validation curves."""
    tf.summary.scalar("validation/loss", validated.mean_loss, step)
    tf.summary.scalar("validation/perplexity", validated.perplexity, step)
    tf.summary.scalar("validation/bleu", bleu, step)


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
    """Confirm an interruption."""
    print("\nstopping: the state is saved after this step", file=sys.stderr, flush=True)
