"""Export a trained run for TensorFlow Serving, for CTranslate2, or as a page for a browser."""

import argparse
import itertools
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from keras_transformer.commands import command_line, run_flag, search_flags, settings_flags
from keras_transformer.commands.advice import advice
from keras_transformer.commands.exporting import ctranslate2, html, savedmodel
from keras_transformer.errors import PathTaken, UserError
from keras_transformer.search.settings import SearchSettings

logger = logging.getLogger(__name__)

DESCRIPTION = """\
Exports a trained run as a SavedModel that takes and returns text: the next version in a directory
that TensorFlow Serving can watch. The version appears only after the scores of its translations
have been compared with those of the run.

  %(prog)s --checkpoint checkpoints/phrasebook-en-de --output serving/en-de

With --format ctranslate2, writes a model directory for CTranslate2, after comparing the
probabilities that it computes with those of the run:

  %(prog)s --format ctranslate2 --output ctranslate2/en-de

With --format html, writes one file that translates in a browser without access to the network, and
shows how. --beam-size and --length-penalty are its initial settings.

  %(prog)s --format html --output translator.html

A network of more than 20 million weights is too large for a page. With --server, the page gets its
translations from a server instead. Give --checkpoint as well to add the run's examples to the page.

  %(prog)s --format html --server http://localhost:8501/v1/models/en-de --output en-de.html
"""
EXPORT = {
    "savedmodel": savedmodel.export,
    "ctranslate2": ctranslate2.export,
    "html": html.export,
}
# {format: the arguments that it accepts, besides those that all formats accept}
FLAGS: dict[str, tuple[str, ...]] = {
    "savedmodel": (*search_flags.SETTINGS, "xla", "ids_only", "shortlist"),
    "ctranslate2": (),
    "html": ("beam_size", "length_penalty", "weights", "server", "example"),
}
# {format: why it does not accept an argument of the search}
SEARCHES = {
    "ctranslate2": "; CTranslate2 takes its search settings when it translates",
    "html": "; a page has beam search, which is greedy search with --beam-size 1",
}
# {(format, argument): why the format does not accept it}
REASONS = {
    ("ctranslate2", "shortlist"): "; a CTranslate2 model always has the shortlist of its run",
}


def make_parser() -> command_line.Parser:
    """Return the parser of the command."""
    parser = command_line.make_parser("export", DESCRIPTION)
    add = parser.add_argument
    run_flag.add_checkpoint_flag(add)
    text = (
        "directory of the versions, named like the model, such as serving/en-de; "
        "for ctranslate2: the model directory to create; for html: the file to create"
    )
    add("-o", "--output", required=True, metavar="PATH", help=text)
    text = (
        "a SavedModel for TensorFlow Serving, a CTranslate2 model, or a page for a browser "
        "(default savedmodel)"
    )
    add("--format", choices=tuple(EXPORT), default="savedmodel", help=text)
    savedmodel.add_flags(parser.add_argument_group("savedmodel").add_argument)
    html.add_flags(parser.add_argument_group("html").add_argument)
    return parser


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if arguments are invalid or cannot be combined."""
    search_flags.search_settings(arguments, SearchSettings())
    for name in given_flags(arguments):
        check_accepted(name, arguments.format)
    if arguments.format == "html":
        html.check(arguments)


def given_flags(arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the names of the arguments that the user gave and not every format accepts."""
    for name in dict.fromkeys(itertools.chain.from_iterable(FLAGS.values())):
        value = getattr(arguments, name, None)
        if value is not None and value is not False:
            yield name


def check_accepted(name: str, chosen: str) -> None:
    """Raise a `UserError` if a format does not accept an argument."""
    formats = [each for each, names in FLAGS.items() if name in names]
    if chosen not in formats:
        why = SEARCHES.get(chosen, "") if name in search_flags.SETTINGS else ""
        why = REASONS.get((chosen, name), why)
        flag = settings_flags.flag(name)
        raise UserError(f"{flag}: for --format {' or '.join(formats)} only{why}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    check(chosen)
    with (
        settings_flags.naming_flags(search_flags.SETTINGS),
        advice({PathTaken: "give another --output"}),
    ):
        if chosen.server is None:
            chosen.checkpoint = run_flag.chosen_run(chosen.checkpoint)
        EXPORT[chosen.format](chosen)
        if chosen.server is None:
            warn_about_restoration(chosen.checkpoint)
    return 0


def warn_about_restoration(checkpoint: str | Path) -> None:
    """Warn if `translate` restores what the network of an exported run does not write."""
    from keras_transformer.runs.run import Run

    if Run.open(checkpoint).config.text.subwords == "pretrained":
        logger.warning(
            "translations are in lower case, and each digit is 0, because the subwords are "
            "pretrained; only %s restores capitals and digits",
            command_line.program("translate"),
        )
