"""Exports a trained run for TensorFlow Serving."""

import math
import sys

from keras_transformer import command_line
from keras_transformer.errors import UserError

DESCRIPTION = """\
Exports a trained run as a SavedModel, with text in and text out: a new version in a directory that
TensorFlow Serving can watch. The export is checked against the run before it gets its number.

  python export.py --checkpoint checkpoints/phrasebook-en-de --output serving/en-de
"""


def make_parser():
    parser = command_line.Parser(description=DESCRIPTION)
    add = parser.add_argument
    add("--checkpoint", metavar="DIR", help="run directory (default: the newest in checkpoints/)")
    text = "directory of the versions; its name is the model's name, such as serving/en-de"
    add("--output", required=True, metavar="DIR", help=text)
    text = "hypotheses kept by the search; 1: greedy (default 4)"
    add("--beam-size", type=int, default=4, metavar="N", help=text)
    text = "0 favours short translations, 1 long ones (default 0.6)"
    add("--length-penalty", type=float, default=0.6, metavar="X", help=text)
    text = "most subwords of a translation (default: what the network can write)"
    add("--max-length", type=int, metavar="N", help=text)
    text = "compile the search: for servers started with --xla_cpu_compilation_enabled"
    add("--xla", action="store_true", help=text)
    text = "subword ids in and out, for servers without the operations of tensorflow-text"
    add("--ids-only", action="store_true", help=text)
    return parser


def check(arguments):
    """Raises a `UserError` where an argument cannot be."""
    if arguments.beam_size < 1:
        raise UserError("--beam-size must be at least 1")
    if not 0 <= arguments.length_penalty < math.inf:
        raise UserError("--length-penalty must be a number that is not negative")


def main():
    arguments = make_parser().parse_args()
    check(arguments)
    with command_line.quiet_start():
        from keras_transformer.checkpoints import newest_run
        from keras_transformer.serving.export import CheckError, Options, export, model_name
        from keras_transformer.serving.server_files import curl_command, docker_command

    options = Options(
        arguments.beam_size,
        arguments.length_penalty,
        arguments.max_length,
        arguments.xla,
        arguments.ids_only,
    )
    checkpoint = arguments.checkpoint or newest_run()
    try:
        report = export(checkpoint, arguments.output, options)
    except CheckError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(
        f"{report.directory}: {report.size / 1e6:.1f} MB, loaded in {report.load_seconds:.1f} s; "
        f"its {report.compared} translations are those of {checkpoint}\n"
    )
    name = model_name(arguments.output)
    print(docker_command(arguments.output, name, arguments.xla), end="\n\n")
    print(curl_command(name, report.example))
    return 0


if __name__ == "__main__":
    command_line.run(main)
