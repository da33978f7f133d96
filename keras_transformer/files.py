"""Atomic, durable writes: readers see either the old or the complete new content of a file.

A write survives a power failure: the new content is on the disk before it is renamed, and the
directory is on the disk before the write is reported as done (Pillai et al. 2014, section 3.3).
"""

import contextlib
import errno
import io
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from keras_transformer.errors import UserError
from keras_transformer.signals import signals

# Windows syncs only files that are open for writing.
SYNC_MODE = os.O_RDWR if os.name == "nt" else os.O_RDONLY
PART = ".part"  # suffix of temporary files and directories
# Errors of directories that cannot be synced: those of Windows and of some network file systems,
# and those without permission to read.
UNSYNCABLE = {errno.EACCES, errno.EINVAL, errno.ENOTSUP, errno.EPERM}
# TensorFlow takes the path of a checkpoint or a SavedModel as a pattern. In such a path, it finds
# other files, or none.
PATTERN = re.compile(r"\[.*?\]" if os.sep == "\\" else r"\[.*?\]|\\")


def check_file(path: str | os.PathLike[str]) -> None:
    """Raise a `UserError` if a path does not exist. The path may be a pipe."""
    if not os.fspath(path):  # pathlib would take it for the current directory
        raise UserError("the path of a file is empty")
    try:
        missing = not Path(path).exists()
    except PermissionError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    except (OSError, ValueError):  # for example, the name is too long or contains NUL
        missing = True
    if missing:
        raise UserError(f"{path}: no such file")


def check_utf8(path: str | os.PathLike[str]) -> None:
    """Raise a `UserError` if the path of a directory is not UTF-8, as libraries in C++ expect."""
    try:
        os.fspath(path).encode("utf-8")
    except UnicodeEncodeError as error:
        raise UserError(f"{path}: the name of a directory is not UTF-8: rename it") from error


def check_directory_path(path: str | os.PathLike[str]) -> None:
    """Raise a `UserError` if TensorFlow cannot read files in a directory because of its path."""
    check_utf8(path)
    if found := PATTERN.search(os.fspath(path)):
        raise UserError(
            f"{path}: TensorFlow cannot read files in a directory with {found[0]} in its path: "
            "rename that directory"
        )


def hidden_prefix(path: Path) -> str:
    """Return the beginning of the names of temporary files from which `path` is made.

    A long name is truncated: with a suffix, it could be too long for the file system.
    """
    return f".{path.name[:50]}."


def part_of(path: Path) -> Path:
    """Return the path of a new temporary file or directory from which `path` is made."""
    unique = f"{os.getpid()}-{secrets.token_hex(4)}"  # two containers may have the same process id
    return path.with_name(f"{hidden_prefix(path)}{unique}{PART}")


def sync(path: str | os.PathLike[str]) -> None:
    """Return when a file is on the disk."""
    descriptor = os.open(path, SYNC_MODE)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_entries(directory: str | os.PathLike[str]) -> None:
    """Return when the entries of a directory are on the disk, if the directory can be synced."""
    try:
        sync(directory)
    except OSError as error:
        if error.errno not in UNSYNCABLE:
            raise


def sync_tree(directory: str | os.PathLike[str]) -> None:
    """Return when a directory and everything in it are on the disk."""
    for folder, _, names in os.walk(directory, topdown=False):
        for name in names:
            sync(os.path.join(folder, name))
        sync_entries(folder)


def replace(part: Path, path: Path) -> None:
    """Rename a file or directory that is on the disk, and sync the directory that contains it.

    After Ctrl-C or SIGTERM, nothing is renamed.
    """
    signals.check()
    os.replace(part, path)
    sync_entries(path.parent)


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
        UserError: If the file cannot be opened or written.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        # The real path of /dev/stdout, if it is a pipe, is not the name of a file.
        with _open_to_write(Path(path), path) as file:
            yield file
        return
    with replacement(path) as part:
        file = _open_to_write(part, path)
        try:
            yield file
            file.close()  # before it is renamed, as Windows requires
        finally:
            _close(file)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write bytes to a file atomically.

    Args:
        path: the file to replace. A symbolic link is followed.
        content: the bytes.

    Raises:
        UserError: If the file cannot be written.
    """
    with replacement(path) as part, naming(path):
        part.write_bytes(content)


@contextlib.contextmanager
def replacement(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Replace a file when the context exits without an error; otherwise it is unchanged.

    The new file has the permissions of the old one.

    Args:
        path: the file to replace, which may not exist. A symbolic link is followed.

    Yields:
        The path of a hidden file in the same directory, to which the new content is to be written.

    Raises:
        UserError: If the file cannot be replaced.
    """
    target = Path(os.path.realpath(path))
    part = part_of(target)
    try:
        yield part
        with naming(path):
            sync(part)
            if target.exists():
                shutil.copymode(target, part)
            replace(part, target)
    except BaseException:
        # It is missing if the directory does not exist, or cannot be synced afterwards.
        with signals.held(), contextlib.suppress(OSError):
            part.unlink()
        raise


def copy_file(source: str | os.PathLike[str], path: str | os.PathLike[str]) -> None:
    """Copy a file atomically.

    Raises:
        UserError: If the source cannot be read or the copy cannot be written.
    """
    try:
        content = Path(source).read_bytes()
    except OSError as error:
        raise UserError(f"{source}: cannot be read: {error.strerror}") from error
    write_bytes(path, content)


@contextlib.contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Convert an `OSError` to a `UserError` that names the file that cannot be written."""
    try:
        yield
    except OSError as error:
        why, directory = error.strerror or error, Path(path).parent
        if isinstance(error, FileNotFoundError) and not directory.exists():
            why = f"the directory {directory} does not exist"
        raise UserError(f"{path}: cannot be written: {why}") from error


class _NamedFile(io.FileIO):
    """A binary file whose errors mention a given name. Some come long after the call of `write`."""

    def __init__(self, path: Path, name: str | os.PathLike[str]) -> None:
        self._shown = name
        super().__init__(path, "w")

    def write(self, data: Any) -> int:
        with naming(self._shown):
            return super().write(data)


def _open_to_write(path: Path, name: str | os.PathLike[str]) -> TextIO:
    """Return a text file open for writing. Errors mention `name` instead of `path`."""
    with naming(name):
        raw = _NamedFile(path, name)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", newline="\n")


def _close(file: TextIO) -> None:
    """Close a file; text that could not be written has been reported already."""
    with contextlib.suppress(UserError):
        file.close()
