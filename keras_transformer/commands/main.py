"""The installed program `keras-transformer`, which runs one of the commands."""

import importlib
import sys
from collections.abc import Sequence

from keras_transformer.commands import COMMANDS, command_line

DESCRIPTION = "Train, use and deploy neural machine translators."


def make_parser() -> command_line.Parser:
    """Return a parser for the first argument, which names the command."""
    width = max(map(len, COMMANDS)) + 2
    lines = [f"  {name:{width}}{text}" for name, text in COMMANDS.items()]
    parser = command_line.Parser(
        prog=command_line.PROGRAM,
        usage="%(prog)s [-h] [--version] COMMAND [ARGUMENT ...]",
        description="\n".join([DESCRIPTION, "", "commands:", *lines]),
        epilog="%(prog)s COMMAND --help describes the arguments of a command.",
    )
    parser.add_argument("command", metavar="COMMAND", help="one of the commands above")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command named by the first argument, with the other arguments.

    Args:
        arguments: command-line arguments; `sys.argv[1:]` by default.

    Returns:
        The exit status of the command.

    Raises:
        UserError: If there is no such command, or its arguments are invalid.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = make_parser()
    if not arguments:
        parser.error(f"give a command: {', '.join(COMMANDS)}")
    name = parser.parse_args(arguments[:1]).command
    if name not in COMMANDS:
        parser.error(f"unknown command {name!r}: expected one of {', '.join(COMMANDS)}")
    return importlib.import_module(f"keras_transformer.commands.{name}").main(arguments[1:])
