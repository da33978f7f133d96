"""Numbers, with nouns or rounded, for messages."""


def counted(number: float, noun: str) -> str:
    """Return a number with a noun that is in the plural unless the number is 1.

    Args:
        number: the number. Integers have commas between groups of three digits.
        noun: the noun in the singular, whose plural ends with an s.

    Examples:
        >>> counted(1, "epoch")
        '1 epoch'
        >>> counted(29000, "pair")
        '29,000 pairs'
        >>> counted(1.5, "hour")
        '1.5 hours'
    """
    digits = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{digits} {noun}" if number == 1 else f"{digits} {noun}s"


def rounded(number: float) -> str:
    """Return a number with three digits, or all digits before the decimal point.

    Examples:
        >>> rounded(0.1234)
        '0.123'
        >>> rounded(4200.4)
        '4,200'
    """
    return f"{number:.3g}" if number < 999.5 else f"{number:,.0f}"
