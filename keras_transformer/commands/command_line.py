"""Code shared by the commands: parsers, flags of settings, one-line errors and exit statuses."""

import argparse
import contextlib
import dataclasses
import difflib
import io
import logging
import os
import re
import shlex
import sys
import traceback
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from keras_transformer.commands import COMMANDS
from keras_transformer.commands.failures import as_user_errors, output_can_be_written
from keras_transformer.config import Config
from keras_transformer.errors import CheckError, NoRun, OutOfMemory, Terminated, UserError
from keras_transformer.quiet import quiet_stderr
from keras_transformer.signals import signals
from keras_transformer.version import __version__

PROGRAM = "keras-transformer"
CUTOFF = 0.7  # least similarity of an unknown flag and the one that is suggested, from 0 to 1
INTERRUPTED = 130  # exit status of a program that was stopped by Ctrl-C, as in a shell
# What stands for a path or an address in the help of an argument, possibly as one of several words,
# as in RECIPE|FILE and FILE.png.
PLACES = {"DIR", "FILE", "PATH", "RUN", "URL"}
# Settings whose flag has another name.
FLAGS = {"strategy": "--search"}

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

    def parse_args(self, *arguments: Any, **options: Any) -> Any:
        """Parse arguments. An empty path, as of an unset variable in a shell, is an error."""
        found, unknown = self.parse_known_args(*arguments, **options)
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


def flag(name: str) -> str:
    """Return the flag of a setting."""
    return FLAGS.get(name, f"--{name.replace('_', '-')}")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each setting. Flags that the user does not give are not in the namespace."""
    for section, kind in Config.sections().items():
        group = parser.add_argument_group(f"{section} settings")
        for field in dataclasses.fields(kind):
            group.add_argument(flag(field.name), default=argparse.SUPPRESS, **_flag_options(field))
            if field.metadata["booleans"]:
                _add_negation(group.add_argument, field)


def _add_negation(add: AddArgument, field: dataclasses.Field) -> None:
    """Add the flag --no-NAME of a setting that has a value for false."""
    no = field.metadata["booleans"][False]
    options: dict[str, Any] = {"dest": field.name, "action": "store_const", "const": no}
    name = flag(field.name)
    text = f"the same as {name} {no}"
    add(name.replace("--", "--no-"), default=argparse.SUPPRESS, help=text, **options)


def _flag_options(field: dataclasses.Field) -> dict[str, Any]:
    """Return the arguments of `add_argument` for the field of a setting."""
    text = with_flags(field.metadata["help"], Config().flat())
    options = {"help": text + _default_note(field.default)}
    if field.type is bool:
        return options | {"action": argparse.BooleanOptionalAction}
    if typing.get_origin(field.type) is tuple:
        return options | {"nargs": "+", "type": str, "metavar": "FILE"}
    if field.metadata["booleans"]:
        options |= {"nargs": "?", "const": field.metadata["booleans"][True]}
    if field.metadata["choices"]:
        return options | {"choices": field.metadata["choices"]}
    is_optional = isinstance(field.type, types.UnionType)
    kind = typing.get_args(field.type)[0] if is_optional else field.type
    metavars: dict[Any, str] = {int: "N", float: "X", str: "NAME"}
    return options | {"type": kind, "metavar": field.metadata["metavar"] or metavars[kind]}


def _default_note(default: object) -> str:
    if default in (None, ()):  # the help text describes the default
        return ""
    return f" (default {default if not isinstance(default, bool) else 'off'})"


def add_checkpoint_flag(add: AddArgument) -> None:
    """Add the flag that names a trained run."""
    text = "run directory (default: the most recently trained run in checkpoints/)"
    add("--checkpoint", metavar="DIR", help=text)


def chosen_run(directory: str | None) -> str | Path:
    """Return the run directory that the user chose; otherwise print the newest and return it.

    Raises:
        UserError: If the user chose no run, and checkpoints/ contains none.
    """
    if directory:
        return directory
    with quiet_stderr():
        from keras_transformer.runs.directories import newest_run

    with advice({NoRun: f"train one with {program('train')}, or give --checkpoint"}):
        newest = newest_run()
    print(f"using {newest}", file=sys.stderr)
    return newest


def check_at_least_one(arguments: argparse.Namespace, *names: str) -> None:
    """Raise a `UserError` if one of these arguments is smaller than 1."""
    for name in names:
        if getattr(arguments, name) < 1:
            raise UserError(f"{flag(name)} must be at least 1")


def check_output(
    arguments: argparse.Namespace, name: str, others: Mapping[str, Collection[str]]
) -> None:
    """Raise a `UserError` if a command cannot write its file.

    Its name ends in `.gz`, although files are written uncompressed, or it is also the file of
    another flag.

    Args:
        arguments: the arguments.
        name: name of the argument with the path of a file that the command writes.
        others: {flag: paths} of the other flags. Paths may be missing or None.
    """
    path = getattr(arguments, name)
    if path and path.endswith(".gz"):
        raise UserError(f"{flag(name)} {path}: the file is not compressed: give a name without .gz")
    for other, paths in others.items():
        for taken in paths:
            if path and taken and same_file(path, taken):
                raise UserError(
                    f"{flag(name)} {path} is the same file as {other} {taken}: give another name"
                )


def same_file(one: str, two: str) -> bool:
    """Return whether two paths name the same regular file, which may not exist yet."""
    try:
        return os.path.samefile(one, two) and os.path.isfile(one)
    except OSError:  # one of the files does not exist
        return os.path.realpath(one) == os.path.realpath(two)


@contextlib.contextmanager
def advice(hints: Mapping[type[UserError], str]) -> Iterator[None]:
    """Append a hint, such as a flag to give, to errors of the library.

    Args:
        hints: {class of the error: hint}.
    """
    try:
        yield
    except tuple(hints) as error:
        hint = next(hint for kind, hint in hints.items() if isinstance(error, kind))
        error.args = (f"{error}: {hint}",)
        raise


@contextlib.contextmanager
def advice_on_memory() -> Iterator[None]:
    """Name the flag that reduces the memory needed for translations, if there is too little."""
    with advice({OutOfMemory: "give a smaller --batch-size"}), as_user_errors():
        yield


@contextlib.contextmanager
def naming_flags(names: Collection[str], settings_file: Path | None = None) -> Iterator[None]:
    """Replace the names of settings in errors of the library by their flags.

    Args:
        names: the settings.
        settings_file: errors that begin with the name of this file are about settings in it, so
            they are not changed.
    """
    try:
        yield
    except UserError as error:
        if settings_file is None or not str(error).startswith(f"{settings_file}:"):
            error.args = (with_flags(str(error), names),)
        raise


def with_flags(message: str, names: Collection[str]) -> str:
    """Return a message in which settings are called by their flags.

    Names such as `train` are also English words. They are replaced only in "the setting train", in
    "needs train", and at the beginning, before "must be" or "needs". Names with an underscore are
    replaced everywhere except in paths.
    """
    known = "|".join(names)
    long = "|".join(name for name in names if "_" in name) or "(?!)"
    for pattern in (
        rf"\bthe setting ({known})\b",
        rf"(?<=\bneeds )({known})\b(?! [a-z])",
        rf"^({known})(?= must be | needs )",
        rf"(?<![\w./\\-])({long})(?!\.?[\w/\\-])",
    ):
        message = re.sub(pattern, lambda match: flag(match[1]), message)
    return message


def run(main: Callable[[], int | None]) -> NoReturn:
    """Call the `main` function of a program, and exit with the status that it returns.

    A `UserError`, a failure of the system or of TensorFlow, Ctrl-C, SIGTERM and SIGHUP are reported
    in one line on standard error, with exit status 2, 130, 143 or 129; a `CheckError` likewise,
    with status 1.
    Any other exception is a bug, which Python reports by a traceback and exit status 1. If the
    reader of standard output closes the pipe, the program ends silently.
    """
    open_missing_streams()
    escape_unknown_characters()
    logging.addLevelName(logging.WARNING, "warning")
    logging.addLevelName(logging.ERROR, "error")
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    with signals.handled():
        status = _status(main)
    if not output_can_be_written():  # Python must not report this a second time
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


def open_missing_streams() -> None:
    """Open the null device in place of standard streams that were closed when the process began.

    Otherwise the next file that is opened would get the number of a standard stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def escape_unknown_characters() -> None:
    """Print characters that the encoding of standard output lacks as escape sequences.

    Messages may quote sentences of any language. Translations are written in UTF-8, see `console`.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _status(main: Callable[[], int | None]) -> int | None:
    """Return the exit status of `main`, after reporting its error."""
    try:
        with signals.obeyed(), as_user_errors():
            status = _returned(main)
            sys.stdout.flush()
            return status
    except (UserError, CheckError) as error:
        _report(f"error: {in_one_line(str(error))}", error)
        return 2 if isinstance(error, UserError) else 1
    except Terminated as error:
        _report("terminated", error)
        return 128 + error.number
    except KeyboardInterrupt as error:
        # A terminal shows Ctrl-C as ^C, at any position in a line.
        _report("\ninterrupted" if sys.stderr.isatty() else "interrupted", error)
        return INTERRUPTED
    except BrokenPipeError:
        return 0


def _returned(main: Callable[[], int | None]) -> int | None:
    """Return what `main` returns. The argument parser exits instead, for example after --help.

    An exit with a message has status 1, as in Python.
    """
    try:
        return main()
    except SystemExit as end:
        if isinstance(end.code, str):
            _report(end.code, end)
            return 1
        return end.code


def in_one_line(message: str) -> str:
    """Return a message without line breaks. Other white space may belong to a path."""
    return re.sub(r"\s*[\r\n]\s*", " ", message).strip()


def _report(message: str, error: BaseException) -> None:
    """Print a message and the remarks of an error in one line.

    A traceback precedes the line in Python's development mode (`python -X dev`).
    """
    if sys.flags.dev_mode:
        traceback.print_exception(error)
    # Standard error may be a file on a full disk.
    with signals.held(), contextlib.suppress(OSError):
        print("; ".join([message, *getattr(error, "__notes__", ())]), file=sys.stderr)
