"""Errors that the commands report in one line, without a traceback."""

import contextlib
import re
from collections.abc import Iterator

# Parts of TensorFlow's messages that are of no use to users: names of nodes and operations, the
# places where they were defined, and tracebacks of Python functions that an operation called.
NOISE = re.compile(
    r"\{\{[^}]*\}\}|\[\[.*?\]\]|\[Op:[^\]]*\](?: name:.*)?|^Graph execution error:|^Detected at .*"
    r"|^  File .*|^\d+ root error.*|^\s*\(\d+\) [A-Z_]+:|^Traceback [\s\S]*",
    re.MULTILINE,
)


class UserError(Exception):
    """An error that the user can fix, such as a missing file or an invalid setting.

    The message is one line. It says what is wrong, where, and what is expected.
    """


def missing_extra(need: str, extra: str) -> UserError:
    """Return the error that an optional package is missing.

    Args:
        need: what needs which package, as a clause.
        extra: the extra that installs it.
    """
    return UserError(
        f'{need}: install the extra "{extra}", in a clone by pip install -e ".[{extra}]"'
    )


class CheckError(Exception):
    """An export that cannot be loaded, or whose output differs from that of its run directory."""


class RunMismatch(UserError):
    """A run directory from which training cannot resume as requested."""


class StartMismatch(UserError):
    """A run to start from whose training pairs cannot be those that it was trained on."""


class RunLocked(UserError):
    """A run directory that another process is writing to."""


class NoRun(UserError):
    """A directory without a run."""


class DamagedRun(UserError):
    """A run directory that lacks a file, or in which one is damaged."""


class PathTaken(UserError):
    """A path that is in use and is not replaced."""


class TrainingDiverged(UserError):
    """A training run whose loss is no longer a finite number."""


class OutOfMemory(UserError):
    """A computation that needs more memory than is available."""


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP, which end a command in the same orderly way as Ctrl-C.

    Attributes:
        number: number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def remarking(remark: str) -> Iterator[None]:
    """Add a remark to every exception. The commands print it after the message.

    Args:
        remark: says what has been kept, for example "out.txt is unchanged".
    """
    try:
        yield
    except BaseException as error:
        error.add_note(remark)
        raise


def reason(error: BaseException) -> str:
    """Return the message of an exception in one line, without what TensorFlow adds to it."""
    lines = (line.strip() for line in NOISE.sub("", str(error)).splitlines())
    first = next(filter(None, lines), type(error).__name__)
    # TensorFlow writes "PATH; No space left on device".
    return re.sub(r"; (?=[A-Z][\w ]*$)", ": ", first.removeprefix("UserError: "))


class WorkerLost(UserError):
    """A worker of a distributed training run that no longer responds."""
