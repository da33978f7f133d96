"""Sentences typed without a final mark, which many training corpora do not contain."""

import unicodedata

MARK = "."


def lacks_mark(sentence: str) -> bool:
    """Return whether a sentence ends with a letter, which may have combining marks."""
    ends = (char for char in reversed(sentence.rstrip()) if unicodedata.category(char)[0] != "M")
    return next(ends, "").isalpha()


def with_mark(sentence: str) -> str:
    """Return a sentence with a final mark."""
    return sentence.rstrip() + MARK


def without_mark(text: str) -> str:
    """Return a text without its final mark. An ellipsis is kept."""
    return text if text.endswith(MARK * 2) else text.removesuffix(MARK)
