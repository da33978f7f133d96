"""Lines of UTF-8 text, separated by line feeds only.

`str.splitlines` also splits at characters such as U+2028, which would shift the lines of parallel
files against each other.
"""

import codecs
import gzip
import os
import zlib
from collections.abc import Iterable, Iterator

from keras_transformer.errors import UserError
from keras_transformer.files import atomic_open


def decode_lines(lines: Iterable[bytes], name: str | os.PathLike[str]) -> Iterator[str]:
    """Decode lines of bytes.

    Args:
        lines: iterable of bytes, such as a binary file.
        name: name of the file, for error messages.

    Yields:
        Each line without its line ending (`\\n` or `\\r\\n`). A byte order mark at the start of
        the first line is removed.

    Raises:
        UserError: If a line is not UTF-8 or contains NUL, which text in UTF-16 or UTF-32 does. The
            message contains the file name and line number.
    """
    for number, line in enumerate(lines, start=1):
        if problem := _problem(line, is_first=number == 1):
            raise UserError(f"{name}, line {number}: not UTF-8: {problem}")
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        yield text.removesuffix("\n").removesuffix("\r")


def _problem(line: bytes, is_first: bool) -> str | None:
    """Return why a line is not UTF-8 text, or None if it is."""
    if is_first and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "the file is UTF-16 or UTF-32"
    if b"\0" in line:
        return "the line contains NUL, as in UTF-16 or in a binary file"
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason
    return None


def read_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the lines of a text file. A file whose name ends in `.gz` is decompressed.

    Raises:
        UserError: If the file cannot be read, or a line is not UTF-8.
    """
    opener = gzip.open if str(path).endswith(".gz") else open
    try:
        with opener(path, "rb") as file:
            yield from decode_lines(file, path)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path}: cannot be read: {_reason(error)}") from error


def _reason(error: Exception) -> object:
    """Return the reason of an error without its number and the path."""
    return getattr(error, "strerror", None) or error


def write_lines(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    """Write strings to a text file atomically, one per line."""
    with atomic_open(path) as file:
        file.writelines(f"{line}\n" for line in lines)
