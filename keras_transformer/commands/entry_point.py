"""The call of a program's `main`, with one-line errors and an exit status; see also `start`."""

import contextlib
import io
import logging
import os
import re
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

from keras_transformer.commands.failures import as_user_errors, output_can_be_written
from keras_transformer.errors import CheckError, Terminated, UserError
from keras_transformer.signals import signals

INTERRUPTED = 130  # exit status of a program that was stopped by Ctrl-C, as in a shell


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
