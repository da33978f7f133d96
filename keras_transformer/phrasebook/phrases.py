"""Random choice of phrases: subjects, objects, places and times that make sense together.

Each choice takes the least used of a few random candidates, so that all lexemes are about equally
frequent in the corpus.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from keras_transformer.phrasebook.lexicon import (
    Adjective,
    Adverbial,
    Frame,
    LexemeT,
    Name,
    Noun,
    Number,
    Verb,
    lexicon,
)
from keras_transformer.phrasebook.syntax import (
    PLURAL,
    SINGULAR,
    Adjunct,
    Clock,
    Complement,
    Coordination,
    Date,
    NounPhrase,
    Phrase,
    Pronoun,
    Span,
)

ME, YOU, WE, THEY = Pronoun(1), Pronoun(2), Pronoun(1, PLURAL), Pronoun(3, PLURAL)
HE, SHE, IT = (Pronoun(3, SINGULAR, gender) for gender in "mfn")
# Classes of things that rarely belong to anybody.
PUBLIC = {"food", "grocery", "drink", "animal", "water", "peak", "road", "built", "sky", "plant"}
PUBLIC |= {"show", "programme", "attended", "transit", "hobby", "lesson"}
CASES = {"nom": "nominative", "acc": "accusative", "dat": "dative"}


@cache
def nouns(*classes: str) -> list[Noun]:
    """Return the nouns of any of the classes."""
    return [noun for noun in lexicon().nouns if set(classes) & set(noun.classes)]


@cache
def names(*kinds: str) -> list[Name]:
    """Return the names of any of the kinds."""
    return [name for name in lexicon().names if set(kinds) & set(name.classes)]


@cache
def adverbials(*classes: str) -> list[Adverbial]:
    """Return the adverbials of any of the classes."""
    return [adverb for adverb in lexicon().adverbials if set(classes) & set(adverb.classes)]


@cache
def adjectives(*classes: str) -> list[Adjective]:
    """Return the adjectives that can describe nouns of any of the classes."""
    return [word for word in lexicon().adjectives if set(classes) & set(word.classes)]


@cache
def attributive(*classes: str) -> list[Adjective]:
    """Return the adjectives of the classes that can precede the noun."""
    return [word for word in adjectives(*classes) if "predicative" not in word.classes]


@cache
def places(direction: bool, *classes: str) -> list[Noun | Name | Adverbial]:
    """Return the nouns, names and adverbials of the classes that name a location or direction."""
    fitting = [
        noun
        for noun in nouns(*classes)
        if noun.place and (noun.place.direction if direction else noun.place.location)[1]
    ]
    return [*fitting, *names(*classes), *adverbials(*classes)]


def sex(phrase: Phrase | None) -> str:
    """Return "m" or "f" if a phrase refers to one man or woman, else ""."""
    if isinstance(phrase, Pronoun):
        return phrase.gender if phrase.gender in "mf" else ""
    if isinstance(phrase, Name):
        return {"male": "m", "female": "f"}.get(phrase.classes[0], "")
    if isinstance(phrase, NounPhrase) and phrase.number == SINGULAR:
        return phrase.noun.gender if phrase.noun.gender in "mf" else ""
    return ""


def pronoun_for(phrase: Phrase) -> Pronoun | None:
    """Return the pronoun that refers to a phrase; None for neuter nouns such as "Kind"."""
    if isinstance(phrase, Pronoun):
        return phrase
    if getattr(phrase, "number", SINGULAR) == PLURAL:
        return THEY
    return {"m": HE, "f": SHE, "": None}[sex(phrase)]


class Phrases:
    """A generator of random phrases.

    Args:
        seed: seed of the random choices.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._uses: Counter[int] = Counter()
        self._mentioned: set[int] = set()

    def begin_sentence(self) -> None:
        """Make all nouns and names available again; a sentence uses each of them once."""
        self._mentioned = set()

    def chance(self, probability: float) -> bool:
        """Return True with the given probability."""
        return self.random.random() < probability

    def weighted(self, weights: Mapping[str, float]) -> str:
        """Return a random key, chosen in proportion to its weight."""
        point = self.random.random() * sum(weights.values())
        for key, weight in weights.items():  # noqa: B007
            point -= weight
            if point < 0:
                break
        return key

    def pick(self, candidates: Sequence[LexemeT]) -> LexemeT:
        """Return the least used of a few random candidates, preferably one new to the sentence."""
        rand, size, uses = self.random.random, len(candidates), self._uses
        choice, least = candidates[0], float("inf")
        for _ in range(5):
            item = candidates[int(rand() * size)]
            count = uses[id(item)] + (1_000_000 if id(item) in self._mentioned else 0)
            if count < least:
                choice, least = item, count
        uses[id(choice)] += 1
        if isinstance(choice, Noun | Name):
            self._mentioned.add(id(choice))
        return choice

    # People

    def subject(self, classes: Sequence[str]) -> Phrase:
        """Return a subject of the classes; "person" includes pronouns, names and relatives."""
        kinds = {"pronoun": 30, "name": 20, "kin": 16, "noun": 26, "pair": 6, "spouse": 2}
        if "person" not in classes:
            # As a noun class, "pair" means clothes; here it means two people.
            kinds = {kind: kinds[kind] for kind in ("pronoun", "name", "kin") if kind in classes}
            kinds |= {"noun": 20} if nouns(*self._noun_classes(classes)) else {}
        kind = self.weighted(kinds)
        if kind == "pronoun":
            return self.random.choice((ME, ME, YOU, HE, SHE, WE, THEY))
        return self._person(kind, classes, None, "definite")

    @staticmethod
    def _noun_classes(classes: Sequence[str]) -> list[str]:
        return [name for name in classes if name not in ("pronoun", "name", "kin")]

    def _person(
        self, kind: str, classes: Sequence[str], subject: Phrase | None, style: str
    ) -> Phrase:
        if kind == "name":
            return self.first_name()
        if kind == "pair":
            return Coordination(self.first_name(), self.first_name())
        if kind in ("kin", "spouse"):
            return self.relative_of(subject, kind)
        noun = self.pick(nouns(*self._noun_classes(classes)))
        return self.noun_phrase(noun, subject, style)

    def first_name(self) -> Name:
        """Return the first name of a woman or man."""
        return self.pick(names("female", "male"))

    def relative_of(
        self, subject: Phrase | None, kind: str = "kin", named: bool = True
    ) -> NounPhrase:
        """Return a relative, sometimes of a named person ("Anna's mother")."""
        spouses = ("spouse:m", "spouse:f")
        noun = self.pick(nouns(*spouses) if kind == "spouse" else nouns("kin"))
        plural = not noun.en or ("several" in noun.classes and self.chance(0.15))
        number = PLURAL if plural else SINGULAR
        owner_sex = next((name[-1] for name in noun.classes if name in spouses), "")
        if named and self.chance(0.2):
            kinds = {"m": ("male",), "f": ("female",)}.get(owner_sex, ("male", "female"))
            return NounPhrase(noun, "genitive", number, possessor=self.pick(names(*kinds)))
        possessor = self.possessor(subject) or self.random.choice((ME, WE))
        several = possessor.number == PLURAL
        if owner_sex and (several or possessor.gender not in ("", owner_sex)):
            possessor = ME
        return NounPhrase(noun, "possessive", number, possessor=possessor)

    def possessor(self, subject: Phrase | None) -> Pronoun | None:
        """Return the owner for a possessive, given the subject; None if no pronoun fits."""
        if subject is None:
            return self.random.choice((ME, ME, ME, WE, WE, YOU, YOU, HE, SHE, THEY))
        if isinstance(subject, Pronoun):
            return None if subject == IT else subject
        if getattr(subject, "number", SINGULAR) == PLURAL:
            return None if isinstance(subject, NounPhrase) and self.chance(0.5) else THEY
        return {"m": HE, "f": SHE, "": None}[sex(subject)]

    def person(self, classes: Sequence[str], subject: Phrase | None, style: str = "free") -> Phrase:
        """Return a person other than the subject, as object."""
        kinds = {"pronoun": 30, "name": 20, "kin": 25, "noun": 25}
        if "person" not in classes:
            kinds = {"name": 20, "kin": 80}
        kind = self.weighted(kinds)
        if kind == "pronoun":
            return self.random.choice(self._other_pronouns(subject))
        return self._person(kind, ("person",), subject, style)

    @staticmethod
    def _other_pronouns(subject: Phrase | None) -> list[Pronoun]:
        first, second = (ME, WE), (YOU,)
        groups = {1: first, 2: second}
        excluded = groups.get(subject.person, ()) if isinstance(subject, Pronoun) else ()
        others = [word for word in (ME, YOU, WE) if word not in excluded]
        gender = sex(subject)
        if getattr(subject, "person", 3) < 3 or gender:
            others += [word for word in (HE, SHE) if word.gender != gender]
        return others

    # Things

    def noun_phrase(
        self, noun: Noun, subject: Phrase | None = None, style: str = "free"
    ) -> NounPhrase:
        """Return a noun phrase.

        Args:
            noun: the head.
            subject: the subject of the clause, who may own the thing.
            style: "generic" (he eats apples, he drinks milk), "indefinite", "counted" (indefinite
                or with a numeral), "definite", "plain" (without numerals and indefinite people,
                for negative clauses), or "free".
        """
        number = self._number(noun, style)
        determiner = self._determiner(noun, number, style)
        adjective: Adjective | None = None
        numeral: Number | None = None
        possessor: Pronoun | Name | NounPhrase | None = None
        if determiner == "number":
            numeral = self.few("kin" in noun.classes)
        elif determiner == "genitive":
            possessor = self.owner(subject)
        elif determiner == "possessive":
            possessor = self.possessor(subject)
            if possessor is None:
                determiner = "definite"
                if {"personal", "body"} & set(noun.classes):
                    determiner, possessor = "possessive", ME
        if determiner != "fixed" and style != "generic" and "unique" not in noun.classes:
            adjective = self._adjective(noun)
        return NounPhrase(noun, determiner, number, adjective, numeral, possessor)

    def owner(self, subject: Phrase | None) -> Name | NounPhrase:
        """Return an owner for the genitive."""
        if self.chance(0.5):
            return self.first_name()
        if self.chance(0.5):
            return self.relative_of(subject, named=False)
        return NounPhrase(self.pick(nouns("close")), "definite")

    def few(self, relatives: bool = False) -> Number:
        """Return a small number, at most five for relatives."""
        return self.pick(lexicon().numbers[1 : 5 if relatives or self.chance(0.7) else 12])

    def _number(self, noun: Noun, style: str) -> str:
        classes = set(noun.classes)
        if not noun.en:
            return PLURAL
        if not noun.countable or classes & {"given", "personal", "transit", "awaited"}:
            return SINGULAR
        if "tiny" in classes:
            return PLURAL
        several, one = classes & {"pair", "picked", "bunch", "hobby"}, "clothing" in classes
        plural = style == "generic" or self.chance(0.75 if several else 0.1 if one else 0.22)
        return PLURAL if plural else SINGULAR

    def _determiner(self, noun: Noun, number: str, style: str) -> str:
        classes = set(noun.classes)
        if classes & {"science", "sport", "instrument"}:
            return "fixed"
        if "stuff" in classes or (style == "generic" and "unique" not in classes):
            return "indefinite"
        if "unique" in classes:
            return "definite"
        weights = self._weights(noun, classes, style)
        if number == PLURAL and "person" in classes:
            weights.pop("indefinite", None)
        if number == PLURAL and style in ("free", "counted"):
            countable = not classes & {"pair", "picked", "bunch"}
            weights |= {"number": 25} if countable and "indefinite" in weights else {}
        return self.weighted(weights)

    @staticmethod
    def _weights(noun: Noun, classes: set[str], style: str) -> dict[str, float]:
        """Return the determiners that go with a noun, and their weights."""
        weights: dict[str, float]
        if style in ("indefinite", "counted"):
            return {"indefinite": 1}
        if classes & {"personal", "body"}:
            return {"possessive": 70, "genitive": 30}
        if "given" in classes:
            return {"definite": 50, "possessive": 40, "this": 10}
        weights = {"definite": 40, "this": 8}
        if "person" in classes:
            weights |= {"possessive": 40} if "close" in classes else {}
            return weights | ({"indefinite": 18} if style == "free" else {})
        if style != "definite":
            weights["indefinite"] = 22 if noun.countable else 60
        if noun.countable and not noun.place and not PUBLIC & classes:
            weights |= {"possessive": 20, "genitive": 9}
        return weights

    def _adjective(self, noun: Noun) -> Adjective | None:
        if not self.chance(0.28):
            return None
        fitting = attributive(*noun.classes)
        return self.pick(fitting) if fitting else None

    # Complements

    def complement(self, frame: Frame, subject: Phrase | None, style: str = "free") -> Complement:
        """Return a complement that fills a frame of a verb."""
        if frame.marking in ("loc", "dir"):
            return self.place(frame.classes, frame.marking == "dir")
        if frame.marking == "by":
            vehicle = NounPhrase(self.pick(nouns(*frame.classes)), "definite")
            return Complement(vehicle, "dative", "means", "mit", "by", bare=True)
        preposition, _, case = frame.marking.rpartition("+")
        role = "companion" if preposition == "mit" else "object"
        if preposition and style == "free":
            style = "plain"
        phrase = self._filler(frame, subject, style)
        case = CASES.get(case, "accusative")
        return Complement(phrase, case, role, preposition, frame.en_preposition)

    def _filler(self, frame: Frame, subject: Phrase | None, style: str) -> Phrase:
        weights: dict[str, float] = {}
        if {"person", "kin"} & set(frame.classes):
            weights["person"] = 60 if "person" in frame.classes else 20
        if cities := names(*frame.classes):
            weights["name"] = len(cities)
        things = nouns(*(name for name in frame.classes if name not in ("person", "kin")))
        if things:
            weights["thing"] = len(things)
        kind = self.weighted(weights)
        if kind == "person":
            return self.person(frame.classes, subject, style)
        if kind == "name":
            return self.pick(cities)
        if {"surface", "water"} & set(frame.classes):
            return NounPhrase(self.pick(things), "definite")
        return self.noun_phrase(self.pick(things), subject, style)

    def place(self, classes: Sequence[str], direction: bool) -> Complement:
        """Return a location or a direction."""
        candidates: Sequence[Noun | Name | Adverbial] = adverbials(*classes)
        if not candidates or not self.chance(0.2):
            candidates = places(direction, *classes)
        head = self.pick(candidates)
        role, case = ("direction", "accusative") if direction else ("location", "dative")
        if isinstance(head, Adverbial):
            return Complement(head, case, role)
        if isinstance(head, Name):
            german = "in" if not direction or head.gender else "nach"
            return Complement(head, case, role, german, "to" if direction else "in")
        assert head.place is not None
        english, german = head.place.direction if direction else head.place.location
        plain = head.place.bare or "unique" in head.classes or self.chance(0.6)
        adjective = None if plain else self._adjective(head)
        phrase = NounPhrase(head, "definite", adjective=adjective)
        case = "dative" if german == "zu" else case
        return Complement(phrase, case, role, german, english, bare=head.place.bare)

    # Times

    def time(self, tense: str, verb: Verb) -> tuple[Adjunct, ...]:
        """Return time adjuncts that go with a verb and a tense, which may also be "habit"."""
        if verb.kind == "schedule" and tense == "habit":
            return (self.clock(),)
        if verb.kind in ("growth", "ripening"):
            return (self.pick(adverbials("grown" if tense == "past" else "growing")),)
        if "daily" in verb.adverbs or ("clock" in verb.adverbs and self.chance(0.6)):
            return self._clocked(tense)
        if tense == "habit":
            return (self._repeated(verb),)
        return (self._once(tense, verb),)

    def _repeated(self, verb: Verb) -> Adjunct:
        """Return when something happens again and again."""
        if self._is_seasonal(verb):
            return self.pick(adverbials("season"))
        return self.pick(adverbials("habit" if self.chance(0.5) else "frequency"))

    def _is_seasonal(self, verb: Verb) -> bool:
        if "seasonal" in verb.adverbs and (verb.kind == "journey" or self.chance(0.6)):
            return True
        return verb.kind == "activity" and self.chance(0.12)

    def _once(self, tense: str, verb: Verb) -> Adjunct:
        """Return when something happens once."""
        if tense == "planned":
            return self.pick(adverbials(tense))
        if self.chance(0.12):
            return Date(self.pick(adverbials("month")))
        if self.chance(0.12):
            memorable = tense == "past" and verb.kind in ("event", "journey")
            units = "lengthy" if memorable else "near"
            return self._span("ago" if tense == "past" else "in", units)
        if self.chance(0.08):
            return Date(self.pick(adverbials("month")), self.pick(adverbials("ordinal")))
        return self.pick(adverbials(tense))

    def _clocked(self, tense: str) -> tuple[Adjunct, ...]:
        clock = self.clock()
        if tense != "habit" and self.chance(0.4):
            return (clock,)
        days = adverbials("clocked") if tense == "habit" else adverbials("dayword")
        return (self.pick([day for day in days if tense in day.classes]), clock)

    def _span(self, kind: str, units: str) -> Span:
        return Span(kind, self.few(), self.pick(nouns(units)))

    def duration(self) -> Span:
        """Return a duration."""
        return self._span("duration", "brief")

    def clock(self) -> Clock:
        """Return a time of day."""
        hour = self.pick(lexicon().numbers[:12])
        next_hour = lexicon().numbers[hour.value % 12]
        minute = self.random.choice((0, 0, 15, 30, 30, 45, 5, 10, 20, 40, 50, 55))
        if minute % 15 == 0:
            return Clock(hour, next_hour, minute)
        return Clock(hour, next_hour, minute, lexicon().number(min(minute, 60 - minute)))
