"""The export of a SavedModel for TensorFlow Serving."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from keras_transformer.commands import command_line, search_flags
from keras_transformer.commands.opened_run import exported_search
from keras_transformer.commands.progress import report_progress
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import SearchSettings

if TYPE_CHECKING:
    from keras_transformer.export.saved_model import Report


def add_flags(add: command_line.AddArgument) -> None:
    """Add the flags of the format."""
    search_flags.add_search_flags(add, SearchSettings())
    text = "compile the search, for servers started with --xla_cpu_compilation_enabled"
    add("--xla", action="store_true", help=text)
    text = "take and return subword ids, for servers without the operations of tensorflow-text"
    add("--ids-only", action="store_true", help=text)
    search_flags.add_shortlist_flag(add)


def export(arguments: argparse.Namespace) -> None:
    """Write the next version for TensorFlow Serving, and print how to serve it."""
    checkpoint = arguments.checkpoint
    with quiet_stderr():
        from keras_transformer.export.saved_model import Options, check_output, export_saved_model

    check_output(arguments.output)
    search = exported_search(checkpoint, arguments)
    options = Options(search, arguments.xla, arguments.ids_only, arguments.shortlist)
    with search_flags.advice_on_shortlist(checkpoint):
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
        return f"the scores of {report.compared} translations equal those of {checkpoint}"
    if not report.compared:
        return "samples were not compared"
    return (
        f"the scores of {report.compared} translations of the greedy signature equal those of "
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
