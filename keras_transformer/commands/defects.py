"""Translations that are obviously defective, whatever the network's confidence."""

import re
from dataclasses import dataclass

from keras_transformer.corrections.inner_parts import QUOTES
from keras_transformer.translation.translated_line import TranslatedLine, TranslatedSentence

EMPTY = "is empty, although the line is not"
CUT = "is cut off at the maximum length"
UNPAIRED = "has an unpaired quotation mark or parenthesis"
REPEATED = "repeats a word"
LONG_WORD = 5  # characters; shorter words may follow themselves: "dass sie sie kennt"


@dataclass(frozen=True)
class Defects:
    """Finds defective translations.

    Args:
        end: id of the end token of the translations; None if it is unknown.
    """

    end: int | None = None

    def of(self, line: TranslatedLine) -> list[str]:
        """Return what is wrong with the best translation of a line, to follow "the translation"."""
        text = line.translations()[0].text
        found = {
            EMPTY: any(map(_is_empty, line.all_read())),
            CUT: any(map(self._is_cut, line.all_read())),
            UNPAIRED: _has_unpaired_mark(text) and not _has_unpaired_mark(line.text),
            REPEATED: _repeats_a_word(text, LONG_WORD) and not _repeats_a_word(line.text),
        }
        return [defect for defect, is_found in found.items() if is_found]

    def _is_cut(self, sentence: TranslatedSentence) -> bool:
        ids = sentence.best_of_read.ids  # none for white space, and from servers
        return self.end is not None and bool(ids) and ids[-1] != self.end


def _is_empty(sentence: TranslatedSentence) -> bool:
    return bool(sentence.read.strip()) and not sentence.best_of_read.text.strip()


def _has_unpaired_mark(text: str) -> bool:
    quotes = sum(map(text.count, QUOTES))
    return quotes % 2 == 1 or text.count("(") != text.count(")")


def _repeats_a_word(text: str, length: int = 1) -> bool:
    """Return whether a word of at least some characters follows itself."""
    return re.search(rf"\b(\w{{{length},}}) \1\b", text, re.IGNORECASE) is not None
