"""Atomic writes: a file is replaced as a whole or left as it was."""

import contextlib
import os
import shutil
from pathlib import Path

from keras_transformer.errors import UserError


def check_file(path):
    """Raises a `UserError` where there is no such file; one that is read once may be a pipe."""
    try:
        missing = not Path(path).exists()
    except OSError:  # a name that is too long
        missing = True
    if missing:
        raise UserError(f"{path}: no such file")


@contextlib.contextmanager
def atomic_open(path):
    """Open a text file for writing: after an error, or Ctrl-C, `path` is what it was before.

    The text goes to a hidden file beside it, which takes its name at the end; so a file can be
    read and written at once. What is no regular file, such as a pipe, is written to as it is.

    Args:
        path: of the file.

    Returns:
        A context manager that gives the open file.

    Raises:
        UserError: the file cannot be opened.
    """
    target = Path(os.path.realpath(path))  # a link goes on leading to its file
    if target.exists() and not target.is_file():
        with _open_to_write(target, path) as file:
            yield file
        return
    part = target.with_name(f".{target.name[:50]}.{os.getpid()}.part")
    with _open_to_write(part, path) as file:
        try:
            yield file
            file.close()
            _replace(target, part)
        except BaseException:
            part.unlink()
            raise


def _open_to_write(path, name):
    """Return a text file open for writing; raises a `UserError` with its `name` otherwise."""
    try:
        return open(path, "w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"{name}: cannot be written: {error.strerror}") from error


def _replace(target, part):
    """Renames the file `part`, with the permissions of the file that it replaces, if any."""
    if target.exists():
        shutil.copymode(target, part)
    os.replace(part, target)


def write_bytes(path, content):
    """Write bytes to a file atomically: to a temporary file beside it, which is then renamed."""
    part = Path(f"{path}.part")
    part.write_bytes(content)
    os.replace(part, path)
