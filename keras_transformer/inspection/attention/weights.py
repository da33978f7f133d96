"""The attention between a sentence and its translation, as arrays with labels.

At each position the decoder reads a subword and predicts the next one. A row of decoder attention
or cross-attention therefore has the subword that is being written as its label, not the one read.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from keras_transformer.counting import counted
from keras_transformer.errors import UserError
from keras_transformer.inspection.attention.source import AttentionSource
from keras_transformer.inspection.attention.words import merged, unmerged, words_of
from keras_transformer.inspection.limits import check_head, check_layer
from keras_transformer.pictures.heatmaps import Axis
from keras_transformer.pictures.style import shown
from keras_transformer.tensors import Nest
from keras_transformer.translation.attention_kinds import KINDS, SIDES, SOURCE, TARGET
from keras_transformer.translation.translation import Translation

# Titles of the rows and of the columns.
TITLES = {
    "encoder": ("source {}", "source {} attended to"),
    "decoder": ("{} being written", "{} read"),
    "cross": ("{} being written", "source {}"),
}


class Attention(NamedTuple):
    """The attention weights of one layer, of one kind.

    Attributes:
        kind: "encoder", "decoder" or "cross" (from target to source).
        layer: number of the layer, from 1.
        num_layers: number of layers with attention of this kind.
        weights: array (H, row, column). NaN marks a hidden position.
        rows: label of each row, the subword or word that attends.
        columns: label of each column, the subword or word attended to.
        heads: name of each head.
        units: what the rows and the columns are, "subword" or "word".
    """

    kind: str
    layer: int
    num_layers: int
    weights: NDArray[np.floating]
    rows: Sequence[str]
    columns: Sequence[str]
    heads: Sequence[str]
    units: tuple[str, str] = ("subword", "subword")

    def axes(self) -> tuple[Axis, Axis]:
        """Return the axes of the rows and of the columns, with labels as pictures show them."""
        titles = zip(TITLES[self.kind], self.units, strict=True)
        rows, columns = (title.format(unit) for title, unit in titles)
        return (
            Axis(rows, list(map(shown, self.rows))),
            Axis(columns, list(map(shown, self.columns))),
        )

    def with_words(self, sides: Collection[str] = (SOURCE, TARGET)) -> Self:
        """Return the attention between words, see `inspection.attention.words`.

        Args:
            sides: "source", "target" or both: the sentences whose subwords are merged.
        """
        axes = zip((self.rows, self.columns), self.units, SIDES[self.kind], strict=True)
        (rows, row_unit), (columns, column_unit) = (
            (words_of(labels), "word") if side in sides else (unmerged(labels), unit)
            for labels, unit, side in axes
        )
        return self._replace(
            weights=merged(self.weights, rows.numbers, columns.numbers),
            rows=rows.labels,
            columns=columns.labels,
            units=(row_unit, column_unit),
        )

    def with_mean_head(self) -> Self:
        """Return the attention with the mean over heads in place of the heads."""
        name = f"mean of {counted(len(self.heads), 'head')}"
        return self._replace(weights=self.weights.mean(0, keepdims=True), heads=[name])

    def with_head(self, number: int) -> Self:
        """Return the attention of one head.

        Args:
            number: number of the head, from 1.

        Raises:
            UserError: If there is no such head.
        """
        check_head(number, len(self.heads))
        chosen = slice(number - 1, number)
        return self._replace(weights=self.weights[chosen], heads=self.heads[chosen])

    def with_heads(self, heads: int | str) -> Self:
        """Return the attention of all heads, of their mean, or of one head.

        Args:
            heads: "all", "mean", or the number of a head, from 1.

        Raises:
            UserError: If there is no such head.
        """
        if isinstance(heads, int):
            return self.with_head(heads)
        return self.with_mean_head() if heads == "mean" else self


def check_kind(kind: str) -> None:
    """Raise a `UserError` if there is no attention of a kind."""
    if kind not in KINDS:
        raise UserError(f"there is no attention of kind {kind!r}; kinds: {', '.join(KINDS)}")


def attention_of(
    kind: str, layers: Sequence[Nest], number: int, source: Sequence[str], target: Sequence[str]
) -> Attention:
    """Return the attention of one layer, with labels.

    Args:
        kind: "encoder", "decoder" or "cross".
        layers: an array (1, H, query, key) for each layer.
        number: number of the layer, from 1.
        source: subwords of the source, with start and end.
        target: subwords of the target, with start, and with end unless the search stopped early.

    Raises:
        UserError: If the kind is unknown, or there is no such layer.
    """
    check_kind(kind)
    check_layer(number, len(layers), kind)
    weights = np.asarray(layers[number - 1][0])
    heads = [f"head {head + 1}" for head in range(len(weights))]
    return Attention(kind, number, len(layers), *visible(kind, weights, source, target), heads)


def visible(
    kind: str, weights: NDArray[np.floating], source: Sequence[str], target: Sequence[str]
) -> tuple[NDArray[np.floating], Sequence[str], Sequence[str]]:
    """Return the weights (H, row, column) to draw, and the labels of the rows and of the columns.

    The last position of the target is omitted, because its prediction is not part of the target.
    Decoder weights of later positions, which are masked, are NaN.

    Args:
        kind: "encoder", "decoder" or "cross".
        weights: array (H, query, key).
        source: subwords of the source, with start and end.
        target: subwords of the target, as for `attention_of`.
    """
    if kind == "encoder":
        return weights, source, source
    read, written = target[:-1], target[1:]
    if kind == "cross":
        return weights[:, :-1], written, source
    later = np.triu(np.ones((len(read), len(read)), bool), k=1)
    return np.where(later, np.nan, weights[:, :-1, :-1]), written, read


def read_attention(
    translator: AttentionSource,
    sentence: str,
    translation: Translation,
    kinds: Sequence[str] = ("cross",),
    layer: int | str | None = None,
) -> list[Attention]:
    """Return the attention between a sentence and its translation.

    Args:
        translator: a `Translator` or a `ServedTranslator`.
        sentence: the source.
        translation: a `Translation` of the sentence.
        kinds: the kinds of attention.
        layer: number of the layer, from 1, "all", or None for the last.

    Returns:
        An `Attention` for each kind, and for each layer of this kind.

    Raises:
        UserError: If a kind is unknown, the network has no such layer, or the translation is empty.
    """
    for kind in kinds:
        check_kind(kind)
    if not translation.text:
        raise UserError("an empty translation has no attention to plot")
    if not sentence.strip():
        raise UserError("the network did not read the sentence: without words, it is only copied")
    source, target, weights = translator.attention(sentence, translation)
    return [
        attention_of(kind, layers, number, source, target)
        for kind, layers in ((kind, getattr(weights, kind)) for kind in kinds)
        for number in _layer_numbers(layer, len(layers))
    ]


def _layer_numbers(layer: int | str | None, num_layers: int) -> Sequence[int]:
    if isinstance(layer, int):
        return [layer]
    return range(1, num_layers + 1) if layer == "all" else [num_layers]
