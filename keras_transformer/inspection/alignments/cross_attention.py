"""The cross-attention between sentences and given translations (forced decoding)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keras_transformer.inspection.attention.source import AttentionSource
from keras_transformer.translation.translation import Translation


class SubwordAttention(NamedTuple):
    """The cross-attention between the subwords of a sentence and of its translation.

    Attributes:
        source: the S subwords of the source, with start and end token.
        target: the T subwords of the target, with start token, and with end token unless the
            translation reached the maximum length.
        weights: array (layers, H, T, S), or (T, S) of one head, of the steps that read the
            subwords of the target.
    """

    source: list[str]
    target: list[str]
    weights: NDArray[np.floating]


CrossAttention: TypeAlias = Callable[[Sequence[str], Sequence[Translation]], list[SubwordAttention]]


def one_by_one(network: AttentionSource) -> CrossAttention:
    """Return a function that computes the cross-attention of pairs, one after the other.

    `forced_attention.BatchedAttention` is faster, but requires a `Translator`.

    Args:
        network: the network.
    """

    def attend(sentence: str, translation: Translation) -> SubwordAttention:
        source, target, weights = network.attention(sentence, translation)
        layers = np.stack([np.asarray(layer[0]) for layer in weights.cross])
        return SubwordAttention(list(source), list(target), layers)

    return lambda sentences, translations: list(map(attend, sentences, translations))
