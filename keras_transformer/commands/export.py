"""Export a trained run for TensorFlow Serving or CTranslate2."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from keras_transformer.commands import command_line, search_flags
from keras_transformer.errors import PathTaken, UserError
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import SearchSettings
from keras_transformer.signals import signals

if TYPE_CHECKING:
    from keras_transformer.export.saved_model import Report

DESCRIPTION = """\
Exports a trained run as a SavedModel that takes and returns text: the next version in a directory
that TensorFlow Serving can watch. The version appears only after its translations have been
compared with those of the run.

  %(prog)s --checkpoint checkpoints/phrasebook-en-de --output serving/en-de

With --format ctranslate2, writes a model directory for CTranslate2, after comparing the
probabilities that it computes with those of the run:

  %(prog)s --format ctranslate2 --output ctranslate2/en-de
"""


def make_parser() -> command_line.Parser:
    """Return the parser of the command."""
    parser = command_line.make_parser("export", DESCRIPTION)
    add = parser.add_argument
    command_line.add_checkpoint_flag(add)
    text = (
        "directory of the versions, named like the model, such as serving/en-de; "
        "for ctranslate2: the model directory to create"
    )
    add("--output", required=True, metavar="DIR", help=text)
    text = "a SavedModel for TensorFlow Serving, or a CTranslate2 model (default savedmodel)"
    add("--format", choices=("savedmodel", "ctranslate2"), default="savedmodel", help=text)
    add_savedmodel_flags(parser.add_argument_group("savedmodel").add_argument)
    return parser


def add_savedmodel_flags(add: command_line.AddArgument) -> None:
    """Add the flags of a SavedModel."""
    search_flags.add_search_flags(add, SearchSettings())
    text = "compile the search, for servers started with --xla_cpu_compilation_enabled"
    add("--xla", action="store_true", help=text)
    text = "take and return subword ids, for servers without the operations of tensorflow-text"
    add("--ids-only", action="store_true", help=text)


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if arguments are invalid or cannot be combined."""
    search_flags.search_settings(arguments, SearchSettings())
    given = [command_line.flag(name) for name in search_flags.given_settings(arguments)]
    given += ["--xla"] if arguments.xla else []
    given += ["--ids-only"] if arguments.ids_only else []
    if arguments.format == "ctranslate2" and given:
        raise UserError(
            f"{', '.join(given)}: for --format savedmodel only; CTranslate2 takes its search "
            "settings when it translates"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    chosen = make_parser().parse_args(arguments)
    check(chosen)
    export = {"savedmodel": export_savedmodel, "ctranslate2": export_ctranslate2}
    with (
        command_line.naming_flags(search_flags.SETTINGS),
        command_line.advice({PathTaken: "give another --output"}),
    ):
        export[chosen.format](command_line.chosen_run(chosen.checkpoint), chosen)
    return 0


def report_progress(text: str) -> None:
    """Print the current step on standard error, unless a signal has arrived."""
    signals.check()
    print(text, file=sys.stderr, flush=True)


def export_savedmodel(checkpoint: str | Path, arguments: argparse.Namespace) -> None:
    """Write the next version for TensorFlow Serving, and print how to serve it."""
    with quiet_stderr():
        from keras_transformer.export.saved_model import Options, export_saved_model

    search = search_flags.search_settings(arguments, SearchSettings())
    options = Options(search, arguments.xla, arguments.ids_only)
    report = export_saved_model(checkpoint, arguments.output, options, report_progress)
    print(
        f"{report.directory}: {report.size / 1e6:.1f} MB, loaded in {report.load_seconds:.1f} s; "
        f"{comparison(report, search, checkpoint)}\n"
    )
    print_instructions(report, arguments)


def comparison(report: "Report", search: SearchSettings, checkpoint: str | Path) -> str:
    """Return how the translations of the export compare with those of the run."""
    from keras_transformer.search.strategy import strategy_class

    if strategy_class(search).deterministic:
        return f"{report.compared} translations are the same as those of {checkpoint}"
    if not report.compared:
        return "samples were not compared"
    return (
        f"{report.compared} translations of the greedy signature are the same as those of "
        f"{checkpoint}; samples were not compared"
    )


def print_instructions(report: "Report", arguments: argparse.Namespace) -> None:
    """Print a command that starts a server, a request, and a Python program."""
    from keras_transformer.export import server_files
    from keras_transformer.export.saved_model import model_name

    name = model_name(arguments.output)
    print("Start a server:\n")
    print(server_files.docker_command(arguments.output, name, arguments.xla), end="\n\n")
    ids = ", given as subword ids" if arguments.ids_only else ""
    print(f'Request the translation of "{report.example}"{ids}:\n')
    print(server_files.curl_command(name, report.inputs), end="\n\n")
    print("Translate in Python, without a server:\n")
    print(server_files.python_program(report.directory, report.inputs), end="")


def export_ctranslate2(checkpoint: str | Path, arguments: argparse.Namespace) -> None:
    """Write a model directory for CTranslate2, and print how to use it."""
    with quiet_stderr():
        from keras_transformer.export.ctranslate2_model import export_ctranslate2

    report = export_ctranslate2(checkpoint, arguments.output, report_progress)
    print(
        f"{report.directory}: {report.size / 1e6:.1f} MB; for {report.compared} translations, "
        f"CTranslate2 computes the same probabilities as {checkpoint}\n"
    )
    print(report.program, end="")
