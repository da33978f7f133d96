"""Direct speech that its speaker interrupts: "Come in," she said, "and close the door."

The second half is translated on its own. A network that has seen few such sentences often loses it.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from keras_transformer.corrections.inner_parts import QUOTES, as_in_a_sentence

TEXT = f"[^{QUOTES}]+"
# The comma after the first half is before the quotation mark in English, and after it in German.
FIRST = f"[{QUOTES}]{TEXT}(?:[,.!?…][{QUOTES}]|[{QUOTES}],)"
SECOND = f"(?P<opening>[{QUOTES}])(?P<own>{TEXT})(?P<closing>[{QUOTES}][.!?…]?)"
ENGLISH_I = re.compile(r"I\b")  # has a capital letter within sentences, too
SPEECH = re.compile(f"(?P<rest>{FIRST} {TEXT}), {SECOND}")


class InterruptedSpeech(NamedTuple):
    """The parts of a sentence of interrupted speech.

    Attributes:
        rest: the first half and the speaker.
        opening: the quotation mark before the second half.
        own: the second half, which is translated on its own.
        closing: the quotation mark and the final mark after it.
    """

    rest: str
    opening: str
    own: str
    closing: str

    @classmethod
    def of(cls, sentence: str) -> "InterruptedSpeech | None":
        """Return the parts of a sentence, or None if it is no interrupted speech."""
        match = SPEECH.fullmatch(sentence)
        return cls(**match.groupdict()) if match and any(map(str.isalpha, match["own"])) else None

    def joined(self, translation: str, own: str, counts: Mapping[str, int]) -> str:
        """Return the translation of the sentence.

        Args:
            translation: the translation of the rest.
            own: the translation of the second half.
            counts: {word: occurrences in the target language}, case-sensitive.
        """
        if self.own[0].islower() or ENGLISH_I.match(self.own):
            own = as_in_a_sentence(own, counts)
        return f"{translation}, {self.opening}{own}{self.closing}"
