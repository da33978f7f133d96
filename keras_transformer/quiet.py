"""Suppression of the messages that TensorFlow prints before a log level takes effect."""

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Iterator

from keras_transformer.signals import signals

# Standard error belongs to the process: if two threads import, one must not restore it to what the
# other has set meanwhile.
_lock = threading.RLock()


@contextlib.contextmanager
def quiet_stderr() -> Iterator[None]:
    """Discard what imports write to standard error; set TF_CPP_MIN_LOG_LEVEL if it is not set.

    A signal waits until the imports are complete: TensorFlow cannot be imported in part.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    with signals.held(), _discarding_stderr():
        yield
    signals.check()


@contextlib.contextmanager
def _discarding_stderr() -> Iterator[None]:
    """Discard what is written to standard error, also by code that is not Python's."""
    if sys.stderr is None:  # the process has no standard error
        yield
        return
    with _lock:
        sys.stderr.flush()
        saved = os.dup(2)
        with open(os.devnull, "wb") as null:
            os.dup2(null.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)


@contextlib.contextmanager
def quiet_import() -> Iterator[None]:
    """Discard what an import writes to standard error, and keep TensorFlow's logger at WARNING.

    In a notebook, TensorFlow would set the level of its logger to INFO. If TensorFlow is already
    imported, its logger is not changed.
    """
    was_imported = "tensorflow" in sys.modules
    with quiet_stderr():
        yield
    if not was_imported and "tensorflow" in sys.modules:
        sys.modules["tensorflow"].get_logger().setLevel(logging.WARNING)
