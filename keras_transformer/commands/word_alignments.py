"""The flag --alignments: translations with their word alignments, in the form of Marian."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from keras_transformer.commands import command_line
from keras_transformer.commands.console import printed
from keras_transformer.errors import UserError

if TYPE_CHECKING:  # the imports take seconds
    from keras_transformer.client import ServedTranslator
    from keras_transformer.inspection.alignments.lines import LineAligner
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.line_translator import TranslatedLine
    from keras_transformer.translation.translator import Translator

SEPARATOR = " ||| "  # between a translation and its alignment, as in Marian


def add_flags(add: command_line.AddArgument) -> None:
    """Add the flags."""
    text = (
        "print ' ||| ' and the word alignment after each translation, from cross-attention: pairs "
        "of indices, from 0, of a word of the line and a word of the translation (0-0 1-2)"
    )
    add("--alignments", action="store_true", help=text)
    text = "decoder layer of the alignment, counted from 1 (default: the last)"
    add("--alignment-layer", type=int, metavar="N", help=text)
    text = "attention head of the alignment, counted from 1 (default: the mean of all heads)"
    add("--alignment-head", type=int, metavar="N", help=text)


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if the flags are invalid or cannot be combined."""
    for name in ("alignment_layer", "alignment_head"):
        if getattr(arguments, name) is None:
            continue
        if not arguments.alignments:
            raise UserError(f"{command_line.flag(name)} needs --alignments")
        command_line.check_at_least_one(arguments, name)
    if arguments.alignments and arguments.confidence:
        raise UserError("--alignments cannot be combined with --confidence")


class AlignmentForm:
    """The form of output in which each translation is followed by its alignment.

    Args:
        aligner: computes the alignments.
        together: whether to align all lines together, which is faster than one after the other.

    Call arguments:
        lines: translated lines.

    Yields:
        Each line with the text to print for each of its translations.
    """

    def __init__(self, aligner: "LineAligner", together: bool = True) -> None:
        self.aligner = aligner
        self.together = together

    def __call__(
        self, lines: "Iterable[TranslatedLine]"
    ) -> "Iterator[tuple[TranslatedLine, list[str]]]":
        groups = [list(lines)] if self.together else ([line] for line in lines)
        for group in groups:
            yield from zip(group, self._texts(group), strict=True)

    def _texts(self, lines: "Sequence[TranslatedLine]") -> Iterator[list[str]]:
        from keras_transformer.inspection.alignments.errors import pharaoh

        for line, alignments in zip(lines, self.aligner.of(lines), strict=True):
            texts = (printed(translation.text) for translation in line.translations())
            yield [
                f"{text}{SEPARATOR}{pharaoh(links)}"
                for text, links in zip(texts, alignments, strict=True)
            ]


def served_form(served: "ServedTranslator", arguments: argparse.Namespace) -> AlignmentForm | None:
    """Return the form for the translations of a server, or None without --alignments."""
    if not arguments.alignments:
        return None
    from keras_transformer.inspection.alignments.cross_attention import one_by_one
    from keras_transformer.inspection.alignments.lines import LineAligner

    choice = arguments.alignment_layer, arguments.alignment_head
    return AlignmentForm(LineAligner(one_by_one(served), *choice), together=False)


def run_form(
    network: "Translator", run: "Run", arguments: argparse.Namespace
) -> AlignmentForm | None:
    """Return the form for the translations of a run, or None without --alignments.

    Raises:
        UserError: If the network has no such layer or head.
    """
    if not arguments.alignments:
        return None
    from keras_transformer.inspection.alignments.forced_attention import BatchedAttention
    from keras_transformer.inspection.alignments.lines import LineAligner
    from keras_transformer.inspection.alignments.links import check_choice

    choice = arguments.alignment_layer, arguments.alignment_head
    check_choice(*choice, network.num_layers("cross"), run.config.model.num_heads)
    return AlignmentForm(LineAligner(BatchedAttention(network), *choice))
