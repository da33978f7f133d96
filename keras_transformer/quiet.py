"""Silence what TensorFlow prints before any log level takes effect."""

import contextlib
import os
import sys


@contextlib.contextmanager
def quiet_stderr():
    """Discard what is written to standard error, such as the messages of TensorFlow's import."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    sys.stderr.flush()
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
