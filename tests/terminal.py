"""A program in a pseudo-terminal, for tests of prompts."""

import contextlib
import os
import pty
import select
import subprocess
import sys
import time
from typing import Any, Self

TIMEOUT = 60  # seconds


class Terminal:
    """A Python program whose standard input is a terminal; a context manager.

    Args:
        *arguments: arguments of Python.
        stdout: None for the terminal, or `subprocess.PIPE`.
        **options: options of `subprocess.Popen`.
    """

    def __init__(self, *arguments: object, stdout: int | None = None, **options: Any) -> None:
        self.screen = b""
        self.keyboard, program = pty.openpty()
        options |= {"env": os.environ | {"TERM": "xterm", "INPUTRC": os.devnull}}
        self.process = subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            stdin=program,
            stdout=program if stdout is None else stdout,
            stderr=subprocess.PIPE,
            start_new_session=True,
            **options,
        )
        os.close(program)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self.keyboard)

    def type(self, keys: str) -> None:
        """Type keys."""
        os.write(self.keyboard, keys.encode())

    def wait_for(self, text: str) -> None:
        """Wait until a text is on the screen, and discard the screen up to its end."""
        end = time.monotonic() + TIMEOUT
        while text.encode() not in self.screen:
            assert time.monotonic() < end, f"{text!r} not in {self.screen!r}"
            if select.select([self.keyboard], [], [], 1)[0]:
                self.screen += os.read(self.keyboard, 1000)
        self.screen = self.screen.partition(text.encode())[2]

    def wait_for_question(self, question: str) -> str:
        """Wait until standard error ends with a text; return what has been written there."""
        stderr = self.process.stderr
        assert stderr is not None
        written = b""
        while not written.endswith(question.encode()):
            assert select.select([stderr], [], [], TIMEOUT)[0], written
            part = os.read(stderr.fileno(), 1000)
            assert part, written
            written += part
        return written.decode()

    def finish(self) -> tuple[int, bytes | None, str, str]:
        """Wait for the end; return status, standard output (or None), error, rest of screen."""
        out, err = self.process.communicate(timeout=TIMEOUT)
        with contextlib.suppress(OSError):  # the program has closed the terminal
            while select.select([self.keyboard], [], [], 0)[0]:
                self.screen += os.read(self.keyboard, 1000)
        return self.process.returncode, out, err.decode(), self.screen.decode()
