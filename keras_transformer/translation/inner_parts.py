"""The part of a sentence between quotation marks or parentheses, which is translated on its own.

A network that has seen few such parts mistranslates them, above all their first word, although it
translates the same words without the marks.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

QUOTES = '"“”„«»'
# The part begins at the first match of one of these patterns and ends at the second.
DELIMITERS = (re.compile(f"[{QUOTES}]"), re.compile("[()]"))
MARKS = ".,!?…"
FINAL_MARKS = "!?…"


class InnerPart(NamedTuple):
    """The text between the marks, its start and end in the sentence, and a pattern of the marks."""

    text: str
    start: int
    end: int
    delimiter: re.Pattern[str]

    @classmethod
    def of(cls, sentence: str) -> "InnerPart | None":
        """Return the only part of a sentence between quotation marks, or else in parentheses.

        Marks within words, as in "book(s)", do not count. The part has at least two letters.
        """
        for delimiter in DELIMITERS:
            part = cls.between(delimiter, sentence)
            if part and sum(map(str.isalpha, part.text)) > 1:
                return part
        return None

    @classmethod
    def between(cls, delimiter: re.Pattern[str], sentence: str) -> "InnerPart | None":
        """Return the only part of a sentence between certain marks, of any length."""
        found = [match.start() for match in delimiter.finditer(sentence)]
        if len(found) != 2 or sentence[found[0]] == ")" or sentence[found[1]] == "(":
            return None
        start, end = found[0] + 1, found[1]
        touches = sentence[: start - 1][-1:].isalnum() or sentence[end + 1 :][:1].isalnum()
        return None if touches else cls(sentence[start:end], start, end, delimiter)

    @property
    def words(self) -> str:
        """The text without a final comma, as in "Yes," he said."""
        return self.text.strip().rstrip(",")


def with_inner_part(
    translation: str, source: InnerPart, part: str, counts: Mapping[str, int]
) -> str:
    """Return a translation in which the translation of the part replaces what is there.

    The translation is returned unchanged if it does not contain exactly one part between such
    marks, if that part is a copy of words that the target language has too, such as a name, or if
    it is so long that the marks must be at the wrong place.

    Args:
        translation: the translation of the sentence.
        source: the part of the source.
        part: the translation of the part.
        counts: {word: occurrences in the target language}, case-sensitive.
    """
    old = InnerPart.between(source.delimiter, translation)
    if not old or _is_shared(old.text, source.text, counts) or _is_longer(old.text, part):
        return translation
    if source.text[0].islower():
        part = _as_in_a_sentence(part, counts)
    after = translation[old.end + 1 : old.end + 2]
    new = part.rstrip(MARKS) + _final_mark(old.text, part, after)
    return translation[: old.start] + new + translation[old.end :]


def _is_shared(old: str, source: str, counts: Mapping[str, int]) -> bool:
    return old == source and all(word in counts for word in re.findall(r"\w+", old))


def _is_longer(old: str, part: str) -> bool:
    return len(old.split()) > 2 * len(part.split()) + 1


def _final_mark(old: str, part: str, after: str) -> str:
    """Return the mark that ends the part: that of its own translation, or of the old text."""
    own, mark = (text[len(text.rstrip(MARKS)) :] for text in (part, old))
    if own and own[-1] in FINAL_MARKS:
        return own
    return "" if mark == "," and after == "," else mark


def _as_in_a_sentence(part: str, counts: Mapping[str, int]) -> str:
    """Return a text whose first word begins with a small letter if that is more frequent."""
    first = re.match(r"\w+", part)
    small = first[0][0].lower() + first[0][1:] if first else ""
    is_small = first and counts.get(small, 0) > counts.get(first[0], 0)
    return small + part[len(small) :] if is_small else part
