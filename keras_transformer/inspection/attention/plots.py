"""Pictures of attention: heat maps of all weights, and bar charts of the weights of one subword."""

import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keras_transformer.errors import UserError
from keras_transformer.inspection.attention.weights import (
    Attention,
    AttentionSource,
    read_attention,
)
from keras_transformer.inspection.attention.words import multiplied
from keras_transformer.pictures import bars, heatmaps
from keras_transformer.pictures.bars import Bars, Chart
from keras_transformer.pictures.heatmaps import Band, Panel, Strip
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.pictures.style import left_to_right, printable, shown
from keras_transformer.translation.translation import Translation

if TYPE_CHECKING:  # TensorFlow is not needed for the attention of a server
    from keras_transformer.inspection.attention.forced import Forced
    from keras_transformer.text.subwords import Subwords

MEAN_HUE = 7  # black, for the mean of the heads (and for head 8, which is never beside it)
MAX_LISTED = 60  # subwords that an error message lists


class UnknownToken(UserError):
    """A word or subword that does not occur in a picture."""


class Probabilities(NamedTuple):
    """The network's probabilities of the N subwords or words being written.

    Attributes:
        values: array (N,).
        choices: the subword that the network considers most probable, where this is another one;
            elsewhere an empty string.
        choice_values: array (N,), the probabilities of `choices`.
    """

    values: NDArray[np.floating]
    choices: Sequence[str]
    choice_values: NDArray[np.floating]

    @classmethod
    def of(cls, forced: "Forced", translation: Translation, subwords: "Subwords") -> Self:
        """Return the probabilities of the subwords of a given translation.

        Args:
            forced: what the network predicts for the translation.
            translation: the translation.
            subwords: the `Subwords` of the target.
        """
        rows = zip(forced.best, translation.ids[1:], subwords.labels(forced.best), strict=True)
        choices = ["" if best == wanted else label for best, wanted, label in rows]
        return cls(forced.probabilities, choices, forced.best_probabilities)

    def with_words(self, numbers: ArrayLike) -> Self:
        """Return the probabilities of words, without choices.

        Args:
            numbers: number of the word of each subword, as in `Words.numbers`.
        """
        values = multiplied(self.values, numbers)
        return self._replace(values=values, choices=[""] * len(values), choice_values=values)

    def notes(self) -> list[str]:
        """Return the probabilities and the choices as text."""
        rows = zip(self.values, self.choices, self.choice_values, strict=True)
        return [
            left_to_right(f"{number(value)} ({shown(choice)}", f" {number(best)})")
            if choice
            else number(value)
            for value, choice, best in rows
        ]


def number(probability: float) -> str:
    """Return a probability as text."""
    return f"{probability:.2f}" if probability >= 0.01 else f"{probability:.0e}"


def plot_translation(
    translator: AttentionSource,
    sentence: str,
    translation: Translation,
    kind: str = "cross",
    layer: int | None = None,
) -> NotebookFigure:
    """Plot one heat map for each attention head.

    Args:
        translator: a `Translator` or a `ServedTranslator`.
        sentence: the source.
        translation: a `Translation` of the sentence.
        kind: "encoder", "decoder" or "cross" (from target to source).
        layer: number of the layer, from 1; the last by default.

    Returns:
        A figure that displays itself in a notebook. `pictures.saving.save` writes it to a file.

    Raises:
        UserError: If the kind is unknown, the network has no such layer, or the translation is
            empty.
    """
    attention = read_attention(translator, sentence, translation, (kind,), layer)
    return plot_heat_maps(attention, heading(sentence, translation.text))


def heading(sentence: str, translation: str) -> list[str]:
    """Return the lines above a picture: a sentence and its translation."""
    return [printable(sentence), left_to_right(f"→ {printable(translation)}")]


def plot_heat_maps(
    attention: Sequence[Attention],
    text: Iterable[str] = (),
    probabilities: Probabilities | None = None,
) -> NotebookFigure:
    """Plot heat maps on one sheet.

    Each layer of each kind is a band of panels, one for each head. If only one head or the mean is
    drawn, the layers of a kind share a band.

    Args:
        attention: the weights, of kinds that follow one another.
        text: lines above the picture.
        probabilities: probabilities of the rows of decoder attention and cross-attention, or None.

    Raises:
        UserError: If the figure would be too large.
    """
    bands = [_band(group, probabilities) for group in _groups(attention)]
    if len(bands) == 1:
        bands = [bands[0]._replace(title="")]
    return heatmaps.plot_bands(bands, _title(attention), text)


def plot_token(
    attention: Sequence[Attention],
    token: str,
    text: Iterable[str] = (),
    probabilities: Probabilities | None = None,
) -> NotebookFigure:
    """Plot bar charts of the weights of one row, one row of bars for each head.

    A token that occurs several times has a chart for each occurrence.

    Args:
        attention: the weights, of kinds that follow one another.
        token: label of the row, see `rows_of`.
        text: lines above the picture.
        probabilities: probabilities of the rows of decoder attention and cross-attention, or None.

    Raises:
        UnknownToken: If the token does not occur.
        UserError: If the figure would be too large.
    """
    places = rows_of(attention, token)
    groups = _groups([each for each in attention if places[each.kind]])
    charts = [
        _chart(group, row, ", ".join([_group_title(group)] * (len(groups) > 1) + notes))
        for group in groups
        for row, notes in _notes(places[group[0].kind], group[0].kind, probabilities)
    ]
    drawn = [each for group in groups for each in group]
    title = left_to_right(f"“{printable(token)}”", f": {_title(drawn)}")
    return bars.plot_bars(charts, title, text)


def rows_of(attention: Sequence[Attention], token: str) -> dict[str, list[int]]:
    """Return {kind: the rows with a label}, counted from 0.

    The label is compared as it is drawn, with and without punctuation at its ends, or with
    SentencePiece's mark of a space if the token has it.

    Raises:
        UnknownToken: If the label does not occur.
    """
    labels = {each.kind: each.rows for each in attention}
    found = {
        kind: [row for row, label in enumerate(rows) if token in _forms(label)]
        for kind, rows in labels.items()
    }
    if any(found.values()):
        return found
    known = dict.fromkeys(shown(label) for rows in labels.values() for label in rows)
    unit = attention[0].units[0]
    raise UnknownToken(
        f"no {unit} that attends is {token!r}; the {unit}s are: {_first_of(list(known))}"
    )


def _forms(label: str) -> tuple[str, ...]:
    """Return the ways to name a label: as it is, as it is shown, and without punctuation."""
    characters = {char for char in shown(label) if unicodedata.category(char)[0] in "PZ"}
    return label, shown(label), shown(label).strip("".join(characters))


def _first_of(labels: Sequence[str]) -> str:
    more = ", ..." if len(labels) > MAX_LISTED else ""
    return f"{' '.join(labels[:MAX_LISTED])}{more}"


def _groups(attention: Sequence[Attention]) -> list[list[Attention]]:
    """Return the parts of a picture: layers, or kinds if each layer has one head or the mean."""
    if any(len(each.heads) > 1 for each in attention):
        return [[each] for each in attention]
    return [list(group) for _, group in itertools.groupby(attention, lambda each: each.kind)]


def _title(attention: Sequence[Attention]) -> str:
    """Return what all parts of a picture have in common."""
    kinds = list(dict.fromkeys(each.kind for each in attention))
    parts = [f"{_listed(kinds)} attention"]
    layers = {_layer_name(each) for each in attention}
    parts += layers if len(layers) == 1 else []
    heads = attention[0].heads
    parts += heads if len(heads) == 1 and len(attention) > 1 else []
    return ", ".join(parts)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _layer_name(attention: Attention) -> str:
    return f"layer {attention.layer} of {attention.num_layers}"


def _group_title(group: Sequence[Attention]) -> str:
    layer = "" if len(group) > 1 else f", {_layer_name(group[0])}"
    return f"{group[0].kind} attention{layer}"


def _names(attention: Attention, group: Sequence[Attention]) -> Sequence[str]:
    """Return the names of the heads, or of their layer in a group of several layers."""
    return [f"layer {attention.layer}"] if len(group) > 1 else attention.heads


def _hues(attention: Attention) -> list[int]:
    """Return the number of the color of each head."""
    numbers = [name.removeprefix("head ") for name in attention.heads]
    return [int(each) - 1 if each.isdigit() else MEAN_HUE for each in numbers]


def _band(group: Sequence[Attention], probabilities: Probabilities | None) -> Band:
    """Return a band with a panel for each head of each layer."""
    panels = [
        Panel(*panel)
        for each in group
        for panel in zip(_names(each, group), each.weights, _hues(each), strict=True)
    ]
    has_strip = probabilities is not None and group[0].kind != "encoder"
    strip = _strip(probabilities) if probabilities and has_strip else None
    return Band(_group_title(group), *group[0].axes(), panels, strip)


def _strip(probabilities: Probabilities) -> Strip:
    noted = [bool(choice) for choice in probabilities.choices]
    title = "probability (network's choice)" if any(noted) else "probability"
    return Strip(title, probabilities.values, probabilities.notes(), noted)


def _notes(
    rows: Sequence[int], kind: str, probabilities: Probabilities | None
) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with the same label, each with remarks for the title of its chart."""
    for place, row in enumerate(rows, 1):
        notes = [f"occurrence {place} of {len(rows)}"] if len(rows) > 1 else []
        if probabilities and kind != "encoder":
            notes.append(f"probability {probabilities.notes()[row]}")
        yield row, notes


def _chart(group: Sequence[Attention], row: int, title: str) -> Chart:
    """Return a chart of one row of each head of each layer, without hidden columns."""
    columns = group[0].axes()[1]
    visible = ~np.isnan(group[0].weights[0, row])
    items = [label for label, seen in zip(columns.labels, visible, strict=True) if seen]
    bars_of_heads = [
        Bars(name, weights[row, visible], hue)
        for each in group
        for name, weights, hue in zip(_names(each, group), each.weights, _hues(each), strict=True)
    ]
    return Chart(title, items, columns.title, bars_of_heads)
