"""Lines on standard output that report on training."""

import contextlib
import sys

from keras_transformer.training.objective import Totals


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
