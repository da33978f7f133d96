"""Abstract syntax: what a sentence says, before it is worded in either language.

A :class:`Sentence` is a tree of clauses, phrases and lexemes. It states roles, number, tense and
negation but neither endings nor word order: :mod:`.english` and :mod:`.german` each realise the
same tree on their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from keras_transformer.text.phrasebook.lexicon import (
    Adjective,
    Adverbial,
    Lexeme,
    Name,
    Noun,
    Number,
    Verb,
)

SINGULAR, PLURAL = "singular", "plural"


@dataclass(frozen=True)
class Modal:
    """A modal verb; English may need several words ("be allowed to")."""

    en: str
    de: str


@dataclass(frozen=True)
class Pronoun:
    """A personal pronoun; the neuter one is the empty subject of "it is raining"."""

    person: int
    number: str = SINGULAR
    gender: str = ""


@dataclass(frozen=True)
class Interrogative:
    """ "Who" or "what" as a noun phrase."""

    human: bool
    number = SINGULAR


@dataclass(frozen=True)
class Relative:
    """A relative pronoun, which agrees with the noun that the clause describes."""

    noun: Noun
    number: str


@dataclass(frozen=True)
class Coordination:
    """Two names joined by "and"."""

    first: Name
    second: Name
    number = PLURAL


@dataclass(frozen=True)
class NounPhrase:
    """A noun with its determiner and attributes.

    ``determiner`` is "definite", "indefinite" (no article in the plural and for a mass), "this",
    "which", "how many", "number", "possessive" (``possessor`` is a pronoun), "genitive" (a name or
    noun phrase), or "fixed": no article in German and in English only for an instrument.
    """

    noun: Noun
    determiner: str
    number: str = SINGULAR
    adjective: Adjective | None = None
    numeral: Number | None = None
    possessor: Pronoun | Name | NounPhrase | None = None
    relative: Clause | None = None


Phrase = Pronoun | Interrogative | Relative | Coordination | NounPhrase | Lexeme


@dataclass(frozen=True)
class Complement:
    """A phrase that the verb governs or that it is modified by.

    ``role`` is "object", "predicate", "companion", "means", "location" or "direction".
    """

    phrase: Phrase
    case: str
    role: str = "object"
    de_preposition: str = ""
    en_preposition: str = ""
    bare: bool = False  # English has no article: "at school", "by train"


@dataclass(frozen=True)
class Quality:
    """A predicative adjective, possibly compared with something ("older than", "as old as")."""

    adjective: Adjective
    degree: str = "positive"
    than: Phrase | None = None


@dataclass(frozen=True)
class Measure:
    """A price or an age: "eighty euros", "seven years old"."""

    number: Number
    unit: str


@dataclass(frozen=True)
class Clock:
    """A time of day; ``hour`` is the last full hour, ``minute`` 0, 15, 30, 45 or near an hour."""

    hour: Number
    next_hour: Number
    minute: int = 0
    minutes: Number | None = None  # to or from the hour, if they are counted


@dataclass(frozen=True)
class Span:
    """A number of time units: as duration, as "ago", or as "in" a time to come."""

    kind: str
    number: Number
    unit: Noun


@dataclass(frozen=True)
class Date:
    """A month, or a day of it."""

    month: Adverbial
    day: Adverbial | None = None


@dataclass(frozen=True)
class Question:
    """An interrogative adverb."""

    en: str
    de: str


Adjunct = Adverbial | Clock | Span | Date | Question


@dataclass(frozen=True)
class Clause:
    """A verb with all that belongs to it.

    ``tense`` is "present", "past" or "future". ``liking`` is what German says with "gern". With
    ``fronted``, the first adjunct precedes the subject.
    """

    verb: Verb
    subject: Phrase | None = None
    complements: tuple[Complement | Quality | Measure, ...] = ()
    adjuncts: tuple[Adjunct, ...] = ()
    tense: str = "present"
    modal: Modal | None = None
    progressive: bool = False
    liking: bool = False
    negative: bool = False
    fronted: bool = False


@dataclass(frozen=True)
class Conjunction:
    """A subordinating conjunction. An empty one introduces an indirect question."""

    en: str
    de: str


@dataclass(frozen=True)
class Subordinate:
    """A subordinate clause: finite, or an infinitive clause if it has no subject."""

    conjunction: Conjunction
    clause: Clause
    first: bool = False  # before the main clause


@dataclass(frozen=True)
class Sentence:
    """A main clause (``mood`` "statement", "question" or "imperative") and its subordinate."""

    clause: Clause
    mood: str = "statement"
    subordinate: Subordinate | None = None


TIME_CLASSES = frozenset(("habit", "season", "past", "future", "time"))


def agreement(phrase: Phrase) -> tuple[int, str]:
    """The person and number in which a verb agrees with its subject."""
    person = phrase.person if isinstance(phrase, Pronoun) else 3
    return person, getattr(phrase, "number", SINGULAR)


def is_interrogative(phrase: Phrase) -> bool:
    """Whether a phrase is what a question asks for, or a relative pronoun: it begins its clause."""
    determiner = getattr(phrase, "determiner", "")
    return isinstance(phrase, Interrogative | Relative) or determiner in ("which", "how many")


def lexemes(tree) -> Iterator[Lexeme]:
    """Yields each lexeme of a syntax tree."""
    if isinstance(tree, Number) and tree.parts:
        yield from tree.parts
    elif isinstance(tree, Lexeme):
        yield tree
    elif isinstance(tree, tuple):
        for part in tree:
            yield from lexemes(part)
    elif hasattr(tree, "__dataclass_fields__"):
        for field in fields(tree):
            yield from lexemes(getattr(tree, field.name))


def punctuate(text: str, mood: str) -> str:
    """Sets the final mark, attaches commas and begins with a capital letter."""
    mark = {"statement": ".", "question": "?", "imperative": "!"}[mood]
    text = text.replace(" , ,", " ,").removesuffix(" ,").replace(" ,", ",")
    return text[0].upper() + text[1:] + mark
