"""Random choice of clauses: a verb with subject, complements, tense, modality and negation.

The kind of a verb determines the constructions in which it is used:

* once: an action on one object (repair the car);
* routine: an action that is repeated on the same object (wash the car);
* activity: an action without a natural end or with any object (swim, read books);
* event: an action with neither imperative nor progressive (arrive);
* journey: an event that may be a habit;
* schedule: an event that happens at a fixed time (depart);
* growth: a natural process; ripening: one that is too slow for the progressive;
* process: an action with neither imperative nor modal (laugh, bark);
* chance: an unintentional action (lose the key);
* project: an action that takes years (study);
* mishap: an occasional misfortune (be late); origin: a unique event in a life (grow up);
* posture: a position or clothing (stand, wear);
* feeling: a temporary state, never negated (be in a hurry);
* reaction: a brief unintentional action (sneeze);
* taste: a general preference; wish: a wish to have something;
* state: a lasting state (know, belong); possession: a state with an indefinite object; affection: a
  state without a past tense; experience: the verb "like".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TypeGuard

from keras_transformer.phrasebook.lexicon import Adjective, Frame, Verb, lexicon
from keras_transformer.phrasebook.phrases import Phrases, adverbials
from keras_transformer.phrasebook.syntax import (
    PLURAL,
    SINGULAR,
    Adjunct,
    Argument,
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
# "She could win" is hypothetical; only the negative "she could not win" can refer to the past.
PAST_MODALS = (MUST, MUST, WANT, WANT, MAY)
# "I would not like to sing" only answers an offer, so negative clauses do not use it.
DENIED_MODALS = {"past": (*(CAN,) * 4, *PAST_MODALS), "present": PRESENT_MODALS[:-2]}

# For each kind of verb, the weights of its constructions.
CONSTRUCTIONS: dict[str, dict[str, float]] = {
    "once": {"past": 4, "future": 1.5, "intention": 1.5, "modal": 3, "progressive": 2},
    "routine": {
        **{"past": 3, "future": 1, "intention": 1, "modal": 2, "progressive": 1.5, "habit": 2.5},
    },
    "activity": {
        **{"past": 3, "future": 1, "intention": 1, "modal": 2, "progressive": 2, "habit": 2},
        **{"liking": 2, "former": 0.7},
    },
    "event": {"past": 5, "future": 2, "intention": 1, "modal": 2},
    "journey": {"past": 5, "future": 1.5, "intention": 1.5, "modal": 2, "habit": 2.5},
    "schedule": {"past": 2, "future": 2, "habit": 4},
    "growth": {"past": 2, "progressive": 2, "habit": 3},
    "ripening": {"past": 2, "habit": 3},
    "process": {"past": 4, "progressive": 3, "habit": 2},
    "chance": {"past": 1},
    "mishap": {"past": 3, "future": 1},
    "origin": {"past": 1},
    "posture": {"past": 2, "progressive": 3},
    "reaction": {"past": 3, "progressive": 1},
    "feeling": {"present": 3, "past": 1},
    "taste": {"present": 1},
    "wish": {"present": 1},
    "state": {"present": 4, "past": 1},
    "possession": {"present": 4, "past": 1},
    "affection": {"present": 1},
    "project": {"past": 4, "future": 2, "modal": 2, "progressive": 2},
    "experience": {"present": 3, "past": 1},
}
ONLY_PAST = ("sudden", "mishap", "prompt", "long")  # classes of adverbs used in the past only
TIMELESS = ("state", "possession", "project", "origin", "feeling", "taste", "wish")
ACTIONS = ("once", "routine", "activity")
NEGATABLE = ("past", "future", "intention", "modal", "present")
# Kinds of verbs whose negation would be odd.
AFFIRMATIVE = ("chance", "origin", "feeling", "mishap")
# Multi-word German verbs that are nevertheless negated with "nicht".
FIXED_VERBS = ("spazieren ", "einkaufen ", "ins Bett ")
INVOLUNTARY = ("fall asleep", "wake up", "disappear")  # never requested
# The object does not belong to the subject yet; "seine Tasche ausleihen" would mean to lend it.
ACQUISITIONS = ("borrow", "rent", "buy", "sew", "knit", "make")
# People forget "the butter" rather than "butter", and count or collect several things.
LOSSES, OF_MANY = ("forget", "lose"), ("collect", "count")
# "Ich habe die Musik nicht gehört" means not hearing it, "I would not like tea" not enjoying it.
UNDENIED = (("listen", "hören"), ("would like", "möchten"))


@cache
def verbs(*kinds: str) -> list[Verb]:
    """Return the verbs of the kinds."""
    return [verb for verb in lexicon().verbs if verb.kind in kinds]


@cache
def _fitting(kinds: tuple[str, ...], constructions: tuple[str, ...], personal: bool) -> list[Verb]:
    """Return the verbs with an allowed construction and, if ``personal``, a personal subject."""
    allowed = set(constructions)
    return [
        verb
        for verb in verbs(*kinds)
        if (not allowed or allowed & set(CONSTRUCTIONS[verb.kind]))
        and (not personal or {"person", "pronoun"} & set(verb.subject))
    ]


class Clauses(Phrases):
    """A generator of random clauses."""

    def clause(
        self,
        kinds: tuple[str, ...] = tuple(CONSTRUCTIONS),
        subject: Phrase | None = None,
        constructions: tuple[str, ...] = (),
        verb: Verb | None = None,
        negatable: bool = True,
    ) -> Clause:
        """Return a random clause.

        Args:
            kinds: kinds of verbs to choose from.
            subject: the subject; None to choose one.
            constructions: allowed constructions; empty for all constructions of the verb's kind.
            verb: the verb; None to choose one.
            negatable: whether the clause may be negative.
        """
        if verb is None:
            verb = self.pick(_fitting(kinds, constructions, subject is not None))
        subject = subject or self.subject(verb.subject)
        weights = CONSTRUCTIONS[verb.kind]
        allowed = {name: weights[name] for name in weights if name in (constructions or weights)}
        construction = self.weighted(allowed)
        negatable = negatable and construction in NEGATABLE and is_deniable(verb)
        negative = negatable and self.chance(0.16)
        generic = construction in ("habit", "liking", "former") or verb.kind == "taste"
        style = "generic" if generic else "free"
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
        """Return complements for a verb, with at most one optional complement."""
        if style == "generic" and verb.kind not in ("activity", "taste"):
            style = "free"
        style = {
            "routine": "definite",
            "state": "definite",
            "experience": "definite",
            "wish": "indefinite",
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
        """Return a complement for a frame of a verb, without misleading possessives."""
        # In German the thing that is liked comes first, so "his" would refer forward.
        owner = None if verb.kind == "experience" else subject
        part = self.complement(frame, owner, "generic" if verb.en == "collect" else style)
        phrase = part.phrase
        if not isinstance(phrase, NounPhrase):
            return part
        if verb.en in OF_MANY:
            phrase = replace(phrase, number=PLURAL)
        one = phrase.noun.countable and phrase.number == SINGULAR
        if verb.en in LOSSES and phrase.determiner == "indefinite" and not one:
            phrase = replace(phrase, determiner="definite")
        if verb.en in ACQUISITIONS and phrase.determiner == "possessive":
            phrase = replace(phrase, determiner="definite", possessor=None)
        return replace(part, phrase=phrase)

    def _constructed(self, clause: Clause, construction: str) -> Clause:
        if construction == "modal":
            past = self.chance(0.25)
            tense = "past" if past else "present"
            modals = PAST_MODALS if past else PRESENT_MODALS
            modal = self.random.choice(DENIED_MODALS[tense] if clause.negative else modals)
            return replace(clause, modal=modal, tense=tense)
        if construction in ("past", "future", "intention"):
            return replace(clause, tense=construction)
        if construction == "former":
            adjunct = self.pick(adverbials("formerly"))
            return replace(clause, tense="former", adjuncts=(adjunct,))
        return replace(
            clause,
            progressive=construction == "progressive",
            liking=construction == "liking",
        )

    def _timed(self, clause: Clause, construction: str) -> Clause:
        """Return a clause with adjuncts of time or manner."""
        if construction in ("progressive", "liking", "present", "former"):
            return self._with_manner(clause, 0.5) if construction == "progressive" else clause
        verb = clause.verb
        if construction in ("past", "future") and _lasting(clause) and self.chance(0.25):
            return replace(clause, adjuncts=(self.duration(),))
        ambiguous = verb.en_past == verb.en.split()[0]  # "they read": present or past?
        modal_tense = "past" if clause.tense == "past" else "planned"
        tense = {"modal": modal_tense, "intention": "future"}.get(construction, construction)
        probability = {"habit": 1.0, "modal": 0.3}.get(construction, 0.62)
        if verb.kind in TIMELESS:
            probability = 0
        if self.chance(probability) or (ambiguous and clause.tense == "past"):
            times = self.time(tense, verb)
            times = deniable_times(times) if clause.negative else times
            clause = replace(clause, adjuncts=times, fronted=bool(times) and self.chance(0.5))
            is_frequency = tense == "habit" and "frequency" in getattr(times[0], "classes", ())
            return replace(clause, fronted=False) if is_frequency else clause
        return self._with_manner(clause, 0.6)

    def _with_manner(self, clause: Clause, probability: float) -> Clause:
        excluded = ONLY_PAST if clause.tense != "past" else ()
        fitting = adverbials(*(name for name in clause.verb.adverbs if name not in excluded))
        company = any(
            isinstance(part, Complement)
            and (part.role in ("companion", "location") or _indefinite(part))
            for part in clause.complements
        )
        if clause.negative or company or not fitting or not self.chance(probability):
            return clause
        return replace(clause, adjuncts=(self.pick(fitting),))


def is_deniable(verb: Verb) -> bool:
    """Return whether a clause with the verb may be negative."""
    fixed = " " in verb.prefix and verb.prefix not in FIXED_VERBS
    return verb.kind not in AFFIRMATIVE and not fixed and not _is_undenied(verb)


def _is_undenied(item: Verb) -> bool:
    """Return whether negation or a request would change the meaning of the verb."""
    return (item.en, item.prefix + item.de) in UNDENIED


def deniable_times(times: tuple[Adjunct, ...]) -> tuple[Adjunct, ...]:
    """Return the adjuncts without "soon" and times of day, which would attract the negation."""
    return tuple(
        part for part in times if not isinstance(part, Clock) and getattr(part, "de", "") != "bald"
    )


def _lasting(clause: Clause) -> bool:
    """Return whether the clause accepts a duration: an activity without an object."""
    active = clause.verb.kind in ("activity", "process") and not clause.negative
    return active and all(is_place(part) for part in clause.complements)


def _indefinite(part: Complement) -> bool:
    """Return whether a complement is too indefinite for an adverb of manner."""
    phrase = part.phrase
    return (
        isinstance(phrase, NounPhrase)
        and phrase.determiner in ("indefinite", "number")
        and "language" not in phrase.noun.classes
    )


def is_place(part: Argument) -> TypeGuard[Complement]:
    """Return whether a complement is a location or a direction."""
    return isinstance(part, Complement) and part.role in ("location", "direction")


def verb(german: str) -> Verb:
    """Return the verb with a German infinitive."""
    return lexicon().find(Verb, german)


def adjective(german: str) -> Adjective:
    """Return the adjective with a German base form."""
    return lexicon().find(Adjective, german)


@cache
def selected(kinds: tuple[str, ...], condition: Callable[[Verb], bool]) -> list[Verb]:
    """Return the verbs of the kinds that meet a condition."""
    return [item for item in verbs(*kinds) if condition(item)]


def is_requestable(item: Verb) -> bool:
    """Return whether the action can be requested."""
    if item.en in INVOLUNTARY or _is_undenied(item):
        return False
    return "person" in item.subject and (item.kind == "routine" or required(item))


def is_extensible(item: Verb) -> bool:
    """Return whether the infinitive clause is extended, which requires a comma in German."""
    return "person" in item.subject and required(item) and not item.reflexive


def required(item: Verb) -> bool:
    """Return whether the verb has an obligatory complement."""
    return any(not frame.optional for frame in item.frames)


def transitive(item: Verb) -> bool:
    """Return whether the first complement is an obligatory object."""
    return (
        bool(item.frames)
        and item.frames[0].marking in ("acc", "auf+acc", "an+acc")
        and not item.frames[0].optional
    )
