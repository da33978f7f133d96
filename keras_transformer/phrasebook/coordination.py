"""Two statements joined by "and" or "but", made from other pairs: I am tired, and he is asleep.

Most of the other pairs are short. From longer ones, even if their halves have little to do with
each other, a network learns to follow the source to its end (Kondo et al. 2021, Sentence
Concatenation Approach to Data Augmentation for Neural Machine Translation).
"""

from __future__ import annotations

import random
import re

Pair = tuple[str, str]

MAXIMUM_WORDS = 9  # of each statement
CONJUNCTIONS = (("and", "und"), ("and", "und"), ("but", "aber"))
WITHOUT_COMMA = 0.3  # fraction of the English sides; the German ones always have a comma
INNER_MARK = re.compile(r'["(),;:]|[.?!].')
# The first words of a statement that can follow a conjunction, with their German equivalents. Other
# words keep or lose their capital letter depending on their meaning: "Sie" (you) but "sie" (she).
FIRST_WORDS = {
    **{"I": ("ich",), "He": ("er",), "She": ("sie",), "It": ("es",), "We": ("wir",)},
    **{"They": ("sie",), "The": ("der", "die", "das"), "A": ("ein", "eine")},
    **{"My": ("mein", "meine"), "His": ("sein", "seine"), "Our": ("unser", "unsere")},
    **{"This": ("dieser", "diese", "dieses", "das"), "That": ("das",), "There": ("es",)},
}


def can_be_joined(pair: Pair) -> bool:
    """Return whether a pair is a short statement without inner marks."""
    is_statement = all(side.endswith(".") for side in pair)
    is_short = pair[0].count(" ") < MAXIMUM_WORDS
    return is_statement and is_short and not any(map(INNER_MARK.search, pair))


def can_follow(pair: Pair) -> bool:
    """Return whether a pair for which `can_be_joined` is true can follow a conjunction."""
    english, german = (re.match(r"\w+", side) for side in pair)
    if english is None or german is None:
        return False
    return german[0].lower() in FIRST_WORDS.get(english[0], ())


def joined(first: Pair, second: Pair, rand: random.Random) -> Pair:
    """Return two statements as one; `can_follow` must be true for the second."""
    conjunctions = rand.choice(CONJUNCTIONS)
    commas = ("" if rand.random() < WITHOUT_COMMA else ","), ","
    english, german = (
        f"{before[:-1]}{comma} {conjunction} {_continued(after)}"
        for before, comma, conjunction, after in zip(
            first, commas, conjunctions, second, strict=True
        )
    )
    return english, german


def _continued(sentence: str) -> str:
    """Return a sentence without its initial capital letter, except for the English "I"."""
    if re.match(r"I\b", sentence):
        return sentence
    return sentence[0].lower() + sentence[1:]
