"""Input and output of translations: lines in, lines out, in the same order."""

import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TextIO, TypeAlias, cast

from keras_transformer.commands.confidence_warnings import ConfidenceWarnings
from keras_transformer.errors import UserError, remarking
from keras_transformer.files import atomic_open
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.lines import decode_lines, read_lines
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.translated_line import TranslatedLine

# Characters that some programs treat as the end of a line, and the tab between columns.
SEPARATORS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")

# The output format: adds to each line the text to print for each of its translations.
OutputFormat: TypeAlias = Callable[
    [Iterable[TranslatedLine]], Iterable[tuple[TranslatedLine, list[str]]]
]


def printed(text: str) -> str:
    """Return a text on one line and without tabs."""
    return SEPARATORS.sub(" ", text)


def plain(lines: Iterable[TranslatedLine]) -> Iterator[tuple[TranslatedLine, list[str]]]:
    """Yield each line with its translations as they are printed by default."""
    for line in lines:
        yield line, [printed(translation.text) for translation in line.translations()]


def translate_lines(
    translator: LineTranslator,
    lines: Iterable[str],
    warnings: ConfidenceWarnings,
    search: SearchSettings | None = None,
    buffer_size: int = 1024,
    scores: bool = False,
    batch_size: int = 64,
    output_format: OutputFormat = plain,
) -> Iterator[str]:
    """Translate lines.

    Args:
        translator: a `LineTranslator`.
        lines: strings, of which only `buffer_size` are held in memory.
        warnings: warns about translations that may be wrong.
        search: the `SearchSettings`, or None for the translator's own. If `n_best` is more than 1,
            each output line begins with the number of its input line.
        buffer_size: number of lines that are read before they are translated together.
        scores: whether to precede each translation by its score.
        batch_size: maximum number of sentences in a batch.
        output_format: the `OutputFormat` of the translations.

    Yields:
        For each line up to `n_best` translations, one per line, with columns separated by tabs.
    """
    n_best = search.n_best if search else 1
    number = 1
    with _summarized(warnings):
        for buffer in _buffers(lines, buffer_size):
            found: list[TranslatedLine] = []
            translated = translator.stream(buffer, number, search, batch_size=batch_size)
            for line, texts in output_format(translated):
                yield from output_lines(number + len(found), line, texts, n_best, scores)
                found.append(line)
            warnings.examine(found, number)
            number += len(found)


@contextlib.contextmanager
def _summarized(warnings: ConfidenceWarnings) -> Iterator[None]:
    """Summarize the warnings in the end, also if a later line cannot be read."""
    try:
        yield
    except UserError:
        warnings.summarize()
        raise
    warnings.summarize()


def _buffers(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield lists of `size` lines; the last, or the last before an error, may be shorter."""
    buffer = []
    try:
        for line in lines:
            buffer.append(line)
            if len(buffer) == size:
                yield buffer
                buffer = []
    except UserError:
        yield buffer
        raise
    if buffer:
        yield buffer


def output_lines(
    number: int,
    line: TranslatedLine,
    texts: Iterable[str],
    n_best: int = 1,
    scores: bool = False,
) -> Iterator[str]:
    """Yield the output lines for an input line, in the format that `translate_lines` describes.

    Args:
        number: number of the input line.
        line: the line with its translations.
        texts: the text to print for each translation.
        n_best: number of translations that the user asked for.
        scores: whether to precede each translation by its score.
    """
    for translation, text in zip(line.translations(), texts, strict=True):
        columns = [str(number)] if n_best > 1 else []
        columns += [f"{translation.score:.4f}"] if scores else []
        yield "\t".join([*columns, text])


@contextlib.contextmanager
def open_output(path: str | None = None) -> Iterator[TextIO]:
    """Open a UTF-8 text file for translations.

    Args:
        path: a file, which is written atomically and only after success; None: standard output.

    Yields:
        The open text file.

    Raises:
        UserError: If the file cannot be opened.
    """
    if path is None:
        _text_io(sys.stdout).reconfigure(encoding="utf-8", newline="\n")
        try:
            yield sys.stdout
        except UserError:
            # What was translated is printed before the error. `run` handles a closed pipe.
            with contextlib.suppress(BrokenPipeError):
                sys.stdout.flush()
            raise
    else:
        exists = os.path.exists(path)
        with (
            _remarking_if_unchanged(path),
            atomic_open(path) as file,
            contextlib.nullcontext() if exists else remarking(f"{path} is not written"),
        ):
            yield file


@contextlib.contextmanager
def _remarking_if_unchanged(path: str) -> Iterator[None]:
    """Add a remark to exceptions if a file existed before and was not replaced."""
    before = _file_number(path)
    try:
        yield
    except BaseException as error:
        if before is not None and before == _file_number(path):
            error.add_note(f"{path} is unchanged")
        raise


def _file_number(path: str) -> int | None:
    """Return the number that the file system has given to a regular file, or None."""
    return os.stat(path).st_ino if os.path.isfile(path) else None


def _text_io(stream: TextIO) -> io.TextIOWrapper:
    """Return a standard stream with its actual type, which type checkers do not know."""
    return cast(io.TextIOWrapper, stream)


def source_lines(
    sentences: Sequence[str], path: str | None, lang: str, place: str
) -> tuple[Iterable[str], bool]:
    """Return the lines to translate, and whether they are typed at a prompt.

    Args:
        sentences: sentences given as arguments. They take precedence.
        path: a text file, or None. Without a file, lines are read from standard input.
        lang: source language, which the prompt displays.
        place: run directory or address of the translator, which the prompt displays.

    Raises:
        UserError: Later, when lines are read: if the file cannot be read, or a line is not UTF-8.
    """
    if sentences:
        return sentences, False
    if path:
        return read_lines(path), False
    if sys.stdin.isatty():
        return prompt(lang, place), True
    return decode_lines(sys.stdin.buffer, "standard input"), False


def prompt(lang: str, place: str) -> Iterator[str]:
    """Yield lines that the user types at a prompt, until the end of input (Ctrl-D)."""
    _text_io(sys.stdin).reconfigure(errors="replace")
    ask: Callable[[str], str] = input if has_line_editing() else ask_on_standard_error
    print(f"translating with {place}; Ctrl-D quits", file=sys.stderr, flush=True)
    while True:
        try:
            # Several lines pasted at once may arrive as one string.
            yield from ask(f"{lang}> ").split("\n")
        except EOFError:
            print(file=sys.stderr)
            return


def has_line_editing() -> bool:
    """Return whether `input` can be used, and enable its arrow keys if Python has `readline`.

    `input` with `readline` writes to standard output, which must therefore be a terminal. The
    history contains the lines of this prompt and is not saved.
    """
    if not sys.stdout.isatty():
        return False
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 (used by `input`)
    return True


def ask_on_standard_error(question: str) -> str:
    """Return a line of standard input, with the question on standard error."""
    print(question, end="", file=sys.stderr, flush=True)
    return input()
