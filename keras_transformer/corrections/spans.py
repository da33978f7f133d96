"""Parts of a text, given by their places."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

Span: TypeAlias = tuple[int, int]  # start, end

FILLER = "."  # takes the place of text that is not to be searched; belongs to no word or token


class TextSpan(NamedTuple):
    """A part of a text, such as a name or a number.

    Attributes:
        text: the part.
        start: its first position in the text.
        end: the position after it.
    """

    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The start and the end."""
        return self.start, self.end


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Return a text of the same length with parts of it replaced by fillers."""
    for start, end in spans:
        text = text[:start] + FILLER * (end - start) + text[end:]
    return text
