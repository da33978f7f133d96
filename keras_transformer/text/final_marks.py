"""Sentences typed without a final mark, which many training corpora do not contain."""

import re
import unicodedata

MARK = "."
# An ellipsis, an abbreviation of single letters (p.m., U.S., z.B.), or a German ordinal: am 5.
NO_FINAL_MARK = re.compile(
    r"\.\.$|\b[^\W\d_]\.[^\W\d_]\.$|(?<!\bI )\b(?:am|zum|vom|de[rnm]) \d{1,2}\.$",
    re.IGNORECASE,
)


def lacks_mark(sentence: str) -> bool:
    """Return whether a sentence ends with a letter, which may have combining marks."""
    ends = (char for char in reversed(sentence.rstrip()) if unicodedata.category(char)[0] != "M")
    return next(ends, "").isalpha()


def with_mark(sentence: str) -> str:
    """Return a sentence with a final mark."""
    return sentence.rstrip() + MARK


def without_mark(text: str) -> str:
    """Return a text without its final mark. Other periods are kept: p.m., am 5."""
    return text if NO_FINAL_MARK.search(text) else text.removesuffix(MARK)
