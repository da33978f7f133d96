"""The translator that the user chose: that of a run, with all that belongs to it, or a server's."""

import argparse
from typing import TYPE_CHECKING, NamedTuple

from keras_transformer.commands import console, run_flag, word_alignments, word_confidence
from keras_transformer.commands.defects import Defects
from keras_transformer.commands.opened_run import (
    chosen_search,
    chosen_translator,
    warn_if_unfinished,
)
from keras_transformer.commands.word_alignments import AlignmentFormat
from keras_transformer.memory import keep_freed_memory
from keras_transformer.onednn import disable_onednn
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.translation import SentenceTranslator

if TYPE_CHECKING:
    from keras_transformer.client import ServedTranslator
    from keras_transformer.corrections.copying import Copier
    from keras_transformer.translation.confidence import Assessor
    from keras_transformer.translation.translator import Translator
    from keras_transformer.translation.word_probabilities import WordProbabilities


class OpenedTranslator(NamedTuple):
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


def open_translator(arguments: argparse.Namespace) -> OpenedTranslator:
    """Open the translator that the user chose."""
    return open_served_translator(arguments) if arguments.server else open_run_translator(arguments)


def open_served_translator(arguments: argparse.Namespace) -> OpenedTranslator:
    """Open the translator of a server, without importing TensorFlow, which takes seconds."""
    from keras_transformer.client import ServedTranslator, Streaming

    served = ServedTranslator(arguments.server)
    # The server's languages are unknown: lines are split into sentences by the rules of English.
    languages = "en", ""
    return OpenedTranslator(
        Streaming(served),
        served,
        None,
        languages,
        arguments.server,
        defects=None if arguments.quiet else Defects(),  # a server returns no end token
        alignments=word_alignments.served_format(served, arguments),
    )


def open_run_translator(arguments: argparse.Namespace) -> OpenedTranslator:
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
    if not arguments.quiet:
        warn_if_unfinished(run)
    network = chosen_translator(run, arguments, XlaSearch if arguments.xla else BatchSearch)
    reranker, search = chosen_search(run, network, arguments)
    lexicon = reranker.lexicon if reranker else None
    return OpenedTranslator(
        reranked(network, reranker),
        network,
        search,
        (run.config.text.source_lang, run.config.text.target_lang),
        str(directory),
        None if arguments.quiet else Assessor.of(network, run, lexicon),
        run_copier(run),
        None if arguments.quiet else Defects(network.target_subwords.end),
        word_confidence.opened(network, run) if arguments.confidence else None,
        word_alignments.run_format(network, run, arguments),
    )


def line_translator(opened: OpenedTranslator, arguments: argparse.Namespace) -> LineTranslator:
    """Return a `LineTranslator`, which corrects translations unless the user chose otherwise."""
    copier = None if arguments.no_corrections else opened.copier
    return LineTranslator(opened.translator, *opened.languages, not arguments.no_split, copier)


def own_line_translator(opened: OpenedTranslator, arguments: argparse.Namespace) -> LineTranslator:
    """Return a `LineTranslator` that does not correct translations, for pictures of them."""
    return LineTranslator(opened.translator, *opened.languages, not arguments.no_split)


def output_format(opened: OpenedTranslator, arguments: argparse.Namespace) -> console.OutputFormat:
    """Return the format in which translations are printed."""
    if opened.alignments:
        return opened.alignments
    return word_confidence.output_format(opened.words, arguments.output, arguments.quiet)
