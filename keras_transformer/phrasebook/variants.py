"""Variants of pairs: in British English, with other names, and the way people type.

People type in lower case, in capitals, or without the final punctuation mark. The German side keeps
its capitalization, so that the translator learns to restore it.
"""

from __future__ import annotations

import random
import re

from keras_transformer.phrasebook import values
from keras_transformer.phrasebook.british import sometimes_british

NAMED = 0.3  # fraction of the pairs about "he" or "she" that get a name
SUBJECTS = {
    "He": ("Er", values.man, values.fullman),
    "She": ("Sie", values.woman, values.fullwoman),
}
LOWER, CAPITALS, UNMARKED = 0.085, 0.05, 0.08  # fractions of all pairs
UNMARKED_LOWER = 0.5  # fraction of the lower-case pairs that also lose the final mark
MARKS = ".?!"


def varied(pair: tuple[str, str], rand: random.Random) -> tuple[str, str]:
    """Return an (English, German) pair unchanged or as one of its variants."""
    return recased(named(sometimes_british(pair, rand), rand), rand)


def recased(pair: tuple[str, str], rand: random.Random) -> tuple[str, str]:
    """Return a pair unchanged, in lower case, in capitals, or without the final mark."""
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
    """Return a pair in which a name sometimes replaces the initial "he" or "she".

    The pronoun must begin both sides. A name takes the same verb forms, and later pronouns still
    refer to it correctly.
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
    """Return a pair without its final punctuation marks."""
    english, german = pair
    return english.rstrip(MARKS) or english, german.rstrip(MARKS) or german


def with_other_mark(pair: tuple[str, str]) -> tuple[str, str]:
    """Return a pair with its final period changed to an exclamation mark, or vice versa."""
    marks = {pair[0][-1], pair[1][-1]}
    other = {".": "!", "!": "."}
    if len(marks) == 1 and (mark := other.get(marks.pop())):
        return pair[0][:-1] + mark, pair[1][:-1] + mark
    return pair


def plain(text: str) -> str:
    """Return the lower-case words of a sentence, which are the same for all its variants."""
    return " ".join(re.findall(r"[\w']+", text.lower()))
