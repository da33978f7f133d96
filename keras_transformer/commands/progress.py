"""Progress of a command."""

import sys

from keras_transformer.signals import signals


def report_progress(text: str) -> None:
    """Print the current step on standard error, unless a signal has arrived."""
    signals.check()
    print(text, file=sys.stderr, flush=True)
