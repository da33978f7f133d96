"""Abstract syntax: the meaning of a sentence, independent of language.

A :class:`Sentence` is a tree of clauses, phrases and lexemes. It states roles, number, tense and
negation but neither endings nor word order. :mod:`.english` and :mod:`.german` put the same tree
into words independently.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

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
    """A modal verb; the English one may consist of several words ("be allowed to")."""

    en: str
    de: str


@dataclass(frozen=True)
class Pronoun:
    """A personal pronoun; the neuter is also the dummy subject of "it is raining".

    In the second person, ``gender`` may be "formal" for "Sie", or "addressed" for a plural "you"
    whose number a form of address shows; other plurals are "you two".
    """

    person: int
    number: str = SINGULAR
    gender: str = ""


@dataclass(frozen=True)
class Indefinite:
    """An indefinite pronoun; ``de`` lists its nominative, accusative and dative.

    ``negative`` marks "anything" in "not ... anything", which is a single word in German: "nichts".
    """

    en: str
    de: str
    negative: bool = False
    de_number: str = SINGULAR
    number = SINGULAR


@dataclass(frozen=True)
class Interrogative:
    """The interrogative pronoun "who" or "what"."""

    human: bool
    number = SINGULAR


@dataclass(frozen=True)
class Relative:
    """A relative pronoun, which agrees with the noun that its clause modifies."""

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

    ``determiner`` is "definite", "indefinite" (no article in the plural and for mass nouns),
    "this", "which", "how many", "number", "possessive" (``possessor`` is a pronoun), "genitive"
    (``possessor`` is a name or noun phrase), "profession" (no article in German) or "fixed" (no
    article in German; in English only for instruments).
    """

    noun: Noun
    determiner: str
    number: str = SINGULAR
    adjective: Adjective | None = None
    numeral: Number | None = None
    possessor: Pronoun | Name | NounPhrase | None = None
    relative: Clause | None = None
    degree: str = "positive"  # degree of the adjective; also "comparative" or "superlative"


Phrase = Pronoun | Indefinite | Interrogative | Relative | Coordination | NounPhrase | Lexeme


@dataclass(frozen=True)
class Complement:
    """A phrase that the verb governs or that modifies the verb.

    ``role`` is "object", "predicate", "companion", "means", "location", "direction" or
    "scope" (of a superlative).
    """

    phrase: Phrase
    case: str
    role: str = "object"
    de_preposition: str = ""
    en_preposition: str = ""
    bare: bool = False  # no article in English: "at school", "by train"


@dataclass(frozen=True)
class Quality:
    """A predicative adjective, possibly in a comparison ("older than", "as old as").

    ``degree`` is "positive", "comparative", "equative" or a key of :data:`DEGREES`.
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
    """A time of day; ``hour`` is the last full hour.

    ``minutes`` is the distance to the nearest full hour, None if ``minute`` is 0, 15, 30 or 45.
    """

    hour: Number
    next_hour: Number
    minute: int = 0
    minutes: Number | None = None


@dataclass(frozen=True)
class Span:
    """A number of time units."""

    kind: str  # "duration" (for two years), "since", "ago" or "in" (in two years)
    number: Number
    unit: Noun


@dataclass(frozen=True)
class Date:
    """A month, or a day of a month."""

    month: Adverbial
    day: Adverbial | None = None


@dataclass(frozen=True)
class Question:
    """An interrogative adverb."""

    en: str
    de: str


Argument = Complement | Quality | Measure | Clock | Date
Adjunct = Adverbial | Clock | Span | Date | Question


@dataclass(frozen=True)
class Clause:
    """A verb with its subject, complements and adjuncts.

    ``tense`` is one of :data:`TENSES`. The subject of a ``passive`` clause is what the verb acts
    on. The subject of a ``causative`` clause has something done ("have the car repaired"), which is
    supported in main clauses only. ``liking`` adds "like to", in German "gern". If ``fronted`` is
    set, the first adjunct precedes the subject.
    """

    verb: Verb
    subject: Phrase | None = None
    complements: tuple[Argument, ...] = ()
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
    """A subordinate clause: an infinitive clause if it has no subject, else a finite clause."""

    conjunction: Conjunction
    clause: Clause
    first: bool = False  # whether it precedes the main clause


@dataclass(frozen=True)
class Sentence:
    """A main clause with an optional subordinate clause.

    ``mood`` is "statement", "question", "imperative" ("please ..."), "command" (without "please")
    or "proposal" ("let's ..."). ``address`` is a form of address at the end. ``contracted`` selects
    contractions ("I'm") in English.
    """

    clause: Clause
    mood: str = "statement"
    subordinate: Subordinate | None = None
    address: Lexeme | None = None
    contracted: bool = False


# "perfect" is the English present perfect. "since" is the present perfect of what still continues
# (present tense in German). "intention" is "be going to", "former" is "used to". "unreal" and
# "conditional" are the tenses of "if I had time, I would come".
TENSES = (
    *("present", "past", "future", "perfect", "since"),
    *("intention", "former", "unreal", "conditional"),
)
# English and German degree adverbs; "enough" follows the adjective.
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
    """Return the person and number of the verb form that agrees with a subject."""
    person = phrase.person if isinstance(phrase, Pronoun) else 3
    return person, getattr(phrase, "number", SINGULAR)


def subject_of(clause: Clause) -> Phrase:
    """Return the subject of a finite clause."""
    assert clause.subject is not None
    return clause.subject


def first_complement(clause: Clause) -> Complement:
    """Return the first complement of a clause, which must be a phrase."""
    part = clause.complements[0]
    assert isinstance(part, Complement)
    return part


def is_interrogative(phrase: Phrase) -> bool:
    """Return whether a phrase begins its clause as a question word or relative pronoun."""
    determiner = getattr(phrase, "determiner", "")
    return isinstance(phrase, Interrogative | Relative) or determiner in ("which", "how many")


def lexemes(tree: object) -> Iterator[Lexeme]:
    """Yield the lexemes of a syntax tree."""
    if isinstance(tree, Number) and tree.parts:
        yield from tree.parts
    elif isinstance(tree, Lexeme):
        yield tree
    elif isinstance(tree, tuple):
        for part in tree:
            yield from lexemes(part)
    elif is_dataclass(tree):
        for field in fields(tree):
            yield from lexemes(getattr(tree, field.name))


def punctuate(text: str, mood: str) -> str:
    """Return a text with its final punctuation mark, attached commas and an initial capital."""
    mark = {"question": "?", "imperative": "!"}.get(mood, ".")
    text = text.replace(" , ,", " ,").removesuffix(" ,").replace(" ,", ",")
    return text[0].upper() + text[1:] + mark
