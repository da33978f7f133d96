"""Lines of UTF-8 text: divided at line feeds only, so that no odd character shifts a line."""

import gzip
import zlib

from keras_transformer.errors import UserError
from keras_transformer.files import atomic_open


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


def write_lines(path, lines):
    """Writes a text file, a string a line; it is there whole, or not at all."""
    with atomic_open(path) as file:
        file.writelines(f"{line}\n" for line in lines)
