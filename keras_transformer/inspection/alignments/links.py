"""Word alignments from cross-attention.

The decoder's attention to the source while it writes a word shows which source words the word
translates (Bahdanau et al. 2015, section 5.2.1). Three choices make it an alignment:

* The weights are those of the steps that write the subwords of a word. The next steps, which read
  them, align better in some deeper networks (Chen et al. 2020), but much worse in small ones.
* Subwords are merged into words, without punctuation marks: an alignment says nothing about them,
  but a network attends to them a lot.
* Every weight is divided by the total weight of its source word. Otherwise a source word that
  always receives much attention is linked to too many target words.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keras_transformer.inspection.alignments.cross_attention import SubwordAttention
from keras_transformer.inspection.alignments.errors import Link
from keras_transformer.inspection.attention.words import merged, words_of
from keras_transformer.inspection.limits import check_head, check_layer
from keras_transformer.text.special_tokens import END_TOKEN, START_TOKEN
from keras_transformer.text.words import MARK

WRITING, READING = "writing", "reading"  # steps of the decoder
WORD_CHARACTER = re.compile(rf"\w|{MARK}")
SPECIAL = START_TOKEN, END_TOKEN


class WordAttention(NamedTuple):
    """The cross-attention between words.

    Attributes:
        source: the M words of the source.
        target: the N words of the target.
        weights: array (layers, H, N, M), or (N, M) of one head.
    """

    source: list[str]
    target: list[str]
    weights: NDArray[np.float64]


def between_words(attention: SubwordAttention, step: str = WRITING) -> WordAttention:
    """Return the attention between words, ignoring punctuation marks and special tokens.

    A word is what white space separates. Its subwords without letters and digits are ignored,
    unless it has no others.

    Args:
        attention: the attention between subwords.
        step: `WRITING` for the weights of the step that writes a target subword, or `READING` for
            those of the next step, which reads it.
    """
    weights = attention.weights
    weights = weights[..., :-1, :] if step == WRITING else weights[..., 1:, :]
    source, columns, column_words = _words(attention.source)
    target, rows, row_words = _words(attention.target)
    chosen = weights[..., [row - 1 for row in rows], :][..., columns]  # the start is not written
    return WordAttention(source, target, merged(chosen, row_words, column_words))


def _words(subwords: Sequence[str]) -> tuple[list[str], list[int], list[int]]:
    """Return the words, the positions of the subwords that count, and the word of each of these."""
    inner = [place for place, subword in enumerate(subwords) if subword not in SPECIAL]
    words = words_of(subwords[place] for place in inner)
    pairs = list(zip(inner, map(int, words.numbers), strict=True))
    spoken = [(place, word) for place, word in pairs if WORD_CHARACTER.search(subwords[place])]
    silent = set(range(len(words.labels))) - {word for _, word in spoken}  # only punctuation marks
    kept = sorted(spoken + [pair for pair in pairs if pair[1] in silent])
    labels = [label.lstrip("▁") for label in words.labels]
    return labels, [place for place, _ in kept], [word for _, word in kept]


def head_weights(
    weights: NDArray[np.floating], layer: int | None = None, head: int | None = None
) -> NDArray[np.floating]:
    """Return the weights (N, M) of a head, or the mean of the heads of a layer.

    Args:
        weights: array (layers, H, N, M), the cross-attention of each decoder layer.
        layer: number of the layer, from 1; the last by default.
        head: number of the head, from 1; the mean of all by default.

    Raises:
        UserError: If there is no such layer or head.
    """
    layers, heads = weights.shape[:2]
    check_layer(layer, layers, "cross")
    check_head(head, heads)
    chosen = weights[(layer or layers) - 1]
    return chosen.mean(0) if head is None else chosen[head - 1]


def balanced(weights: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return weights (N, M) divided by the sum of their column, the total of a source word."""
    totals = weights.sum(0)
    return weights / np.where(totals > 0, totals, 1.0)


def strongest_links(weights: NDArray[np.floating]) -> list[Link]:
    """Return a link from every target word to the source word with the largest weight (N, M)."""
    if not weights.size:
        return []
    return [(int(i), j) for j, i in enumerate(weights.argmax(1))]


def aligned(
    attentions: Iterable[SubwordAttention], layer: int | None = None, head: int | None = None
) -> list[list[Link]]:
    """Return the word alignment of each pair, with the choices that this module describes.

    Args:
        attentions: the cross-attention of each pair.
        layer: number of the layer, from 1; the last by default.
        head: number of the head, from 1; the mean of all by default.

    Raises:
        UserError: If there is no such layer or head.
    """
    words = map(between_words, attentions)
    return [strongest_links(balanced(head_weights(each.weights, layer, head))) for each in words]
