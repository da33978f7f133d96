"""Words in place of subwords: which subwords form a word, and the attention between words."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keras_transformer.text.special_tokens import BYTE, SPECIAL_TOKENS, UNKNOWN_TOKEN
from keras_transformer.text.subword_words import word_numbers

TOKENS = SPECIAL_TOKENS - {UNKNOWN_TOKEN}  # each is a word of its own


class Words(NamedTuple):
    """The words of a sentence of S subwords.

    Attributes:
        labels: the words. A word that follows a space begins with `▁`, like its first subword.
        numbers: int array (S,), the number of the word, from 0, to which each subword belongs.
    """

    labels: list[str]
    numbers: NDArray[np.intp]


def words_of(subwords: Iterable[str]) -> Words:
    """Group subwords into words.

    A word begins with a subword that begins with `▁`, or after a special token. Words are therefore
    what is between two spaces, punctuation included. In a language that is written without spaces,
    a sentence is one word.

    Args:
        subwords: the subwords, as `Subwords.labels` returns them.
    """
    labels, numbers = list[str](), list[int]()
    for is_token, group in groupby(subwords, TOKENS.__contains__):
        pieces = list(group)
        found = list(range(len(pieces))) if is_token else word_numbers(pieces)
        words = groupby(zip(found, pieces, strict=True), itemgetter(0))
        numbers += [len(labels) + number for number in found]
        labels += [joined(piece for _, piece in word) for _, word in words]
    return Words(labels, np.array(numbers, np.intp))


def unmerged(subwords: Sequence[str]) -> Words:
    """Return each subword as a word of its own."""
    return Words(list(subwords), np.arange(len(subwords)))


def joined(subwords: Iterable[str]) -> str:
    """Return the text of consecutive subwords, in which the bytes of a character are combined."""
    groups = groupby(subwords, lambda each: BYTE.fullmatch(each) is not None)
    return "".join(_decoded(each) if are_bytes else "".join(each) for are_bytes, each in groups)


def _decoded(pieces: Iterable[str]) -> str:
    return bytes(int(piece[3:5], 16) for piece in pieces).decode("utf-8", "replace")


def merged(weights: ArrayLike, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
    """Return the attention weights between words, given those between subwords.

    The weights to the subwords of a word are added, and those from the subwords of a word are
    averaged. The sum of a row remains 1.

    Args:
        weights: array (..., query, key). NaN marks a hidden position and counts as 0.
        rows: index of the word of each query, as in `Words.numbers`.
        columns: index of the word of each key.

    Returns:
        Array (..., word of the queries, word of the keys). A weight is NaN if all weights between
        the subwords of the two words are.
    """
    weights = np.asarray(weights, np.float64)
    from_words, to_words = _membership(rows), _membership(columns)
    averages = (from_words / from_words.sum(0)).T  # (word, query)
    visible = ~np.isnan(weights)
    sums = averages @ np.where(visible, weights, 0.0) @ to_words
    return np.where(from_words.T @ visible @ to_words > 0, sums, np.nan)


def multiplied(values: ArrayLike, numbers: ArrayLike) -> NDArray[np.float64]:
    """Return the product of each word's values, such as the probability of its subwords.

    Args:
        values: array (S,), one value for each subword.
        numbers: number of the word of each subword, from 0.

    Returns:
        Array (number of words,).
    """
    numbers = np.asarray(numbers, np.intp)
    products = np.ones(numbers.max(initial=-1) + 1)
    np.multiply.at(products, numbers, values)
    return products


def _membership(numbers: ArrayLike) -> NDArray[np.float64]:
    """Return an array (S, number of words): 1 where the subword belongs to the word, else 0."""
    numbers = np.asarray(numbers, np.intp)
    return np.eye(numbers.max(initial=-1) + 1)[numbers]
