"""Translate text with a trained run or a server."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TextIO

from keras_transformer.commands import (
    checks,
    command_line,
    console,
    line_progress,
    run_flag,
    search_flags,
    settings_flags,
    translation_plot,
    word_alignments,
)
from keras_transformer.commands.advice import advice_on_memory
from keras_transformer.commands.confidence_warnings import ConfidenceWarnings
from keras_transformer.commands.opened_translator import (
    OpenedTranslator,
    line_translator,
    open_translator,
    output_format,
)
from keras_transformer.errors import UserError
from keras_transformer.files import check_file
from keras_transformer.search.settings import RERANKED

DESCRIPTION = """\
Translates sentences given as arguments, in a file or on standard input. Each line of output is the
translation of one line of input.

  %(prog)s "Where can I buy a ticket?"
  %(prog)s --input source.txt --output target.txt --beam-size 1
  %(prog)s --plot attention.png "Where can I buy a ticket?"
"""
# Flags that --plot lacks, with the command that has them.
ELSEWHERE = dict.fromkeys(("--heads", "--token", "--words"), "draw attention")


def make_parser() -> command_line.Parser:
    """Return the parser of the command."""
    parser = command_line.make_parser("translate", DESCRIPTION)
    parser.elsewhere = ELSEWHERE
    add = parser.add_argument
    add("sentences", nargs="*", metavar="SENTENCE", help="a sentence to translate")
    run_flag.add_checkpoint_flag(add)
    run_flag.add_server_flag(add)
    text = (
        "text file to translate line by line, or - for standard input (the default); .gz files are "
        "decompressed"
    )
    add("-i", "--input", metavar="FILE", help=text)
    text = (
        "file to write the translations to, atomically at the end, or - for standard output (the "
        "default)"
    )
    add("-o", "--output", metavar="FILE", help=text)
    add_search_flags(parser.add_argument_group("search and output").add_argument)
    word_alignments.add_flags(parser.add_argument_group("word alignments").add_argument)
    translation_plot.add_flags(parser.add_argument_group("plot").add_argument)
    return parser


def add_search_flags(add: command_line.AddArgument) -> None:
    """Add the flags of the search and of the output format."""
    search_flags.add_search_flags(add, RERANKED)
    text = (
        "largest number of different translations of each line, or number of samples with "
        "--search sampling; if N is more than 1, each follows the number of its input line and a "
        "tab (default 1)"
    )
    add("--n-best", type=int, metavar="N", help=text)
    text = (
        "print a score and a tab before each translation: its log probability divided by the "
        "length penalty, summed over the sentences of the line; reranking orders translations by "
        "further scores, too"
    )
    add("--scores", action="store_true", help=text)
    text = (
        "show the probability of each word: in color on a terminal; otherwise in a column after "
        "the translation, separated by spaces"
    )
    add("--confidence", action="store_true", help=text)
    search_flags.add_rerank_flag(add)
    text = "treat each line as one sentence (default: split it into sentences)"
    add("--no-split", action="store_true", help=text)
    text = "print the output of the network as it is, without correcting names, numbers and formats"
    add("--no-corrections", action="store_true", help=text)
    text = "do not warn about translations that may be wrong or are defective"
    add("-q", "--quiet", action="store_true", help=text)
    text = (
        "warn about each doubtful line, with the reasons, as at a terminal (default: one summary)"
    )
    add("--warn-each-line", action="store_true", help=text)
    search_flags.add_shortlist_flag(add)
    search_flags.add_neighbors_flag(add)
    search_flags.add_batch_flag(add)
    text = "lines to read before they are translated together; 1: line by line (default 1024)"
    add("--buffer-size", type=int, default=1024, metavar="N", help=text)
    text = "compile the search for single sentences with XLA; useful with --buffer-size 1"
    add("--xla", action="store_true", help=text)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the checked arguments; a file named `-` is None, as if its flag were missing."""
    chosen = make_parser().parse_args(arguments)
    if chosen.sentences and chosen.input:
        raise UserError("give sentences or --input, not both")
    for flag in ("input", "output"):
        if getattr(chosen, flag) == "-":
            setattr(chosen, flag, None)
    check(chosen)
    return chosen


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if arguments are invalid or cannot be combined."""
    search_flags.search_settings(arguments, RERANKED)
    checks.check_at_least_one(arguments, "batch_size", "buffer_size")
    search_flags.check_neighbors(arguments, "server", "xla", "shortlist")
    if arguments.server:
        check_server(arguments)
        check_no_effect(arguments)
    if arguments.input is not None:
        check_file(arguments.input)
    if arguments.quiet and arguments.warn_each_line:
        raise UserError("give --quiet or --warn-each-line, not both")
    word_alignments.check(arguments)
    translation_plot.check(arguments)
    checks.check_output(
        arguments, "output", {"--input": [arguments.input], "--plot": [arguments.plot]}
    )


def check_server(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if a flag cannot be combined with --server."""
    export = command_line.program("export")
    if arguments.checkpoint:
        raise UserError("give --server or --checkpoint, not both")
    if arguments.xla:
        raise UserError(f"--xla cannot be combined with --server: give it to {export}")
    if arguments.shortlist:
        raise UserError(f"--shortlist cannot be combined with --server: give it to {export}")
    if arguments.confidence:
        raise UserError(
            "--confidence cannot be combined with --server: a server returns no probabilities"
        )
    search_flags.check_server(arguments)


def check_no_effect(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if a flag has no effect with --server."""
    for name in ("no_rerank", "no_corrections"):
        if getattr(arguments, name):
            raise UserError(
                f"{settings_flags.flag(name)} has no effect with --server, which neither reranks "
                "nor corrects"
            )


def warn_about_files(arguments: argparse.Namespace) -> None:
    """Warn about sentences that are names of files, whose text is not translated."""
    for name in () if arguments.quiet else filter(os.path.isfile, arguments.sentences):
        message = f"{name!r} is translated as a sentence; to translate the file, give --input"
        print(f"warning: {message}", file=sys.stderr)


def translate(opened: OpenedTranslator, arguments: argparse.Namespace, output: TextIO) -> None:
    """Translate all lines, and write the translations to `output`."""
    lines, is_prompt = console.source_lines(
        arguments.sentences, arguments.input, opened.languages[0], opened.place
    )
    buffer_size = 1 if is_prompt else arguments.buffer_size
    immediate = arguments.warn_each_line or (False if arguments.output else None)
    with line_progress.line_bar(arguments) as bar:
        for line in console.translate_lines(
            line_translator(opened, arguments),
            lines,
            ConfidenceWarnings(opened.assessor, immediate, opened.defects),
            opened.search,
            buffer_size,
            arguments.scores,
            arguments.batch_size,
            line_progress.advancing(bar, output_format(opened, arguments)),
        ):
            print(line, file=output, flush=buffer_size == 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = parsed(arguments)
    warn_about_files(chosen)
    with (
        settings_flags.naming_flags(search_flags.SETTINGS),
        advice_on_memory(),
        console.open_output(chosen.output) as output,
    ):
        opened = open_translator(chosen)
        if not chosen.plot:
            translate(opened, chosen, output)
            return 0
        translation_plot.check_layer_exists(opened, chosen)
        translated = translation_plot.translate(opened, chosen, output)
    # After `output` is closed, so that an error keeps the file.
    translation_plot.plot(opened, chosen, translated)
    return 0
