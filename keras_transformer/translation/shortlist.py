"""The lexical shortlist: the target subwords that the translation of a source may need.

For each source subword, the shortlist has the target subwords that the training pairs align with
it, by IBM model 1. A search that considers only these, and the most frequent ones, computes a
fraction of the logits (Jean et al. 2015, section 3.2; L'Hostis et al. 2016).
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.kernels.top_k import BLOCK
from keras_transformer.runs.config_file import check_no_average
from keras_transformer.runs.layout import SHORTLIST
from keras_transformer.runs.run import Run
from keras_transformer.text.rows import Rows
from keras_transformer.text.subwords import PADDING, Subwords
from keras_transformer.text.word_arrays import read_arrays, write_arrays
from keras_transformer.translation.alignment import LONGEST_ROW, MAX_CELLS, Alignment

# Enough on the validation pairs of Multi30k: benchmarks/README.md.
ALIGNED = 20  # target subwords of each source subword
FREQUENT = 100  # target subwords of every source
SPECIAL = 3  # special tokens of every source: padding, start and end
ROWS = 100_000  # rows whose ids are counted at once
# Sizes of the shortlist of a single source. XLA compiles the search for each.
SIZES = tuple(256 << i for i in range(12))

Ids = NDArray[np.integer]


class NoShortlist(UserError):
    """A run has no shortlist."""


@dataclass(frozen=True, eq=False)
class Shortlist:
    """Target subwords for each source subword, and for every source.

    Args:
        aligned: (V, k): the target ids of each of the V source ids, best first; 0 after the last.
        order: (W,): all target ids. Special tokens come first, then the most frequent ids.
        frequent: number of ids in `order` that every source has.
    """

    aligned: Ids
    order: Ids
    frequent: int

    @classmethod
    def learn(
        cls, rows: Rows, source_subwords: Subwords, target_subwords: Subwords, most: int = ALIGNED
    ) -> Self:
        """Return the shortlist learned from sentence pairs.

        Args:
            rows: the ids of the pairs, with start and end: the source of pair n is row 2 n, its
                target is row 2 n + 1.
            source_subwords, target_subwords: the `Subwords` of the two languages.
            most: number of target subwords of each source subword, besides the identical one.
        """
        counts = _target_counts(rows, target_subwords.size)
        counts[[PADDING, target_subwords.start, target_subwords.end]] = counts.sum() + 1
        order = np.argsort(-counts, kind="stable")
        # The start token stands for the missing source subword of some target subwords.
        null = np.array([source_subwords.start])
        lists = [np.array(row[1:-1], np.int64) for row in _sampled(rows).lists()]
        pairs = [(b, np.append(null, a)) for a, b in zip(lists[::2], lists[1::2], strict=True)]
        aligned = best_aligned(Alignment.learn(pairs), source_subwords.size, most)
        aligned[source_subwords.start] = PADDING
        identical = identical_ids(source_subwords, target_subwords)
        aligned = np.concatenate([identical[:, np.newaxis], aligned], axis=1)
        return cls(aligned, order, FREQUENT + SPECIAL)

    @classmethod
    def of(cls, run: Run) -> Self:
        """Load the shortlist of a run.

        Raises:
            NoShortlist: If the run has none.
            UserError: If the file is damaged.
        """
        path = run.directory / SHORTLIST
        if not run.has(SHORTLIST):
            check_no_average(run.directory, "shortlist")
            raise NoShortlist(f"{run.directory}: no shortlist ({SHORTLIST})")
        _, [aligned, order, frequent] = read_arrays(path, (), ("aligned", "order", "frequent"))
        return cls(aligned, order, int(frequent))

    def save(self, path: Path) -> None:
        """Save the shortlist to a file."""
        dtype = np.min_scalar_type(len(self.order))
        ids = {"aligned": self.aligned.astype(dtype), "order": self.order.astype(dtype)}
        write_arrays(path, {}, ids | {"frequent": np.array(self.frequent)})

    def candidates(self, source: Iterable[int]) -> NDArray[np.bool_]:
        """Return whether each target id (W,) is in the shortlist of some source ids."""
        chosen = np.zeros(len(self.order), bool)
        chosen[self.aligned[list(source)]] = True
        chosen[self.order[: self.frequent]] = True
        return chosen

    def ids(self, sources: Sequence[Iterable[int]]) -> NDArray[np.int32]:
        """Return the target ids of the shortlist of some sources, in increasing order.

        The most frequent of the other target ids are added up to the next of `SIZES` for a single
        source, and otherwise up to the next multiple of `BLOCK`, with which the search is faster.

        Args:
            sources: the ids of each source.
        """
        chosen = self.candidates(itertools.chain.from_iterable(sources))
        count = int(np.count_nonzero(chosen))
        sizes = SIZES if len(sources) == 1 else ()
        size = next((each for each in sizes if each >= count), count + -count % BLOCK)
        more = self.order[:size]  # has enough ids, because `chosen` has only `count` of them
        chosen[more[~chosen[more]][: size - count]] = True
        return np.flatnonzero(chosen).astype(np.int32)


def _target_counts(rows: Rows, size: int) -> NDArray[np.int64]:
    """Return how often each of `size` target ids occurs in pairs, which may be many."""
    counts = np.zeros(size, np.int64)
    for first in range(1, len(rows), ROWS):
        targets = rows.take(np.arange(first, min(first + ROWS, len(rows)), 2))
        counts += np.bincount(targets.ids, minlength=size)
    return counts


def _sampled(rows: Rows) -> Rows:
    """Return evenly spaced pairs, about as many as an `Alignment` learns from."""
    lengths = np.minimum(np.diff(rows.offsets) - 2, LONGEST_ROW)
    cells = int((lengths[::2] + 1) @ lengths[1::2])
    sources = np.arange(0, len(rows), 2 * max(1, math.ceil(cells / MAX_CELLS)))
    return rows.take(np.stack([sources, sources + 1], axis=1).ravel())


def best_aligned(alignment: Alignment, size: int, most: int) -> NDArray[np.int64]:
    """Return the words (size, most) that each explaining word most often explains, best first.

    0 follows the last word of those that explain fewer than `most`.
    """
    order = np.lexsort((-alignment.counts, alignment.givens))
    givens, words = alignment.givens[order], alignment.words[order]
    ranks = np.arange(len(givens)) - np.searchsorted(givens, givens)
    found = np.zeros((size, most), np.int64)
    found[givens[ranks < most], ranks[ranks < most]] = words[ranks < most]
    return found


def identical_ids(source: Subwords, target: Subwords) -> NDArray[np.int64]:
    """Return the target id (V,) of the same piece as each source id; 0 if there is none."""
    special = source.start  # the start and the end token follow the subwords
    numbers = {piece: i for i, piece in enumerate(target.labels(range(target.start)))}
    found = [numbers.get(piece, PADDING) for piece in source.labels(range(special))]
    return np.array(found + [PADDING] * (source.size - special))
