"""Chooses clauses at random: a verb with subject, complements, tense, modality and negation.

The kind of a verb decides in which constructions it is used:

* once: an action on one object (repair the car);
* routine: an action that is repeated with the same object (wash the car);
* activity: an action without end or with any object (swim, read books);
* event: an action that is neither ordered nor watched in progress (arrive);
* journey: an event that may be a habit;
* schedule: an event that has its hour (depart);
* growth: what nature does, and ripening: what it does too slowly to be watched;
* process: an action that is neither ordered nor wished (laugh, bark);
* chance: what is done without intention (lose the key);
* project: an action that takes years (study);
* state: what lasts (know, belong), "possession" having an indefinite object, "affection" no past
  and "experience" being "like".
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from keras_transformer.text.phrasebook.lexicon import Frame, Verb, lexicon
from keras_transformer.text.phrasebook.phrases import Phrases, adverbials
from keras_transformer.text.phrasebook.syntax import (
    Clause,
    Clock,
    Complement,
    Modal,
    NounPhrase,
    Phrase,
)

CAN, MUST, WANT = Modal("can", "können"), Modal("have to", "müssen"), Modal("want to", "wollen")
MAY, SHOULD = Modal("be allowed to", "dürfen"), Modal("should", "sollen")
WOULD_LIKE = Modal("would like to", "mögen")
PRESENT_MODALS = (CAN, CAN, MUST, MUST, WANT, WANT, MAY, SHOULD, WOULD_LIKE, WOULD_LIKE)
PAST_MODALS = (CAN, MUST, MUST, WANT, WANT, MAY)

CONSTRUCTIONS = {
    "once": {"past": 5, "future": 2, "modal": 3, "progressive": 2},
    "routine": {"past": 3, "future": 2, "modal": 2, "progressive": 1.5, "habit": 3},
    "activity": {"past": 3, "future": 1.5, "modal": 2, "progressive": 2, "habit": 2.5, "liking": 2},
    "event": {"past": 5, "future": 3, "modal": 2},
    "journey": {"past": 5, "future": 3, "modal": 2, "habit": 3},
    "schedule": {"past": 2, "future": 2, "habit": 4},
    "growth": {"past": 2, "progressive": 2, "habit": 3},
    "ripening": {"past": 2, "habit": 3},
    "process": {"past": 4, "progressive": 3, "habit": 2},
    "chance": {"past": 1},
    "state": {"present": 4, "past": 1},
    "possession": {"present": 4, "past": 1},
    "affection": {"present": 1},
    "project": {"past": 4, "future": 2, "modal": 2, "progressive": 2},
    "experience": {"present": 3, "past": 1},
}
ACTIONS = ("once", "routine", "activity")
NEGATABLE = ("past", "future", "modal", "present")
# What is borrowed, bought or made is not one's own yet; "seine Tasche ausleihen" is to lend it out.
ACQUISITIONS = ("borrow", "rent", "buy", "sew", "knit")


@cache
def verbs(*kinds: str) -> list[Verb]:
    """The verbs of the kinds."""
    return [verb for verb in lexicon().verbs if verb.kind in kinds]


@cache
def _fitting(kinds: tuple[str, ...], constructions: tuple[str, ...], personal: bool) -> list[Verb]:
    """The verbs of the kinds that have one of the constructions and, maybe, a personal subject."""
    allowed = set(constructions)
    return [
        verb
        for verb in verbs(*kinds)
        if (not allowed or allowed & set(CONSTRUCTIONS[verb.kind]))
        and (not personal or {"person", "pronoun"} & set(verb.subject))
    ]


class Clauses(Phrases):
    """Makes random clauses."""

    def clause(
        self,
        kinds: tuple[str, ...] = tuple(CONSTRUCTIONS),
        subject: Phrase | None = None,
        constructions: tuple[str, ...] = (),
        verb: Verb | None = None,
        negatable: bool = True,
    ) -> Clause:
        """A clause with a verb of the kinds.

        Args:
            kinds: Kinds of verbs to choose from.
            subject: Its subject; None to choose one.
            constructions: Restricts the constructions; empty for all of the verb's kind.
            verb: The verb; None to choose one.
            negatable: Whether the clause may be negative.
        """
        verb = verb or self.pick(_fitting(kinds, constructions, subject is not None))
        subject = subject or self.subject(verb.subject)
        weights = CONSTRUCTIONS[verb.kind]
        allowed = {name: weights[name] for name in weights if name in (constructions or weights)}
        construction = self.weighted(allowed)
        negatable = negatable and construction in NEGATABLE and verb.kind != "chance"
        negative = negatable and self.chance(0.16)
        style = "generic" if construction in ("habit", "liking") else "free"
        clause = Clause(
            verb,
            subject,
            self.complements(verb, subject, style, negative),
            negative=negative,
        )
        return self._timed(self._constructed(clause, construction), construction)

    def complements(
        self, verb: Verb, subject: Phrase | None, style: str = "free", negative: bool = False
    ) -> tuple[Complement, ...]:
        """The complements of a verb, not all of the optional ones."""
        if style == "generic" and verb.kind != "activity":
            style = "free"
        style = {
            "routine": "definite",
            "state": "definite",
            "experience": "definite",
            "possession": "indefinite" if negative else "counted",
        }.get(verb.kind, style)
        chosen = []
        optional = 0
        for frame in verb.frames:
            if frame.optional:
                if negative or optional or self.chance(0.5):
                    continue
                optional += 1
            spared = "definite" if frame.marking != "acc" else "plain"
            fitting = spared if negative and style == "free" else style
            chosen.append(self.filled(verb, frame, subject, fitting))
        return tuple(chosen)

    def filled(
        self, verb: Verb, frame: Frame, subject: Phrase | None, style: str = "free"
    ) -> Complement:
        """The complement of one frame of a verb, not "his" where that would mislead."""
        # What pleases somebody precedes him in German: "his" would point ahead.
        owner = None if verb.kind == "experience" else subject
        part = self.complement(frame, owner, style)
        if verb.en in ACQUISITIONS and getattr(part.phrase, "determiner", "") == "possessive":
            phrase = replace(part.phrase, determiner="definite", possessor=None)
            return replace(part, phrase=phrase)
        return part

    def _constructed(self, clause: Clause, construction: str) -> Clause:
        if construction == "modal":
            past = self.chance(0.25)
            modal = self.random.choice(PAST_MODALS if past else PRESENT_MODALS)
            return replace(clause, modal=modal, tense="past" if past else "present")
        if construction in ("past", "future"):
            return replace(clause, tense=construction)
        return replace(
            clause,
            progressive=construction == "progressive",
            liking=construction == "liking",
        )

    def _timed(self, clause: Clause, construction: str) -> Clause:
        """Adds adjuncts of time or manner."""
        if construction in ("progressive", "liking", "present"):
            return self._with_manner(clause, 0.5) if construction == "progressive" else clause
        verb = clause.verb
        if construction in ("past", "future") and _lasting(clause) and self.chance(0.25):
            return replace(clause, adjuncts=(self.duration(),))
        ambiguous = verb.en_past == verb.en.split()[0]  # "they read": now or then?
        modal_tense = "past" if clause.tense == "past" else "planned"
        tense = modal_tense if construction == "modal" else construction
        probability = {"habit": 1.0, "modal": 0.3}.get(construction, 0.62)
        if verb.kind in ("state", "possession", "project"):
            probability = 0
        if self.chance(probability) or (ambiguous and clause.tense == "past"):
            times = self.time(tense, verb)
            if clause.negative:  # with an hour, the hour would be denied
                times = tuple(part for part in times if not isinstance(part, Clock))
            clause = replace(clause, adjuncts=times, fronted=bool(times) and self.chance(0.5))
            is_frequency = tense == "habit" and "frequency" in getattr(times[0], "classes", ())
            return replace(clause, fronted=False) if is_frequency else clause
        return self._with_manner(clause, 0.6)

    def _with_manner(self, clause: Clause, probability: float) -> Clause:
        fitting = adverbials(*clause.verb.adverbs)
        company = any(
            isinstance(part, Complement)
            and (part.role in ("companion", "location") or _indefinite(part))
            for part in clause.complements
        )
        if clause.negative or company or not fitting or not self.chance(probability):
            return clause
        return replace(clause, adjuncts=(self.pick(fitting),))


def _lasting(clause: Clause) -> bool:
    """Whether one can say how long it lasts: an activity without object."""
    active = clause.verb.kind in ("activity", "process") and not clause.negative
    return active and all(is_place(part) for part in clause.complements)


def _indefinite(part: Complement) -> bool:
    """Whether the object is one that an adverb of manner does not go well with."""
    phrase = part.phrase
    return (
        isinstance(phrase, NounPhrase)
        and phrase.determiner in ("indefinite", "number")
        and "language" not in phrase.noun.classes
    )


def is_place(part) -> bool:
    """Whether a complement is a location or a direction."""
    return isinstance(part, Complement) and part.role in ("location", "direction")
