"""Translations that are obviously incomplete: empty, or cut off at the maximum length."""

from dataclasses import dataclass

from keras_transformer.translation.translated_line import TranslatedLine, TranslatedSentence

EMPTY = "empty, although the line is not"
CUT = "cut off at the maximum length"


@dataclass(frozen=True)
class Defects:
    """Finds incomplete translations.

    Args:
        end: id of the end token of the translations; None if it is unknown.
    """

    end: int | None = None

    def of(self, line: TranslatedLine) -> list[str]:
        """Return what is wrong with the best translation of a line: `EMPTY`, `CUT`, or both."""
        found = {EMPTY: map(_is_empty, line.sentences), CUT: map(self._is_cut, line.sentences)}
        return [defect for defect, flags in found.items() if any(flags)]

    def _is_cut(self, sentence: TranslatedSentence) -> bool:
        ids = sentence.best_of_read.ids  # none for white space, and from servers
        return self.end is not None and bool(ids) and ids[-1] != self.end


def _is_empty(sentence: TranslatedSentence) -> bool:
    return bool(sentence.read.strip()) and not sentence.best_of_read.text.strip()
