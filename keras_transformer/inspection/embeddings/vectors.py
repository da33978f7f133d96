"""The embeddings of a run: similar words, and sums and differences of words.

Similarity is the cosine of the angle between two embeddings. Sums and differences follow Mikolov et
al. (2013), "Linguistic regularities in continuous space word representations", section 4.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.inspection.embeddings.frequencies import SIDES, Counts, count_subwords
from keras_transformer.inspection.embeddings.writing import Kind, Writing, writing_of
from keras_transformer.runs.run import Run
from keras_transformer.text.subwords import PADDING, UNKNOWN, Subwords

# The embeddings of subwords that are less frequent are still close to their random initial values.
MIN_OCCURRENCES = 5
MIN_POINTS = 3  # of a map
# Default numbers of subwords on a map and of neighbors, if there are that many.
POINTS, NEIGHBORS = 200, 10


class TooFewSubwords(UserError):
    """A requested number of subwords is larger than the number of subwords."""


class Term(NamedTuple):
    """A word of a sum.

    Attributes:
        word: the word.
        sign: 1 if its vector is added, -1 if it is subtracted.
    """

    word: str
    sign: int = 1


class Neighbor(NamedTuple):
    """A subword that is similar to a word or to a sum of words.

    Attributes:
        row: its number in `Embeddings`.
        label: the subword as it is shown.
        cosine: the similarity, from -1 to 1.
    """

    row: int
    label: str
    cosine: float


@dataclass(frozen=True, eq=False)
class Embeddings:
    """The embeddings of the subwords of one language that occur often enough in training.

    Special tokens and the pieces of single bytes are excluded.

    Attributes:
        subwords: the `Subwords` of the language.
        ids: array (N,) of their ids, most frequent first.
        occurrences: array (N,), how often each occurs in the training sentences.
        kinds: the `Kind` of each.
        vectors: float32 array (N, D), the rows of the network's table.
    """

    subwords: Subwords
    ids: NDArray[np.integer]
    occurrences: NDArray[np.integer]
    kinds: Sequence[Kind]
    vectors: NDArray[np.float32]

    @classmethod
    def load(cls, directory: str | os.PathLike[str], side: str) -> Self:
        """Load the embeddings of a run, with its best weights.

        Args:
            directory: the run directory.
            side: "source" or "target". With a shared table, the two sides differ only in the
                subwords that are frequent enough.

        Raises:
            UserError: If there is no run or no checkpoint, or the frequencies are unknown.
        """
        run = Run.open(directory)
        counts = count_subwords(run, side)
        subwords = run.subwords()
        model = run.build_model(*subwords)
        run.restore_weights(model)
        layer = (model.encoder if side == "source" else model.decoder).embedding
        table = np.asarray(layer.embedding.embeddings, np.float32)
        return cls.of(table, counts, subwords[SIDES.index(side)])

    @classmethod
    def of(cls, table: NDArray[np.float32], counts: Counts, subwords: Subwords) -> Self:
        """Return the embeddings of the frequent subwords in a table.

        Args:
            table: array (V, D) of all embeddings.
            counts: the `Counts` of the ids.
            subwords: the `Subwords` of the ids.
        """
        model = subwords.bpemb.spm
        usable = counts.occurrences >= MIN_OCCURRENCES
        excluded = (i for i in range(subwords.start) if model.is_byte(i) or model.is_control(i))
        usable[[*excluded, PADDING, UNKNOWN, subwords.start, subwords.end]] = False
        order = np.argsort(-counts.occurrences, kind="stable")
        ids = order[usable[order]]
        occurrences, continued = counts.occurrences[ids], counts.continued[ids]
        pieces = subwords.labels(ids)
        writing = writing_of(subwords.lang)
        kinds = [
            writing.kind(piece, bool(2 * part > whole))
            for piece, whole, part in zip(pieces, occurrences, continued, strict=True)
        ]
        return cls(subwords, ids, occurrences, kinds, table[ids])

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def unit_vectors(self) -> NDArray[np.float64]:
        """Array (N, D) of the embeddings, scaled to length 1."""
        vectors = self.vectors.astype(np.float64)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)

    @cached_property
    def writing(self) -> Writing:
        """How the language is written."""
        return writing_of(self.subwords.lang)

    @cached_property
    def labels(self) -> list[str]:
        """The subwords as they are shown.

        A hyphen precedes those that continue a word. In a language without spaces between words,
        ␣ precedes those that follow a space.
        """
        return list(map(self.writing.label, self.subwords.labels(self.ids)))

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """{id: number of the subword}."""
        return {int(i): row for row, i in enumerate(self.ids)}

    def rows(self, word: str) -> list[int]:
        """Return the indices of the subwords of a word.

        If the word is encoded differently in different places, the subwords are those of the
        encoding that is trained, has the fewest subwords, and is the most frequent.

        Raises:
            UserError: If the word is empty, or contains a character that is not in the vocabulary
                or a subword that is too rare.
        """
        if unknown := self.subwords.unknown_characters(word):
            raise UserError(f"{word!r} contains characters that the vocabulary lacks: {unknown}")
        ids = min(self.writing.encodings(self.subwords, word), key=self._rank)
        if not ids:
            raise UserError(f"{word!r} is not a word")
        for i, label in zip(ids, map(self.writing.label, self.subwords.labels(ids)), strict=True):
            if i not in self._numbers:
                raise UserError(
                    f"the embedding of {word!r} is not trained: its subword {label!r} "
                    f"occurs fewer than {MIN_OCCURRENCES} times in the training sentences"
                )
        return [self._numbers[i] for i in ids]

    def _rank(self, ids: Sequence[int]) -> tuple[bool, int, int]:
        """Return a key that sorts encodings of a word, the best first."""
        rows = [self._numbers[i] for i in ids if i in self._numbers]
        rarest = min((int(self.occurrences[row]) for row in rows), default=0)
        return len(rows) < len(ids), len(ids), -rarest

    def vector(self, word: str) -> NDArray[np.float64]:
        """Return the vector (D,) of a word, of length 1.

        The vector of a word of several subwords is the mean of their embeddings.
        """
        return _unit(self.vectors[self.rows(word)].astype(np.float64).mean(axis=0))

    def nearest(self, terms: Sequence[Term], count: int | None = None) -> list[Neighbor]:
        """Return the subwords whose embeddings are most similar to a sum of words.

        Args:
            terms: the words of the sum; a single one for the neighbors of a word. Their own
                subwords are excluded from the result.
            count: number of subwords to return; None for `NEIGHBORS`, or all if there are fewer.

        Returns:
            The subwords, most similar first.

        Raises:
            TooFewSubwords: If there are fewer subwords.
            UserError: If a word is invalid, or the sum is zero.
        """
        total = np.sum([sign * self.vector(word) for word, sign in terms], axis=0)
        if np.linalg.norm(total) < 1e-6:
            raise UserError("the words cancel each other out, so that their sum is zero")
        excluded = [row for word, _ in terms for row in self.rows(word)]
        others = "without those of the given words, "
        count = _checked_count(count, NEIGHBORS, len(self) - len(set(excluded)), others)
        cosines = self.unit_vectors @ _unit(total)
        cosines[excluded] = -np.inf
        rows = np.argsort(-cosines, kind="stable")[:count]
        return [Neighbor(int(row), self.labels[row], float(cosines[row])) for row in rows]

    def most_frequent(self, count: int | None = None) -> list[int]:
        """Return the indices of the most frequent subwords.

        Args:
            count: number of subwords; None for `POINTS`, or all if there are fewer.

        Raises:
            TooFewSubwords: If there are fewer subwords.
            UserError: If there are too few for a map.
        """
        count = _checked_count(count, POINTS, len(self))
        if count < MIN_POINTS:
            raise UserError(f"a map needs at least {MIN_POINTS} subwords, not {count}")
        return list(range(count))


def _checked_count(count: int | None, default: int, available: int, which: str = "") -> int:
    """Return the requested number of subwords; by default at most as many as there are.

    The error begins its count of the available ones with `which`.

    Raises:
        TooFewSubwords: If more are requested than there are.
    """
    if count is None:
        return min(default, available)
    if count > available:
        raise TooFewSubwords(
            f"there are no {count:,} subwords to choose from: "
            f"{which}{available:,} occur at least {MIN_OCCURRENCES} times in the training sentences"
        )
    return count


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return vector / max(float(np.linalg.norm(vector)), 1e-12)
