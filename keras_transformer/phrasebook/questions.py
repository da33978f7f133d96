"""Questions, and the interrogative clauses that indirect questions contain."""

from __future__ import annotations

from dataclasses import replace

from keras_transformer.phrasebook.clauses import (
    ACTIONS,
    CAN,
    CONSTRUCTIONS,
    Clauses,
    is_place,
    selected,
)
from keras_transformer.phrasebook.lexicon import Adverbial, Verb, lemma
from keras_transformer.phrasebook.phrases import ME, WE, YOU
from keras_transformer.phrasebook.syntax import (
    PLURAL,
    TIME_CLASSES,
    Adjunct,
    Clause,
    Complement,
    Interrogative,
    NounPhrase,
    Phrase,
    Question,
    Sentence,
)

WHERE, WHERE_TO = Question("where", "wo"), Question("where", "wohin")
WHEN, WHY = Question("when", "wann"), Question("why", "warum")
HOW_OFTEN = Question("how often", "wie oft")
CLAUSAL_ACTIONS = (*ACTIONS, "event", "journey")
CLAUSAL = (*CLAUSAL_ACTIONS, "state")
# "Wo bleibst du?" asks why somebody is late, and "where do you accompany him?" is unusual.
UNPLACED = ("bleiben", "begleiten")


class Questions(Clauses):
    """A generator of random questions."""

    def yes_no_question(self) -> Sentence:
        """Return a yes/no question ("Did Anna buy a hat?")."""
        clause = self._asked_clause(subject=YOU if self.chance(0.35) else None)
        return Sentence(clause, "question")

    def _asked_clause(
        self,
        kinds: tuple[str, ...] = tuple(CONSTRUCTIONS),
        subject: Phrase | None = None,
        constructions: tuple[str, ...] = (),
        verb: Verb | None = None,
    ) -> Clause:
        """Return a clause for a question: not in the first person, not with the polite "could"."""
        while True:
            clause = self.clause(kinds, subject, constructions, verb, negatable=False)
            own = clause.subject in (ME, WE)
            polite = (clause.modal, clause.tense) == (CAN, "past")
            if not (own or polite or _is_rare(clause)):
                return replace(clause, fronted=False)

    def subject_question(self) -> Sentence:
        """Return a question about the subject ("Who bought the hat?")."""
        return Sentence(self._asked_clause(subject=Interrogative(True)), "question")

    def object_question(self) -> Sentence:
        """Return a question about an object ("Which hat did Anna buy?")."""
        asked = selected((*CLAUSAL, "chance", "process"), _objects)
        constructions = ("past", "future", "modal", "progressive", "present")
        clause = self._asked_clause(verb=self.pick(asked), constructions=constructions)
        position = self.random.choice(_objects(clause.verb))
        parts = [part for part in clause.complements if not is_place(part)]
        if position >= len(parts) or clause.liking:
            return self.object_question()
        part = parts[position]
        assert isinstance(part, Complement)
        asked_for = self._asked(part)
        recipient = part.case == "dative" and len(parts) > 1
        to = "to" if recipient else part.en_preposition
        parts[position] = replace(part, phrase=asked_for, en_preposition=to)
        times = tuple(part for part in clause.adjuncts if not _is_manner(part))
        return Sentence(replace(clause, complements=tuple(parts), adjuncts=times), "question")

    def _asked(self, part: Complement) -> Phrase:
        phrase = part.phrase
        if not isinstance(phrase, NounPhrase):
            return Interrogative(human=True)
        human = bool({"person", "kin", "spouse:m", "spouse:f"} & set(phrase.noun.classes))
        countable = phrase.noun.countable and not human
        if not countable or part.de_preposition or self.chance(0.45):
            return Interrogative(human)
        if phrase.number == PLURAL:
            return NounPhrase(phrase.noun, "how many", PLURAL)
        return NounPhrase(phrase.noun, "which", adjective=phrase.adjective)

    def adverb_question(self) -> Sentence:
        """Return a question with "where", "when", "why" or "how often"."""
        return Sentence(self.adverb_question_clause(), "question")

    def adverb_question_clause(self) -> Clause:
        """Return a clause with an interrogative adverb."""
        if self.chance(0.4):
            located = selected(CLAUSAL, _has_place)
            constructions = ("past", "future", "modal", "present", "habit")
            clause = self._asked_clause(verb=self.pick(located), constructions=constructions)
            parts = [part for part in clause.complements if is_place(part)]
            if parts:
                question = WHERE if parts[0].role == "location" else WHERE_TO
                rest = tuple(part for part in clause.complements if part is not parts[0])
                adjuncts = () if clause.verb.kind == "state" else clause.adjuncts
                return asking(replace(clause, complements=rest, adjuncts=adjuncts), question)
        question = self.random.choice((WHEN, WHY, HOW_OFTEN))
        if question is HOW_OFTEN:
            clause = self._asked_clause(("routine", "activity"), constructions=("past", "habit"))
        else:
            clause = self._asked_clause(CLAUSAL_ACTIONS, constructions=("past", "future", "modal"))
        return asking(
            replace(clause, adjuncts=clause.adjuncts if question is WHY else ()), question
        )


def _objects(item: Verb) -> list[int]:
    """Return the indices of the complements that "who" or "what" can ask for."""
    # "Was hat er gemacht?" means "what did he do?"; "what did he leave?" asks what he left behind.
    if lemma(item) in ("machen", "verlassen"):
        return []
    return [
        position
        for position, frame in enumerate(item.frames)
        if not frame.optional
        and frame.marking not in ("loc", "dir", "act", "by", "in+acc", "zu+dat", "aus+dat")
        and frame.classes != ("language",)
    ]


def _is_manner(part: Adjunct) -> bool:
    return isinstance(part, Adverbial) and not TIME_CLASSES & set(part.classes)


def _is_rare(clause: Clause) -> bool:
    """Return whether the clause has an adverb that is unusual in questions, such as "rarely"."""
    words = [part.classes for part in clause.adjuncts if isinstance(part, Adverbial)]
    return any("frequency" in classes and "asked" not in classes for classes in words)


def _has_place(item: Verb) -> bool:
    """Return whether "where" can ask for the place of the verb."""
    return lemma(item) not in UNPLACED and any(
        frame.marking in ("loc", "dir") for frame in item.frames
    )


def asking(clause: Clause, question: Question) -> Clause:
    """Return the clause with an interrogative adverb in front."""
    return replace(clause, adjuncts=(question, *clause.adjuncts), fronted=False)
