"""What subwords are called: it depends on whether a language has spaces between its words.

Where it has, a space before a subword tells beginnings of words from continuations. Where it has
none, a subword after a space is the beginning of a sentence or follows a foreign word. The mark of
that space says nothing about words.
"""

import enum
from typing import Protocol

from keras_transformer.inspection.embeddings.frequencies import is_continuation
from keras_transformer.pictures.style import shown
from keras_transformer.text.sentences import UNSPACED
from keras_transformer.text.subwords import SPACE, Subwords
from keras_transformer.text.words import has_letter


class Kind(enum.StrEnum):
    """Kinds of subwords, by what they are most often."""

    WORD = "whole word"
    BEGINNING = "beginning of a word"
    CONTINUATION = "continuation of a word"
    SIGN = "digit or sign"
    LETTERS = "letters"  # of a language without spaces between words


class Writing(Protocol):
    """How a language is written."""

    def label(self, piece: str) -> str:
        """Return a piece as it is shown."""

    def kind(self, piece: str, is_continued: bool) -> Kind:
        """Return the kind of a piece.

        Args:
            piece: the piece.
            is_continued: whether more often than not, a continuation of a word follows it.
        """

    def encodings(self, subwords: Subwords, word: str) -> list[list[int]]:
        """Return the ids of a word, without start and end, in each place where it can be."""


class Spaced:
    """A language with spaces between words. A hyphen precedes subwords that continue a word."""

    def label(self, piece: str) -> str:
        """Return a piece as it is shown."""
        return f"-{shown(piece)}" if is_continuation(piece) else shown(piece)

    def kind(self, piece: str, is_continued: bool) -> Kind:
        """Return the kind of a piece."""
        if is_continuation(piece):
            return Kind.CONTINUATION
        if not has_letter(piece):
            return Kind.SIGN
        return Kind.BEGINNING if is_continued else Kind.WORD

    def encodings(self, subwords: Subwords, word: str) -> list[list[int]]:
        """Return the ids of a word after a space."""
        return [subwords.encode(word)[1:-1]]


class Unspaced:
    """A language without spaces between words. ␣ precedes subwords that follow a space."""

    def label(self, piece: str) -> str:
        """Return a piece as it is shown."""
        follows_space = piece.startswith(SPACE) and piece != SPACE
        return f"␣{shown(piece)}" if follows_space else shown(piece)

    def kind(self, piece: str, is_continued: bool) -> Kind:
        """Return the kind of a piece."""
        return Kind.LETTERS if has_letter(piece) else Kind.SIGN

    def encodings(self, subwords: Subwords, word: str) -> list[list[int]]:
        """Return the ids of a word within a sentence, and at its beginning."""
        return [subwords.encode_within(word), subwords.encode(word)[1:-1]]


def writing_of(lang: str) -> Writing:
    """Return how a language is written, from its code."""
    return Unspaced() if lang in UNSPACED else Spaced()
