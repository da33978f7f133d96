"""The export of an HTML file that translates in a browser, by itself or with a server."""

import argparse
from pathlib import Path

from keras_transformer.client import model_address
from keras_transformer.commands import command_line, search_flags, settings_flags
from keras_transformer.commands.advice import advice
from keras_transformer.commands.opened_run import exported_search
from keras_transformer.commands.progress import report_progress
from keras_transformer.errors import UserError
from keras_transformer.export.html.description import PENALTY_DIGITS
from keras_transformer.export.html.live_page import export_live_html
from keras_transformer.export.html.policy import origin
from keras_transformer.export.html.quantization import KINDS
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import MAX_PENALTY
from keras_transformer.text.normalization import without_surrogates

SUFFIXES = {".html", ".htm"}  # by which a browser recognizes a page
LARGEST = {"beam_size": 10, "length_penalty": MAX_PENALTY}  # of the sliders of a page
# {origin of the examples: what they are}; not of those that the user gave
EXAMPLES = {"run": "a few validation sentences", "generated": "a few sentences of random words"}
SERVER_HINT = "serve the run, and give --server for a page without weights"


def add_flags(add: command_line.AddArgument) -> None:
    """Add the flags of the format."""
    text = "form of the weights: 8-bit integers, or float16 for twice the size (default int8)"
    add("--weights", choices=KINDS, help=text)
    text = (
        "write a page without weights, which gets translations from TensorFlow Serving; URL of the "
        "model, such as http://localhost:8501/v1/models/en-de"
    )
    add("--server", metavar="URL", help=text)
    text = (
        "a sentence that the page offers; the page opens with the first one (may be repeated; "
        "default: examples of the run)"
    )
    add("--example", action="append", metavar="SENTENCE", help=text)


def check(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if arguments are invalid or cannot be combined."""
    if Path(arguments.output).suffix.lower() not in SUFFIXES:
        raise UserError(f"--output {arguments.output}: the name of a page must end with .html")
    if not all(map(str.strip, arguments.example or ())):
        raise UserError("--example must not be empty")
    for text in (*(arguments.example or ()), arguments.server or ""):
        check_utf8(text)
    check_limits(arguments)
    if arguments.server is not None:
        check_server(arguments)


def check_utf8(text: str) -> None:
    """Raise a `UserError` if a text, which a page is to contain, has bytes that are not UTF-8."""
    if without_surrogates(text) != text:
        raise UserError(f"{without_surrogates(text)}: not UTF-8")


def check_limits(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if the sliders of a page cannot be set to a value."""
    for name, largest in LARGEST.items():
        value, flag = getattr(arguments, name), settings_flags.flag(name)
        if value is not None and value > largest:
            raise UserError(f"{flag} must be at most {largest:g} for --format html")
    penalty = arguments.length_penalty
    if penalty is not None and abs(round(penalty, PENALTY_DIGITS) - penalty) > 0:
        raise UserError(
            f"--length-penalty {penalty:g}: at most {PENALTY_DIGITS} digits after the decimal "
            "point for --format html"
        )


def check_server(arguments: argparse.Namespace) -> None:
    """Raise a `UserError` if the server or an argument does not suit a page for a server."""
    origin(model_address(arguments.server))
    if arguments.weights:
        raise UserError("--weights cannot be combined with --server: the page has no weights")
    search_flags.check_server(arguments)


def export(arguments: argparse.Namespace) -> None:
    """Write the page."""
    if arguments.server is None:
        export_local(arguments)
    else:
        export_live(arguments)
    print(f"\nOpen it in a browser:\n\n{Path(arguments.output).resolve().as_uri()}")


def export_local(arguments: argparse.Namespace) -> None:
    """Write a page that translates by itself, and print how its weights compare with the run's."""
    checkpoint = arguments.checkpoint
    with quiet_stderr():
        from keras_transformer.export.html.content import Options
        from keras_transformer.export.html.local_page import TooManyWeights, export_html

    search = exported_search(checkpoint, arguments)
    examples = arguments.example or ()
    options = Options(arguments.weights or KINDS[0], search, examples)
    with advice({TooManyWeights: SERVER_HINT}):
        report = export_html(checkpoint, arguments.output, options, report_progress)
    print(
        f"{report.path}: {report.size / 1e6:.1f} MB, {report.weights:,} weights as "
        f"{options.weights}; {report.examples} examples and {report.random} sentences of random "
        f"words are translated exactly as by {checkpoint}; rounding can change a translation"
    )
    if report.origin in EXAMPLES:
        print(f"It contains {EXAMPLES[report.origin]} as examples; --example replaces them")


def export_live(arguments: argparse.Namespace) -> None:
    """Write a page that gets translations from a server, and print how to start the server."""
    address, run = model_address(arguments.server), None
    if arguments.checkpoint is not None:
        with quiet_stderr():
            from keras_transformer.runs.run import Run

        run = Run.open(arguments.checkpoint)
    examples = arguments.example or ()
    size = export_live_html(address, arguments.output, run, examples, report_progress)
    print(
        f"{arguments.output}: {size / 1e6:.1f} MB, for {address}; start the server with "
        "--enable_cors_support, which allows pages to send requests"
    )
