"""Translate text with a trained run or a server."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from keras_transformer.commands import (
    checks,
    command_line,
    console,
    run_flag,
    search_flags,
    settings_flags,
    word_alignments,
    word_confidence,
)
from keras_transformer.commands.advice import advice_on_memory
from keras_transformer.commands.confidence_warnings import ConfidenceWarnings
from keras_transformer.commands.defects import Defects
from keras_transformer.commands.opened_run import chosen_search, chosen_translator
from keras_transformer.commands.word_alignments import AlignmentFormat
from keras_transformer.errors import UserError
from keras_transformer.files import check_file
from keras_transformer.memory import keep_freed_memory
from keras_transformer.onednn import disable_onednn
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import RERANKED, SearchSettings
from keras_transformer.translation.attention_kinds import KINDS
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.translated_line import TranslatedSentence
from keras_transformer.translation.translation import SentenceTranslator

if TYPE_CHECKING:
    from keras_transformer.client import ServedTranslator
    from keras_transformer.corrections.copying import Copier
    from keras_transformer.translation.confidence import Assessor
    from keras_transformer.translation.translator import Translator
    from keras_transformer.translation.word_probabilities import WordProbabilities

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
    text = "translate with TensorFlow Serving: http://HOST:8501/v1/models/NAME"
    add("--server", metavar="URL", help=text)
    text = "text file to translate line by line; .gz files are decompressed"
    add("-i", "--input", metavar="FILE", help=text)
    text = "write the translations to this file, atomically at the end (default: standard output)"
    add("-o", "--output", metavar="FILE", help=text)
    add_search_flags(parser.add_argument_group("search and output").add_argument)
    word_alignments.add_flags(parser.add_argument_group("word alignments").add_argument)
    add_plot_flags(parser.add_argument_group("plot").add_argument)
    return parser


def add_search_flags(add: command_line.AddArgument) -> None:
    """Add the flags of the search and of the output format."""
    search_flags.add_search_flags(add, RERANKED)
    text = (
        "translations of each line, or samples with --search sampling; if N is more than 1, each "
        "follows the line number and a tab (default 1)"
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


def add_plot_flags(add: command_line.AddArgument) -> None:
    """Add the flags of a plot."""
    add("--plot", metavar="FILE.png", help="plot the attention of one sentence; also .pdf and .svg")
    text = "which attention to plot (default cross: from target to source)"
    add("--attention", choices=KINDS, help=text)
    text = "which layer to plot, counted from 1 (default: the last)"
    add("--layer", type=int, metavar="N", help=text)


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if arguments are invalid or cannot be combined."""
    search_flags.search_settings(arguments, RERANKED)
    checks.check_at_least_one(arguments, "batch_size", "buffer_size")
    search_flags.check_neighbors(arguments, "server", "xla", "shortlist")
    if arguments.server:
        check_server(arguments)
        check_no_effect(arguments)
    if arguments.sentences and arguments.input:
        raise UserError("give sentences or --input, not both")
    if arguments.input:
        check_file(arguments.input)
    if arguments.quiet and arguments.warn_each_line:
        raise UserError("give --quiet or --warn-each-line, not both")
    word_alignments.check(arguments)
    check_plot(arguments)
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


def check_plot(arguments: argparse.Namespace) -> None:
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


def warn_about_files(arguments: argparse.Namespace) -> None:
    """Warn about sentences that are names of files, whose text is not translated."""
    for name in () if arguments.quiet else filter(os.path.isfile, arguments.sentences):
        message = f"{name!r} is translated as a sentence; to translate the file, give --input"
        print(f"warning: {message}", file=sys.stderr)


class Opened(NamedTuple):
    """An opened translator, and the objects used with it."""

    translator: "SentenceTranslator"
    network: "Translator | ServedTranslator"  # without reranking; for plots of its attention
    search: SearchSettings | None  # None for a server, which has fixed settings
    languages: tuple[str, str]  # source, target
    place: str  # run directory or address
    assessor: "Assessor | None" = None  # assesses the confidence in translations
    copier: "Copier | None" = None  # copies names and numbers
    defects: Defects | None = None  # finds defective translations
    words: "WordProbabilities | None" = None  # computes the probabilities of --confidence
    alignments: AlignmentFormat | None = None  # the output format of --alignments


def open_translator(arguments: argparse.Namespace) -> Opened:
    """Open the translator that the user chose."""
    return open_served(arguments) if arguments.server else open_run(arguments)


def open_served(arguments: argparse.Namespace) -> Opened:
    """Open the translator of a server, without importing TensorFlow, which takes seconds."""
    from keras_transformer.client import ServedTranslator, Streaming

    served = ServedTranslator(arguments.server)
    # The server's languages are unknown: lines are split into sentences by the rules of English.
    languages = "en", ""
    return Opened(
        Streaming(served),
        served,
        None,
        languages,
        arguments.server,
        defects=None if arguments.quiet else Defects(),  # a server returns no end token
        alignments=word_alignments.served_format(served, arguments),
    )


def open_run(arguments: argparse.Namespace) -> Opened:
    """Open the translator of a run directory."""
    if arguments.shortlist:
        disable_onednn()
    with quiet_stderr():
        from keras_transformer.runs.run import Run
        from keras_transformer.threads import one_thread_per_operation
        from keras_transformer.translation.batch_search import BatchSearch
        from keras_transformer.translation.confidence import Assessor
        from keras_transformer.translation.reranking import reranked
        from keras_transformer.translation.run_copier import run_copier
        from keras_transformer.translation.xla_search import XlaSearch

    keep_freed_memory()
    one_thread_per_operation()
    directory = run_flag.chosen_run(arguments.checkpoint)
    run = Run.open(directory)
    network = chosen_translator(run, arguments, XlaSearch if arguments.xla else BatchSearch)
    reranker, search = chosen_search(run, network, arguments)
    lexicon = reranker.lexicon if reranker else None
    return Opened(
        reranked(network, reranker),
        network,
        search,
        (run.config.text.source_lang, run.config.text.target_lang),
        str(directory),
        None if arguments.quiet else Assessor.of(network, run, lexicon),
        run_copier(run),
        None if arguments.quiet else Defects(network.target_subwords.end),
        word_confidence.opened(network, run, arguments.quiet) if arguments.confidence else None,
        word_alignments.run_format(network, run, arguments),
    )


def line_translator(opened: Opened, arguments: argparse.Namespace) -> LineTranslator:
    """Return a `LineTranslator`; for a plot, one that does not correct the translations."""
    is_raw = arguments.plot or arguments.no_corrections
    copier = None if is_raw else opened.copier
    return LineTranslator(opened.translator, *opened.languages, not arguments.no_split, copier)


def output_format(opened: Opened, arguments: argparse.Namespace) -> console.OutputFormat:
    """Return the format in which translations are printed."""
    if opened.alignments:
        return opened.alignments
    return word_confidence.output_format(opened.words, arguments.output, arguments.quiet)


def translate(opened: Opened, arguments: argparse.Namespace, output: TextIO) -> None:
    """Translate all lines, and write the translations to `output`."""
    lines, is_prompt = console.source_lines(
        arguments.sentences, arguments.input, opened.languages[0], opened.place
    )
    buffer_size = 1 if is_prompt else arguments.buffer_size
    immediate = arguments.warn_each_line or (False if arguments.output else None)
    for line in console.translate_lines(
        line_translator(opened, arguments),
        lines,
        ConfidenceWarnings(opened.assessor, immediate, opened.defects),
        opened.search,
        buffer_size,
        arguments.scores,
        arguments.batch_size,
        output_format(opened, arguments),
    ):
        print(line, file=output, flush=buffer_size == 1)


def translate_for_plot(
    opened: Opened, arguments: argparse.Namespace, output: TextIO
) -> TranslatedSentence:
    """Translate one sentence, write its translations to `output`, and return them."""
    search: dict[str, Any] = {"search": opened.search} if opened.search else {}
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
    return line.sentences[0]


def check_plotted_layer(opened: Opened, arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if the network is known to have no such layer."""
    from keras_transformer.inspection.limits import check_layer

    kind = arguments.attention or "cross"
    check_layer(arguments.layer, opened.network.num_layers(kind), kind)


def plot(opened: Opened, arguments: argparse.Namespace, translated: TranslatedSentence) -> None:
    """Plot the attention between the sentence and its translation."""
    from keras_transformer.inspection.attention.plots import plot_translation
    from keras_transformer.pictures.saving import save

    kind, layer = arguments.attention or "cross", arguments.layer
    figure = plot_translation(opened.network, translated.read, translated.found[0], kind, layer)
    save(figure, arguments.plot)
    print(f"wrote {arguments.plot}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    check(chosen)
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
        check_plotted_layer(opened, chosen)
        translated = translate_for_plot(opened, chosen, output)
    plot(opened, chosen, translated)  # after `output` is closed, so that an error keeps the file
    return 0
