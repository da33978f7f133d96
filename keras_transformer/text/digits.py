"""Decimal digits, which many scripts write in their own way."""


def ascii_digits(text: str) -> str:
    """Return a text of the same length with the decimal digits of all scripts as 0 to 9."""
    if text.isascii():
        return text
    return "".join(str(int(char)) if char.isdecimal() else char for char in text)
