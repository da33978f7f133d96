"""What the scripts share: flags made from settings, and errors told in one line."""

import argparse
import contextlib
import dataclasses
import logging
import math
import os
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path

from keras_transformer import __version__
from keras_transformer.config import BEAM_SIZE, LENGTH_PENALTY, Config
from keras_transformer.errors import NoRun, UserError
from keras_transformer.quiet import quiet_stderr

INTERRUPTED = 130  # the shell's exit status for a program ended by Ctrl-C


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the line breaks of a description, and leaves room for long flags."""

    def __init__(self, prog):
        super().__init__(prog, max_help_position=32)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, like all others; it has --version."""

    def __init__(self, **kwargs):
        super().__init__(formatter_class=Formatter, allow_abbrev=False, **kwargs)
        text = "print the version and exit"
        version = f"keras_transformer {__version__}"
        self.add_argument("--version", action="version", version=version, help=text)

    def error(self, message):
        raise UserError(f"{message} (see {self.prog} --help)")


def add_settings(parser):
    """Adds a flag for every setting; one that the user does not give is not in the namespace."""
    for section, kind in Config.sections().items():
        group = parser.add_argument_group(f"{section} settings")
        for each in dataclasses.fields(kind):
            flag = "--" + each.name.replace("_", "-")
            group.add_argument(flag, default=argparse.SUPPRESS, **_flag_options(each))


def _flag_options(each):
    """The arguments of `add_argument` for the field of a setting."""
    options = {"help": each.metadata["help"] + _default_note(each.default)}
    if each.type is bool:
        return options | {"action": argparse.BooleanOptionalAction}
    if typing.get_origin(each.type) is tuple:
        return options | {"nargs": "+", "type": str, "metavar": "FILE"}
    optional = isinstance(each.type, types.UnionType)
    kind = typing.get_args(each.type)[0] if optional else each.type
    metavar = {int: "N", float: "X", str: "NAME"}[kind]
    if each.metadata["choices"]:
        return options | {"choices": each.metadata["choices"]}
    return options | {"type": kind, "metavar": metavar}


def _default_note(default):
    if default in (None, ()):  # its help text tells what happens then
        return ""
    return f" (default {default if not isinstance(default, bool) else 'off'})"


def add_checkpoint_flag(add):
    """Adds the flag of a trained run."""
    text = "run directory (default: the run in checkpoints/ that was trained last)"
    add("--checkpoint", metavar="DIR", help=text)


def chosen_run(directory: str | None = None, root: str | None = None) -> str | Path:
    """Return the run directory that the user chose, or the newest one, whose name is printed.

    Raises:
        UserError: the user chose none, and there is none under `root` (default: checkpoints/).
    """
    with quiet_stderr():
        from keras_transformer.runs.run import ROOT, newest_run

    if directory:
        return directory
    with advice({NoRun: "train one with train.py, or give --checkpoint"}):
        newest = newest_run(root or ROOT)
    print(f"using {newest}", file=sys.stderr)
    return newest


@contextlib.contextmanager
def advice(hints: Mapping[type[UserError], str]) -> Iterator[None]:
    """Append to errors of the library which flag to give.

    Args:
        hints: {class of the error: what to do}.
    """
    try:
        yield
    except tuple(hints) as error:
        raise UserError(f"{error}: {hints[type(error)]}") from error


def add_search_flags(add, beam_size=BEAM_SIZE):
    """Adds the flags of a search by the `add_argument` of a parser or group."""
    text = f"hypotheses kept by the search; 1: greedy (default {beam_size})"
    add("--beam-size", type=int, default=beam_size, metavar="N", help=text)
    text = f"0 favours short translations, 1 and more long ones (default {LENGTH_PENALTY})"
    add("--length-penalty", type=float, default=LENGTH_PENALTY, metavar="X", help=text)


def add_rerank_flag(add):
    """Adds the flag that leaves the hypotheses of the beam in the order of the search."""
    text = "order the hypotheses by the network alone (default: rerank them by word statistics too)"
    add("--no-rerank", action="store_true", help=text)


def add_batch_flag(add):
    """Adds the flag of a search for many sentences."""
    text = "sentences searched at once (default 64)"
    add("--batch-size", type=int, default=64, metavar="N", help=text)


def check_search(arguments):
    """Raises a `UserError` where the flags of a search cannot be."""
    check_at_least_one(arguments, "beam_size")
    if not 0 <= arguments.length_penalty < math.inf:
        raise UserError("--length-penalty must be a number that is not negative")


def check_at_least_one(arguments, *names):
    """Raises a `UserError` where a number is smaller than 1."""
    for name in names:
        if getattr(arguments, name) < 1:
            raise UserError(f"--{name.replace('_', '-')} must be at least 1")


def run(main):
    """Runs a script's `main`; exits with its status.

    A `UserError` is one line on standard error and status 2; Ctrl-C is status 130; a reader that
    closed the pipe ends the program silently.
    """
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    try:
        status = main()
        sys.stdout.flush()
    except UserError as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        status = 0
    except OSError as error:  # a full disk, a directory that may not be written
        print(f"error: {error}", file=sys.stderr)
        status = 2
    _finish_output()
    sys.exit(status)


def _finish_output():
    """Flushes standard output, or lets it go: Python tries again at exit, and would complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
