"""What the scripts share: flags made from settings, and errors told in one line."""

import argparse
import contextlib
import dataclasses
import logging
import os
import re
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path

from keras_transformer import __version__
from keras_transformer.config import Config
from keras_transformer.errors import NoRun, UserError
from keras_transformer.quiet import quiet_stderr
from keras_transformer.search.settings import STRATEGIES, SearchSettings

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


def add_search_flags(add, defaults=None):
    """Add the flags of a search by the `add_argument` of a parser or group.

    Args:
        add: the `add_argument`.
        defaults: the `SearchSettings` that the help names as defaults.
    """
    defaults = defaults or SearchSettings()
    text = f"search strategy (default {defaults.strategy})"
    add("--search", choices=STRATEGIES, default=defaults.strategy, help=text, dest="strategy")
    text = f"hypotheses kept by beam search; 1: greedy (default {defaults.beam_size})"
    add("--beam-size", type=int, default=defaults.beam_size, metavar="N", help=text)
    text = f"0 favors short translations, 1 and more long ones (default {defaults.length_penalty})"
    add("--length-penalty", type=float, default=defaults.length_penalty, metavar="X", help=text)
    text = "most subwords of a translation (default: what the network can write)"
    add("--max-length", type=int, metavar="N", help=text)
    text = "sampling: less than 1 favors probable subwords (default 1)"
    add("--temperature", type=float, default=defaults.temperature, metavar="X", help=text)
    text = "sampling: draw from the N most probable subwords; 0: from all (default 0)"
    add("--top-k", type=int, default=defaults.top_k, metavar="N", help=text)
    text = "sampling: draw from the fewest subwords of this total probability (default 1)"
    add("--top-p", type=float, default=defaults.top_p, metavar="X", help=text)
    text = "sampling: the same seed gives the same samples (default: other samples each time)"
    add("--seed", type=int, metavar="N", help=text)


def search_settings(arguments):
    """Return the `SearchSettings` of the flags.

    Raises:
        UserError: a flag is out of range.
    """
    names = [field.name for field in dataclasses.fields(SearchSettings)]
    given = {name: value for name, value in vars(arguments).items() if name in names}
    try:
        return SearchSettings(**given)
    except ValueError as error:
        raise UserError(_with_flags(str(error), names)) from error


def _with_flags(message, names):
    """Return an error message in which settings are called by their flags."""
    for name in names:
        message = re.sub(rf"\b{name}\b", f"--{name.replace('_', '-')}", message)
    return message


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


def add_rerank_flag(add):
    """Adds the flag that leaves the hypotheses of the beam in the order of the search."""
    text = "order the hypotheses by the network alone (default: rerank them by word statistics too)"
    add("--no-rerank", action="store_true", help=text)


def add_batch_flag(add):
    """Adds the flag of a search for many sentences."""
    text = "sentences searched at once (default 64)"
    add("--batch-size", type=int, default=64, metavar="N", help=text)


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
