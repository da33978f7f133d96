"""A progress bar for the lines that are translated into a file."""

import argparse
import contextlib
import os
import sys
from collections.abc import Iterable, Iterator

from tqdm import tqdm
from tqdm.contrib.logging import logging_redirect_tqdm

from keras_transformer.commands.console import OutputFormat
from keras_transformer.errors import UserError
from keras_transformer.text.lines import read_lines
from keras_transformer.translation.translated_line import TranslatedLine


@contextlib.contextmanager
def line_bar(arguments: argparse.Namespace) -> Iterator[tqdm]:
    """Show a progress bar on standard error, above which the messages of `logging` are printed.

    Args:
        arguments: the arguments of `translate`.

    Yields:
        The bar, which is disabled if it `is_useless`.
    """
    is_disabled = is_useless(arguments)
    total = None if is_disabled or not arguments.input else number_of_lines(arguments.input)
    options = {"desc": "translating", "unit": " lines", "leave": False, "disable": is_disabled}
    redirection = contextlib.nullcontext() if is_disabled else logging_redirect_tqdm()
    with tqdm(total=total, **options) as bar, redirection:
        yield bar


def is_useless(arguments: argparse.Namespace) -> bool:
    """Return whether a progress bar is useless.

    It is if standard error is no terminal, if the translations appear in the same terminal, or if
    the lines are few: arguments, or typed at a prompt.
    """
    is_shown = arguments.output is None and sys.stdout.isatty()
    is_short = arguments.sentences or (not arguments.input and sys.stdin.isatty())
    return bool(arguments.quiet or is_shown or is_short or not sys.stderr.isatty())


def number_of_lines(path: str) -> int | None:
    """Return the number of lines of a text file, or None if it is unknown.

    A pipe can be read only once. If a line cannot be read, the error is left to the translation,
    which stops there.
    """
    if not os.path.isfile(path):
        return None
    with contextlib.suppress(UserError):
        return sum(1 for _ in read_lines(path))
    return None


def advancing(bar: tqdm, output_format: OutputFormat) -> OutputFormat:
    """Return an output format that also advances a bar, by the number of lines of each buffer.

    These are finished at the same time. After the first one alone, the bar would show that the
    others take as long. The bar is hidden between the buffers, when warnings may be printed.
    """

    def formatted(lines: Iterable[TranslatedLine]) -> Iterator[tuple[TranslatedLine, list[str]]]:
        bar.refresh()
        done = 0
        for line in output_format(lines):
            yield line
            done += 1
        bar.update(done)
        bar.clear()

    return formatted
