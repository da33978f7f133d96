"""Translating lines: one in, one out, in order."""

import contextlib
import re
import sys

from keras_transformer.errors import UserError
from keras_transformer.files import atomic_open, check_file
from keras_transformer.text.lines import decode_lines, read_lines

# All that some program takes for the end of a line, and the tab between columns.
SEPARATORS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


def translate_lines(
    translator, lines, doubts, search=None, buffer_size=1024, scores=False, **options
):
    """Translates lines and yields lines of output.

    Args:
        translator: a `LineTranslator`.
        lines: iterable of strings, of any length: only `buffer_size` of them are held.
        doubts: a `Doubts`, which warns about translations that may be wrong.
        search: the `SearchSettings`, or None. With an `n_best` of more than 1, each line of output
            begins with the number of the line of input.
        buffer_size: lines that are read before they are translated together.
        scores: whether a column with the score comes before the translation.
        **options: `batch_size` of `Translator.translate`.

    Yields:
        For each line its `n_best` translations, a line each, with columns divided by tabs.
    """
    options |= {"search": search} if search else {}
    n_best = search.n_best if search else 1
    number = 1
    for buffer in _buffers(lines, buffer_size):
        found = translator.translate(buffer, first_number=number, **options)
        for place, line in enumerate(found, number):
            yield from output_lines(place, line.translations(), n_best, scores)
        doubts.examine(found, number)
        number += len(found)
    doubts.summarize()


def _buffers(lines, size):
    """Yields lists of `size` lines; those before a line that cannot be read are not lost."""
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


def output_lines(number, translations, n_best=1, scores=False):
    """Yields the lines of output for one line of input, as `translate_lines` describes them."""
    for translation in translations:
        columns = [str(number)] if n_best > 1 else []
        columns += [f"{translation.score:.4f}"] if scores else []
        yield "\t".join([*columns, SEPARATORS.sub(" ", translation.text)])


@contextlib.contextmanager
def open_output(path=None):
    """Open what translations are written to, as UTF-8.

    Args:
        path: a file, which is there at the end, and only after success; None is standard output.

    Returns:
        A context manager that gives the open text file.

    Raises:
        UserError: the file cannot be opened.
    """
    if path is None:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
    else:
        with atomic_open(path) as file:
            yield file


def source_lines(sentences, path, lang, place):
    """The lines to translate, and whether each is to be answered at once.

    Args:
        sentences: those that the user gave as arguments; they come first.
        path: a text file, or None.
        lang: the source language, for the prompt where there is neither and input is a terminal.
        place: where the translator is from, for the prompt likewise.

    Returns:
        An iterable of strings, and True if they come from a prompt.

    Raises:
        UserError: there is no such file; and while it is read, a line that is not UTF-8.
    """
    if sentences:
        return sentences, False
    if path:
        check_file(path)
        return read_lines(path), False
    if sys.stdin.isatty():
        return prompt(lang, place), True
    return decode_lines(sys.stdin.buffer, "standard input"), False


def prompt(lang, place):
    """Yields what the user types at a prompt, until the end of input (Ctrl-D)."""
    sys.stdin.reconfigure(errors="replace")
    ask = input if edits_lines() else ask_on_standard_error
    print(f"translating with {place}; Ctrl-D quits", file=sys.stderr, flush=True)
    while True:
        try:
            # Several lines that are pasted at once may come as one.
            yield from ask(f"{lang}> ").split("\n")
        except EOFError:
            print(file=sys.stderr)
            return


def edits_lines():
    """Return whether `input` can ask: it has the arrow keys then, where Python has `readline`.

    That module writes to standard output, so it is for a terminal only. The history is that of
    this prompt, and is not kept.
    """
    if not sys.stdout.isatty():
        return False
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 (`input` finds it)
    return True


def ask_on_standard_error(question):
    """Return a line of standard input; standard output is not a terminal, and is left alone."""
    print(question, end="", file=sys.stderr, flush=True)
    return input()
