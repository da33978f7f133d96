"""Quotation marks, parentheses or brackets around a whole sentence, which a translation keeps.

A network that has seen few of them mistranslates the first word. The network therefore reads the
sentence without them.
"""

from typing import NamedTuple

PAIRS = ('""', "''", "“”", "‘’", "„“", "‚‘", "«»", "»«", "()", "[]")  # noqa: RUF001
CLOSING = {pair[0]: pair[1] for pair in PAIRS}
FINAL = ".!?…"  # may follow the closing mark


class Enclosed(NamedTuple):
    """A sentence without the marks around it, and the marks, which may be empty."""

    opening: str
    text: str
    closing: str

    @classmethod
    def of(cls, sentence: str) -> "Enclosed":
        """Return a sentence as `Enclosed`.

        Marks that also occur within the sentence belong to its parts, as in "Yes" and "no", and
        stay.
        """
        body = sentence.rstrip().rstrip(FINAL)
        opening, text, closing = body[:1], body[1:-1], body[-1:]
        is_pair = CLOSING.get(opening) == closing and any(map(str.isalpha, text))
        if not is_pair or opening in text or closing in text:
            return cls("", sentence, "")
        return cls(opening, text, closing + sentence[len(body) :])

    def around(self, translation: str) -> str:
        """Return the translation of the text with the marks around it."""
        return f"{self.opening}{translation}{self.closing}"
