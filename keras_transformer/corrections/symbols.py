"""Emoji and other pictorial symbols of a sentence, which a translation keeps.

A network that has never seen a symbol reads an unknown subword, and often mistranslates the words
around it. The network therefore reads the sentence without its symbols.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from keras_transformer.corrections.placing import CLOSING, OPENING, place_of, placed
from keras_transformer.corrections.word_lexicon import WordLexicon

# Bullets, information, arrows, technical and geometric symbols, dingbats without numbers, emoji.
# Symbols of units, currencies and trademarks belong to the words next to them.
PICTURE = (
    "\u2022\u2023\u2043\u2139\u2190-\u21ff\u2300-\u23ff\u2500-\u2775\u2794-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\U0001f000-\U0001faff"
)
# Marks, letters and ideographs that are emoji only before a variation selector, such as "!!".
VARIANT = "[\u203c\u2049\u24c2\u3297\u3299]\ufe0f"
# Variation selectors, the joiner of emoji, the frame of keys, and the tags of flags.
MODIFIER = "\u200d\u20e3\ufe0e\ufe0f\U000e0020-\U000e007f"
EMOTICON = r"(?<![\w:;])[:;]-?[()DP](?!\w)"  # such as :-)
BEGIN = rf"(?:[0-9#*]\ufe0f?\u20e3|[{PICTURE}]|{VARIANT}|{EMOTICON})"  # of a symbol, such as a key
# The time is linear, because the next character determines which part of the pattern matches. A
# pattern that begins with white space would be slow for a line of spaces.
GROUP = rf"{BEGIN}(?:[{MODIFIER}]|{BEGIN}|\s+(?={BEGIN}))*"
SYMBOLS = re.compile(rf"(\({GROUP}\)|{GROUP})\s*")
MAX_ALIGNED = 20  # symbols of a sentence whose places are found by alignment, which takes time


class Symbols(NamedTuple):
    """Symbols of a sentence with nothing but spaces between them.

    Attributes:
        text: the symbols, with the parentheses around them if these contain nothing else.
        place: their place in the sentence without symbols.
    """

    text: str
    place: int


def without_symbols(sentence: str) -> tuple[str, list[Symbols]]:
    """Return a sentence without its symbols and the spaces around them, and the symbols."""
    found: list[Symbols] = []
    rest, end = "", 0
    for match in SYMBOLS.finditer(sentence):
        rest += sentence[end : match.start()].rstrip()
        end = match.end()
        found.append(Symbols(match[1], len(rest)))
        is_between_words = rest and end < len(sentence) and sentence[end] not in CLOSING
        rest += " " if is_between_words and rest[-1] not in OPENING else ""
    return rest + sentence[end:], found


def with_symbols(
    translation: str, source: str, symbols: Sequence[Symbols], lexicon: WordLexicon | None
) -> str:
    """Return a translation with the symbols of its source.

    Symbols at the beginning or at the end stay there, and others are next to the same word.

    Args:
        translation: the translation.
        source: the source without symbols.
        symbols: the symbols of the source, in order.
        lexicon: the `WordLexicon` that aligns words, or None.
    """
    lexicon = lexicon if len(symbols) <= MAX_ALIGNED else None
    places = [_place(each.place, source, translation, lexicon) for each in symbols]
    for i in sorted(range(len(places)), key=lambda i: (places[i], i), reverse=True):
        translation, _ = placed(symbols[i].text, places[i], translation)
    return translation


def _place(place: int, source: str, translation: str, lexicon: WordLexicon | None) -> int:
    """Return the place in a translation that corresponds to a place in its source."""
    if place == 0:
        return 0
    if place == len(source):
        return len(translation)
    return place_of((place, place), source, translation, lexicon)
