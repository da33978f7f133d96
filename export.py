"""Exports a trained run for TensorFlow Serving or for CTranslate2."""

import sys

from keras_transformer.commands import command_line
from keras_transformer.errors import CheckError, UserError
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import SearchSettings

DESCRIPTION = """\
Exports a trained run as a SavedModel, with text in and text out: a new version in a directory that
TensorFlow Serving can watch. The export is checked against the run before it gets its number.

  python export.py --checkpoint checkpoints/phrasebook-en-de --output serving/en-de

With --format ctranslate2 it writes a model directory for CTranslate2, which is checked likewise:

  python export.py --format ctranslate2 --output ctranslate2/en-de
"""


def make_parser():
    parser = command_line.Parser(description=DESCRIPTION)
    add = parser.add_argument
    command_line.add_checkpoint_flag(add)
    text = "directory of the versions; its name is the model's name, such as serving/en-de"
    add("--output", required=True, metavar="DIR", help=text)
    text = "what is written: for TensorFlow Serving, or for CTranslate2 (default savedmodel)"
    add("--format", choices=("savedmodel", "ctranslate2"), default="savedmodel", help=text)
    add_savedmodel_flags(parser.add_argument_group("savedmodel").add_argument)
    return parser


def add_savedmodel_flags(add):
    command_line.add_search_flags(add)
    text = "compile the search: for servers started with --xla_cpu_compilation_enabled"
    add("--xla", action="store_true", help=text)
    text = "subword ids in and out, for servers without the operations of tensorflow-text"
    add("--ids-only", action="store_true", help=text)


def check(arguments):
    """Raises a `UserError` where an argument cannot be."""
    is_default = command_line.search_settings(arguments) == SearchSettings()
    given = not is_default or arguments.xla or arguments.ids_only
    if arguments.format == "ctranslate2" and given:
        raise UserError(
            "the search of CTranslate2 is not fixed at export: its flags are for savedmodel"
        )


def main():
    arguments = make_parser().parse_args()
    check(arguments)
    with quiet_stderr():
        from keras_transformer.runs.run import chosen_run

    export = {"savedmodel": export_savedmodel, "ctranslate2": export_ctranslate2}
    try:
        export[arguments.format](chosen_run(arguments.checkpoint), arguments)
    except CheckError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def tell(text):
    """Print what is being done, on standard error."""
    print(text, file=sys.stderr, flush=True)


def export_savedmodel(checkpoint, arguments):
    """Writes the next version for TensorFlow Serving, and tells how to serve it."""
    with quiet_stderr():
        from keras_transformer.export.saved_model import Options, export_saved_model

    search = command_line.search_settings(arguments)
    options = Options(search, arguments.xla, arguments.ids_only)
    report = export_saved_model(checkpoint, arguments.output, options, tell)
    print(
        f"{report.directory}: {report.size / 1e6:.1f} MB, loaded in {report.load_seconds:.1f} s; "
        f"its {report.compared} translations are those of {checkpoint}\n"
    )
    print_uses(report, arguments)


def print_uses(report, arguments):
    """Print a command that serves an export, one that asks the server, and a Python program."""
    from keras_transformer.export import server_files
    from keras_transformer.export.saved_model import model_name

    name = model_name(arguments.output)
    print("To start a server:\n")
    print(server_files.docker_command(arguments.output, name, arguments.xla), end="\n\n")
    ids = ", whose subwords have these ids" if arguments.ids_only else ""
    print(f'To ask it for the translation of "{report.example}"{ids}:\n')
    print(server_files.curl_command(name, report.inputs), end="\n\n")
    print("To ask it in Python, without a server:\n")
    print(server_files.python_program(report.directory, report.inputs), end="")


def export_ctranslate2(checkpoint, arguments):
    """Writes a directory for CTranslate2, and tells how to use it."""
    from keras_transformer.export.ctranslate2_model import export_ctranslate2

    report = export_ctranslate2(checkpoint, arguments.output, tell)
    print(
        f"{report.directory}: {report.size / 1e6:.1f} MB; CTranslate2 gives the probabilities of "
        f"{checkpoint} to {report.compared} translations\n"
    )
    print(report.program, end="")


if __name__ == "__main__":
    command_line.run(main)
