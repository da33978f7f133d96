"""Files of ids, which are memory-mapped instead of read.

A file contains a `PairIds` as flat arrays: a header, the ids, the offsets, the categories. Its
SHA-256 is compared whenever it is opened, and a key says what the ids were made from. A file that
is damaged or has another key can thus be replaced, but never be mistaken for the right one.
"""

import hashlib
import logging
import struct
from collections.abc import Iterable
from io import BufferedReader, BufferedWriter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keras_transformer.files import naming, replacement
from keras_transformer.text.encoding import PairIds
from keras_transformer.text.rows import Rows, offsets_of

# SHA-256, key, bytes of an id, number of ids, of offsets and of categories
HEADER = struct.Struct("<32s32s4q")
FORMAT = 1  # of everything after the header
ID_TYPES = {2: "<u2", 4: "<i4"}
ALIGNMENT = 8

logger = logging.getLogger(__name__)


class Header(NamedTuple):
    """The header of a file of ids."""

    digest: bytes
    key: bytes
    id_size: int
    ids: int
    offsets: int
    categories: int

    @property
    def described(self) -> bytes:
        """The header without the digest."""
        return HEADER.pack(bytes(32), *self[1:])

    def arrays(self) -> list[tuple[str, int]]:
        """Return the type and the length of each array."""
        types = ID_TYPES[self.id_size], "<i8", "u1"
        return list(zip(types, (self.ids, self.offsets, self.categories), strict=True))


def make_key(*parts: str) -> bytes:
    """Return the key of ids in this format that some strings determine."""
    return hashlib.sha256(repr((FORMAT, *parts)).encode("utf-8")).digest()


def load(path: Path, wanted: bytes) -> PairIds | None:
    """Return the ids in a file, or None if it is missing, damaged or has another key than wanted.

    The arrays are mapped to the file: their pages are read on first use, and the operating system
    may drop them again.
    """
    try:
        with open(path, "rb") as file:
            header = _read_header(file)
            if header is not None:
                return _mapped(file, header) if header.key == wanted else None
    except OSError:
        return None
    logger.warning("%s is damaged; the sentence pairs are encoded again", path)
    return None


def load_any(path: Path) -> PairIds | None:
    """Return the ids in a file, whatever its key, or None if the file is missing or damaged."""
    try:
        with open(path, "rb") as file:
            header = _read_header(file)
            return _mapped(file, header) if header else None
    except OSError:
        return None


def save(path: Path, key: bytes, chunks: Iterable[PairIds]) -> None:
    """Write ids to a file, atomically. Only one chunk is in memory at a time.

    Raises:
        UserError: If the file cannot be written.
    """
    with replacement(path) as part, naming(path), open(part, "wb") as file:
        _write(file, key, chunks)


def _read_header(file: BufferedReader) -> Header | None:
    """Return the header of a file, or None if the file is damaged."""
    content = file.read(HEADER.size)
    if len(content) < HEADER.size:
        return None
    header = Header(*HEADER.unpack(content))
    digest = hashlib.file_digest(file, "sha256")  # of everything after the header
    digest.update(header.described)
    return header if digest.digest() == header.digest else None


def _mapped(file: BufferedReader, header: Header) -> PairIds:
    """Return the arrays of a file that is not damaged."""
    content = np.asarray(np.memmap(file, np.uint8, mode="r"))
    arrays, begin = [], HEADER.size
    for dtype, length in header.arrays():
        end = begin + length * np.dtype(dtype).itemsize
        arrays.append(content[begin:end].view(dtype))
        begin = end + -end % ALIGNMENT
    ids, offsets, categories = arrays
    return PairIds(Rows(ids, offsets), categories)


class _Writer:
    """Writes arrays after the header of a file, and computes their SHA-256."""

    def __init__(self, file: BufferedWriter) -> None:
        file.seek(HEADER.size)
        self.file = file
        self.digest = hashlib.sha256()
        self.size = 0

    def write(self, array: NDArray[np.generic]) -> None:
        content = array.tobytes()
        self.digest.update(content)
        self.size += self.file.write(content)

    def align(self) -> None:
        """Write zeros up to the next multiple of `ALIGNMENT`."""
        self.write(np.zeros(-self.size % ALIGNMENT, np.uint8))

    def write_header(self, header: Header) -> None:
        """Write the header with the digest of the arrays and of the other fields."""
        self.digest.update(header.described)
        self.file.seek(0)
        self.file.write(HEADER.pack(self.digest.digest(), *header[1:]))


def _write(file: BufferedWriter, key: bytes, chunks: Iterable[PairIds]) -> None:
    writer = _Writer(file)
    lengths, categories, id_size = [np.zeros(0, np.int64)], [np.zeros(0, np.uint8)], 2
    for chunk in chunks:
        writer.write(chunk.rows.ids)
        lengths.append(np.diff(chunk.rows.offsets))
        categories.append(chunk.categories)
        id_size = chunk.rows.ids.itemsize
    writer.align()
    offsets = offsets_of(np.concatenate(lengths))
    for array in (offsets, np.concatenate(categories)):
        writer.write(array)
        writer.align()
    pairs = sum(map(len, categories))
    writer.write_header(Header(b"", key, id_size, int(offsets[-1]), len(offsets), pairs))
