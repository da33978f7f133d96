"""Ctrl-C, SIGTERM and SIGHUP in a program.

Python reports Ctrl-C by an exception, which TensorFlow and Keras discard in some places: where they
trace a function, import a compiled module or delete a graph. A program therefore remembers the
signal, and checks at a few places that nothing has discarded it: before a file is replaced, between
the stages of an export, and at its end.
"""

import contextlib
import os
import signal
import stat
import sys
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

from keras_transformer.errors import Terminated

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

NAMES = "SIGINT", "SIGTERM", "SIGHUP"  # Windows has no SIGHUP
NUMBERS = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]


class Signals:
    """The signals that a program receives.

    Attributes:
        received: number of the last signal, or None.
    """

    def __init__(self) -> None:
        self.received: int | None = None
        self._holders = 0

    @contextlib.contextmanager
    def handled(self) -> Iterator[None]:
        """Raise `KeyboardInterrupt` at SIGINT and `Terminated` at SIGTERM or SIGHUP in the context.

        Signals that the parent process told this one to ignore remain ignored.
        """
        previous = {number: signal.getsignal(number) for number in NUMBERS}
        hook, sys.unraisablehook = sys.unraisablehook, _report_unraisable
        try:
            for number, handler in previous.items():
                if handler is not signal.SIG_IGN:
                    signal.signal(number, self._arrive)
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler or signal.SIG_DFL)
            sys.unraisablehook = hook
            self.received = None

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Raise nothing in the context, so that an import or the removal of files is completed."""
        self._holders += 1
        try:
            yield
        finally:
            self._holders -= 1

    def check(self) -> None:
        """Raise the exception of a signal that was received."""
        if self.received is not None:
            raise exception_of(self.received)

    @contextlib.contextmanager
    def obeyed(self) -> Iterator[None]:
        """End the context with the exception of a signal that was received, whatever became of it.

        If TensorFlow has made another error of it, its remarks are kept.
        """
        self.check()
        try:
            yield
        except Exception as error:
            if self.received is None:
                raise
            exception = exception_of(self.received)
            for remark in getattr(error, "__notes__", ()):
                exception.add_note(remark)
            raise exception from error
        self.check()

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        self.received = number
        leave_terminal(number)
        if not self._holders:
            self.check()


def exception_of(number: int) -> KeyboardInterrupt:
    """Return the exception of a signal."""
    return KeyboardInterrupt() if number == signal.SIGINT else Terminated(number)


def leave_terminal(number: int) -> None:
    """After SIGHUP, which reports that the terminal was closed, discard what is written to it.

    Otherwise the next message, or the next change of a progress bar, would be an error.
    """
    if number in (signal.SIGINT, signal.SIGTERM):
        return
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        with contextlib.suppress(OSError):  # the stream is closed
            if stat.S_ISCHR(os.fstat(stream).st_mode):
                os.dup2(null, stream)
    os.close(null)


def _report_unraisable(unraisable: "UnraisableHookArgs") -> None:
    """Report an exception that Python cannot raise, unless it is that of a signal."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


signals = Signals()  # of this process
