"""Quotation marks, parentheses or brackets around a whole sentence, which a translation keeps.

A network that has seen few of them mistranslates the first word. The network therefore reads the
sentence without them.
"""

import re
from typing import NamedTuple

PAIRS = ('""', "''", "“”", "‘’", "„“", "‚‘", "«»", "»«", "()", "[]")  # noqa: RUF001
CLOSING = {pair[0]: pair[1] for pair in PAIRS}
MARK = re.compile(r"[.!?…]*\s*$")  # at the end, after the closing mark


class Enclosed(NamedTuple):
    """A sentence without the marks around it, and the marks, which may be empty."""

    opening: str
    text: str
    closing: str

    def around(self, translation: str) -> str:
        """Return the translation of the text with the marks around it."""
        return f"{self.opening}{translation}{self.closing}"


def without_marks(sentence: str) -> Enclosed:
    """Return a sentence as `Enclosed`.

    Marks that also occur within the sentence belong to its parts, as in "Yes" and "no", and stay.
    """
    closing = CLOSING.get(sentence[:1], "")
    end = MARK.search(sentence).start()  # type: ignore[union-attr]  # matches the empty end
    text = sentence[1 : end - 1]
    is_enclosed = closing and sentence[end - 1] == closing and any(map(str.isalpha, text))
    if not is_enclosed or sentence[0] in text or closing in text:
        return Enclosed("", sentence, "")
    return Enclosed(sentence[0], text, sentence[end - 1 :])
