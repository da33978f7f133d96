"""Files of words and numbers: NumPy's .npz, without pickled objects."""

import io
import zipfile
import zlib
from pathlib import Path

import numpy as np

from keras_transformer.errors import UserError
from keras_transformer.files import write_bytes

DAMAGED = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    RuntimeError,  # zipfile's, of an encrypted or patched file
    zipfile.BadZipFile,
    zlib.error,
)


def write_arrays(path, words, arrays):
    """Write a file, atomically.

    Args:
        path: the file.
        words: {name: words}, which have no line breaks.
        arrays: {name: array}.
    """
    content = io.BytesIO()
    encoded = {
        name: np.frombuffer("\n".join(each).encode(), np.uint8) for name, each in words.items()
    }
    np.savez_compressed(content, **encoded, **arrays)
    write_bytes(path, content.getvalue())


def read_arrays(path, words, arrays):
    """Return what `write_arrays` wrote.

    Args:
        path: the file.
        words, arrays: the names of what is read.

    Returns:
        A list of words for each name in `words`, then an array for each name in `arrays`.

    Raises:
        UserError: the file is damaged.
    """
    try:
        # Not the path: NumPy would leave a damaged file open.
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as content:
            lists = [content[name].tobytes().decode().split("\n") for name in words]
            return [*lists, *(content[name] for name in arrays)]
    except DAMAGED as error:
        raise UserError(f"{path}: damaged: {error}") from error
