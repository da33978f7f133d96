"""English: inflection, do-support and word order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import TypeGuard

from keras_transformer.phrasebook.lexicon import Adjective, Adverbial, Name, Verb
from keras_transformer.phrasebook.syntax import (
    DEGREES,
    PLURAL,
    SINGULAR,
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


# Subject, object and possessive forms of the personal pronouns.
PRONOUNS = {
    (1, SINGULAR, ""): ("I", "me", "my"),
    (2, SINGULAR, ""): ("you", "you", "your"),
    (3, SINGULAR, "m"): ("he", "him", "his"),
    (3, SINGULAR, "f"): ("she", "her", "her"),
    (3, SINGULAR, "n"): ("it", "it", "its"),
    (1, PLURAL, ""): ("we", "us", "our"),
    (2, SINGULAR, "formal"): ("you", "you", "your"),
    (2, PLURAL, ""): ("you two", "you two", "your"),
    (2, PLURAL, "addressed"): ("you", "you", "your"),
    (3, PLURAL, ""): ("they", "them", "their"),
}
INVARIABLE = {"can": "could", "will": "would", "would": "would", "should": "should"}
INVARIABLE |= {"shall": "should", "may": "might"}
OPERATORS = {*INVARIABLE, *INVARIABLE.values(), "am", "is", "are", "was", "were"}
CONTRACTIBLE = re.compile(r"(\S+) ~(\w+)")
SHORT_FORMS = {
    **{"am": "'m", "is": "'s", "are": "'re", "have": "'ve", "has": "'s"},
    **{"will": "'ll", "would": "'d"},
}
SHORT_NEGATIONS = {"can": "can't", "will": "won't", "shall": "shan't"}
SHORT_SUBJECTS = ("I", "you", "he", "she", "it", "we", "they", "there", "where", "what", "who")
IRREGULAR_PAST = {"have": "had", "do": "did"}
VOWELS = "aeiou"
CONSONANT_SOUND = ("uni", "use", "eu", "one")  # vowel letter, but consonant: "a useful tool"
VOWEL_SOUND = ("hour", "honest")


# Noun phrases


def article(following: str) -> str:
    """Return the indefinite article before a word."""
    word = following.lower()
    vowel = word[0] in VOWELS and not word.startswith(CONSONANT_SOUND)
    return "an" if vowel or word.startswith(VOWEL_SOUND) else "a"


def noun_phrase(phrase: NounPhrase, bare: bool = False) -> str:
    """Return a noun phrase; ``bare`` omits the determiner ("at school")."""
    noun = phrase.noun.en_plural if phrase.number == PLURAL else phrase.noun.en
    words = [graded(phrase.adjective, phrase.degree)] if phrase.adjective else []
    words.append(noun)
    if not bare:
        words.insert(0, _determiner(phrase, words[0]))
    if phrase.relative:
        words.append(_clause(phrase.relative, inverted=False))
    return _join(words)


def graded(word: Adjective, degree: str) -> str:
    """Return an attributive adjective in a degree of comparison."""
    comparative = word.en_comparative
    if degree == "comparative":
        return comparative
    if degree == "superlative":
        return superlative(comparative)
    return word.en


def superlative(comparative: str) -> str:
    """Return the superlative for a comparative."""
    if comparative.startswith("more "):
        return "most" + comparative[4:]
    return {"better": "best", "worse": "worst"}.get(comparative, comparative[:-1] + "st")


def _determiner(phrase: NounPhrase, following: str) -> str:
    kind, plural, owner = phrase.determiner, phrase.number == PLURAL, phrase.possessor
    if kind in ("indefinite", "profession"):
        return article(following) if phrase.noun.countable and not plural else ""
    if kind == "possessive" and isinstance(owner, Pronoun):
        return _pronoun_forms(owner)[2]
    if kind == "genitive" and owner:
        return render(owner) + ("'" if agreement(owner)[1] == PLURAL else "'s")
    if kind == "fixed":
        return "the" if "instrument" in phrase.noun.classes else ""
    if kind == "number" and phrase.numeral:
        return phrase.numeral.en
    return {"definite": "the", "this": "these" if plural else "this"}.get(kind, kind)


def _pronoun_forms(pronoun: Pronoun) -> tuple[str, str, str]:
    return PRONOUNS[pronoun.person, pronoun.number, pronoun.gender]


def render(phrase: Phrase, subject: bool = False, bare: bool = False) -> str:
    """Return a phrase of any kind, as a subject or as an object."""
    if isinstance(phrase, NounPhrase):
        return noun_phrase(phrase, bare)
    if isinstance(phrase, Pronoun):
        return _pronoun_forms(phrase)[0 if subject else 1]
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


# Verbs

PERFECT_TENSES = ("perfect", "since")
TENSE_WORDS = {
    "future": ("will",),
    "conditional": ("will",),
    "intention": ("be", "going", "to"),
    "former": ("use", "to"),
}


def _split(verb: Verb) -> tuple[str, str]:
    """Return the inflected verb and the rest: ``get`` and ``up``."""
    head, _, rest = verb.en.partition(" ")
    return head, rest


def third_person(base: str) -> str:
    """Return the third person singular present form."""
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")


def past(base: str, irregular: str = "") -> str:
    """Return the simple past of any verb except "be"."""
    if irregular or base in IRREGULAR_PAST:
        return irregular or IRREGULAR_PAST[base]
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ied"
    return base + ("d" if base.endswith("e") else "ed")


def ing_form(verb: Verb) -> str:
    """Return the -ing form of the inflected verb."""
    head, _ = _split(verb)
    if verb.en_ing:
        return verb.en_ing
    return (head[:-1] if head.endswith("e") and not head.endswith("ee") else head) + "ing"


def finite(base: str, subject: tuple[int, str], tense: str, irregular: str = "") -> str:
    """Return the finite form for the person and number of a subject."""
    if base == "be":
        return _be(subject, tense)
    remote = tense in ("past", "unreal", "former", "conditional")
    if base in INVARIABLE:
        return INVARIABLE[base] if remote else base
    if remote:
        return past(base, irregular)
    return third_person(base) if subject == (3, SINGULAR) else base


def _be(subject: tuple[int, str], tense: str) -> str:
    first, third = subject == (1, SINGULAR), subject == (3, SINGULAR)
    if tense == "unreal":
        return "were"
    if tense == "past":
        return "was" if first or third else "were"
    if first:
        return "am"
    return "is" if third else "are"


def _verb_words(clause: Clause) -> list[str]:
    """Return the words of the verb group, the first one as a base form."""
    words = ["have" if clause.causative else _split(clause.verb)[0]]
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


def past_participle(verb: Verb) -> str:
    """Return the past participle of the inflected verb."""
    return verb.en_done or past(_split(verb)[0], verb.en_past)


def _agreement(clause: Clause) -> tuple[int, str]:
    """Return person and number of the finite verb; "there is" agrees with its complement."""
    exists = clause.verb.kind == "existence"
    return agreement(first_complement(clause).phrase if exists else subject_of(clause))


def _verb_group(clause: Clause, inverted: bool) -> tuple[str, list[str]]:
    """Return the operator ("" if there is none) and the other verbs.

    Questions and negative clauses use "do" if they have no other operator.
    """
    subject = _agreement(clause)
    base, *rest = _verb_words(clause)
    irregular = clause.verb.en_past if base == _split(clause.verb)[0] else ""
    form = finite(base, subject, clause.tense, irregular)
    if form in OPERATORS or (clause.tense in PERFECT_TENSES and not clause.modal):
        operator = form
    elif inverted or clause.negative:
        operator, rest = finite("do", subject, clause.tense), [base, *rest]
    else:
        operator, rest = "", [form, *rest]
    return operator, rest


# Clauses


def _complement(part: Argument) -> tuple[Slot, str]:
    if isinstance(part, Quality):
        return Slot.OBJECT, _quality(part)
    if isinstance(part, Measure):
        unit = {"euro": "euros", "year": "years old"}[part.unit]
        return Slot.OBJECT, f"{part.number.en} {unit}"
    if isinstance(part, Clock | Date):
        return Slot.OBJECT, adjunct(part)[1].removeprefix("at ")
    text = "" if is_interrogative(part.phrase) else render(part.phrase, bare=part.bare)
    return _complement_slot(part), _join([part.en_preposition, text])


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


def _quality(part: Quality) -> str:
    adjective = part.adjective
    if part.degree == "comparative":
        than = f" than {render(part.than)}" if part.than else ""
        return adjective.en_comparative + than
    if part.degree == "equative" and part.than:
        return f"as {adjective.en} as {render(part.than)}"
    if part.degree == "enough":
        return f"{adjective.en} enough"
    return _join([DEGREES.get(part.degree, ("", ""))[0], adjective.en])


def adjunct(part: Adjunct) -> tuple[Slot, str]:
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


def _front(clause: Clause) -> str:
    """Return what precedes the subject: a question word, relative pronoun or fronted adjunct."""
    for part in clause.complements:
        if isinstance(part, Complement) and is_interrogative(part.phrase):
            return render(part.phrase)
    if clause.adjuncts and (clause.fronted or isinstance(clause.adjuncts[0], Question)):
        return adjunct(clause.adjuncts[0])[1]
    return ""


def _after_verb(clause: Clause, front: str) -> list[str]:
    parts = [_complement(part) for part in clause.complements]
    parts += [adjunct(part) for part in clause.adjuncts if not _is_frequency(part)]
    particle = _split(clause.verb)[1]
    if clause.causative:
        parts.append((Slot.RESULT, _join([past_participle(clause.verb), particle])))
    else:
        parts.append((Slot.PARTICLE, particle))
    parts.sort(key=lambda part: part[0])
    return [text for _, text in parts if text != front]


def _clause(clause: Clause, inverted: bool) -> str:
    front = _front(clause)
    exists = clause.verb.kind == "existence"
    subject = "there" if exists else render(subject_of(clause), subject=True)
    operator, rest = _verb_group(clause, inverted)
    frequency = [part.en for part in clause.adjuncts if _is_frequency(part) and part.en != front]
    after = [*frequency, *rest, *_after_verb(clause, front)]
    detached = clause.fronted and "detached" in getattr(clause.adjuncts[0], "classes", ())
    if inverted:
        mark = "~" if front in SHORT_SUBJECTS and operator == "is" and any(after) else ""
        negation = ["not"] if clause.negative else []
        return _join([front, mark + operator, subject, *negation, *after])
    front += " ," if detached else ""
    return _join([front, *_subject_and_operator(clause, subject, operator, any(after)), *after])


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


def _infinitive_clause(clause: Clause) -> str:
    middle = [part.en for part in clause.adjuncts if _is_frequency(part)]
    return _join([*middle, _split(clause.verb)[0], *_after_verb(clause, "")])


def _subordinate(subordinate: Subordinate) -> str:
    clause, conjunction = subordinate.clause, subordinate.conjunction.en
    if clause.subject is None:
        return _join([conjunction, _infinitive_clause(clause)])
    if conjunction == "to":  # "I want you to help me"
        return _join([render(clause.subject), conjunction, _infinitive_clause(clause)])
    return _join([conjunction, _clause(clause, inverted=False)])


def _join(words: Iterable[str]) -> str:
    return " ".join(word for word in words if word)


BEGINNINGS = {"imperative": "please", "command": "", "proposal": "let's"}


def realise(sentence: Sentence) -> str:
    """Return a sentence in English."""
    subordinate, main = sentence.subordinate, sentence.clause
    if sentence.mood in BEGINNINGS:
        negation = "not" if sentence.mood == "proposal" else "do ~not"
        words = [BEGINNINGS[sentence.mood], negation if main.negative else ""]
        text = _join([*words, _infinitive_clause(main)])
    else:
        asks_subject = main.subject is not None and is_interrogative(main.subject)
        text = _clause(main, inverted=sentence.mood == "question" and not asks_subject)
    if subordinate and subordinate.first:
        text = f"{_subordinate(subordinate)} , {text}"
    elif subordinate:
        text = f"{text} {_subordinate(subordinate)}"
    if sentence.address:
        text = f"{text} , {sentence.address.en}"
    return punctuate(_worded(text, sentence.contracted), sentence.mood)
