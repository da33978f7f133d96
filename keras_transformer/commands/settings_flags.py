"""The flags of the settings, and their names in errors of the library."""

import argparse
import contextlib
import dataclasses
import re
import types
import typing
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from keras_transformer.commands.command_line import AddArgument
from keras_transformer.config import Config
from keras_transformer.errors import UserError

# Settings whose flag has another name.
FLAGS = {"strategy": "--search"}


def flag(name: str) -> str:
    """Return the flag of a setting."""
    return FLAGS.get(name, f"--{name.replace('_', '-')}")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each setting. Flags that the user does not give are not in the namespace."""
    for section, kind in Config.sections().items():
        group = parser.add_argument_group(f"{section} settings")
        for field in dataclasses.fields(kind):
            group.add_argument(flag(field.name), default=argparse.SUPPRESS, **_flag_options(field))
            if field.metadata["booleans"]:
                _add_negation(group.add_argument, field)


def _add_negation(add: AddArgument, field: dataclasses.Field) -> None:
    """Add the flag --no-NAME of a setting that has a value for false."""
    no = field.metadata["booleans"][False]
    options: dict[str, Any] = {"dest": field.name, "action": "store_const", "const": no}
    name = flag(field.name)
    text = f"the same as {name} {no}"
    add(name.replace("--", "--no-"), default=argparse.SUPPRESS, help=text, **options)


def _flag_options(field: dataclasses.Field) -> dict[str, Any]:
    """Return the arguments of `add_argument` for the field of a setting."""
    text = with_flags(field.metadata["help"], Config().flat())
    options = {"help": text + _default_note(field.default)}
    if field.type is bool:
        return options | {"action": argparse.BooleanOptionalAction}
    if typing.get_origin(field.type) is tuple:
        return options | {"nargs": "+", "type": str, "metavar": "FILE"}
    if field.metadata["booleans"]:
        options |= {"nargs": "?", "const": field.metadata["booleans"][True]}
    if field.metadata["choices"]:
        return options | {"choices": field.metadata["choices"]}
    is_optional = isinstance(field.type, types.UnionType)
    kind = typing.get_args(field.type)[0] if is_optional else field.type
    metavars: dict[Any, str] = {int: "N", float: "X", str: "NAME"}
    return options | {"type": kind, "metavar": field.metadata["metavar"] or metavars[kind]}


def _default_note(default: object) -> str:
    if default in (None, ()):  # the help text describes the default
        return ""
    return f" (default {default if not isinstance(default, bool) else 'off'})"


@contextlib.contextmanager
def naming_flags(names: Collection[str], settings_file: Path | None = None) -> Iterator[None]:
    """Replace the names of settings in errors of the library by their flags.

    Args:
        names: the settings.
        settings_file: errors that begin with the name of this file are about settings in it, so
            they are not changed.
    """
    try:
        yield
    except UserError as error:
        if settings_file is None or not str(error).startswith(f"{settings_file}:"):
            error.args = (with_flags(str(error), names),)
        raise


def with_flags(message: str, names: Collection[str]) -> str:
    """Return a message in which settings are called by their flags.

    Names such as `train` are also English words. They are replaced only in "the setting train", in
    "needs train", and at the beginning, before "must be" or "needs". Names with an underscore are
    replaced everywhere except in paths.
    """
    known = "|".join(names)
    long = "|".join(name for name in names if "_" in name) or "(?!)"
    for pattern in (
        rf"\bthe setting ({known})\b",
        rf"(?<=\bneeds )({known})\b(?! [a-z])",
        rf"^({known})(?= must be | needs )",
        rf"(?<![\w./\\-])({long})(?!\.?[\w/\\-])",
    ):
        message = re.sub(pattern, lambda match: flag(match[1]), message)
    return message
