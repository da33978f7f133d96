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
OTHER_QUOTES = "'’‘‚‹›「『"  # in a translation that has these, no mark is lost
# German words of polite address, and the English words that they translate. Words for "they" and
# "her" are the same but for the capital.
FORMAL = {"Sie": "you", "Ihnen": "you"} | dict.fromkeys(
    ("Ihr", "Ihre", "Ihrem", "Ihren", "Ihrer", "Ihres"), "yours?"
)
OTHERS = re.compile(r"\W*(?:they|she|her|their|them)\b", re.IGNORECASE)
RARE = 0.1  # occurrences of a word with a small letter, as a fraction of those with a capital


class InnerPart(NamedTuple):
    """A part of a sentence between marks: its start and end, and a pattern of the marks."""

    sentence: str
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
        return None if touches else cls(sentence, start, end, delimiter)

    @property
    def text(self) -> str:
        """The text between the marks."""
        return self.sentence[self.start : self.end]

    @property
    def own(self) -> str:
        """The text that is translated on its own: without a final comma, as in "Yes," he said."""
        return self.text.strip().rstrip(",")

    @property
    def rest(self) -> str:
        """The sentence, which is translated as a whole, too."""
        return self.sentence

    def joined(self, translation: str, own: str, counts: Mapping[str, int]) -> str:
        """Return a translation in which the translation of the part replaces what is there.

        Lost marks are restored first, if the part's own translation is there. The translation is
        returned unchanged if it then does not contain exactly one part between such marks, if that
        part is a copy of words that the target language has too, such as a name, or if it is so
        long that the marks must be at the wrong place.

        Args:
            translation: the translation of the sentence.
            own: the translation of the part.
            counts: {word: occurrences in the target language}, case-sensitive.
        """
        if not any(map(str.isalpha, own)):
            return translation
        translation = self._with_both_marks(translation, own)
        old = InnerPart.between(self.delimiter, translation)
        if not old or _is_shared(old.text, self.text, counts) or _is_longer(old.text, own):
            return translation
        own = self._cased(own.strip(), old.text.strip(), counts)
        after = translation[old.end + 1 :]
        mark = _final_mark(old.text.strip(), own, after[:1])
        if not after and (final := self._mark_after()):
            mark, after = "", final
        new = _with_spaces_of(old.text, own.rstrip(MARKS) + mark) + translation[old.end]
        return translation[: old.start] + new + after

    def _with_both_marks(self, translation: str, own: str) -> str:
        """Return a translation with marks around the only occurrence of the part's translation.

        A translation without parentheses is returned unchanged: it may have commas instead.
        """
        left, right = '""' if self.sentence[self.end] in QUOTES else "()"
        count, words = len(self.delimiter.findall(translation)), own.rstrip(MARKS)
        if not words or count > 1 or (count == 0 and left == "("):
            return translation
        part = rf"({re.escape(words)}[{FINAL_MARKS}]*)"
        pattern = rf"(?<![\w{OTHER_QUOTES}]){re.escape(left)}?{part}{re.escape(right)}?(?!\w)"
        found = list(re.finditer(pattern, translation, re.IGNORECASE))
        if len(found) != 1:
            return translation
        start, end = found[0].span()
        restored = translation[:start] + left + found[0][1] + right + translation[end:]
        return restored if len(self.delimiter.findall(restored)) == 2 else translation

    def _cased(self, own: str, old: str, counts: Mapping[str, int]) -> str:
        """Return the translation of the part, with a small initial letter if it should have one.

        Args:
            own: the translation of the part.
            old: the part of the translation of the sentence. If it begins with the same word with
                a capital in parentheses, that is a noun: (Essen inbegriffen). So is such a word
                alone in quotation marks: Das Wort "Liebe" ist kurz.
            counts: {word: occurrences in the target language}, case-sensitive.
        """
        if self.sentence[self.end] != ")":
            word = own.rstrip(MARKS)
            is_same_word = word.isalpha() and word == old.rstrip(MARKS)
            return own if is_same_word else with_case_of(self.text, own, counts)
        is_noun = old.split()[:1] == own.split()[:1] and own.split()[0] not in FORMAL
        if is_noun or is_formal(self.text, own):
            return own
        small = self.text.lstrip()[:1].islower() or old[:1].islower()
        return as_in_a_sentence(own, counts) if small else own

    def _mark_after(self) -> str:
        """Return the final mark of a sentence such as: Have you read "Emma"? "" if it has none."""
        after = self.sentence[self.end + 1 :]
        return "" if after.strip(MARKS) else after


def _with_spaces_of(old: str, new: str) -> str:
    """Return a text with the spaces inside the marks, as in French: « Bonjour »."""
    start, end = len(old) - len(old.lstrip()), len(old.rstrip())
    return f"{old[:start]}{new}{old[end:]}"


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


def with_case_of(source: str, translation: str, counts: Mapping[str, int]) -> str:
    """Return a translation `as_in_a_sentence` if its source begins with a small letter.

    The German "Sie" keeps its capital if it translates the English "you".
    """
    is_small = source[:1].islower() and not is_formal(source, translation)
    return as_in_a_sentence(translation, counts) if is_small else translation


def is_formal(source: str, translation: str) -> bool:
    """Return whether a translation begins with a German "Sie" or "Ihr" for "you" or "your"."""
    first = re.match(r"\w*", translation)
    english = FORMAL.get(first[0]) if first else None
    is_other = english is None or OTHERS.match(source)
    return not is_other and bool(re.search(rf"\b{english}\b", source, re.IGNORECASE))


def as_in_a_sentence(part: str, counts: Mapping[str, int]) -> str:
    """Return a text whose first word begins with a small letter unless that is rare.

    German nouns hardly ever have one. Other words may well begin most of their sentences.
    """
    first = re.match(r"\w+", part)
    small = first[0][0].lower() + first[0][1:] if first else ""
    is_small = first and counts.get(small, 0) > RARE * counts.get(first[0], 0)
    return small + part[len(small) :] if is_small else part
