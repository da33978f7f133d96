"""Draw the attention between a sentence and its translation."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from keras_transformer.commands import command_line, console, run_flag, translate, translation_plot
from keras_transformer.commands.advice import advice
from keras_transformer.commands.drawing import flags
from keras_transformer.commands.opened_translator import (
    OpenedTranslator,
    open_translator,
    own_line_translator,
)
from keras_transformer.errors import UserError
from keras_transformer.text.normalization import composed, with_straight_apostrophes
from keras_transformer.text.sentences import UNSPACED
from keras_transformer.translation.attention_kinds import KINDS, SOURCE, TARGET

if TYPE_CHECKING:
    from keras_transformer.inspection.attention.plots import Probabilities
    from keras_transformer.pictures.saving import NotebookFigure
    from keras_transformer.translation.translation import Translation
    from keras_transformer.translation.translator import Translator

DESCRIPTION = """\
Draws the attention between a sentence and its translation, as one heat map for each head.

  %(prog)s "Where can I buy a ticket?" --output attention.png
  %(prog)s "I am sad." --attention all --layer all --heads mean --words -o sheet.pdf
  %(prog)s "I am sad." --token traurig --words -o bars.png
  %(prog)s "I am sad." --target "Ich bin müde." -o forced.png
"""
SMALLER_HINT = "give --heads mean, or choose one layer or one kind of attention"
WORDS_HINT = "give --words to merge subwords into words"


class Pair(NamedTuple):
    """The sentence pair of a picture.

    Attributes:
        sentence: the source, as the network reads it.
        translation: the `Translation`.
        probabilities: probabilities of the subwords of a translation that the user gave, or None.
        subwords: these subwords.
    """

    sentence: str
    translation: "Translation"
    probabilities: "Probabilities | None" = None
    subwords: Sequence[str] = ()


def make_parser() -> command_line.Parser:
    """Return the parser of the kind."""
    parser = command_line.make_parser("draw attention", DESCRIPTION)
    add = parser.add_argument
    add("sentence", metavar="SENTENCE", help="the sentence to translate")
    run_flag.add_checkpoint_flag(add)
    run_flag.add_server_flag(add)
    flags.add_output_flag(add)
    text = (
        "draw the attention for this translation instead of the network's own, with the "
        "probability of each of its subwords"
    )
    add("--target", metavar="TEXT", help=text)
    add("--no-split", action="store_true", help="draw several sentences as if they were one")
    add_selection_flags(parser.add_argument_group("selection").add_argument)
    return parser


def add_selection_flags(add: command_line.AddArgument) -> None:
    """Add the flags that select the weights to draw."""
    text = (
        "which attention to draw; all: encoder, decoder and cross on one sheet "
        "(default cross: from target to source)"
    )
    add("--attention", choices=(*KINDS, "all"), default="cross", help=text)
    text = "which layer to draw, counted from 1, or all of them (default: the last)"
    add("--layer", type=flags.number_or("all"), metavar="N|all", help=text)
    text = "which head to draw, counted from 1, their mean, or all of them (default)"
    add(
        "--heads",
        type=flags.number_or("all", "mean"),
        default="all",
        metavar="N|mean|all",
        help=text,
    )
    text = "draw only the weights from this subword, or word with --words, as bar charts"
    add("--token", metavar="WORD", help=text)
    text = (
        "merge subwords into words: the weights to the subwords of a word are added, those from "
        "them averaged"
    )
    add("--words", action="store_true", help=text)


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if arguments are invalid or cannot be combined."""
    flags.check_picture(arguments.output)
    if arguments.server:
        translate.check_server(as_translate(arguments))
    if arguments.server and arguments.target is not None:
        raise UserError(
            "--target cannot be combined with --server: a server returns no probabilities"
        )
    if not arguments.sentence.strip():
        raise UserError("the sentence is empty")
    if arguments.target is not None and not arguments.target.strip():
        raise UserError("the translation given with --target is empty")
    if arguments.token is not None and not arguments.token.strip():
        raise UserError("--token needs a subword or a word")


def kinds(arguments: argparse.Namespace) -> Sequence[str]:
    """Return the kinds of attention that the user chose."""
    return KINDS if arguments.attention == "all" else (arguments.attention,)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    check(chosen)
    with console.open_output() as output:
        opened = open_translator(as_translate(chosen))
        sentence = checked_sentence(opened, chosen)
        if chosen.target is None:
            found = translation_plot.translate(opened, as_translate(chosen), output)
            pair = Pair(found.read, found.best_of_read)
        else:
            pair = given_pair(cast("Translator", opened.network), sentence, chosen.target)
        figure = plot(opened, chosen, pair)
    flags.write(figure, chosen)
    return 0


def as_translate(arguments: argparse.Namespace) -> argparse.Namespace:
    """Return the arguments of `translate` for the same sentence."""
    same = translate.make_parser().parse_args([])
    same.sentences, same.plot = [arguments.sentence], arguments.output
    for name in ("checkpoint", "server", "no_split"):
        setattr(same, name, getattr(arguments, name))
    same.quiet = same.no_rerank = arguments.target is not None
    return same


def checked_sentence(opened: OpenedTranslator, arguments: argparse.Namespace) -> str:
    """Return the sentence as the network reads it.

    Raises:
        UserError: If there are several sentences, the sentence is empty or too long, or the network
            is known to have no such layer or head.
    """
    from keras_transformer.inspection.limits import check_layer

    lines = own_line_translator(opened, as_translate(arguments))
    [sentence, *others] = lines.sentences(arguments.sentence)
    if others:
        raise UserError(
            f"a picture shows one sentence, not {1 + len(others)}: "
            "draw them one at a time, or give --no-split"
        )
    if isinstance(arguments.layer, int):
        for kind in kinds(arguments):
            check_layer(arguments.layer, opened.network.num_layers(kind), kind)
    if not arguments.server:
        check_network(cast("Translator", opened.network), sentence, arguments.heads)
    return sentence


def check_network(translator: "Translator", sentence: str, heads: int | str) -> None:
    """Raise a `UserError` if the sentence is empty or too long, or the network has no such head."""
    from keras_transformer.inspection.limits import check_head, complete_source_ids

    if isinstance(heads, int):
        check_head(heads, int(translator.model.settings["num_heads"]))
    complete_source_ids(translator, sentence)


def given_pair(translator: "Translator", sentence: str, target: str) -> Pair:
    """Return a sentence with the translation that the user gave, and its probabilities."""
    from keras_transformer.inspection.attention.forced import given_translation
    from keras_transformer.inspection.attention.plots import Probabilities

    subwords = translator.target_subwords
    translation, forced = given_translation(translator, sentence, target)
    if unknown := subwords.unknown_characters(target):
        listed = " ".join(unknown)
        print(f"warning: characters of --target not in the vocabulary: {listed}", file=sys.stderr)
    labels = subwords.labels(translation.ids[1:])
    return Pair(sentence, translation, Probabilities.of(forced, translation, subwords), labels)


def plot(opened: OpenedTranslator, arguments: argparse.Namespace, pair: Pair) -> "NotebookFigure":
    """Plot the weights that the user chose."""
    from keras_transformer.inspection.attention import plots
    from keras_transformer.inspection.attention.weights import read_attention
    from keras_transformer.inspection.attention.words import words_of
    from keras_transformer.pictures.sheets import SheetTooLarge

    sentence, translation, probabilities, subwords = pair
    attention = read_attention(
        opened.network, sentence, translation, kinds(arguments), arguments.layer
    )
    attention = [each.with_heads(arguments.heads) for each in attention]
    if arguments.words:
        sides = merged_sides(opened.languages)
        attention = [each.with_words(sides) for each in attention]
        if probabilities and TARGET in sides:
            probabilities = probabilities.with_words(words_of(subwords).numbers)
    text = plots.heading(sentence, translation.text)
    if probabilities:
        text.append(f"log probability of this translation: {translation.score:.2f}")
    hints: dict[type[UserError], str] = {SheetTooLarge: SMALLER_HINT}
    hints |= {} if arguments.words else {plots.UnknownToken: WORDS_HINT}
    with advice(hints):
        if arguments.token is None:
            return plots.plot_heat_maps(attention, text, probabilities)
        token = composed(with_straight_apostrophes(arguments.token))  # as in the labels
        return plots.plot_token(attention, token, text, probabilities)


def merged_sides(languages: tuple[str, str]) -> list[str]:
    """Return the sides whose subwords can be merged into words; say which cannot.

    Args:
        languages: codes of the languages of the source and of the target.
    """
    sides = []
    for side, lang in zip((SOURCE, TARGET), languages, strict=True):
        if lang in UNSPACED:
            message = f"{lang} is written without spaces: its subwords are not merged"
            print(f"warning: {message}", file=sys.stderr)
        else:
            sides.append(side)
    return sides
