"""List markers and marks around a sentence, such as parentheses, which a translation keeps.

A network that has seen few of them mistranslates the first word. The network therefore reads the
sentence without them.
"""

import re
from typing import NamedTuple

from keras_transformer.corrections.inner_parts import QUOTES

PAIRS = ('""', "''", "“”", "‘’", "„“", "‚‘", "«»", "»«", "()", "[]")  # noqa: RUF001
CLOSING = {pair[0]: pair[1] for pair in PAIRS}
FINAL = ".!?…"  # may follow the closing mark
DEEPEST = 4  # markers and pairs of marks that are removed
# "1." is not included: in some languages it is an ordinal number ("1. Mai").
LIST_MARKER = re.compile(
    r"(?:[-–—*•·>]|#{1,6}"  # noqa: RUF001
    r"|(?:\d{1,3}|[A-Za-z])\)"
    r"|\((?:\d{1,3}|[A-Za-z])\)"
    r"|\[(?:\d{1,3}|[A-Za-z ])\])\s+(?=\S)"
)


class Enclosed(NamedTuple):
    """A sentence without what encloses it: the text before and after it, which may be empty."""

    opening: str
    text: str
    closing: str

    @classmethod
    def of(cls, sentence: str) -> "Enclosed":
        """Return a sentence as `Enclosed`.

        Marks that also occur within the sentence belong to its parts, as in "Yes" and "no", and
        stay. So does what encloses a text without letters. A lone quotation mark at the beginning
        or the end is removed too: a quotation may have several sentences.
        """
        opening = closing = ""
        for _ in range(DEEPEST):
            before, text, after = _removed(sentence)
            if not any(map(str.isalpha, text)):
                break
            opening, sentence, closing = opening + before, text, after + closing
        return cls(opening, sentence, closing)

    def around(self, translation: str) -> str:
        """Return the translation of the text with what enclosed it."""
        return f"{self.opening}{translation}{self.closing}"


NOTHING = Enclosed("", "", "")


def _removed(sentence: str) -> Enclosed:
    """Return a sentence without the first thing that encloses it, or `NOTHING`."""
    found = _without_marker(sentence) or _without_marks(sentence) or _without_lone_quote(sentence)
    return found or NOTHING


def _without_marker(sentence: str) -> Enclosed | None:
    """Return a sentence without the first list marker, or None if it has none."""
    marker = LIST_MARKER.match(sentence)
    return Enclosed(marker[0], sentence[marker.end() :], "") if marker else None


def _without_marks(sentence: str) -> Enclosed | None:
    """Return a sentence without the marks around it, or None if it has none."""
    body = sentence.rstrip().rstrip(FINAL)
    opening, text, closing = body[:1], body[1:-1], body[-1:]
    if CLOSING.get(opening) != closing or opening in text or closing in text:
        return None
    return Enclosed(opening, text, closing + sentence[len(body) :])


def _without_lone_quote(sentence: str) -> Enclosed | None:
    """Return a sentence without its only quotation mark, or None if that is not at the edge."""
    if sum(map(sentence.count, QUOTES)) != 1:
        return None
    if sentence[0] in QUOTES:
        return Enclosed(sentence[0], sentence[1:], "")
    body = sentence.rstrip().rstrip(FINAL)
    closes = body[-1] in QUOTES and not body[-2:-1].isdigit()  # 15" are inches
    return Enclosed("", body[:-1], sentence[len(body) - 1 :]) if closes else None
