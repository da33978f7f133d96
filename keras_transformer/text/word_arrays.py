"""Files of words and numbers in NumPy's .npz format, without pickled objects."""

import io
import os
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.files import write_bytes

READ_ERRORS = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    RuntimeError,  # raised by zipfile for an encrypted or modified file
    zipfile.BadZipFile,
    zlib.error,
)


def write_arrays(
    path: str | os.PathLike[str],
    words: Mapping[str, Iterable[str]],
    arrays: Mapping[str, NDArray[Any]],
) -> None:
    """Write lists of words and arrays to a file atomically.

    Args:
        path: the file.
        words: {name: words}. Words must not contain line feeds.
        arrays: {name: array}.
    """
    content = io.BytesIO()
    encoded = {
        name: np.frombuffer("\n".join(each).encode(), np.uint8) for name, each in words.items()
    }
    np.savez_compressed(content, allow_pickle=False, **encoded, **arrays)
    write_bytes(path, content.getvalue())


def read_arrays(
    path: str | os.PathLike[str], words: Iterable[str], arrays: Iterable[str]
) -> tuple[list[list[str]], list[NDArray[Any]]]:
    """Read a file that `write_arrays` wrote.

    Args:
        path: the file.
        words: names of the word lists to read.
        arrays: names of the arrays to read.

    Returns:
        The word lists in the order of `words`, and the arrays in the order of `arrays`.

    Raises:
        UserError: If the file is damaged.
    """
    try:
        # Given a path, NumPy would leave a damaged file open.
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as content:
            lists = [content[name].tobytes().decode().split("\n") for name in words]
            return lists, [content[name] for name in arrays]
    except READ_ERRORS as error:
        raise UserError(f"{path}: damaged: {error}") from error
