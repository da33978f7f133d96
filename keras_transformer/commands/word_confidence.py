"""Translations with the probability of each word: as columns, or in color on a terminal."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO

from keras_transformer.commands.console import OutputFormat, plain, printed

if TYPE_CHECKING:  # the imports take seconds
    from keras_transformer.runs.run import Run
    from keras_transformer.translation.translated_line import TranslatedLine
    from keras_transformer.translation.translator import Translator
    from keras_transformer.translation.word_probabilities import Word, WordProbabilities

WORD = re.compile(r"\S+")
UNKNOWN = "-"  # in place of the probability of a corrected word


class Style(NamedTuple):
    """How words are printed in color.

    Attributes:
        limit: words with a smaller probability have this style.
        codes: parameters of the control sequence: 1 is bold, 2 dim, 3 italic, 4 underlined, and
            `38;5;N` color N of 256.
    """

    limit: float
    codes: str


# Vermilion, orange and ocher, which are legible on black and on white. Readers who cannot tell them
# apart see the difference between bold, underlined and italic letters.
STYLES = (Style(0.25, "1;4;38;5;166"), Style(0.5, "4;38;5;172"), Style(0.8, "3;38;5;136"))
CORRECTED = "2"  # style of words without a probability


class ConfidenceFormat:
    """The output format in which each translation shows the probabilities of its words.

    Args:
        words: computes the probabilities.
        in_color: whether words are in color; otherwise their probabilities are a column.

    Call arguments:
        lines: translated lines.

    Yields:
        Each line with the text to print for each of its translations.
    """

    def __init__(self, words: "WordProbabilities", in_color: bool) -> None:
        self.words = words
        self.marked = colored if in_color else with_column

    def __call__(
        self, lines: "Iterable[TranslatedLine]"
    ) -> "Iterator[tuple[TranslatedLine, list[str]]]":
        lines = list(lines)
        for line, words in zip(lines, self.words.of(lines), strict=True):
            texts = (printed(translation.text) for translation in line.translations())
            yield line, list(map(self.marked, texts, words))


def opened(network: "Translator", run: "Run") -> "WordProbabilities":
    """Return the object that computes probabilities at the temperature of a run, or at 1."""
    from keras_transformer.translation.confidence_model import saved_temperature
    from keras_transformer.translation.word_probabilities import WordProbabilities

    return WordProbabilities(network, saved_temperature(run) or 1.0)


def output_format(
    words: "WordProbabilities | None", output: str | None, quiet: bool
) -> OutputFormat:
    """Return the output format, and explain its colors on standard error.

    Args:
        words: computes the probabilities to show; None for none.
        output: the file of the translations; None for standard output.
        quiet: whether to explain nothing.
    """
    if words is None:
        return plain
    in_color = output is None and shows_color(sys.stdout)
    if in_color and not quiet and sys.stderr.isatty():
        print_legend()
    return ConfidenceFormat(words, in_color)


def with_column(text: str, words: "Sequence[Word]") -> str:
    """Return a text, a tab, and the probability of each of its words, separated by spaces."""
    return f"{text}\t{' '.join(_number(word.probability) for word in words)}"


def _number(probability: float | None) -> str:
    return UNKNOWN if probability is None else f"{probability:.4f}"


def colored(text: str, words: "Sequence[Word]") -> str:
    """Return a text with control sequences that show the probabilities of its words."""
    probabilities = (word.probability for word in words)
    return WORD.sub(lambda match: styled(match[0], codes(next(probabilities))), text)


def codes(probability: float | None) -> str:
    """Return the `codes` of a word; none for a word with a high probability."""
    if probability is None:
        return CORRECTED
    return next((style.codes for style in STYLES if probability < style.limit), "")


def styled(text: str, parameters: str) -> str:
    """Return a text between the control sequences that begin and end a style."""
    return f"\x1b[{parameters}m{text}\x1b[0m" if parameters else text


def shows_color(stream: TextIO) -> bool:
    """Return whether a stream is a terminal with colors that the user has not turned off.

    The environment variable NO_COLOR turns colors off in many programs: https://no-color.org.
    """
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_legend() -> None:
    """Explain the styles on standard error."""
    texts = [styled(f"below {style.limit:g}", style.codes) for style in STYLES]
    texts.append(styled("corrected after the search", CORRECTED))
    print(f"probability of each word: {', '.join(texts)}", file=sys.stderr)
