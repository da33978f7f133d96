"""Sentences typed without a final mark, which many training corpora do not contain."""

import re
import unicodedata

MARK = "."
# An ellipsis, or an abbreviation of single letters: p.m., U.S., z.B.
NO_FINAL_MARK = re.compile(r"\.\.$|\b[^\W\d_]\.[^\W\d_]\.$")


def lacks_mark(sentence: str) -> bool:
    """Return whether a sentence ends with a letter, which may have combining marks."""
    ends = (char for char in reversed(sentence.rstrip()) if unicodedata.category(char)[0] != "M")
    return next(ends, "").isalpha()


def with_mark(sentence: str) -> str:
    """Return a sentence with a final mark."""
    return sentence.rstrip() + MARK


def without_mark(text: str) -> str:
    """Return a text without its final mark. The periods of an ellipsis and of "p.m." are kept."""
    return text if NO_FINAL_MARK.search(text) else text.removesuffix(MARK)
