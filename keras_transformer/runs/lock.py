"""The lock of a run directory, which only one process may write to."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from keras_transformer.errors import RunLocked
from keras_transformer.files import naming
from keras_transformer.runs.layout import LOCK


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the lock of a run directory, which is created if necessary.

    The operating system releases the lock when the process ends in any way. The directory may be
    renamed meanwhile.

    Raises:
        RunLocked: If another process holds the lock. The message names the process and its host.
        UserError: If the lock cannot be written.
    """
    path = directory / LOCK
    with naming(directory):
        # `directory` may be a link to a directory that was renamed.
        Path(os.path.realpath(directory)).mkdir(parents=True, exist_ok=True)
    with naming(path):
        # Without flock, the lock of a killed process would remain.
        lock = FileLock(path, blocking=False, fallback_to_soft=False)
        try:
            lock.acquire()
        except Timeout as error:
            raise RunLocked(f"{directory} is in use by {_holder(path)}") from error
    try:
        with naming(path):
            path.write_text(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}))
        yield
    finally:
        lock.release()


def _holder(path: Path) -> str:
    """Return the process that wrote its name to a lock."""
    try:
        holder = json.loads(path.read_text("utf-8"))
        return f"process {holder['pid']} on {holder['host']}"
    except (OSError, ValueError, TypeError, KeyError):
        return "another process"
