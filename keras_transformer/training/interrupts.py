"""Ctrl-C between two steps, and not within one."""

import signal
import sys


class Interrupts:
    """While it is entered, the first SIGINT or SIGTERM only sets `requested`.

    Whoever trains looks at it between two steps. A second one interrupts at once.
    """

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self):
        self.requested = False

    def __enter__(self):
        self._handlers = {number: signal.signal(number, self._request) for number in self.SIGNALS}
        return self

    def __exit__(self, *exception):
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _request(self, number, frame):
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
        print("\nstopping: the state is saved after this step", file=sys.stderr, flush=True)
