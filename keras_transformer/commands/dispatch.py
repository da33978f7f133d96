"""Commands whose first argument selects a module that handles the others."""

import difflib
import importlib
import sys
from collections.abc import Mapping, Sequence

from keras_transformer.commands.command_line import CUTOFF, Parser


def make_parser(prog: str, description: str, word: str, choices: Mapping[str, str]) -> Parser:
    """Return a parser for the first argument.

    Args:
        prog: how to start the program.
        description: what the program does.
        word: what the first argument names, such as "command".
        choices: {value of the first argument: its description}.
    """
    width = max(map(len, choices)) + 2
    lines = [f"  {name:{width}}{text}" for name, text in choices.items()]
    parser = Parser(
        prog=prog,
        usage=f"%(prog)s [-h] [--version] {word.upper()} [ARGUMENT ...]",
        description="\n".join([description.rstrip(), "", f"{word}s:", *lines]),
        epilog=f"%(prog)s {word.upper()} --help describes the arguments of a {word}.",
    )
    parser.add_argument("name", metavar=word.upper(), help=f"one of the {word}s above")
    return parser


def run(
    parser: Parser,
    word: str,
    choices: Mapping[str, str],
    package: str,
    arguments: Sequence[str] | None,
) -> int:
    """Call the `main` function of the module named by the first argument, with the others.

    Args:
        parser: a parser made by `make_parser`.
        word, choices: those of the parser.
        package: the package that contains a module for each choice.
        arguments: command-line arguments; `sys.argv[1:]` by default.

    Returns:
        The exit status.

    Raises:
        UserError: If the first argument is missing or unknown, or the others are invalid.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments:
        parser.error(f"give a {word}: {', '.join(choices)}")
    name = parser.parse_args(arguments[:1]).name
    if name not in choices:
        similar = difflib.get_close_matches(name, choices, 1, CUTOFF)
        question = f"; did you mean {similar[0]}?" if similar else ""
        parser.error(f"unknown {word} {name!r}: expected one of {', '.join(choices)}{question}")
    return importlib.import_module(f"{package}.{name}").main(arguments[1:])
