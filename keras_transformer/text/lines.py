"""Lines of UTF-8 text: divided at line feeds only, so that no odd character shifts a line."""

import contextlib
import gzip
import os
import shutil
import zlib
from pathlib import Path

from keras_transformer.errors import UserError


def decode_lines(lines, name):
    """Decodes lines of bytes.

    Args:
        lines: iterable of bytes, such as a binary file.
        name: name of the file, for the error.

    Yields:
        Each line without its end (`\\n` or `\\r\\n`), the first without a byte order mark.

    Raises:
        UserError: a line is not UTF-8; file and line number are named.
    """
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise UserError(f"{name}, line {number}: not UTF-8: {error.reason}") from error
        yield text.removesuffix("\n").removesuffix("\r")


def read_lines(path):
    """Yields the lines of a text file, which is unpacked if its name ends in `.gz`.

    Raises:
        UserError: the file cannot be read, or a line is not UTF-8.
    """
    opener = gzip.open if str(path).endswith(".gz") else open
    try:
        with opener(path, "rb") as file:
            yield from decode_lines(file, path)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error


def check_file(path):
    """Raises a `UserError` where there is no such file; one that is read once may be a pipe."""
    try:
        missing = not Path(path).exists()
    except OSError:  # a name that is too long
        missing = True
    if missing:
        raise UserError(f"{path}: no such file")


def write_lines(path, lines):
    """Writes a text file, a string a line; it is there whole, or not at all."""
    with whole_file(path) as file:
        file.writelines(f"{line}\n" for line in lines)


@contextlib.contextmanager
def whole_file(path):
    """Open a text file for writing: after an error, or Ctrl-C, `path` is what it was before.

    The text goes to a hidden file beside it, which takes its name at the end; so a file can be
    read and written at once. What is no regular file, such as a pipe, is written to as it is.

    Args:
        path: of the file.

    Returns:
        A context manager that gives the open file.

    Raises:
        UserError: the file cannot be opened.
    """
    target = Path(os.path.realpath(path))  # a link goes on leading to its file
    if target.exists() and not target.is_file():
        with _open_to_write(target, path) as file:
            yield file
        return
    part = target.with_name(f".{target.name[:50]}.{os.getpid()}.part")
    with _open_to_write(part, path) as file:
        try:
            yield file
            file.close()
            _replace(target, part)
        except BaseException:
            part.unlink()
            raise


def _open_to_write(path, name):
    """Return a text file open for writing; raises a `UserError` with its `name` otherwise."""
    try:
        return open(path, "w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"{name}: cannot be written: {error.strerror}") from error


def _replace(target, part):
    """Renames the file `part`, with the permissions of the file that it replaces, if any."""
    if target.exists():
        shutil.copymode(target, part)
    os.replace(part, target)
