"""The installed program `keras-transformer`, which runs one of the commands."""

from collections.abc import Sequence

from keras_transformer.commands import COMMANDS, command_line, dispatch

DESCRIPTION = "Train, use and deploy neural machine translators."


def make_parser() -> command_line.Parser:
    """Return a parser for the first argument, which names the command."""
    return dispatch.make_parser(command_line.PROGRAM, DESCRIPTION, "command", COMMANDS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command named by the first argument, with the other arguments.

    Args:
        arguments: command-line arguments; `sys.argv[1:]` by default.

    Returns:
        The exit status of the command.

    Raises:
        UserError: If there is no such command, or its arguments are invalid.
    """
    return dispatch.run(make_parser(), "command", COMMANDS, "keras_transformer.commands", arguments)
