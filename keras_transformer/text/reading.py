"""Text as the network reads it, from text as people type it."""

from keras_transformer.text.casing import without_capitals
from keras_transformer.text.normalization import (
    composed,
    with_double_quotes,
    with_straight_apostrophes,
    without_surrogates,
)


def as_read(sentence: str, lang: str) -> str:
    """Return a sentence as the network reads it: without capitals if it has nothing else.

    Args:
        sentence: a sentence.
        lang: its language.
    """
    return without_capitals(normalized(sentence), lang)


def normalized(text: str) -> str:
    """Return a text with composed letters, straight apostrophes and direct speech in quotes."""
    return with_double_quotes(with_straight_apostrophes(composed(without_surrogates(text))))
