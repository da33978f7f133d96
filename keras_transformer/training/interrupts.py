"""Handling of stop signals that lets the current training step, or a save, complete."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Self

from keras_transformer.signals import NUMBERS, exception_of, leave_terminal, signals


class Interrupts:
    """A context in which the first SIGINT, SIGTERM or SIGHUP only sets `signal`.

    The training loop checks `signal` between two steps. A second signal raises
    `KeyboardInterrupt` or `Terminated`: immediately, or after a save that it must not interrupt.
    Outside the main thread, where Python handles no signals, the context has no effect. Signals
    that the parent process told this one to ignore remain ignored.

    Entering the context raises the exception of a signal that was received before, but discarded.

    Args:
        on_request: called at the first signal.

    Attributes:
        signal: number of the first signal, or None.
    """

    def __init__(self, on_request: Callable[[], None]) -> None:
        self.signal: int | None = None
        self._on_request = on_request
        self._is_deferring = False
        self._deferred: int | None = None

    @property
    def requested(self) -> bool:
        """Whether a signal arrived."""
        return self.signal is not None

    def __enter__(self) -> Self:
        signals.check()  # a signal received earlier would make the first save fail
        is_main = threading.current_thread() is threading.main_thread()
        ignored = [number for number in NUMBERS if signal.getsignal(number) is signal.SIG_IGN]
        numbers = set(NUMBERS).difference(ignored) if is_main else ()
        self._handlers = {number: signal.signal(number, self._request) for number in numbers}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler or signal.SIG_DFL)

    @contextlib.contextmanager
    def deferred(self) -> Iterator[None]:
        """Defer the exception of a second signal to the end of this context."""
        self._is_deferring = True
        try:
            yield
        finally:
            self._is_deferring = False
        if self._deferred is not None:
            raise exception_of(self._deferred)

    def _request(self, number: int, frame: FrameType | None) -> None:
        leave_terminal(number)
        if not self.requested:
            self.signal = number
            self._on_request()
        elif self._is_deferring:
            self._deferred = number
        else:
            raise exception_of(number)
