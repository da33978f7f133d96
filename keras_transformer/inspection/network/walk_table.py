"""A walk through a network as a table of text, at most `WIDTH` columns wide."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from keras_transformer.inspection.network.reading import Reading
from keras_transformer.inspection.network.structure import definitions
from keras_transformer.inspection.network.walk import Stage, Step, next_ids
from keras_transformer.model.transformer import Transformer
from keras_transformer.pictures.style import printable
from keras_transformer.text.columns import columns, padded
from keras_transformer.text.subwords import Subwords

WIDTH = 100  # columns of the table
GAP = "  "
TITLE = 10  # columns of the titles of rows above the table
SHOWN = 3  # example numbers of a row
EXAMPLES = 20  # columns of the example numbers
NEXT = 10  # most probable next subwords
BAR = 40  # columns of a bar for the probability 1
HEAD = ("part", "letters", "shape", "numbers", "description")

Row: TypeAlias = tuple[str, ...]


class Watched(NamedTuple):
    """The position whose numbers are shown.

    Attributes:
        position: the position.
        labels: the subword of each position.
    """

    position: int
    labels: list[str]


def table(
    stages: Sequence[Stage], model: Transformer, source: Reading, target: Reading
) -> list[str]:
    """Return the lines of the table.

    Args:
        stages: the result of `walk.walk` for the ids of `source` and `target`.
        model: the network.
        source: what the encoder has read.
        target: what the decoder has read.
    """
    watched = {
        "S": Watched(min(1, len(source.ids) - 1), list(map(printable, source.labels()))),
        "T": Watched(len(target.ids) - 1, list(map(printable, target.labels()))),
    }
    lines = [*_text("source", source), "", *_text("target prefix", target), ""]
    lines += [*_legend(model, source, target), "", *_explanation(watched), ""]
    groups = [
        (each.name, [_row(each.name, step, watched) for step in each.steps]) for each in stages
    ]
    return [*lines, *_aligned_rows(groups), "", *next_subwords(stages, target.subwords)]


def next_subwords(stages: Sequence[Stage], subwords: Subwords) -> Iterator[str]:
    """Yield the most probable next subwords, each with its id, its probability and a bar."""
    yield "most probable next subwords"
    found = next_ids(stages, NEXT)
    labels = [printable(label) for label in subwords.labels(i for i, _ in found)]
    width, digits = max(map(columns, labels)), max(len(str(i)) for i, _ in found)
    for label, (i, probability) in zip(labels, found, strict=True):
        bar = "█" * round(probability * BAR)
        cells = padded(label, width), f"{i:{digits}}", f"{probability:.4f}", bar
        yield f"{GAP}{GAP.join(cells)}".rstrip()


def _text(title: str, reading: Reading) -> Iterator[str]:
    """Yield lines with the characters of a text, the normalized text, the subwords and the ids."""
    yield title
    normalized = reading.subwords.normalized(reading.text)
    texts = {"characters": reading.text, "normalized": normalized} if reading.text else {}
    for name, text in texts.items():
        lines = _wrapped(printable(text), WIDTH - TITLE - 2 * len(GAP))
        yield from _titled([name, *[""] * (len(lines) - 1)], lines)
    rows: list[list[str]] = [[], []]
    for pair in zip(map(printable, reading.labels()), map(str, reading.ids), strict=True):
        width = max(map(columns, pair))
        used = sum(columns(cell) + len(GAP) for cell in rows[0])
        if used + width > WIDTH - TITLE - 2 * len(GAP):
            yield from _titled(["subwords", "ids"], map(GAP.join, rows))
            rows = [[], []]
        for row, cell in zip(rows, pair, strict=True):
            row.append(padded(cell, width))
    yield from _titled(["subwords", "ids"], map(GAP.join, rows))


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines of at most `width` columns, without changing its spaces."""
    lines = [""]
    for character in text:
        if columns(lines[-1] + character) > width:
            lines.append("")
        lines[-1] += character
    return lines


def _titled(titles: Sequence[str], lines: Iterator[str] | Sequence[str]) -> Iterator[str]:
    """Yield lines that begin with a title."""
    for title, line in zip(titles, lines, strict=True):
        yield f"{GAP}{title:{TITLE}}{GAP}{line}".rstrip()


def _legend(model: Transformer, source: Reading, target: Reading) -> list[str]:
    """Return lines that explain the letters of the dimensions."""
    letters = definitions(model, 1, len(source.ids), len(target.ids))
    lines = textwrap.wrap(", ".join(each.replace(" ", "\xa0") for each in letters), WIDTH)
    return [line.replace("\xa0", " ") for line in lines]


def _explanation(watched: Mapping[str, Watched]) -> list[str]:
    """Return lines that explain the column of numbers."""
    source, target = (each.labels[each.position] for each in watched.values())
    text = (
        f"Numbers: the first {SHOWN} of the vector at one position, and of the first head. In the "
        f"encoder the position is that of {source}, in the decoder the last one, that of {target}. "
        "Of attention weights and of vectors over the vocabulary, the largest number is shown."
    )
    return textwrap.wrap(text, WIDTH)


def _row(stage: str, step: Step, watched: Mapping[str, Watched]) -> Row:
    """Return the cells of a step, one for each title in `HEAD`."""
    name, sizes = step.part.removeprefix(f"{stage}."), "×".join(map(str, step.values.shape))
    return name, "×".join(step.letters), sizes, _examples(step, watched), step.note


def _examples(step: Step, watched: Mapping[str, Watched]) -> str:
    """Return a few numbers of a tensor, at the position that is watched."""
    if step.tensor == "ids":
        return " ".join(f"{i:6}" for i in step.values[0, :SHOWN])
    position = watched[step.letters[-2]].position
    row = step.values[(*[0] * (step.values.ndim - 2), position)]
    largest = int(np.argmax(row))
    if step.letters[-1] == "V":
        return f"{number(row[largest])} at id {largest}"
    if step.letters[-1] in watched:
        label = watched[step.letters[-1]].labels[largest]
        return _wrapped(f"{number(row[largest])} on {label}", EXAMPLES)[0]
    return " ".join(map(number, row[:SHOWN]))


def number(value: float) -> str:
    """Return a number in six columns, with as many digits as fit, unless it is larger."""
    digits = 3 if abs(value) < 9.9995 else 2 if abs(value) < 99.995 else 1
    return f"{value:6.{digits}f}"


def _aligned_rows(groups: Sequence[tuple[str, list[Row]]]) -> Iterator[str]:
    """Yield the lines of a table whose rows are in groups, each with a title."""
    cells = [HEAD, *(row for _, rows in groups for row in rows)]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    gap = GAP if sum(widths) + len(GAP) * len(widths) <= WIDTH else " "
    yield _joined(HEAD, widths, gap)
    for title, rows in groups:
        yield ""
        if title:
            yield title
        for row in rows:
            yield _joined(row, widths, gap)


def _joined(row: Row, widths: Sequence[int], gap: str) -> str:
    """Return the cells of a row, each in its column, after a gap."""
    cells = zip(row, widths, strict=True)
    return "".join(f"{gap}{padded(cell, width)}" for cell, width in cells).rstrip()
