"""Checks of arguments that argparse does not make."""

import argparse
import os
from collections.abc import Collection, Mapping

from keras_transformer.commands.settings_flags import flag
from keras_transformer.errors import UserError

MAX_SEED = 2**32 - 1


def check_at_least_one(arguments: argparse.Namespace, *names: str) -> None:
    """Raise a `UserError` if one of these arguments is smaller than 1."""
    for name in names:
        if getattr(arguments, name) < 1:
            raise UserError(f"{flag(name)} must be at least 1")


def check_seed(seed: int) -> None:
    """Raise a `UserError` if --seed is not one that NumPy accepts."""
    if not 0 <= seed <= MAX_SEED:
        raise UserError(f"--seed must be between 0 and {MAX_SEED:,}")


def check_output(
    arguments: argparse.Namespace, name: str, others: Mapping[str, Collection[str]]
) -> None:
    """Raise a `UserError` if a command cannot write its file.

    Its name ends in `.gz`, although files are written uncompressed, or it is also the file of
    another flag.

    Args:
        arguments: the arguments.
        name: name of the argument with the path of a file that the command writes.
        others: {flag: paths} of the other flags. Paths may be missing or None.
    """
    path = getattr(arguments, name)
    if path and path.endswith(".gz"):
        raise UserError(f"{flag(name)} {path}: the file is not compressed: give a name without .gz")
    for other, paths in others.items():
        for taken in paths:
            if path and taken and same_file(path, taken):
                raise UserError(
                    f"{flag(name)} {path} is the same file as {other} {taken}: give another name"
                )


def same_file(one: str, two: str) -> bool:
    """Return whether two paths name the same regular file, which may not exist yet."""
    try:
        return os.path.samefile(one, two) and os.path.isfile(one)
    except OSError:  # one of the files does not exist
        return os.path.realpath(one) == os.path.realpath(two)
