"""The flag --plot of `translate`. `draw attention` shares the translation of one sentence."""

import argparse
import random
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TextIO

from keras_transformer.commands import checks, console
from keras_transformer.commands.command_line import AddArgument
from keras_transformer.commands.confidence_warnings import ConfidenceWarnings
from keras_transformer.commands.opened_translator import (
    OpenedTranslator,
    line_translator,
    output_format,
    own_line_translator,
)
from keras_transformer.errors import UserError
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.attention_kinds import KINDS
from keras_transformer.translation.translated_line import TranslatedSentence


def add_flags(add: AddArgument) -> None:
    """Add the flags of a plot."""
    add("--plot", metavar="FILE.png", help="plot the attention of one sentence; also .pdf and .svg")
    text = "which attention to plot (default cross: from target to source)"
    add("--attention", choices=KINDS, help=text)
    text = "which layer to plot, counted from 1 (default: the last)"
    add("--layer", type=int, metavar="N", help=text)


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if the flags of a plot are invalid or its file cannot be written."""
    for name in ("attention", "layer"):
        if getattr(arguments, name) is not None and not arguments.plot:
            raise UserError(f"--{name} needs --plot")
    if arguments.layer is not None:
        checks.check_at_least_one(arguments, "layer")
    if arguments.plot:
        if len(arguments.sentences) != 1:
            raise UserError("--plot needs exactly one sentence as an argument")
        from keras_transformer.pictures.saving import check_path

        check_path(arguments.plot)


def translate(
    opened: OpenedTranslator, arguments: argparse.Namespace, output: TextIO
) -> TranslatedSentence:
    """Translate one sentence, write its translations to `output`, and return what to plot."""
    search: dict[str, Any] = {"search": _repeatable(opened.search)} if opened.search else {}
    [line] = line_translator(opened, arguments).translate(arguments.sentences, **search)
    if len(line.sentences) > 1:
        raise UserError(
            f"--plot needs one sentence, not {len(line.sentences)}: "
            "plot them one at a time, or give --no-split"
        )
    ConfidenceWarnings(opened.assessor, immediate=True, defects=opened.defects).examine([line])
    n_best = opened.search.n_best if opened.search else 1
    for _, texts in output_format(opened, arguments)([line]):
        for text in console.output_lines(1, line, texts, n_best, arguments.scores):
            print(text, file=output, flush=True)
    printed = line.sentences[0]
    if opened.copier is None or arguments.no_corrections:
        return printed
    own = _own_translation(opened, arguments, search)
    if not arguments.quiet:
        _note_difference(printed, own)
    return own


def _repeatable(search: SearchSettings) -> SearchSettings:
    """Return settings of a search that finds the same translation twice."""
    is_random = search.strategy == "sampling" and search.seed is None
    return replace(search, seed=random.randrange(2**32)) if is_random else search


def _own_translation(
    opened: OpenedTranslator, arguments: argparse.Namespace, search: Mapping[str, Any]
) -> TranslatedSentence:
    """Return the sentence with the network's own translation.

    What is printed may be the translation of a sentence with other names and values, corrected.
    """
    [sentence] = own_line_translator(opened, arguments).sentences(arguments.sentences[0])
    [found] = opened.translator.translate([sentence], numbers=[None], **search)
    return TranslatedSentence(sentence, found[0], found)


def _note_difference(printed: TranslatedSentence, own: TranslatedSentence) -> None:
    """Print a note if the picture shows another translation than the one that is printed."""
    if own.best_of_read.text != printed.found[0].text:
        note = "the picture shows the network's own translation, without corrections"
        print(f"note: {note}: {own.best_of_read.text}", file=sys.stderr)


def check_layer_exists(opened: OpenedTranslator, arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if the network is known to have no such layer."""
    from keras_transformer.inspection.limits import check_layer

    kind = arguments.attention or "cross"
    check_layer(arguments.layer, opened.network.num_layers(kind), kind)


def plot(
    opened: OpenedTranslator, arguments: argparse.Namespace, translated: TranslatedSentence
) -> None:
    """Plot the attention between the sentence and its translation."""
    from keras_transformer.inspection.attention.plots import plot_translation
    from keras_transformer.pictures.saving import save

    kind, layer = arguments.attention or "cross", arguments.layer
    pair = translated.read, translated.best_of_read
    figure = plot_translation(opened.network, *pair, kind, layer)
    save(figure, arguments.plot)
    print(f"wrote {arguments.plot}", file=sys.stderr)
