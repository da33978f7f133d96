"""Atomic writes: readers see either the old or the complete new content of a file."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from keras_transformer.errors import UserError


def check_file(path: str | os.PathLike[str]) -> None:
    """Raise a `UserError` if a path does not exist. The path may be a pipe."""
    try:
        missing = not Path(path).exists()
    except OSError:  # for example, the name is too long
        missing = True
    if missing:
        raise UserError(f"{path}: no such file")


@contextlib.contextmanager
def atomic_open(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a text file for writing; it replaces `path` when the context exits without an error.

    A hidden temporary file in the same directory receives the text and is renamed at the end. After
    an error or Ctrl-C, `path` is unchanged. The old content can be read until the end. A path that
    is not a regular file, such as a pipe, is written to directly.

    Args:
        path: the file to replace. A symbolic link is followed.

    Yields:
        The open file.

    Raises:
        UserError: If the file cannot be opened.
    """
    target = Path(os.path.realpath(path))
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


def _open_to_write(path: Path, name: str | os.PathLike[str]) -> TextIO:
    """Return a text file open for writing. Errors mention `name` instead of `path`."""
    try:
        return open(path, "w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"{name}: cannot be written: {error.strerror}") from error


def _replace(target: Path, part: Path) -> None:
    """Rename `part` to `target`, keeping the permissions of an existing target."""
    if target.exists():
        shutil.copymode(target, part)
    os.replace(part, target)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write bytes to a file atomically, through a temporary file in the same directory."""
    part = Path(f"{path}.part")
    part.write_bytes(content)
    os.replace(part, path)
