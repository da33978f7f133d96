"""Version directories: `NAME/1`, `NAME/2`, ..., each created atomically."""

import contextlib
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from keras_transformer.errors import PathTaken
from keras_transformer.files import naming, replace, sync_tree
from keras_transformer.workspace import workspace


@dataclass
class Version:
    """A version directory. `path` is a hidden directory until the version is complete."""

    path: Path


def check_directory(directory: str | os.PathLike[str], companions: Collection[str] = ()) -> None:
    """Check that a directory can be, or is, a directory of versions.

    It may not exist, be empty, or contain versions or their companions. Other files are allowed
    beside these, and hidden files always.

    Args:
        directory: the directory of the versions.
        companions: names of files that accompany versions.

    Raises:
        PathTaken: If the directory has another purpose.
    """
    path = Path(directory)
    if path.exists() and not path.is_dir():
        raise PathTaken(f"{directory}: not a directory")
    found = {each.name for each in path.iterdir()} if path.is_dir() else set()
    is_used = any(not name.startswith(".") for name in found)
    if is_used and not _numbers(path) and not found.intersection(companions):
        raise PathTaken(f"{directory}: not empty, but contains no version of a model")


@contextlib.contextmanager
def new_version(
    directory: str | os.PathLike[str], companions: Collection[str] = ()
) -> Iterator[Version]:
    """Create the next version of a model when the context exits without an error.

    A server that polls the directory loads every subdirectory whose name is a number. A version is
    therefore written to a hidden directory, which gets its number last, when it is complete and on
    the disk. After an error or a signal that Python handles, the hidden directory is removed. That
    of a killed process is removed by the next export.

    Args:
        directory: the directory of the versions, which is created if it does not exist.
        companions: names of files that accompany versions and are written in the context.

    Yields:
        The `Version`, whose files are to be written into `path`.

    Raises:
        UserError: If the directory or the version cannot be created.
    """
    directory = Path(directory)
    with naming(directory):
        directory.mkdir(parents=True, exist_ok=True)
    with workspace(directory, companions=companions) as part:
        version = Version(part)
        yield version
        with naming(directory):
            sync_tree(part)
            version.path = _rename(part, directory)


def _rename(part: Path, directory: Path) -> Path:
    """Rename a complete version to the next free number, and return its new path."""
    number = next_number(directory)
    while True:
        path = directory / str(number)
        try:
            replace(part, path)
            return path
        except OSError:
            if not part.exists():  # renamed, but the directory cannot be synced
                os.replace(path, part)
                raise
            if not path.exists():
                raise
            number += 1  # another export has taken the number in the meantime


def next_number(directory: str | os.PathLike[str]) -> int:
    """Return the number of the next version in a directory."""
    return max(_numbers(Path(directory)), default=0) + 1


def _numbers(directory: Path) -> list[int]:
    """Return the numbers of the versions in a directory."""
    return [int(path.name) for path in directory.iterdir() if path.name.isdecimal()]
