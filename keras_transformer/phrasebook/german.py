"""German: word order.

The finite verb comes second in a statement, first in a yes/no question and last in a subordinate
clause. A separable prefix, participle or infinitive comes at the end of the clause. The phrases in
the middle field, between the two parts of the verb, are ordered by :class:`Slot`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import IntEnum

from keras_transformer.phrasebook.german_inflection import (
    ADJECTIVE_ENDINGS,
    ARTICLE,
    CASES,
    CONTRACTIONS,
    DATIVE,
    GENITIVE,
    INTERROGATIVES,
    NOMINATIVE,
    POSSESSIVE_ENDING,
    PRESENT,
    PRETERITE,
    PRONOUNS,
    STRONG_ENDING,
    SUBJUNCTIVE,
    decline,
    form_for,
    graded,
    imperative,
    participle,
    present,
)
from keras_transformer.phrasebook.lexicon import Name, Verb
from keras_transformer.phrasebook.syntax import (
    DEGREES,
    PLURAL,
    TIME_CLASSES,
    Adjunct,
    Argument,
    Clause,
    Clock,
    Complement,
    Coordination,
    Date,
    Indefinite,
    Interrogative,
    Measure,
    NounPhrase,
    Phrase,
    Pronoun,
    Quality,
    Question,
    Relative,
    Sentence,
    Span,
    Subordinate,
    agreement,
    first_complement,
    is_interrogative,
    punctuate,
    subject_of,
)


class Slot(IntEnum):
    """The order of the phrases in the middle field."""

    EXPERIENCER = 0
    SUBJECT = 1
    REFLEXIVE = 2
    ACCUSATIVE_PRONOUN = 3
    DATIVE_PRONOUN = 4
    INDEFINITE_SUBJECT = 5
    PLEASE = 6
    TIME = 7
    ALSO = 8
    NAME = 9
    FREQUENCY = 10
    DATIVE = 11
    DEFINITE = 12
    YET = 13
    NOT = 14
    LONGER = 15
    MANNER = 16
    COMPANION = 17
    LOCATION = 18
    INDEFINITE = 19
    PREPOSITIONAL = 20
    DIRECTION = 21
    PREDICATE = 22
    SCOPE = 23


UNREAL_TENSES = ("unreal", "conditional")
FUTURE_TENSES = ("future", "intention")
PAST_TENSES = ("past", "perfect", "former")


def _undeclined(phrase: NounPhrase) -> str:
    if phrase.determiner == "genitive" and isinstance(phrase.possessor, Name):
        return phrase.possessor.de + "s"
    if phrase.determiner == "how many":
        return "wie viele"
    return phrase.numeral.de if phrase.numeral else ""


def _relative(pronoun: Relative, case: str) -> str:
    if pronoun.number == PLURAL and case == DATIVE:
        return "denen"
    return ARTICLE[case, "p" if pronoun.number == PLURAL else pronoun.noun.gender]


def _agreement(phrase: Phrase) -> tuple[int, str]:
    """Return person and number, which differ from English for "Sie" and "alle"."""
    if getattr(phrase, "gender", "") == "formal":
        return 3, PLURAL
    person, number = agreement(phrase)
    return person, getattr(phrase, "de_number", number)


def _periphrasis(clause: Clause) -> tuple[str, str] | None:
    """Return the forms of the auxiliary and the non-finite verbs; None if there is no auxiliary."""
    if clause.modal:
        table = SUBJUNCTIVE if clause.tense in UNREAL_TENSES else PRESENT
        return (PRETERITE if clause.tense == "past" else table)[clause.modal.de], _infinitive(
            clause
        )
    if clause.tense in FUTURE_TENSES:
        return PRESENT["werden"], _infinitive(clause)
    if clause.passive:
        return _passive(clause)
    if clause.causative:
        return _causative(clause)
    return _compound_tense(clause)


def _infinitive(clause: Clause) -> str:
    verb = clause.verb
    if clause.passive:
        return f"{participle(verb)} werden"
    return verb.prefix + verb.de + (" lassen" if clause.causative else "")


def _causative(clause: Clause) -> tuple[str, str]:
    if clause.tense == "present":
        return PRESENT["lassen"], clause.verb.prefix + clause.verb.de
    return PRESENT["haben"], _infinitive(clause)


def _compound_tense(clause: Clause) -> tuple[str, str] | None:
    verb, becomes = clause.verb, clause.verb.kind == "becoming"
    if clause.tense in UNREAL_TENSES and (verb.de not in SUBJUNCTIVE or becomes):
        return SUBJUNCTIVE["werden"], _infinitive(clause)
    if clause.tense in PAST_TENSES and (verb.de not in PRETERITE or becomes):
        return PRESENT[verb.auxiliary], participle(verb)
    return None


def _passive(clause: Clause) -> tuple[str, str]:
    done = participle(clause.verb)
    if clause.tense == "perfect":
        return PRESENT["sein"], f"{done} worden"
    return (PRETERITE if clause.tense == "past" else PRESENT)["werden"], done


def _subject(clause: Clause) -> Phrase:
    """Return the German subject; for "gefallen" it is the object of the English verb."""
    experience = clause.verb.kind == "experience"
    return first_complement(clause).phrase if experience else subject_of(clause)


def _is_indefinite(complement: Complement) -> bool:
    return (
        getattr(complement.phrase, "determiner", "") in ("indefinite", "profession")
        and not complement.de_preposition
    )


def _complement_slot(part: Complement) -> Slot:
    roles = {
        "companion": Slot.COMPANION,
        "means": Slot.COMPANION,
        "location": Slot.LOCATION,
        "direction": Slot.DIRECTION,
        "predicate": Slot.PREDICATE,
        "scope": Slot.SCOPE,
    }
    if part.role in roles:
        return roles[part.role]
    if part.de_preposition or getattr(part.phrase, "determiner", "") == "fixed":
        return Slot.PREPOSITIONAL
    if isinstance(part.phrase, Indefinite):
        return Slot.DATIVE if part.case == DATIVE else Slot.INDEFINITE
    if isinstance(part.phrase, Pronoun):
        return Slot.DATIVE_PRONOUN if part.case == DATIVE else Slot.ACCUSATIVE_PRONOUN
    if isinstance(part.phrase, Name):
        return Slot.NAME
    if part.case == DATIVE:
        return Slot.DATIVE
    indefinite = getattr(part.phrase, "determiner", "") in ("indefinite", "number")
    return Slot.INDEFINITE if indefinite else Slot.DEFINITE


# The position of adverbs by class. If an adverb has several, the first in this table decides.
ADVERB_SLOTS = {
    "frequency": Slot.FREQUENCY,
    "please": Slot.PLEASE,
    "yet": Slot.YET,
    "anymore": Slot.LONGER,
    "already": Slot.NOT,
    "never": Slot.FREQUENCY,
    "ever": Slot.FREQUENCY,
    "also": Slot.ALSO,
    "middle": Slot.TIME,
    "comment": Slot.TIME,
}


def _clock(clock: Clock) -> str:
    if clock.minutes:
        direction, hour = ("nach", clock.hour) if clock.minute < 30 else ("vor", clock.next_hour)
        return f"um {clock.minutes.de} {direction} {hour.de}"
    full_hour = "ein" if clock.hour.value == 1 else clock.hour.de
    return {
        0: f"um {full_hour} Uhr",
        15: f"um Viertel nach {clock.hour.de}",
        30: f"um halb {clock.next_hour.de}",
        45: f"um Viertel vor {clock.next_hour.de}",
    }[clock.minute]


def _span(span: Span) -> str:
    if span.kind == "duration":
        return f"{span.number.de} {span.unit.de_plural} lang"
    preposition = {"ago": "vor", "in": "in", "since": "seit"}[span.kind]
    return f"{preposition} {span.number.de} {decline(span.unit, PLURAL, DATIVE)}"


def _join(words: Iterable[str]) -> str:
    return " ".join(word.rstrip() for word in words if word)


class German:
    """The rules that put syntax trees into German.

    Each method puts one kind of node into words. A subclass can override them; see `English`.
    """

    def noun_phrase(self, phrase: NounPhrase, case: str, negative: bool = False) -> str:
        """Return a noun phrase in a case; `negative` replaces an indefinite article by "kein"."""
        gender = "p" if phrase.number == PLURAL else phrase.noun.gender
        determiner, declension = self.determiner(phrase, case, gender, negative)
        words = [determiner]
        if phrase.adjective:
            base = graded(phrase.adjective, phrase.degree)
            words.append(base + ADJECTIVE_ENDINGS[declension][case, gender])
        words.append(decline(phrase.noun, phrase.number, case))
        if phrase.determiner == "genitive" and isinstance(phrase.possessor, NounPhrase):
            words.append(self.noun_phrase(phrase.possessor, GENITIVE))
        if phrase.relative:
            words.append(f", {self.clause(phrase.relative, 'final')} ,")
        return _join(words)

    def determiner(
        self, phrase: NounPhrase, case: str, gender: str, negative: bool
    ) -> tuple[str, str]:
        """Return the determiner and the declension that it requires of an adjective."""
        kind = phrase.determiner
        if kind in ("indefinite", "profession") and negative:
            return "kein" + POSSESSIVE_ENDING[case, gender], "mixed"
        if kind == "indefinite" and phrase.noun.countable and gender != "p":
            return "ein" + POSSESSIVE_ENDING[case, gender], "mixed"
        if kind == "possessive" and isinstance(phrase.possessor, Pronoun):
            base, ending = self.pronoun_forms(phrase.possessor)[3], POSSESSIVE_ENDING[case, gender]
            return ("eur" if base == "euer" and ending else base) + ending, "mixed"
        if kind == "definite" or (kind == "genitive" and not isinstance(phrase.possessor, Name)):
            return ARTICLE[case, gender], "weak"
        if kind in ("this", "which"):
            return {"this": "dies", "which": "welch"}[kind] + STRONG_ENDING[case, gender], "weak"
        return _undeclined(phrase), "strong"

    def pronoun_forms(self, pronoun: Pronoun) -> tuple[str, ...]:
        """Return the nominative, accusative, dative and possessive stem of a pronoun."""
        return PRONOUNS[pronoun.person, pronoun.number, pronoun.gender]

    def render(self, phrase: Phrase, case: str, negative: bool = False) -> str:
        """Return a phrase of any kind in a case."""
        if isinstance(phrase, NounPhrase):
            return self.noun_phrase(phrase, case, negative)
        if isinstance(phrase, Pronoun):
            return self.pronoun_forms(phrase)[CASES.index(case)]
        if isinstance(phrase, Indefinite):
            return phrase.de.split()[CASES.index(case)]
        if isinstance(phrase, Interrogative):
            return INTERROGATIVES[phrase.human][CASES.index(case)]
        if isinstance(phrase, Relative):
            return _relative(phrase, case)
        if isinstance(phrase, Coordination):
            return f"{phrase.first.de} und {phrase.second.de}"
        gender = getattr(phrase, "gender", "")
        return _join([ARTICLE[case, gender] if gender else "", phrase.de])

    def prepositional(self, preposition: str, phrase: Phrase, case: str) -> str:
        """Return a preposition with its phrase, contracted if German requires it ("im", "zum")."""
        if isinstance(phrase, Interrogative) and not phrase.human:
            return "wo" + ("r" if preposition[0] in "aeiouü" else "") + preposition
        text = self.render(phrase, case)
        article, _, rest = text.partition(" ")
        definite = isinstance(phrase, Name) or getattr(phrase, "determiner", "") in (
            "definite",
            "genitive",
        )
        contracted = self.contraction(preposition, article) if definite else ""
        return f"{contracted} {rest}" if contracted else f"{preposition} {text}"

    def contraction(self, preposition: str, article: str) -> str:
        """Return the contraction of a preposition and an article, or ""."""
        return CONTRACTIONS.get((preposition, article), "")

    def verb_group(self, clause: Clause) -> tuple[str, str, str]:
        """Return the finite verb, its separated prefix, and the non-finite forms."""
        verb, (person, number) = clause.verb, _agreement(_subject(clause))
        if periphrasis := _periphrasis(clause):
            forms, nonfinite = periphrasis
            return form_for(forms, person, number), "", nonfinite
        for tenses, table in ((PAST_TENSES, PRETERITE), (UNREAL_TENSES, SUBJUNCTIVE)):
            if clause.tense in tenses:
                return form_for(table[verb.de], person, number), verb.prefix, ""
        return present(verb, person, number), verb.prefix, ""

    def participants(self, clause: Clause, implied: Phrase | None) -> list[tuple[Slot, str]]:
        """Return the subject and its reflexive pronoun; ``implied`` is an infinitive's subject."""
        if clause.subject is None:
            return [(Slot.REFLEXIVE, self.reflexive(implied))] if clause.verb.reflexive else []
        if clause.verb.kind == "experience":
            # The dative precedes the subject, unless that is a pronoun: "ob sie ihm gefällt".
            after = isinstance(_subject(clause), Pronoun)
            slot = Slot.DATIVE_PRONOUN if after else Slot.EXPERIENCER
            return [(slot, self.render(clause.subject, DATIVE)), self._nominative(clause)]
        parts = [self._nominative(clause)]
        if clause.verb.reflexive:
            before = not isinstance(clause.subject, Pronoun)
            slot = Slot.EXPERIENCER if before else Slot.REFLEXIVE
            parts.append((slot, self.reflexive(clause.subject)))
        return parts

    def _nominative(self, clause: Clause) -> tuple[Slot, str]:
        subject = _subject(clause)
        # "Hat mich jemand angerufen?", but "Hat Anna mich angerufen?"
        slot = Slot.INDEFINITE_SUBJECT if isinstance(subject, Indefinite) else Slot.SUBJECT
        return slot, self.render(subject, NOMINATIVE)

    def reflexive(self, subject: Phrase | None) -> str:
        """Return the reflexive pronoun of a subject."""
        if not isinstance(subject, Pronoun) or subject.person == 3 or subject.gender == "formal":
            return "sich"
        return self.pronoun_forms(subject)[1].removesuffix(" zwei")

    def complement(self, part: Argument, negative: bool) -> tuple[Slot, str]:
        """Return the position of a complement in the middle field, and its wording."""
        if isinstance(part, Quality):
            return Slot.PREDICATE, self._quality(part)
        if isinstance(part, Measure):
            unit = {"euro": "Euro", "year": "Jahre alt"}[part.unit]
            return Slot.PREDICATE, f"{part.number.de} {unit}"
        if isinstance(part, Clock | Date):
            text = self.adjunct(part)[1]
            return Slot.PREDICATE, text.removeprefix("um ")
        if part.de_preposition:
            text = self.prepositional(part.de_preposition, part.phrase, part.case)
        else:
            text = self.render(part.phrase, part.case, negative and _is_indefinite(part))
        return _complement_slot(part), text

    def _quality(self, part: Quality) -> str:
        adjective = part.adjective
        if part.degree == "comparative":
            than = f" als {self.render(part.than, NOMINATIVE)}" if part.than else ""
            return adjective.de_comparative + than
        if part.degree == "equative" and part.than:
            return f"so {adjective.de} wie {self.render(part.than, NOMINATIVE)}"
        if part.degree == "enough":
            return f"{adjective.de} genug"
        return _join([DEGREES.get(part.degree, ("", ""))[1], adjective.de])

    def adjunct(self, part: Adjunct) -> tuple[Slot, str]:
        """Return the position of an adjunct in the middle field, and its wording."""
        if isinstance(part, Clock):
            return Slot.TIME, _clock(part)
        if isinstance(part, Span):
            return Slot.TIME, _span(part)
        if isinstance(part, Date):
            return (
                Slot.TIME,
                f"am {part.day.de} {part.month.de}" if part.day else f"im {part.month.de}",
            )
        if isinstance(part, Question):
            return Slot.TIME, part.de
        for name, slot in ADVERB_SLOTS.items():
            if name in part.classes:
                return slot, part.de
        return Slot.TIME if TIME_CLASSES & set(part.classes) else Slot.MANNER, part.de

    def _parts(self, clause: Clause, implied: Phrase | None = None) -> list[tuple[Slot, str]]:
        """Return all phrases of a clause except the verb, in the order of the middle field."""
        negative_article = clause.negative and any(
            isinstance(part, Complement)
            and (_is_indefinite(part) or getattr(part.phrase, "negative", False))
            for part in clause.complements
        )
        parts = self.participants(clause, implied)
        complements = clause.complements[clause.verb.kind == "experience" :]
        parts += [self.complement(part, clause.negative) for part in complements]
        parts += [self.adjunct(part) for part in clause.adjuncts]
        if clause.progressive and clause.verb.kind != "posture" and clause.tense == "present":
            parts.append((Slot.TIME, "gerade"))
        if clause.liking:
            parts.append((Slot.MANNER, "gern"))
        if clause.negative and not negative_article:
            parts.append((Slot.NOT, "nicht"))
        return sorted(parts, key=lambda part: part[0])

    def _question_part(self, clause: Clause) -> tuple[Slot, str] | None:
        """Return the question word or relative pronoun of a clause."""
        if isinstance(clause.subject, Interrogative | Relative):
            return self.participants(clause, None)[0]
        for part in clause.complements:
            if isinstance(part, Complement) and is_interrogative(part.phrase):
                experienced = clause.verb.kind == "experience"
                return self._nominative(clause) if experienced else self.complement(part, False)
        if clause.adjuncts and isinstance(clause.adjuncts[0], Question):
            return self.adjunct(clause.adjuncts[0])
        return None

    def _topic(self, clause: Clause) -> tuple[Slot, str] | None:
        """Return the place or adjunct that begins a statement instead of the subject."""
        if clause.verb.kind == "existence":
            return self.complement(clause.complements[-1], False)
        return self.adjunct(clause.adjuncts[0]) if clause.fronted else None

    def clause(self, clause: Clause, order: str) -> str:
        """Return a clause; ``order`` is the verb position: "first", "second" or "final"."""
        parts = self._parts(clause)
        front = self._question_part(clause)
        if front is None and order == "second":
            front = self._topic(clause) or self._nominative(clause)
        if front:
            parts.remove(front)
        middle = [text for _, text in parts]
        finite, prefix, nonfinite = self.verb_group(clause)
        start = [front[1]] if front else []
        if order == "final":
            return _join([*start, *middle, nonfinite, prefix + finite])
        return _join([*start, finite, *middle, prefix, nonfinite])

    def infinitive_clause(self, clause: Clause, implied: Phrase | None) -> str:
        """Return an infinitive clause with "zu"; `implied` is its subject."""
        verb = clause.verb
        attached = verb.prefix and not verb.prefix.endswith(" ")
        infinitive = verb.prefix + ("zu" if attached else "zu ") + verb.de
        return _join([*(text for _, text in self._parts(clause, implied)), infinitive])

    def imperative_clause(self, clause: Clause, please: bool) -> str:
        """Return an imperative; its clause has no subject if the addressee is "du"."""
        addressee = clause.subject if isinstance(clause.subject, Pronoun) else Pronoun(2)
        parts = self._parts(replace(clause, subject=None), addressee)
        parts += [(Slot.PLEASE, "bitte")] if please else []
        middle = [text for _, text in sorted(parts, key=lambda part: part[0])]
        return _join([self.imperative_form(clause.verb, addressee), *middle, clause.verb.prefix])

    def imperative_form(self, verb: Verb, addressee: Pronoun) -> str:
        """Return the verb of an imperative, with "Sie" if the address is formal."""
        if addressee.gender == "formal":
            return "seien Sie" if verb.de == "sein" else f"{verb.de} Sie"
        return present(verb, 2, PLURAL) if addressee.number == PLURAL else imperative(verb)

    def proposal(self, clause: Clause) -> str:
        """Return "lass uns" with an infinitive."""
        middle = [text for _, text in self._parts(clause, Pronoun(1, PLURAL))]
        return _join(["lass uns", *middle, clause.verb.prefix + clause.verb.de])

    def subordinate(self, subordinate: Subordinate, main: Clause) -> str:
        """Return a subordinate clause of a main clause, with its conjunction."""
        clause, conjunction = subordinate.clause, subordinate.conjunction.de
        if clause.subject is None:
            return _join([conjunction, self.infinitive_clause(clause, main.subject)])
        return _join([conjunction, self.clause(clause, "final")])

    def realise(self, sentence: Sentence) -> str:
        """Return a sentence in German."""
        subordinate, main = sentence.subordinate, sentence.clause
        if sentence.mood in ("imperative", "command"):
            text = self.imperative_clause(main, sentence.mood == "imperative")
        elif sentence.mood == "proposal":
            text = self.proposal(main)
        elif subordinate and subordinate.first:
            text = f"{self.subordinate(subordinate, main)} , {self.clause(main, 'first')}"
        else:
            question = sentence.mood == "question" and self._question_part(main) is None
            text = self.clause(main, "first" if question else "second")
        if subordinate and not subordinate.first:
            text = f"{text} , {self.subordinate(subordinate, main)}"
        if sentence.address:
            text = f"{text} , {sentence.address.de}"
        return punctuate(text, sentence.mood)
