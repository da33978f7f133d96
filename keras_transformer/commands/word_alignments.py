"""The flag --alignments: translations with their word alignments, in Marian's format."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from keras_transformer.commands import checks, command_line, settings_flags
from keras_transformer.commands.console import printed
from keras_transformer.errors import UserError

if TYPE_CHECKING:  # the imports take seconds
    from keras_transformer.client import ServedTranslator
    from keras_transformer.inspection.alignments.lines import LineAligner
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.translated_line import TranslatedLine
    from keras_transformer.translation.translator import Translator

Grouping: TypeAlias = "Callable[[Iterable[TranslatedLine]], Iterator[list[TranslatedLine]]]"
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
            raise UserError(f"{settings_flags.flag(name)} needs --alignments")
        checks.check_at_least_one(arguments, name)
    if arguments.alignments and arguments.confidence:
        raise UserError("--alignments cannot be combined with --confidence")


def all_together(lines: "Iterable[TranslatedLine]") -> "Iterator[list[TranslatedLine]]":
    """Yield all lines as one group, which a run aligns faster than one line after the other."""
    yield list(lines)


def each_alone(lines: "Iterable[TranslatedLine]") -> "Iterator[list[TranslatedLine]]":
    """Yield each line as a group, so that it is printed before a server aligns the next one."""
    return ([line] for line in lines)


class AlignmentFormat:
    """The output format in which each translation is followed by its alignment.

    Args:
        aligner: computes the alignments.
        grouped: divides the lines into groups that are aligned together.

    Call arguments:
        lines: translated lines.

    Yields:
        Each line with the text to print for each of its translations.
    """

    def __init__(self, aligner: "LineAligner", grouped: "Grouping") -> None:
        self.aligner = aligner
        self.grouped = grouped

    def __call__(
        self, lines: "Iterable[TranslatedLine]"
    ) -> "Iterator[tuple[TranslatedLine, list[str]]]":
        for group in self.grouped(lines):
            yield from zip(group, self._texts(group), strict=True)

    def _texts(self, lines: "Sequence[TranslatedLine]") -> Iterator[list[str]]:
        from keras_transformer.inspection.alignments.errors import pharaoh

        for line, alignments in zip(lines, self.aligner.of(lines), strict=True):
            texts = (printed(translation.text) for translation in line.translations())
            yield [
                f"{text}{SEPARATOR}{pharaoh(links)}"
                for text, links in zip(texts, alignments, strict=True)
            ]


def served_format(
    served: "ServedTranslator", arguments: argparse.Namespace
) -> AlignmentFormat | None:
    """Return the output format for the translations of a server, or None without --alignments."""
    if not arguments.alignments:
        return None
    from keras_transformer.inspection.alignments.cross_attention import one_by_one
    from keras_transformer.inspection.alignments.lines import LineAligner

    choice = arguments.alignment_layer, arguments.alignment_head
    return AlignmentFormat(LineAligner(one_by_one(served), *choice), each_alone)


def run_format(
    network: "Translator", run: "Run", arguments: argparse.Namespace
) -> AlignmentFormat | None:
    """Return the output format for the translations of a run, or None without --alignments.

    Raises:
        UserError: If the network has no such layer or head.
    """
    if not arguments.alignments:
        return None
    from keras_transformer.inspection.alignments.forced_attention import BatchedAttention
    from keras_transformer.inspection.alignments.lines import LineAligner
    from keras_transformer.inspection.limits import check_head, check_layer

    choice = arguments.alignment_layer, arguments.alignment_head
    check_layer(arguments.alignment_layer, network.num_layers("cross"), "cross")
    check_head(arguments.alignment_head, run.config.model.num_heads)
    return AlignmentFormat(LineAligner(BatchedAttention(network), *choice), all_together)
