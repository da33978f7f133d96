"""The slots of patterns: parsing, the nouns that fit, and their inflection.

The notation is explained at the top of ``patterns.tsv``. A German slot gives the determiner in the
masculine, which identifies the case. This module inflects it for the gender of the noun.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from keras_transformer.phrasebook import english_inflection, values
from keras_transformer.phrasebook.german_inflection import (
    ACCUSATIVE,
    ADJECTIVE_ENDINGS,
    ARTICLE,
    CASES,
    CONTRACTIONS,
    DATIVE,
    NOMINATIVE,
    POSSESSIVE_ENDING,
    STRONG_ENDING,
    decline,
)
from keras_transformer.phrasebook.lexicon import Adjective, Noun, PlacePrepositions
from keras_transformer.phrasebook.phrases import adjectives
from keras_transformer.phrasebook.syntax import PLURAL, SINGULAR


class PatternError(ValueError):
    """An invalid pattern."""


MIXED = ("ein", "mein", "dein", "sein", "ihr", "unser", "euer", "kein", "Ihr")
STRONG = {"dies": "weak", "welch": "weak", "jed": "weak", "all": "weak", "manch": "weak"}
STRONG |= {"viel": "strong", "einig": "strong", "mehrer": "strong"}
ENGLISH_DETERMINERS = frozenset(
    ("a", "an", "the", "every", "each", "no", "any", "some", "all", "many", "several")
    + ("my", "your", "his", "her", "its", "our", "their")
    + ("this", "that", "these", "those", "which", "what")
)
PREPOSITIONS = ("in", "an", "zu", "von", "bei", "auf", "mit", "aus")
MERGED = {"im": "in dem", "am": "an dem", "zum": "zu dem", "vom": "von dem", "beim": "bei dem"}
MERGED |= {"ins": "in den", "ans": "an den"}
DIRECTIONS = ("AT", "TO", "FROM")
# The forms of a pronoun for a masculine, feminine, neuter and plural noun.
PRONOUNS = {
    "er": "er sie es sie",
    "ihn": "ihn sie es sie",
    "ihm": "ihm ihr ihm ihnen",
    "der": "der die das die",
    "den": "den die das die",
    "dem": "dem der dem denen",
    "dessen": "dessen deren dessen deren",
    "dieser": "dieser diese dieses diese",
    "diesen": "diesen diese dieses diese",
    "einer": "einer eine eins welche",
    "einen": "einen eine eins welche",
    "keiner": "keiner keine keins keine",
    "keinen": "keinen keine keins keine",
    "welcher": "welcher welche welches welche",
    "welchen": "welchen welche welches welche",
    "jeder": "jeder jede jedes alle",
    "meiner": "meiner meine meins meine",
    "meinen": "meinen meine meins meine",
    "deiner": "deiner deine deins deine",
    "deinen": "deinen deine deins deine",
}


@dataclass(frozen=True)
class NounSlot:
    """A noun with its preposition, determiner and adjective.

    ``key`` is the class, optionally with a number ("tool#2"); slots with the same key are filled
    with the same noun. ``number`` is singular, plural or "own": plural if the noun has one.
    """

    key: str
    number: str
    determiner: str = ""
    adjective: bool = False
    preposition: str = ""
    case: str = ACCUSATIVE

    @property
    def noun_class(self) -> str:
        """Return the class of the noun."""
        return self.key.partition("#")[0]


@dataclass(frozen=True)
class PronounSlot:
    """A word that agrees with the noun of another slot: a German pronoun, "ADJ" or "ADJER"."""

    form: str
    key: str


@dataclass(frozen=True)
class ValueSlot:
    """A value that is copied, possibly in the genitive."""

    key: str
    genitive: bool = False

    @property
    def kind(self) -> str:
        """Return the name of the generator."""
        return self.key.partition("#")[0]


Slot = NounSlot | PronounSlot | ValueSlot


# Reading


def read_text(text: str, language: str, classes: Iterable[str]) -> tuple[str | Slot, ...]:
    """Return the literal texts and slots of one side of a pattern.

    Args:
        text: the side of the pattern.
        language: "en" or "de".
        classes: the names of the noun classes.

    Raises:
        PatternError: If braces do not match or a slot is invalid.
    """
    pieces = re.split(r"(\{[^{}]*\})", text)
    if any("{" in piece or "}" in piece for piece in pieces[::2]):
        raise PatternError("unmatched brace")
    return tuple(
        read_slot(piece[1:-1], language, frozenset(classes)) if piece.startswith("{") else piece
        for piece in pieces
        if piece
    )


def read_slot(text: str, language: str, classes: frozenset[str]) -> Slot:
    """Return the slot for the text between two braces."""
    form, equals, key = text.partition("=")
    if equals:
        return _pronoun_slot(form, key, language, classes)
    name = text.removesuffix("'s")
    if name.partition("#")[0] in values.GENERATORS:
        return _value_slot(name, genitive=name != text)
    return _noun_slot(text, language, classes)


def _pronoun_slot(form: str, key: str, language: str, classes: frozenset[str]) -> PronounSlot:
    allowed = {"ADJ", "ADJER"} | (set(PRONOUNS) if language == "de" else set())
    if form not in allowed:
        raise PatternError(f"{{{form}={key}}}: {form!r} is not one of {', '.join(sorted(allowed))}")
    _, number = _class_and_number(key, classes)
    base = key.removesuffix("(s)")
    return PronounSlot(form, base if number != PLURAL else _singular(base, classes))


def _value_slot(key: str, genitive: bool) -> ValueSlot:
    slot = ValueSlot(key, genitive)
    if genitive and slot.kind not in values.PEOPLE:
        raise PatternError(f"{{{key}'s}}: only people can be in the genitive")
    return slot


def _noun_slot(text: str, language: str, classes: frozenset[str]) -> NounSlot:
    *before, head = text.split(" ")
    head, _, case_name = head.partition("/")
    _, number = _class_and_number(head, classes)
    key = head.removesuffix("(s)")
    key = _singular(key, classes) if number == PLURAL else key
    adjective = before[-1:] == ["ADJ"]
    before = before[:-1] if adjective else before
    if before[:1] and before[0] in DIRECTIONS:
        return _place_slot(key, number, before, adjective)
    if language == "en":
        return NounSlot(key, number, _english_determiner(before, number), adjective)
    preposition, stem, case = _german_determiner(before, number)
    return NounSlot(key, number, stem, adjective, preposition, case or _bare_case(case_name))


def _place_slot(key: str, number: str, before: list[str], adjective: bool) -> NounSlot:
    if len(before) > 1 or adjective or number != SINGULAR:
        raise PatternError(f"{{{before[0]} {key}}}: expected a class in the singular")
    return NounSlot(key, number, before[0])


def _class_and_number(head: str, classes: frozenset[str]) -> tuple[str, str]:
    """Return the class and number of a head such as "tool", "tools", "tool#2" or "tool(s)"."""
    name = head.removesuffix("(s)").partition("#")[0]
    if name in classes:
        return name, "own" if head.endswith("(s)") else SINGULAR
    if not head.endswith("(s)"):
        for singular in (name.removesuffix("s"), name.removesuffix("es")):
            if singular in classes:
                return singular, PLURAL
    raise PatternError(f"{{{head}}}: no class or value {name!r}")


def _singular(key: str, classes: frozenset[str]) -> str:
    name, mark, number = key.partition("#")
    return _class_and_number(name, classes)[0] + mark + number


def _english_determiner(words: list[str], number: str) -> str:
    if len(words) > 1 or (words and words[0] not in ENGLISH_DETERMINERS):
        raise PatternError(f"{' '.join(words)!r} is not an English determiner")
    word = words[0] if words else ""
    if number == PLURAL and word in ("a", "an", "this", "that", "every", "each"):
        raise PatternError(f"{word!r} requires a singular")
    return "a" if word == "an" else word


def _bare_case(name: str) -> str:
    cases = {"": ACCUSATIVE, "nom": NOMINATIVE, "dat": DATIVE}
    if name not in cases:
        raise PatternError(f"a noun without a determiner takes nom or dat, not {name!r}")
    return cases[name]


def _german_determiner(words: list[str], number: str) -> tuple[str, str, str]:
    """Return the preposition, the stem of the determiner and the case; "" for what is absent."""
    words = " ".join(MERGED.get(word, word) for word in words).split()
    preposition = words.pop(0) if words and words[0] in PREPOSITIONS else ""
    if not words:
        return preposition, "", ""
    forms = _determiner_forms("p" if number == PLURAL else "m")
    if len(words) > 1 or words[0] not in forms:
        kind = "before a plural" if number == PLURAL else "before a masculine noun"
        raise PatternError(f"{' '.join(words)!r} is not a German determiner {kind}")
    return preposition, *forms[words[0]]


@cache
def _determiner_forms(gender: str) -> dict[str, tuple[str, str]]:
    """Return the (stem, case) of each determiner form."""
    stems = ("der", *MIXED, *STRONG)
    forms: dict[str, tuple[str, str]] = {}
    for stem in stems:
        if gender == "p" and stem in ("ein", "jed") or gender == "m" and stem in ("mehrer", "viel"):
            continue
        for case in CASES:
            forms.setdefault(determiner(stem, case, gender), (stem, case))
    return forms


# Inflection


def determiner(stem: str, case: str, gender: str) -> str:
    """Return a German determiner: ``determiner("mein", "dative", "f")`` is ``meiner``."""
    if stem in ("", "der"):
        return ARTICLE[case, gender] if stem else ""
    if stem in STRONG:
        return stem + STRONG_ENDING[case, gender]
    ending = POSSESSIVE_ENDING[case, gender]
    return ("eur" if stem == "euer" and ending else stem) + ending


def _declension(stem: str) -> str:
    return "weak" if stem == "der" else "mixed" if stem in MIXED else STRONG.get(stem, "strong")


def inflected_adjective(word: Adjective, stem: str, case: str, gender: str) -> str:
    """Return a German adjective as inflected after a determiner, given by its stem."""
    return word.stem + ADJECTIVE_ENDINGS[_declension(stem)][case, gender]


def is_plural_only(noun: Noun) -> bool:
    """Return whether a noun is plural in English but singular in German: glasses, Brille."""
    return bool(not noun.en and noun.de and not noun.de_plural)


def number_of(noun: Noun, number: str) -> str:
    """Return the number of a noun in a slot; "own" is plural if the noun has one."""
    if number == "own":
        return PLURAL if noun.en_plural else SINGULAR
    return number


def german_noun(slot: NounSlot, noun: Noun, adjective: Adjective | None) -> str:
    """Return the German text of a slot."""
    if slot.determiner in DIRECTIONS:
        return german_place(slot.determiner, noun)
    number = SINGULAR if is_plural_only(noun) else number_of(noun, slot.number)
    gender = "p" if number == PLURAL else noun.gender
    words = [determiner(slot.determiner, slot.case, gender)]
    if adjective:
        words.append(inflected_adjective(adjective, slot.determiner, slot.case, gender))
    words.append(decline(noun, number, slot.case))
    article, *rest = [word for word in words if word]
    if slot.preposition and slot.determiner == "der":
        article = CONTRACTIONS.get((slot.preposition, article), f"{slot.preposition} {article}")
    elif slot.preposition:
        article = f"{slot.preposition} {article}"
    return " ".join([article, *rest])


def english_noun(slot: NounSlot, noun: Noun, adjective: Adjective | None) -> str:
    """Return the English text of a slot."""
    if slot.determiner in DIRECTIONS:
        return english_place(slot.determiner, noun)
    plural = is_plural_only(noun) or number_of(noun, slot.number) == PLURAL
    words = [adjective.en] if adjective else []
    words.append(noun.en_plural if plural else noun.en)
    before = slot.determiner
    if before == "a":
        before = english_inflection.article(words[0])
    return " ".join(word for word in (before, *words) if word)


def english_place(way: str, noun: Noun) -> str:
    """Return the English phrase for being at, going to or coming from a place."""
    place = _place(noun)
    preposition = {"AT": place.location[0], "TO": place.direction[0], "FROM": "from"}[way]
    return f"{preposition} {noun.en}" if place.bare else f"{preposition} the {noun.en}"


def german_place(way: str, noun: Noun) -> str:
    """Return the German phrase: ``am Bahnhof``, ``zum Bahnhof``, ``vom Bahnhof``."""
    place = _place(noun)
    origin = "aus" if place.location[1] == "in" else "von"
    preposition = {"AT": place.location[1], "TO": place.direction[1], "FROM": origin}[way]
    case = ACCUSATIVE if way == "TO" and preposition != "zu" else DATIVE
    article = ARTICLE[case, noun.gender]
    start = CONTRACTIONS.get((preposition, article), f"{preposition} {article}")
    return f"{start} {decline(noun, SINGULAR, case)}"


def pronoun(slot: PronounSlot, noun: Noun, number: str) -> str:
    """Return the German pronoun that refers to a noun in a number."""
    plural = number_of(noun, number) == PLURAL and not is_plural_only(noun)
    return PRONOUNS[slot.form].split()["mfnp".index("p" if plural else noun.gender)]


# Nouns that fit


def fits(noun: Noun, slot: NounSlot) -> bool:
    """Return whether a noun has the forms that an English slot requires."""
    if slot.determiner in DIRECTIONS:
        return noun.place is not None and bool(_preposition_for(slot.determiner, noun))
    if slot.number == PLURAL:
        return bool(noun.en_plural and (noun.de_plural or is_plural_only(noun)))
    if slot.number == "own":
        return bool(noun.de_plural if noun.en_plural else noun.en and noun.de)
    if not (noun.en and noun.de):
        return False
    if slot.determiner in ("a", "every", "each"):
        return bool(noun.en_plural)
    return bool(slot.determiner or not noun.en_plural)


def _preposition_for(way: str, noun: Noun) -> str:
    place = _place(noun)
    return place.direction[1] if way == "TO" else place.location[1]


def _place(noun: Noun) -> PlacePrepositions:
    assert noun.place is not None
    return noun.place


@cache
def describing(noun: Noun, predicative: bool) -> tuple[Adjective, ...]:
    """Return the attributive or predicative adjectives that go with a noun."""
    conditions = {"state", "mood"} if predicative else {"state", "mood", "predicative"}
    fitting = adjectives(*noun.classes)
    return tuple(word for word in fitting if not conditions & set(word.classes))


@cache
def compared(noun: Noun) -> tuple[Adjective, ...]:
    """Return the predicative adjectives that go with a noun and have a comparative."""
    return tuple(word for word in describing(noun, predicative=True) if word.en_comparative)
