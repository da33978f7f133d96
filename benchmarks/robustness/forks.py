"""Commands in forked processes, which need not import TensorFlow.

Importing TensorFlow takes seconds. A parent that has imported it, but has not executed any
operation, can be forked: each child then behaves like a new process.
"""

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keras_transformer.commands import entry_point
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.commands import average, evaluate, export, train, translate
    from keras_transformer.export import saved_model  # noqa: F401
    from keras_transformer.runs import averaging  # noqa: F401
    from keras_transformer.training import session  # noqa: F401
    from keras_transformer.translation import evaluation, reranking, translator  # noqa: F401

Command = Callable[[Sequence[str] | None], int]
COMMANDS: dict[str, Command] = {
    "average": average.main,
    "evaluate": evaluate.main,
    "export": export.main,
    "train": train.main,
    "translate": translate.main,
}
# A tenth of this suffices for the small networks of these scripts.
MAX_MEMORY = 8 * 2**30
TIMEOUT = 180  # seconds


@dataclass(frozen=True)
class Finished:
    """A process that has ended.

    Attributes:
        status: exit status; negative for a signal.
        stdout: what the process wrote to standard output.
        stderr: what it wrote to standard error.
        seconds: how long it took.
        megabytes: its peak memory.
    """

    status: int
    stdout: str
    stderr: str
    seconds: float
    megabytes: int


class Child:
    """A command in a forked process.

    Args:
        name: name of the command.
        arguments: its arguments.
        home: the current directory of the process. Its output is saved beside it.
    """

    def __init__(self, name: str, arguments: Sequence[object], home: Path) -> None:
        self.home = home
        self.files = [home.with_name(f"{home.name}.{stream}") for stream in ("out", "err")]
        self.begin = time.monotonic()
        sys.stdout.flush()
        with open(self.files[0], "wb") as stdout, open(self.files[1], "wb") as stderr:
            self.pid = os.fork()
            if not self.pid:
                os.dup2(stdout.fileno(), 1)
                os.dup2(stderr.fileno(), 2)
                self._run(name, [str(each) for each in arguments])

    def _run(self, name: str, arguments: list[str]) -> None:
        """Run the command in the child, and exit."""
        status: Any = 1
        try:
            os.chdir(self.home)
            resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
            # A shell lets its background jobs ignore SIGINT.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.argv = [f"{name}.py", *arguments]
            entry_point.run(lambda: COMMANDS[name](arguments))
        except SystemExit as error:
            status = error.code
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status or 0)

    def wait(self, until: Callable[[], bool] = lambda: False) -> Finished:
        """Wait for the end of the process; kill it when `until` is true or time runs out."""
        while not (ended := os.wait4(self.pid, os.WNOHANG))[0]:
            if until() or self.seconds > TIMEOUT:
                return self.kill()
            time.sleep(0.001)
        return self._finished(*ended[1:])

    def kill(self) -> Finished:
        """Kill the process."""
        os.kill(self.pid, signal.SIGKILL)
        return self._finished(*os.wait4(self.pid, 0)[1:])

    @property
    def seconds(self) -> float:
        """Seconds since the start of the process."""
        return time.monotonic() - self.begin

    def _finished(self, wait_status: int, usage: resource.struct_rusage) -> Finished:
        stdout, stderr = (path.read_text("utf-8", "replace") for path in self.files)
        status = os.waitstatus_to_exitcode(wait_status)
        return Finished(status, stdout, stderr, self.seconds, usage.ru_maxrss // 1024)


def run(name: str, arguments: Sequence[object], home: Path) -> Finished:
    """Run a command to its end."""
    return Child(name, arguments, home).wait()
