"""Genitive endings of names, which a translation does not copy: Okafor's car, Okafors Auto."""

import re

from keras_transformer.corrections.name_kinds import REACH, TITLES
from keras_transformer.text.determiners import PREPOSITION

ENGLISH = re.compile(r"'s$", re.IGNORECASE)
# Names of which 's is a part.
BRANDS = frozenset(("domino's", "kellogg's", "lowe's", "macy's", "mcdonald's", "sainsbury's"))
# First names that end with s, before a surname that is also a noun: Thomas Bauer.
FIRST_NAMES = (
    "Agnes Alexis Andreas Boris Carlos Charles Chris Claus Dennis Doris Elias Francis Hannes Hans "
    "Ines Iris James Jens Johannes Jonas Julius Klaus Lars Lucas Lukas Marcos Marcus Marius Markus "
    "Matthias Mathias Nicholas Nicolas Niklas Nikolas Nils Rasmus Silas Thomas Tobias"
)
NOUN_AFTER = re.compile(r" [^\W\d_a-zäöüß]")
# At these, a name before a noun is no subject. Elsewhere it may be one: Hat Jones Hunger?
BEFORE_GERMAN = re.compile(
    r"(?:^\W*|\b(?:ich|du|er|sie|es|wir|ihr|man)\b[^,;:.]*\s"
    rf"|\b(?:{PREPOSITION}|mit|aus|nach|zu|an|auf|um|über|unter|vor|durch) )"
    rf"(?:(?:{'|'.join(TITLES)})\.? )*\Z",
    re.IGNORECASE,
)
# An apostrophe that ends the genitive of a name in s, no closing quotation mark.
BARE = re.compile(r"(?<=[sxzß])'(?= [^\W\d_])")
OPENING = re.compile(r"(?<!\w)'")
ENDINGS = {"en": "'s", "de": "s"}  # of other names


def bare_genitive(sentence: str, end: int, lang: str) -> str:
    """Return the genitive ending of another name in place of one with an apostrophe only, or "".

    Args:
        sentence: the sentence, such as: Kopranos' car is red.
        end: the end of the name.
        lang: the language of the sentence.
    """
    is_genitive = BARE.match(sentence, end) and not OPENING.search(sentence[:end])
    return ENDINGS.get(lang, "") if is_genitive else ""


def genitive_ending(word: str) -> str:
    """Return the English genitive ending of a word, or an empty string."""
    match = ENGLISH.search(word)
    return match[0] if match and word.lower() not in BRANDS else ""


def german_genitive_ending(sentence: str, start: int, last: re.Match[str]) -> str:
    """Return the German genitive ending of an unknown name before a noun, or an empty string.

    Args:
        sentence: the German sentence.
        start: the start of the name in the sentence.
        last: the match of its last word, after which no other word of the name follows.
    """
    word = last[0]
    is_genitive = (
        word.endswith("s")
        and not word.endswith("ss")
        and word not in FIRST_NAMES.split()
        and NOUN_AFTER.match(sentence, last.end())
        and BEFORE_GERMAN.search(sentence[max(start - REACH, 0) : start])
    )
    return "s" if is_genitive else ""
