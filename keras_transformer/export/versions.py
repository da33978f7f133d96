"""Version directories: `NAME/1`, `NAME/2`, …, each there whole or not at all."""

import contextlib
import os
import shutil
from pathlib import Path


@contextlib.contextmanager
def new_version(directory):
    """A context to write the next version of a model in.

    A server that polls the directory takes every number for a version, so the version is written
    in a hidden directory beside, and renamed when all went well. After an error the hidden
    directory is removed; after a kill it stays, and can be deleted.

    Args:
        directory: the directory of the versions; made where it is not there.

    Yields:
        A `Version`.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    version = Version(directory / f".part-{os.getpid()}")
    shutil.rmtree(version.path, ignore_errors=True)  # of one that was killed
    version.path.mkdir()
    try:
        yield version
        version.path = _rename(version.path, directory)
    except BaseException:
        shutil.rmtree(version.path, ignore_errors=True)
        raise


class Version:
    """A version directory; `path` is the hidden one until the version is complete."""

    def __init__(self, path):
        self.path = path


def _rename(part, directory):
    """Gives the next number to a complete version; another export may be as quick."""
    there = [int(path.name) for path in directory.iterdir() if path.name.isdecimal()]
    number = max(there, default=0) + 1
    while True:
        path = directory / str(number)
        try:
            return part.rename(path)
        except OSError:
            if not path.exists():
                raise
            number += 1
