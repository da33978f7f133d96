"""English: do-support and word order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import TypeGuard

from keras_transformer.phrasebook.english_inflection import (
    INVARIABLE,
    PRONOUNS,
    article,
    finite,
    graded,
    ing_form,
    past_participle,
    split_verb,
)
from keras_transformer.phrasebook.lexicon import Adverbial, Name
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
    """The order of the phrases after the verb."""

    PRONOUN = 0
    PARTICLE = 1
    RECIPIENT = 2
    OBJECT = 3
    RESULT = 4
    MANNER = 5
    PREPOSITIONAL = 6
    DIRECTION = 7
    COMPANION = 8
    LOCATION = 9
    MEANS = 10
    DURATION = 11
    CLOCK = 12
    TIME = 13


OPERATORS = {*INVARIABLE, *INVARIABLE.values(), "am", "is", "are", "was", "were"}
CONTRACTIBLE = re.compile(r"(\S+) ~(\w+)")
SHORT_FORMS = {
    **{"am": "'m", "is": "'s", "are": "'re", "have": "'ve", "has": "'s"},
    **{"will": "'ll", "would": "'d"},
}
SHORT_NEGATIONS = {"can": "can't", "will": "won't", "shall": "shan't"}
SHORT_SUBJECTS = ("I", "you", "he", "she", "it", "we", "they", "there", "where", "what", "who")
PERFECT_TENSES = ("perfect", "since")
TENSE_WORDS = {
    "future": ("will",),
    "conditional": ("will",),
    "intention": ("be", "going", "to"),
    "former": ("use", "to"),
}


def _verb_words(clause: Clause) -> list[str]:
    """Return the words of the verb group, the first one as a base form."""
    words = ["have" if clause.causative else split_verb(clause.verb)[0]]
    if clause.passive:
        words = [*(["be", "being"] if clause.progressive else ["be"]), past_participle(clause.verb)]
    elif clause.progressive:
        words = ["be", "having" if clause.causative else ing_form(clause.verb)]
    if clause.liking:
        words = ["like", "to", *words]
    if clause.modal:
        return [*clause.modal.en.split(), *words]
    if clause.tense in PERFECT_TENSES:
        done = "been" if words[0] == "be" else past_participle(clause.verb)
        return ["have", done, *words[1:]]
    return [*TENSE_WORDS.get(clause.tense, ()), *words]


def _agreement(clause: Clause) -> tuple[int, str]:
    """Return person and number of the finite verb; "there is" agrees with its complement."""
    exists = clause.verb.kind == "existence"
    return agreement(first_complement(clause).phrase if exists else subject_of(clause))


def _complement_slot(part: Complement) -> Slot:
    roles = {
        "companion": Slot.COMPANION,
        "means": Slot.MEANS,
        "location": Slot.LOCATION,
        "scope": Slot.LOCATION,
        "direction": Slot.DIRECTION,
    }
    if part.role == "direction" and isinstance(part.phrase, Adverbial):
        return Slot.OBJECT  # "home" stays next to the verb: "drive home alone"
    if part.role in roles:
        return roles[part.role]
    if part.en_preposition:
        return Slot.PREPOSITIONAL
    if isinstance(part.phrase, Pronoun):
        return Slot.PRONOUN
    if isinstance(part.phrase, Name) and part.case == "accusative":
        return Slot.PRONOUN  # before the particle: "call Paul back"
    return Slot.RECIPIENT if part.case == "dative" else Slot.OBJECT


def _clock(clock: Clock) -> str:
    if clock.minutes:
        direction, hour = ("past", clock.hour) if clock.minute < 30 else ("to", clock.next_hour)
        return f"at {clock.minutes.en} {direction} {hour.en}"
    return {
        0: f"at {clock.hour.en} o'clock",
        15: f"at a quarter past {clock.hour.en}",
        30: f"at half past {clock.hour.en}",
        45: f"at a quarter to {clock.next_hour.en}",
    }[clock.minute]


def _date(date: Date) -> str:
    return f"on the {date.day.en} of {date.month.en}" if date.day else f"in {date.month.en}"


def _span(span: Span) -> str:
    units = f"{span.number.en} {span.unit.en_plural}"
    if span.kind == "ago":
        return f"{units} ago"
    return f"{'in' if span.kind == 'in' else 'for'} {units}"


MIDDLE_CLASSES = {"frequency", "middle"}  # adverbs that precede the verb: "often"


def _is_frequency(part: Adjunct) -> TypeGuard[Adverbial]:
    return isinstance(part, Adverbial) and not MIDDLE_CLASSES.isdisjoint(part.classes)


def _subject_and_operator(clause: Clause, subject: str, operator: str, more: bool) -> list[str]:
    """Return the beginning of a statement; "~" marks words that may contract with the previous."""
    attached = clause.negative and operator != "am"
    negation = [f"{'~' * attached}not"] if clause.negative else []
    short = subject in SHORT_SUBJECTS and operator in SHORT_FORMS and more and not attached
    short = short and (subject, operator) != ("there", "are")
    return [subject, ("~" if short else "") + operator, *negation]


def _worded(text: str, contracted: bool) -> str:
    """Return a text with the contractions marked by "~", or with full forms."""
    if contracted:
        return CONTRACTIBLE.sub(_short_form, text)
    return text.replace("~", "").replace("can not", "cannot")


def _short_form(match: re.Match[str]) -> str:
    word, following = match.groups()
    if following == "not":
        return SHORT_NEGATIONS.get(word, f"{word}n't")
    return word + SHORT_FORMS[following]


def _join(words: Iterable[str]) -> str:
    return " ".join(word for word in words if word)


BEGINNINGS = {"imperative": "please", "command": "", "proposal": "let's"}


class English:
    """The rules that put syntax trees into English.

    Each method puts one kind of node into words. A subclass can override them, for example to mark
    the words of a node: see `keras_transformer.inspection.alignments.grammar`.
    """

    def noun_phrase(self, phrase: NounPhrase, bare: bool = False) -> str:
        """Return a noun phrase; ``bare`` omits the determiner ("at school")."""
        noun = phrase.noun.en_plural if phrase.number == PLURAL else phrase.noun.en
        words = [graded(phrase.adjective, phrase.degree)] if phrase.adjective else []
        words.append(noun)
        if not bare:
            words.insert(0, self.determiner(phrase, words[0]))
        if phrase.relative:
            words.append(self.clause(phrase.relative, inverted=False))
        return _join(words)

    def determiner(self, phrase: NounPhrase, following: str) -> str:
        """Return the determiner of a noun phrase; `following` is the text after it."""
        kind, plural, owner = phrase.determiner, phrase.number == PLURAL, phrase.possessor
        if kind in ("indefinite", "profession"):
            return article(following) if phrase.noun.countable and not plural else ""
        if kind == "possessive" and isinstance(owner, Pronoun):
            return self.pronoun_forms(owner)[2]
        if kind == "genitive" and owner:
            return self.render(owner) + ("'" if agreement(owner)[1] == PLURAL else "'s")
        if kind == "fixed":
            return "the" if "instrument" in phrase.noun.classes else ""
        if kind == "number" and phrase.numeral:
            return phrase.numeral.en
        return {"definite": "the", "this": "these" if plural else "this"}.get(kind, kind)

    def pronoun_forms(self, pronoun: Pronoun) -> tuple[str, ...]:
        """Return the subject, object and possessive forms of a pronoun."""
        return PRONOUNS[pronoun.person, pronoun.number, pronoun.gender]

    def render(self, phrase: Phrase, subject: bool = False, bare: bool = False) -> str:
        """Return a phrase of any kind, as a subject or as an object."""
        if isinstance(phrase, NounPhrase):
            return self.noun_phrase(phrase, bare)
        if isinstance(phrase, Pronoun):
            return self.pronoun_forms(phrase)[0 if subject else 1]
        if isinstance(phrase, Indefinite):
            return phrase.en
        if isinstance(phrase, Interrogative):
            return "who" if phrase.human else "what"
        if isinstance(phrase, Relative):
            human = {"person", "kin", "spouse:m", "spouse:f"} & set(phrase.noun.classes)
            return "who" if human and subject else "that"
        if isinstance(phrase, Coordination):
            return f"{phrase.first.en} and {phrase.second.en}"
        return phrase.en

    def verb_group(self, clause: Clause, inverted: bool) -> tuple[str, list[str]]:
        """Return the operator ("" if there is none) and the other verbs.

        Questions and negative clauses use "do" if they have no other operator.
        """
        subject = _agreement(clause)
        base, *rest = _verb_words(clause)
        irregular = clause.verb.en_past if base == split_verb(clause.verb)[0] else ""
        form = finite(base, subject, clause.tense, irregular)
        if form in OPERATORS or (clause.tense in PERFECT_TENSES and not clause.modal):
            operator = form
        elif inverted or clause.negative:
            operator, rest = finite("do", subject, clause.tense), [base, *rest]
        else:
            operator, rest = "", [form, *rest]
        return operator, rest

    def complement(self, part: Argument) -> tuple[Slot, str]:
        """Return the position of a complement in the clause, and its wording."""
        if isinstance(part, Quality):
            return Slot.OBJECT, self._quality(part)
        if isinstance(part, Measure):
            unit = {"euro": "euros", "year": "years old"}[part.unit]
            return Slot.OBJECT, f"{part.number.en} {unit}"
        if isinstance(part, Clock | Date):
            return Slot.OBJECT, self.adjunct(part)[1].removeprefix("at ")
        text = "" if is_interrogative(part.phrase) else self.render(part.phrase, bare=part.bare)
        return _complement_slot(part), _join([part.en_preposition, text])

    def _quality(self, part: Quality) -> str:
        adjective = part.adjective
        if part.degree == "comparative":
            than = f" than {self.render(part.than)}" if part.than else ""
            return adjective.en_comparative + than
        if part.degree == "equative" and part.than:
            return f"as {adjective.en} as {self.render(part.than)}"
        if part.degree == "enough":
            return f"{adjective.en} enough"
        return _join([DEGREES.get(part.degree, ("", ""))[0], adjective.en])

    def adjunct(self, part: Adjunct) -> tuple[Slot, str]:
        """Return the position of an adjunct in the clause, and its wording."""
        if isinstance(part, Clock):
            return Slot.CLOCK, _clock(part)
        if isinstance(part, Span):
            return (Slot.DURATION if part.kind == "duration" else Slot.TIME), _span(part)
        if isinstance(part, Date):
            return Slot.TIME, _date(part)
        if isinstance(part, Question):
            return Slot.TIME, part.en
        if "alone" in part.classes:  # "fly to Japan alone"
            return Slot.MEANS, part.en
        return Slot.TIME if TIME_CLASSES & set(part.classes) else Slot.MANNER, part.en

    def _front(self, clause: Clause) -> str:
        """Return what precedes the subject: a question word, relative pronoun or adjunct."""
        for part in clause.complements:
            if isinstance(part, Complement) and is_interrogative(part.phrase):
                return self.render(part.phrase)
        if clause.adjuncts and (clause.fronted or isinstance(clause.adjuncts[0], Question)):
            return self.adjunct(clause.adjuncts[0])[1]
        return ""

    def _after_verb(self, clause: Clause, front: str) -> list[str]:
        parts = [self.complement(part) for part in clause.complements]
        parts += [self.adjunct(part) for part in clause.adjuncts if not _is_frequency(part)]
        particle = split_verb(clause.verb)[1]
        if clause.causative:
            parts.append((Slot.RESULT, _join([past_participle(clause.verb), particle])))
        else:
            parts.append((Slot.PARTICLE, particle))
        parts.sort(key=lambda part: part[0])
        return [text for _, text in parts if text != front]

    def clause(self, clause: Clause, inverted: bool) -> str:
        """Return a finite clause; `inverted` puts the operator before the subject."""
        front = self._front(clause)
        exists = clause.verb.kind == "existence"
        subject = "there" if exists else self.render(subject_of(clause), subject=True)
        operator, rest = self.verb_group(clause, inverted)
        frequency = [
            part.en for part in clause.adjuncts if _is_frequency(part) and part.en != front
        ]
        after = [*frequency, *rest, *self._after_verb(clause, front)]
        detached = clause.fronted and "detached" in getattr(clause.adjuncts[0], "classes", ())
        if inverted:
            mark = "~" if front in SHORT_SUBJECTS and operator == "is" and any(after) else ""
            negation = ["not"] if clause.negative else []
            return _join([front, mark + operator, subject, *negation, *after])
        front += " ," if detached else ""
        return _join([front, *_subject_and_operator(clause, subject, operator, any(after)), *after])

    def infinitive_clause(self, clause: Clause) -> str:
        """Return a clause without a subject, with the bare infinitive."""
        middle = [part.en for part in clause.adjuncts if _is_frequency(part)]
        return _join([*middle, split_verb(clause.verb)[0], *self._after_verb(clause, "")])

    def subordinate(self, subordinate: Subordinate) -> str:
        """Return a subordinate clause with its conjunction."""
        clause, conjunction = subordinate.clause, subordinate.conjunction.en
        if clause.subject is None:
            return _join([conjunction, self.infinitive_clause(clause)])
        if conjunction == "to":  # "I want you to help me"
            return _join([self.render(clause.subject), conjunction, self.infinitive_clause(clause)])
        return _join([conjunction, self.clause(clause, inverted=False)])

    def realise(self, sentence: Sentence) -> str:
        """Return a sentence in English."""
        subordinate, main = sentence.subordinate, sentence.clause
        if sentence.mood in BEGINNINGS:
            negation = "not" if sentence.mood == "proposal" else "do ~not"
            words = [BEGINNINGS[sentence.mood], negation if main.negative else ""]
            text = _join([*words, self.infinitive_clause(main)])
        else:
            asks_subject = main.subject is not None and is_interrogative(main.subject)
            text = self.clause(main, inverted=sentence.mood == "question" and not asks_subject)
        if subordinate and subordinate.first:
            text = f"{self.subordinate(subordinate)} , {text}"
        elif subordinate:
            text = f"{text} {self.subordinate(subordinate)}"
        if sentence.address:
            text = f"{text} , {sentence.address.en}"
        return punctuate(_worded(text, sentence.contracted), sentence.mood)
