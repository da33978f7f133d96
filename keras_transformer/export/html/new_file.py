"""Creation of a page: a file that appears when it is complete."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from keras_transformer.errors import PathTaken
from keras_transformer.files import hidden_prefix, naming, replace, sync
from keras_transformer.workspace import workspace


def check_is_free(path: Path) -> None:
    """Raise a `PathTaken` if a path exists."""
    if path.exists():
        raise PathTaken(f"{path} already exists")


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Create a file when the context exits without an error.

    Args:
        path: the file. Its directory is created if it does not exist.

    Yields:
        The path of a file to write, in a hidden directory.

    Raises:
        UserError: If the file cannot be created.
    """
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with workspace(path.parent, hidden_prefix(path)) as directory:
        part = directory / "page.html"
        yield part
        with naming(path):
            sync(part)
            replace(part, path)
