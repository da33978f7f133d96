"""Columns of a terminal, in which Chinese characters are wide and combining marks have no width."""

import unicodedata

# Categories of characters that occupy no column. Marks are above, below or around the character
# before them; formatting characters, such as joiners, are not visible.
NONSPACING = "Mn", "Me", "Cf"


def columns(text: str) -> int:
    """Return the number of columns of a text in a terminal.

    Chinese, Japanese and Korean characters occupy two columns, nonspacing marks and joiners none.
    """
    spacing = [each for each in text if unicodedata.category(each) not in NONSPACING]
    return len(spacing) + sum(unicodedata.east_asian_width(each) in "WF" for each in spacing)


def padded(text: str, width: int) -> str:
    """Return a text followed by spaces, `width` columns in all."""
    return text + " " * (width - columns(text))
