"""Hidden directories in which exports and averages are made until they are complete."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from keras_transformer.files import PART, naming

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def workspace(directory: Path, prefix: str = ".") -> Iterator[Path]:
    """Create a hidden directory, which is removed at the end if it still exists.

    A killed process leaves its hidden directory behind. The next call removes it, unless another
    process is working in the same directory. To find out, every process holds a shared lock on the
    directory, which the operating system releases when the process ends. A process that can lock
    the directory exclusively is alone. Where directories cannot be locked, as on Windows and in
    some network file systems, nothing is removed.

    Args:
        directory: the directory in which the hidden directory is created.
        prefix: beginning of the name of the hidden directory, and of those to be removed.

    Yields:
        The path of the hidden directory.

    Raises:
        UserError: If the hidden directory cannot be created.
    """
    path = directory / f"{prefix}{secrets.token_hex(4)}{PART}"
    with _cleaned(directory, prefix), _new_part(path) as part:
        yield part


@contextlib.contextmanager
def _cleaned(directory: Path, prefix: str) -> Iterator[None]:
    """Remove what killed processes left, and hold a shared lock on the directory."""
    if fcntl is None:
        yield
        return
    with naming(directory):
        descriptor = os.open(directory, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove_parts(directory, prefix)
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def _remove_parts(directory: Path, prefix: str) -> None:
    """Remove the temporary files and directories that killed processes left in a directory."""
    for path in directory.iterdir():
        if not (path.name.startswith(prefix) and path.name.endswith(PART)):
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
        shutil.rmtree(path, ignore_errors=True)
