"""Variants of pairs: in British English, with other names, and as people type them.

People type in lower case, in capitals, or without the final mark. The German side keeps its
capitals, so that the translator restores them.
"""

from __future__ import annotations

import random
import re

from keras_transformer.phrasebook import values
from keras_transformer.phrasebook.british import sometimes_british

NAMED = 0.3  # share of the pairs about "he" or "she" that get a name
SUBJECTS = {
    "He": ("Er", values.man, values.fullman),
    "She": ("Sie", values.woman, values.fullwoman),
}
LOWER, CAPITALS, UNMARKED = 0.07, 0.05, 0.08  # shares of the pairs
UNMARKED_LOWER = 0.5  # share of those in lower case
MARKS = ".?!"


def varied(pair: tuple[str, str], rand: random.Random) -> tuple[str, str]:
    """Return an (English, German) pair as it is, or one of its variants."""
    return recased(named(sometimes_british(pair, rand), rand), rand)


def recased(pair: tuple[str, str], rand: random.Random) -> tuple[str, str]:
    """Return a pair as it is, in lower case, in capitals, or without the final mark."""
    draw = rand.random()
    if draw < LOWER:
        pair = pair[0].lower(), pair[1]
        return unmarked(pair) if rand.random() < UNMARKED_LOWER else pair
    if draw < LOWER + CAPITALS:
        return pair[0].upper(), pair[1]
    if draw < LOWER + CAPITALS + UNMARKED:
        return unmarked(pair)
    return pair


def named(pair: tuple[str, str], rand: random.Random) -> tuple[str, str]:
    """Return a pair that begins with "he" or "she", in both languages, with a name instead.

    A name agrees with the same verb forms, and any later pronoun still fits.
    """
    english, german = pair
    pronoun, space, rest = english.partition(" ")
    translation, *names = SUBJECTS.get(pronoun, ("",))
    if not space or not german.startswith(f"{translation} ") or not names:
        return pair
    if rand.random() >= NAMED:
        return pair
    name, _ = rand.choice(names)(rand)
    return f"{name} {rest}", name + german[len(translation) :]


def unmarked(pair: tuple[str, str]) -> tuple[str, str]:
    """Return a pair without the final mark of each side."""
    english, german = pair
    return english.rstrip(MARKS) or english, german.rstrip(MARKS) or german


def with_other_mark(pair: tuple[str, str]) -> tuple[str, str]:
    """Return a pair with a period for an exclamation mark, or the other way round."""
    marks = {pair[0][-1], pair[1][-1]}
    other = {".": "!", "!": "."}
    if len(marks) == 1 and (mark := other.get(marks.pop())):
        return pair[0][:-1] + mark, pair[1][:-1] + mark
    return pair


def plain(text: str) -> str:
    """Return the words of a sentence in lower case, by which all its variants are the same."""
    return " ".join(re.findall(r"[\w']+", text.lower()))
