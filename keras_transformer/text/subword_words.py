"""The words to which subwords belong."""

from collections.abc import Iterable


def word_numbers(pieces: Iterable[str]) -> list[int]:
    """Return for each piece the number, from 0, of the word to which it belongs.

    A piece that begins with `▁`, SentencePiece's mark of a space, begins a word. Spaces without a
    word belong to the word that follows, or to the last one.
    """
    numbers, number, is_blank = list[int](), 0, True
    for piece in pieces:
        begins = piece.startswith("▁") and not is_blank
        number += begins
        is_blank = (is_blank or begins) and not piece.strip("▁")
        numbers.append(number)
    last = max(number - is_blank, 0)
    return [min(each, last) for each in numbers]
