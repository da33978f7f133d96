"""Hidden directories in which exports, averages and datastores are made until complete."""

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from keras_transformer.files import PART, hidden_prefix, naming
from keras_transformer.signals import signals

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def workspace(
    directory: Path, prefix: str = ".", companions: Collection[str] = ()
) -> Iterator[Path]:
    """Create a hidden directory, which is removed at the end if it still exists.

    A killed process leaves its hidden directory behind. The next call removes it, unless another
    process is working in the same directory. To find out, every process holds a shared lock on the
    directory, which the operating system releases when the process ends. A process that can lock
    the directory exclusively is alone. Where directories cannot be locked, as on Windows and in
    some network file systems, nothing is removed.

    Args:
        directory: the directory in which the hidden directory is created.
        prefix: beginning of the name of the hidden directory, and of those to be removed.
        companions: names of files that are written while the hidden directory exists. Temporary
            files that were to replace them are removed too.

    Yields:
        The path of the hidden directory.

    Raises:
        UserError: If the hidden directory cannot be created.
    """
    path = directory / f"{prefix}{secrets.token_hex(4)}{PART}"
    names = "|".join([f"{re.escape(prefix)}[0-9a-f]{{8}}", *map(_part_pattern, companions)])
    leftover = re.compile(f"({names}){re.escape(PART)}")
    with _cleaned(directory, leftover), _new_part(path) as part:
        yield part


def _part_pattern(name: str) -> str:
    """Return a pattern of the names that `part_of` gives to files, without the suffix."""
    return rf"{re.escape(hidden_prefix(Path(name)))}\d+(?:-[0-9a-f]+)?"


@contextlib.contextmanager
def _cleaned(directory: Path, leftover: re.Pattern[str]) -> Iterator[None]:
    """Remove what killed processes left, and hold a shared lock on the directory."""
    if fcntl is None:
        yield
        return
    with naming(directory):
        descriptor = os.open(directory, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove_parts(directory, leftover)
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def _remove_parts(directory: Path, leftover: re.Pattern[str]) -> None:
    """Remove the files and directories whose name matches a pattern from a directory."""
    for path in directory.iterdir():
        if not leftover.fullmatch(path.name):
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


@contextlib.contextmanager
def _new_part(path: Path) -> Iterator[Path]:
    """Create a directory, which is removed at the end if it still exists."""
    try:
        with naming(path.parent):
            path.mkdir()
        yield path
    finally:
        with signals.held():
            shutil.rmtree(path, ignore_errors=True)
