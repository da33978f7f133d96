"""Columns of a terminal, in which Chinese characters are wide and combining marks have no width."""

import unicodedata

# Categories of characters that occupy no column. Marks are above, below or around the character
# before them; formatting characters, such as joiners, are not visible.
NONSPACING = "Mn", "Me", "Cf"


def columns(text: str) -> int:
    """Return the number of columns of a text in a terminal.

    Chinese, Japanese and Korean characters occupy two columns, nonspacing marks and joiners none.
    """
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(each) in NONSPACING for each in text)


def padded(text: str, width: int) -> str:
    """Return a text followed by spaces, `width` columns in all."""
    return text + " " * (width - columns(text))
