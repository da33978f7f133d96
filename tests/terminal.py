"""A stand-in for a person at a terminal, for tests."""

import contextlib
import os
import pty
import select
import subprocess
import sys
import time

SECONDS = 60  # before a program counts as one that hangs


class Terminal:
    """Runs a Python program with a terminal as standard input; a context manager.

    Args:
        arguments: of Python.
        stdout: None for the terminal, or `subprocess.PIPE`.
        options: of `subprocess.Popen`.
    """

    def __init__(self, *arguments, stdout=None, **options):
        self.screen = b""
        self.person, program = pty.openpty()
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

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        os.close(self.person)

    def type(self, keys):
        """Presses keys."""
        os.write(self.person, keys.encode())

    def wait_for(self, text):
        """Waits until a text is on the screen, and forgets the screen up to there."""
        end = time.monotonic() + SECONDS
        while text.encode() not in self.screen:
            assert time.monotonic() < end, f"{text!r} not in {self.screen!r}"
            if select.select([self.person], [], [], 1)[0]:
                self.screen += os.read(self.person, 1000)
        self.screen = self.screen.partition(text.encode())[2]

    def wait_for_question(self, question):
        """Waits until standard error ends with a text, and returns all that is new there."""
        told = b""
        while not told.endswith(question.encode()):
            assert select.select([self.process.stderr], [], [], SECONDS)[0], told
            part = os.read(self.process.stderr.fileno(), 1000)
            assert part, told
            told += part
        return told.decode()

    def finish(self):
        """Waits for the end: (status, standard output or None, standard error, last screen)."""
        out, err = self.process.communicate(timeout=SECONDS)
        with contextlib.suppress(OSError):  # the other side is closed
            while select.select([self.person], [], [], 0)[0]:
                self.screen += os.read(self.person, 1000)
        return self.process.returncode, out, err.decode(), self.screen.decode()
