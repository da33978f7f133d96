"""Translating lines: one in, one out, in order."""

import re
import sys

from keras_transformer.errors import UserError
from keras_transformer.text.lines import check_file, decode_lines, read_lines

# All that some program takes for the end of a line, and the tab between columns.
SEPARATORS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


def translate_lines(translator, lines, buffer_size=1024, n_best=1, scores=False, **search):
    """Translates lines and yields lines of output.

    Args:
        translator: a `Translator`.
        lines: iterable of sentences, of any length: only `buffer_size` of them are held.
        buffer_size: lines that are read before they are translated together.
        n_best: translations of each line; with more than 1, each begins with the line's number.
        scores: whether a column with the score comes before the translation.
        search: arguments for `Translator.translate`.

    Yields:
        For each line its `n_best` translations, a line each, with columns divided by tabs.
    """
    number = 1
    for buffer in _buffers(lines, buffer_size):
        found = translator.translate(buffer, n_best=n_best, first_number=number, **search)
        for translations in found:
            yield from output_lines(number, translations, n_best, scores)
            number += 1


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


def source_lines(sentences, path, lang):
    """The lines to translate, and whether each is to be answered at once.

    Args:
        sentences: those that the user gave as arguments; they come first.
        path: a text file, or None.
        lang: the source language, for the prompt where there is neither and input is a terminal.

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
        return prompt(lang), True
    return decode_lines(sys.stdin.buffer, "standard input"), False


def prompt(lang):
    """Yields what the user types at a prompt, until the end of input (Ctrl-D)."""
    sys.stdin.reconfigure(errors="replace")
    question = f"{lang}> "
    while True:
        try:
            if sys.stdout.isatty():
                yield input(question)
            else:
                print(question, end="", file=sys.stderr, flush=True)
                yield input()
        except EOFError:
            print(file=sys.stderr)
            return
