"""How often each subword occurs in the sentences on which a run was trained."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import UserError
from keras_transformer.runs.layout import TRAINING_IDS, WORDS
from keras_transformer.runs.run import Run
from keras_transformer.text import id_file
from keras_transformer.text.special_tokens import BYTE, SPECIAL_TOKENS
from keras_transformer.text.subwords import SPACE, Subwords
from keras_transformer.text.words import has_letter

SIDES = ("source", "target")


class Counts(NamedTuple):
    """Counts of each id in the training sentences of one language.

    Attributes:
        occurrences: int64 array (V,).
        continued: int64 array (V,), how often the word continues after the subword.
    """

    occurrences: NDArray[np.int64]
    continued: NDArray[np.int64]


def count_subwords(run: Run, side: str) -> Counts:
    """Count the subwords of a run's training sentences.

    They are counted in `training.ids`, which training leaves in the run directory. Without that
    file, they are counted in the words that the run has saved with their frequencies, which lack
    numbers and punctuation.

    Args:
        run: the `Run`.
        side: "source" or "target".

    Raises:
        UserError: If the run has neither.
    """
    number = SIDES.index(side)
    subwords = run.subwords()[number]
    counts = _count_sentences(run, number, subwords) or _count_words(run, number, subwords)
    if counts is None:
        raise UserError(
            f"{run.directory}: the frequencies of its subwords are unknown: it has neither "
            f"{TRAINING_IDS} nor {WORDS[number]}"
        )
    return counts


def is_continuation(piece: str) -> bool:
    """Return whether a piece continues a word: it has a letter, and no space before it.

    Only the names of special tokens and of bytes have letters, not the tokens and bytes themselves.
    """
    if piece in SPECIAL_TOKENS or BYTE.fullmatch(piece):
        return False
    return not piece.startswith(SPACE) and has_letter(piece)


def _count_sentences(run: Run, number: int, subwords: Subwords) -> Counts | None:
    pairs = id_file.load_any(run.directory / TRAINING_IDS)
    if pairs is None or len(pairs.rows) < 2:
        return None
    ids = pairs.rows.take(np.arange(number, len(pairs.rows), 2)).ids  # sides alternate
    if ids.max(initial=0) >= subwords.size:
        return None
    return _count(ids, np.ones(len(ids), np.int64), subwords)


def _count_words(run: Run, number: int, subwords: Subwords) -> Counts | None:
    words = run.words()
    if words is None:
        return None
    rows = subwords.encode_all(list(words[number]))
    numbers = np.fromiter(words[number].values(), np.int64)
    return _count(rows.ids, np.repeat(numbers, np.diff(rows.offsets)), subwords)


def _count(ids: NDArray[np.integer], numbers: NDArray[np.int64], subwords: Subwords) -> Counts:
    """Return the counts of ids, each of which occurs several times.

    Args:
        ids: ids of sentences, one after the other, with start and end.
        numbers: how often each occurs.
        subwords: the `Subwords` of the ids.
    """
    pieces = subwords.labels(range(subwords.size))
    continues = np.array([is_continuation(piece) for piece in pieces])
    before = np.append(continues[ids[1:]], False)  # whether the next id continues the word
    size = subwords.size
    occurrences = np.bincount(ids, numbers, size).astype(np.int64)
    return Counts(occurrences, np.bincount(ids, numbers * before, size).astype(np.int64))
