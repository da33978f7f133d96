"""Failures of the operating system and of TensorFlow, converted to errors in one line."""

import contextlib
import re
import select
import sys
from collections.abc import Iterator

from keras_transformer.errors import OutOfMemory, UserError, reason

# How TensorFlow, XLA and Python functions called by TensorFlow report that memory is exhausted.
NO_MEMORY = re.compile(r"^(OOM when|Out of memory|Failed to allocate|MemoryError)", re.IGNORECASE)


@contextlib.contextmanager
def as_user_errors() -> Iterator[None]:
    """Convert failures that are not bugs to `UserError`s.

    These are errors of TensorFlow, a lack of memory, and an `OSError` other than that of a reader
    who closes the pipe of standard output.
    """
    try:
        yield
    except Exception as error:
        is_closed = isinstance(error, BrokenPipeError) and reader_is_gone()
        converted = None if is_closed else converted_failure(error)
        if converted is None:
            raise
        for remark in getattr(error, "__notes__", ()):
            converted.add_note(remark)
        raise converted from error


def converted_failure(error: Exception) -> UserError | None:
    """Return a `UserError` that describes a failure; None for a bug or another `UserError`."""
    if isinstance(error, MemoryError):
        return OutOfMemory("out of memory")
    if isinstance(error, OSError):
        return UserError(_system_message(error))
    if not isinstance(error, _tensorflow_errors()):
        return None
    message = reason(error)
    return OutOfMemory("out of memory") if NO_MEMORY.match(message) else UserError(message)


def _tensorflow_errors() -> tuple[type[Exception], ...]:
    """Return TensorFlow's class of errors, or nothing if TensorFlow is not imported."""
    errors = getattr(sys.modules.get("tensorflow"), "errors", None)
    return (errors.OpError,) if errors else ()


def _system_message(error: OSError) -> str:
    """Return the name of the file, if it is known, and what is wrong."""
    names = [str(name) for name in (error.filename, error.filename2) if name is not None]
    if not names and not output_can_be_written():
        names = ["standard output: cannot be written"]
    return ": ".join([*names[-1:], error.strerror or str(error) or type(error).__name__])


def reader_is_gone() -> bool:
    """Return whether standard output is a pipe or a socket whose reader has closed it.

    Flushing does not tell: after an error, Python discards a text that is longer than its buffer.
    """
    poll = select.poll()
    try:
        poll.register(sys.stdout.fileno(), 0)  # 0: closing is always reported
    except OSError:  # not a file of the system
        return False
    return bool(poll.poll(0))


def output_can_be_written() -> bool:
    """Return whether all text printed so far can be written to standard output."""
    try:
        sys.stdout.flush()
    except OSError:
        return False
    return True
