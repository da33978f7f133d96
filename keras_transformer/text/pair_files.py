"""Sentence pairs in files: one tab-separated file, or two parallel files.

The files are read again for each iteration, so a corpus may be larger than memory.
"""

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

from keras_transformer.errors import UserError
from keras_transformer.files import check_file
from keras_transformer.text.lines import read_lines
from keras_transformer.text.normalization import composed
from keras_transformer.text.pairs import Pair, Pairs


def open_files(names: Sequence[str]) -> Pairs:
    """Open one tab-separated file or two parallel files.

    Raises:
        UserError: If a file is missing or not a regular file, or there are more than two.
    """
    for name in names:
        check_file(name)
        if Path(name).is_dir():
            raise UserError(f"{name}: a directory, not a file")
        if not Path(name).is_file():
            raise UserError(f"{name}: not a regular file; pairs are read more than once")
    if len(names) > 2:
        raise UserError(
            f"expected one tab-separated file or two parallel files, not {len(names)} files"
        )
    return TabSeparatedFile(*names) if len(names) == 1 else ParallelFiles(*names)


class TabSeparatedFile(Pairs):
    """A file with one pair per line: source, tab, target.

    Further columns, as in Anki exports, are ignored.

    Args:
        path: the file.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def __iter__(self) -> Iterator[Pair]:
        for number, line in enumerate(_lines(self.path), start=1):
            columns = line.split("\t")
            if len(columns) >= 2:
                yield composed(columns[0].strip()), composed(columns[1].strip())
            elif line.strip():
                raise UserError(
                    f"{self.path}, line {number}: only one column, expected source, tab, target"
                )

    def __str__(self) -> str:
        return self.path


class ParallelFiles(Pairs):
    """Two files with one sentence per line; line n of one translates line n of the other.

    Args:
        source: the file of source sentences.
        target: the file of target sentences.
    """

    def __init__(self, source: str, target: str) -> None:
        self.source = source
        self.target = target

    def __iter__(self) -> Iterator[Pair]:
        lines = itertools.zip_longest(_lines(self.source), _lines(self.target))
        for number, (source, target) in enumerate(lines, start=1):
            if source is None or target is None:
                shorter = self.source if source is None else self.target
                raise UserError(
                    f"{self.source} and {self.target} have different numbers of lines: "
                    f"{shorter} ends after line {number - 1}"
                )
            yield composed(source.strip()), composed(target.strip())

    def __str__(self) -> str:
        return f"{self.source} {self.target}"


def _lines(path: str) -> Iterator[str]:
    """Yield the lines of a file of sentences.

    Raises:
        UserError: If the file cannot be read, a line is not UTF-8, or carriage returns separate the
            lines: they would be one line.
    """
    for number, line in enumerate(read_lines(path), start=1):
        if number == 1 and "\r" in line:
            raise UserError(f"{path}: its lines end with CR; convert them to LF")
        yield line
