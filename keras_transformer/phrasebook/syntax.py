"""Abstract syntax: what a sentence says, before it is worded in either language.

A :class:`Sentence` is a tree of clauses, phrases and lexemes. It states roles, number, tense and
negation but neither endings nor word order: :mod:`.english` and :mod:`.german` each realise the
same tree on their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from keras_transformer.phrasebook.lexicon import (
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
    """A personal pronoun; the neuter one is the empty subject of "it is raining".

    The second person of ``gender`` "formal" is "Sie"; the plural is "you two", or just "you" if it
    is "addressed" by a word that shows the number.
    """

    person: int
    number: str = SINGULAR
    gender: str = ""


@dataclass(frozen=True)
class Indefinite:
    """A pronoun such as "somebody"; ``de`` has its nominative, accusative and dative.

    ``negative`` is that of "not ... anything", which German says in one word: "nichts".
    """

    en: str
    de: str
    negative: bool = False
    de_number: str = SINGULAR
    number = SINGULAR


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
    degree: str = "positive"  # of the adjective, or "comparative" or "superlative"


Phrase = Pronoun | Indefinite | Interrogative | Relative | Coordination | NounPhrase | Lexeme


@dataclass(frozen=True)
class Complement:
    """A phrase that the verb governs or that it is modified by.

    ``role`` is "object", "predicate", "companion", "means", "location", "direction" or
    "scope" (that of a superlative).
    """

    phrase: Phrase
    case: str
    role: str = "object"
    de_preposition: str = ""
    en_preposition: str = ""
    bare: bool = False  # English has no article: "at school", "by train"


@dataclass(frozen=True)
class Quality:
    """A predicative adjective, possibly compared with something ("older than", "as old as").

    ``degree`` is "positive", "comparative", "equative" or a word of :data:`DEGREES`.
    """

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

    ``tense`` is one of :data:`TENSES`. The subject of a ``passive`` clause is what the verb acts
    on; that of a ``causative`` one has it done ("have the car repaired"; only in main clauses).
    ``liking`` is what German says with "gern". With ``fronted``, the first adjunct precedes the
    subject.
    """

    verb: Verb
    subject: Phrase | None = None
    complements: tuple[Complement | Quality | Measure, ...] = ()
    adjuncts: tuple[Adjunct, ...] = ()
    tense: str = "present"
    modal: Modal | None = None
    progressive: bool = False
    passive: bool = False
    causative: bool = False
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
    """A main clause and its subordinate.

    ``mood`` is "statement", "question", "imperative" ("please ..."), "command" (without "please")
    or "proposal" ("let's ..."). ``address`` names whom one speaks to. ``contracted`` prefers short
    forms ("I'm") in English.
    """

    clause: Clause
    mood: str = "statement"
    subordinate: Subordinate | None = None
    address: Lexeme | None = None
    contracted: bool = False


# "Perfect" is the English one ("have done"), "since" that of what still lasts (German: present),
# "intention" is "be going to", "former" is "used to"; "unreal" and "conditional" are the verbs of
# "if I had time, I would come".
TENSES = (
    *("present", "past", "future", "perfect", "since"),
    *("intention", "former", "unreal", "conditional"),
)
# English and German words for the degree of a quality; "enough" follows the adjective.
DEGREES = {
    "very": ("very", "sehr"),
    "really": ("really", "wirklich"),
    "quite": ("quite", "ziemlich"),
    "a little": ("a little", "ein bisschen"),
    "too": ("too", "zu"),
    "so": ("so", "so"),
    "enough": ("enough", "genug"),
}
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
    mark = {"question": "?", "imperative": "!"}.get(mood, ".")
    text = text.replace(" , ,", " ,").removesuffix(" ,").replace(" ,", ",")
    return text[0].upper() + text[1:] + mark
