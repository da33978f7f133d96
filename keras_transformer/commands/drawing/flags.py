"""Flags of all kinds of pictures, and what is done with them."""

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from keras_transformer.commands.command_line import AddArgument

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def add_output_flag(add: AddArgument, required: bool = True) -> None:
    """Add the flag that names the file of the picture."""
    text = (
        "file of the picture; its extension selects the format: .png, .svg, .pdf, .gif or another "
        "format"
    )
    add("-o", "--output", metavar="FILE", required=required, help=text)


def add_side_flag(add: AddArgument, text: str) -> None:
    """Add the flag that selects one of the two languages.

    Args:
        add: `add_argument` of a parser or a group.
        text: what is selected.
    """
    text = f"{text} (default source)"
    add("--side", choices=("source", "target"), default="source", help=text)


def number_or(*words: str) -> Callable[[str], int | str]:
    """Return a function that converts an argument to a number from 1, unless it is a word."""
    expected = f"expected {', '.join(['a number from 1', *words[:-1]])} or {words[-1]}"

    def converted(text: str) -> int | str:
        if text in words:
            return text
        if not text.isascii() or not text.isdecimal() or int(text) < 1:
            raise argparse.ArgumentTypeError(f"{text!r}: {expected}")
        return int(text)

    return converted


def check_picture(path: str | None, allowed: Iterable[str] | None = None) -> None:
    """Raise a `UserError` if a picture cannot be written. Call this before any other work.

    Args:
        path: the file of the picture; None if the user wants no picture.
        allowed: the extensions that the name may have; by default those of all formats.
    """
    if path is None:
        return
    from keras_transformer.pictures import saving

    saving.check_path(path, allowed)


def write(figure: "Figure", arguments: argparse.Namespace) -> None:
    """Write a figure to the file that the user chose, and say so on standard error."""
    from keras_transformer.pictures import saving

    saving.save(figure, arguments.output)
    report(arguments.output)


def report(path: str) -> None:
    """Say on standard error that a file was written."""
    print(f"wrote {path}", file=sys.stderr)
