"""Version directories: `NAME/1`, `NAME/2`, ..., each written atomically."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Version:
    """A version directory. `path` is a hidden directory until the version is complete."""

    path: Path


@contextlib.contextmanager
def new_version(directory: str | os.PathLike[str]) -> Iterator[Version]:
    """Create the next version of a model when the context exits without an error.

    A server that polls the directory loads every subdirectory whose name is a number. A version is
    therefore written to a hidden directory, which is renamed at the end. After an error, the hidden
    directory is removed. A killed process leaves one behind, which can be deleted.

    Args:
        directory: the directory of the versions, which is created if it does not exist.

    Yields:
        The `Version`, whose files are to be written into `path`.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    version = Version(directory / f".part-{os.getpid()}")
    shutil.rmtree(version.path, ignore_errors=True)  # left by a killed process with the same id
    version.path.mkdir()
    try:
        yield version
        version.path = _rename(version.path, directory)
    except BaseException:
        shutil.rmtree(version.path, ignore_errors=True)
        raise


def _rename(part: Path, directory: Path) -> Path:
    """Rename a complete version to the next free number, and return its new path."""
    existing = [int(path.name) for path in directory.iterdir() if path.name.isdecimal()]
    number = max(existing, default=0) + 1
    while True:
        path = directory / str(number)
        try:
            return part.rename(path)
        except OSError:
            if not path.exists():
                raise
            number += 1  # another export has taken the number in the meantime
