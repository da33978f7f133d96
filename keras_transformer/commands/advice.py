"""Advice that the commands append to errors of the library, such as a flag to give."""

import contextlib
from collections.abc import Iterator, Mapping

from keras_transformer.commands.failures import as_user_errors
from keras_transformer.errors import OutOfMemory, UserError


@contextlib.contextmanager
def advice(hints: Mapping[type[UserError], str]) -> Iterator[None]:
    """Append a hint, such as a flag to give, to errors of the library.

    Args:
        hints: {class of the error: hint}.
    """
    try:
        yield
    except tuple(hints) as error:
        hint = next(hint for kind, hint in hints.items() if isinstance(error, kind))
        error.args = (f"{error}: {hint}",)
        raise


@contextlib.contextmanager
def advice_on_memory() -> Iterator[None]:
    """Name the flag that reduces the memory needed for translations, if there is too little."""
    with advice({OutOfMemory: "give a smaller --batch-size"}), as_user_errors():
        yield
