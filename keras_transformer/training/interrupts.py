"""Handling of Ctrl-C that lets the current training step complete."""

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self


class Interrupts:
    """A context in which the first SIGINT or SIGTERM only sets `requested`.

    The training loop checks `requested` between two steps. A second signal raises
    `KeyboardInterrupt` immediately. Outside the main thread, where Python handles no signals, the
    context has no effect.

    Args:
        on_request: called at the first signal.
    """

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self, on_request: Callable[[], None]) -> None:
        self.requested = False
        self._on_request = on_request

    def __enter__(self) -> Self:
        is_main = threading.current_thread() is threading.main_thread()
        numbers = self.SIGNALS if is_main else ()
        self._handlers = {number: signal.signal(number, self._request) for number in numbers}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _request(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
        self._on_request()
