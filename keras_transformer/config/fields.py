"""A setting as a field of a dataclass, with its help text and its valid values."""

import dataclasses
import math
import os
import reprlib
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from keras_transformer.errors import UserError

T = TypeVar("T")

MAX_FILES = 2
MAX_CHARACTERS = 2**12  # of a string; no path on Linux is longer


def setting(
    default: T,
    help: str,
    *,
    choices: Sequence[str] | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    below: float | None = None,
    booleans: tuple[str, str] | None = None,
    metavar: str | None = None,
) -> T:
    """Return a dataclass field, with the metadata for its flag and its validation.

    Args:
        default: value of the setting if the user chooses none.
        help: what the setting does, with its unit.
        choices: the valid values, or None.
        minimum: smallest valid value, or None.
        maximum: largest valid value, or None.
        below: exclusive upper bound of the valid values, or None.
        booleans: the values that false and true stand for, if they are valid too.
        metavar: what stands for the value in descriptions; None for that of its type.
    """
    limits = {"minimum": minimum, "maximum": maximum, "below": below}
    metadata = {"help": help, "metavar": metavar, "choices": choices, "booleans": booleans}
    return field(default=default, metadata=metadata | limits)


def validated(each: dataclasses.Field, value: object) -> object:
    """Return a valid value of a setting: a list becomes a tuple, and paths become strings.

    Args:
        each: the field of the setting.
        value: its value.

    Raises:
        UserError: If the value is invalid.
    """
    if isinstance(value, list) and _plain_type(each.type) is tuple:  # JSON has no tuples
        value = tuple(value)
    if isinstance(value, bool) and each.metadata["booleans"]:
        value = each.metadata["booleans"][value]
    _check_type(each.name, value, each.type)
    if isinstance(value, tuple):
        if len(value) > MAX_FILES:
            raise UserError(f"{each.name} must name at most {MAX_FILES} files, not {len(value):,}")
        return tuple(_path_string(each.name, element) for element in value)
    _check_choice(each.name, value, each.metadata["choices"])
    if isinstance(value, str):
        _check_text(each.name, value)
    if isinstance(value, int | float):
        _check_range(each.name, value, each.metadata)
    if isinstance(value, int) and _plain_type(each.type) is float:
        return float(value)  # as on the command line
    return value


def shown(value: object) -> str:
    """Return the representation of a value for an error message, shortened if it is long."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = 100
    return short.repr(value)


def _path_string(name: str, element: object) -> str:
    path = os.fspath(element) if isinstance(element, os.PathLike) else element
    if not isinstance(path, str):
        raise UserError(f"{name} must contain only paths, not {shown(element)}")
    _check_text(name, path)
    return path


def _check_text(name: str, text: str) -> None:
    """Raise a `UserError` if a string cannot be a path or cannot be saved as UTF-8."""
    if len(text) > MAX_CHARACTERS:
        raise UserError(f"{name} must have at most {MAX_CHARACTERS} characters, not {len(text)}")
    if "\0" in text or not _is_unicode(text):
        raise UserError(f"{name} must not contain NUL or lone surrogates: {shown(text)}")


def _is_unicode(text: str) -> bool:
    """Return whether a string has no lone surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _check_type(name: str, value: object, annotation: object) -> None:
    """Validate the type of a value.

    Args:
        name: name of the setting.
        value: its value.
        annotation: type of the field: bool, int, float, str, tuple[str, ...], or X | None.
    """
    if value is None and isinstance(annotation, types.UnionType):
        return
    kind = _plain_type(annotation)
    valid = isinstance(value, (int, float) if kind is float else kind)
    if not valid or (isinstance(value, bool) and kind is not bool):
        wanted = "a list of paths" if kind is tuple else f"of type {kind.__name__}"
        raise UserError(f"{name} must be {wanted}, not {shown(value)}")


def _plain_type(annotation: object) -> type:
    """Return X for X | None, and tuple for tuple[str, ...]."""
    if isinstance(annotation, types.UnionType):
        annotation = typing.get_args(annotation)[0]
    kind = typing.get_origin(annotation) or annotation
    assert isinstance(kind, type)
    return kind


def _check_choice(name: str, value: object, choices: Sequence[str] | None) -> None:
    if choices and value not in choices:
        raise UserError(f"{name} must be one of {', '.join(choices)}, not {shown(value)}")


def _check_range(name: str, value: float, limits: Mapping[str, float | None]) -> None:
    """Raise a `UserError` if a number is outside the limits `minimum`, `maximum` and `below`."""
    if isinstance(value, float) and not math.isfinite(value):
        raise UserError(f"{name} must be a finite number, not {value!r}")
    minimum, maximum, below = (limits[limit] for limit in ("minimum", "maximum", "below"))
    if minimum is not None and not value >= minimum:
        raise UserError(f"{name} must be at least {minimum}, not {shown(value)}")
    if maximum is not None and not value <= maximum:
        raise UserError(f"{name} must be at most {maximum:,}, not {shown(value)}")
    if below is not None and not value < below:
        raise UserError(f"{name} must be less than {below}, not {shown(value)}")


@dataclass(frozen=True)
class Settings:
    """Base class of the dataclasses in `sections`, which validates the value of each field."""

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            object.__setattr__(self, each.name, validated(each, getattr(self, each.name)))
