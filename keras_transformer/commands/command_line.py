"""The parsers of the commands, and the names of the commands in messages."""

import argparse
import difflib
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from keras_transformer.commands import COMMANDS
from keras_transformer.errors import UserError
from keras_transformer.version import __version__

PROGRAM = "keras-transformer"
CUTOFF = 0.7  # least similarity of an unknown flag and the one that is suggested, from 0 to 1
# What stands for a path or an address in the help of an argument, possibly as one of several words,
# as in RECIPE|FILE and FILE.png.
PLACES = {"DIR", "FILE", "PATH", "RUN", "URL"}

AddArgument: TypeAlias = Callable[..., argparse.Action]  # `add_argument` of a parser or a group


class Formatter(argparse.RawDescriptionHelpFormatter):
    """A help formatter that keeps the description's line breaks and leaves room for long flags."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32)


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error as one line, and has the flag --version.

    Args:
        **options: arguments of `argparse.ArgumentParser`.

    Attributes:
        elsewhere: {flag that the command lacks: the command that has it}.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=Formatter, allow_abbrev=False, **options)
        self.elsewhere: Mapping[str, str] = {}
        text = "print the version and exit"
        version = f"keras_transformer {__version__}"
        self.add_argument("--version", action="version", version=version, help=text)

    def parse_args(self, args: Iterable[str] | None = None, namespace: Any = None) -> Any:
        """Parse arguments. An empty path, as of an unset variable in a shell, is an error."""
        given = sys.argv[1:] if args is None else list(args)
        # Flags may stand between sentences, unless there is a --: the intermixed parser would also
        # accept flags after it.
        parse = self.parse_known_args if "--" in given else self.parse_known_intermixed_args
        found, unknown = parse(given, namespace)
        if unknown:
            message = f"unrecognized arguments: {' '.join(unknown)}"
            self.error(message + self._remark(unknown))
        for action in filter(_is_place, self._actions):
            values = getattr(found, action.dest, None)
            if "" in (values if isinstance(values, list) else [values]):
                name = action.option_strings[-1] if action.option_strings else action.metavar
                self.error(f"{name} must not be empty")
        return found

    def error(self, message: str) -> NoReturn:
        """Raise a `UserError`."""
        raise UserError(f"{message} (see {self.prog} --help)")

    def _remark(self, arguments: Iterable[str]) -> str:
        """Return which command has an unknown flag, or which flag resembles one, or nothing."""
        flags = [name for action in self._actions for name in action.option_strings]
        unknown = [each.partition("=")[0] for each in arguments if each.startswith("-")]
        for name in filter(self.elsewhere.__contains__, unknown):
            return f"; {name} is a flag of {program(*self.elsewhere[name].split())}"
        similar = [
            near for each in unknown for near in difflib.get_close_matches(each, flags, 1, CUTOFF)
        ]
        return f"; did you mean {similar[0]}?" if similar else ""


def _is_place(action: argparse.Action) -> bool:
    """Return whether an argument takes paths or addresses."""
    words = re.findall(r"\w+", action.metavar) if isinstance(action.metavar, str) else []
    return not PLACES.isdisjoint(words)


def program(name: str, *arguments: object) -> str:
    """Return how to start a command: by a script of the repository or the installed program.

    Args:
        name: the name of the command.
        *arguments: arguments of the command.
    """
    is_script = Path(sys.argv[0]).name in {f"{name}.py" for name in COMMANDS}
    words = map(shlex.quote, map(str, arguments))
    return " ".join([f"python {name}.py" if is_script else f"{PROGRAM} {name}", *words])


def make_parser(command: str, description: str) -> Parser:
    """Return the parser of a command.

    Args:
        command: name of the command; for a command of several parts, followed by the part.
        description: text of the help, in which `%(prog)s` stands for the command.
    """
    return Parser(prog=program(*command.split()), description=description)
