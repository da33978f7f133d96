"""German: inflection and word order.

The finite verb comes second in a statement, first in a yes/no question and last in a subordinate
clause. A separable prefix, participle or infinitive comes at the end of the clause. The phrases in
the middle field, between the two parts of the verb, are ordered by :class:`Slot`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import IntEnum

from keras_transformer.phrasebook.lexicon import Adjective, Name, Noun, Verb
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

NOMINATIVE, ACCUSATIVE, DATIVE, GENITIVE = "nominative", "accusative", "dative", "genitive"
CASES = (NOMINATIVE, ACCUSATIVE, DATIVE, GENITIVE)
GENDERS = "mfnp"  # masculine, feminine, neuter and plural


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


def _table(text: str) -> dict[tuple[str, str], str]:
    """Parse a table with a row for each case and a column for each gender; "-": no ending."""
    rows = [line.split() for line in text.strip().splitlines()]
    return {
        (case, gender): form.replace("-", "")
        for case, row in zip(CASES, rows, strict=True)
        for gender, form in zip(GENDERS, row, strict=True)
    }


ARTICLE = _table("""
    der die das die
    den die das die
    dem der dem den
    des der des der
""")
STRONG_ENDING = _table("""
    er e es e
    en e es e
    em er em en
    es er es er
""")
POSSESSIVE_ENDING = _table("""
    -  e -  e
    en e -  e
    em er em en
    es er es er
""")
ADJECTIVE_ENDINGS = {
    "weak": _table("""
        e  e  e  en
        en e  e  en
        en en en en
        en en en en
    """),
    "mixed": _table("""
        er e  es en
        en e  es en
        en en en en
        en en en en
    """),
    "strong": _table("""
        er e  es e
        en e  es e
        em er em en
        en er en er
    """),
}

# Nominative, accusative, dative and possessive stem of the personal pronouns.
PRONOUNS = {
    (1, SINGULAR, ""): ("ich", "mich", "mir", "mein"),
    (2, SINGULAR, ""): ("du", "dich", "dir", "dein"),
    (3, SINGULAR, "m"): ("er", "ihn", "ihm", "sein"),
    (3, SINGULAR, "f"): ("sie", "sie", "ihr", "ihr"),
    (3, SINGULAR, "n"): ("es", "es", "ihm", "sein"),
    (1, PLURAL, ""): ("wir", "uns", "uns", "unser"),
    (2, SINGULAR, "formal"): ("Sie", "Sie", "Ihnen", "Ihr"),
    (2, PLURAL, ""): ("ihr zwei", "euch zwei", "euch zwei", "euer"),
    (2, PLURAL, "addressed"): ("ihr", "euch", "euch", "euer"),
    (3, PLURAL, ""): ("sie", "sie", "ihnen", "ihr"),
}
INTERROGATIVES = {True: ("wer", "wen", "wem"), False: ("was", "was", "was")}

IRREGULAR_SUPERLATIVES = {
    **{"bess": "best", "größ": "größt", "höh": "höchst"},
    **{"teur": "teuerst", "saur": "sauerst", "dunkl": "dunkelst"},
}
CONTRACTIONS = {
    ("in", "dem"): "im",
    ("in", "das"): "ins",
    ("an", "dem"): "am",
    ("an", "das"): "ans",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
    ("von", "dem"): "vom",
    ("bei", "dem"): "beim",
}

# Irregular present tense: ich, du, er/sie/es, wir/sie.
PRESENT = {
    "sein": "bin bist ist sind",
    "haben": "habe hast hat haben",
    "werden": "werde wirst wird werden",
    "wissen": "weiß weißt weiß wissen",
    "tun": "tue tust tut tun",
    "können": "kann kannst kann können",
    "müssen": "muss musst muss müssen",
    "wollen": "will willst will wollen",
    "dürfen": "darf darfst darf dürfen",
    "sollen": "sollte solltest sollte sollten",
    "lassen": "lasse lässt lässt lassen",
    "soll": "soll sollst soll sollen",
    "mögen": "möchte möchtest möchte möchten",
    "möchten": "möchte möchtest möchte möchten",
}
LIKE = "mag magst mag mögen"  # the main verb "mögen"
# In the past, auxiliaries and modals use the preterite and all other verbs the perfect.
PRETERITE = {
    "sein": "war warst war waren",
    "haben": "hatte hattest hatte hatten",
    "können": "konnte konntest konnte konnten",
    "müssen": "musste musstest musste mussten",
    "wollen": "wollte wolltest wollte wollten",
    "dürfen": "durfte durftest durfte durften",
    "mögen": "mochte mochtest mochte mochten",
    "möchten": "wollte wolltest wollte wollten",
    "werden": "wurde wurdest wurde wurden",
}
SUBJUNCTIVE = {
    "sein": "wäre wärst wäre wären",
    "haben": "hätte hättest hätte hätten",
    "werden": "würde würdest würde würden",
    "können": "könnte könntest könnte könnten",
    "müssen": "müsste müsstest müsste müssten",
    "dürfen": "dürfte dürftest dürfte dürften",
    "wissen": "wüsste wüsstest wüsste wüssten",
}
UNREAL_TENSES = ("unreal", "conditional")
FUTURE_TENSES = ("future", "intention")
PAST_TENSES = ("past", "perfect", "former")


def _cell(forms: str, person: int, number: str) -> str:
    cells = forms.split()
    if (person, number) == (2, PLURAL):
        return "seid" if cells[3] == "sind" else _second_plural(cells[3])
    return cells[3 if number == PLURAL else person - 1]


def _second_plural(plural: str) -> str:
    """Return the form for "ihr", derived from the form for "wir"."""
    base = stem(plural)
    return base + ("et" if _inserts_e(base) else "t")


# Nouns and noun phrases


def decline(noun: Noun, number: str, case: str) -> str:
    """Return a noun in a number and case."""
    if number == PLURAL:
        return noun.de_plural + ("n" if case == DATIVE and noun.de_plural[-1] not in "ns" else "")
    if noun.declension == "weak" and case != NOMINATIVE:
        return noun.de_plural
    if case == GENITIVE and noun.gender in "mn":
        return noun.declension or noun.de + _genitive_ending(noun.de)
    return noun.de


def _genitive_ending(singular: str) -> str:
    return "es" if singular.endswith(("s", "ß", "z", "nd", "nn", "st", "hn", "zt", "sch")) else "s"


def noun_phrase(phrase: NounPhrase, case: str, negative: bool = False) -> str:
    """Return a noun phrase in a case; ``negative`` replaces an indefinite article with "kein"."""
    gender = "p" if phrase.number == PLURAL else phrase.noun.gender
    determiner, declension = _determiner(phrase, case, gender, negative)
    words = [determiner]
    if phrase.adjective:
        base = graded(phrase.adjective, phrase.degree)
        words.append(base + ADJECTIVE_ENDINGS[declension][case, gender])
    words.append(decline(phrase.noun, phrase.number, case))
    if phrase.determiner == "genitive" and isinstance(phrase.possessor, NounPhrase):
        words.append(noun_phrase(phrase.possessor, GENITIVE))
    if phrase.relative:
        words.append(f", {_clause(phrase.relative, 'final')} ,")
    return _join(words)


def graded(word: Adjective, degree: str) -> str:
    """Return an adjective's stem in a degree of comparison: ``alt``, ``älter``, ``ältest``."""
    if degree == "comparative":
        return word.de_comparative
    if degree == "superlative":
        return superlative(word.de_comparative)
    return word.stem


def superlative(comparative: str) -> str:
    """Return the superlative stem for a comparative."""
    base = comparative[:-2]
    if base in IRREGULAR_SUPERLATIVES:
        return IRREGULAR_SUPERLATIVES[base]
    inserts = base.endswith(("t", "d", "s", "ß", "z", "sch", "eu")) and not base.endswith("end")
    return base + ("est" if inserts else "st")


def _determiner(phrase: NounPhrase, case: str, gender: str, negative: bool) -> tuple[str, str]:
    """Return the determiner and the declension that it requires of an adjective."""
    kind = phrase.determiner
    if kind in ("indefinite", "profession") and negative:
        return "kein" + POSSESSIVE_ENDING[case, gender], "mixed"
    if kind == "indefinite" and phrase.noun.countable and gender != "p":
        return "ein" + POSSESSIVE_ENDING[case, gender], "mixed"
    if kind == "possessive" and isinstance(phrase.possessor, Pronoun):
        base, ending = _pronoun_forms(phrase.possessor)[3], POSSESSIVE_ENDING[case, gender]
        return ("eur" if base == "euer" and ending else base) + ending, "mixed"
    if kind == "definite" or (kind == "genitive" and not isinstance(phrase.possessor, Name)):
        return ARTICLE[case, gender], "weak"
    if kind in ("this", "which"):
        return {"this": "dies", "which": "welch"}[kind] + STRONG_ENDING[case, gender], "weak"
    return _undeclined(phrase), "strong"


def _undeclined(phrase: NounPhrase) -> str:
    if phrase.determiner == "genitive" and isinstance(phrase.possessor, Name):
        return phrase.possessor.de + "s"
    if phrase.determiner == "how many":
        return "wie viele"
    return phrase.numeral.de if phrase.numeral else ""


def _pronoun_forms(pronoun: Pronoun) -> tuple[str, ...]:
    return PRONOUNS[pronoun.person, pronoun.number, pronoun.gender]


def _relative(pronoun: Relative, case: str) -> str:
    if pronoun.number == PLURAL and case == DATIVE:
        return "denen"
    return ARTICLE[case, "p" if pronoun.number == PLURAL else pronoun.noun.gender]


def render(phrase: Phrase, case: str, negative: bool = False) -> str:
    """Return a phrase of any kind in a case."""
    if isinstance(phrase, NounPhrase):
        return noun_phrase(phrase, case, negative)
    if isinstance(phrase, Pronoun):
        return _pronoun_forms(phrase)[CASES.index(case)]
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


def prepositional(preposition: str, phrase: Phrase, case: str) -> str:
    """Return a preposition with its phrase, contracted where German requires it (im, zum, ins)."""
    if isinstance(phrase, Interrogative) and not phrase.human:
        return "wo" + ("r" if preposition[0] in "aeiouü" else "") + preposition
    text = render(phrase, case)
    article, _, rest = text.partition(" ")
    definite = isinstance(phrase, Name) or getattr(phrase, "determiner", "") in (
        "definite",
        "genitive",
    )
    contracted = CONTRACTIONS.get((preposition, article)) if definite else None
    return f"{contracted} {rest}" if contracted else f"{preposition} {text}"


# Verbs


def stem(infinitive: str) -> str:
    """Return the infinitive without -en, otherwise without -n: ``sammel`` for ``sammeln``."""
    return infinitive[:-2] if infinitive.endswith("en") else infinitive[:-1]


def _first_person_stem(infinitive: str) -> str:
    return infinitive[:-3] + "l" if infinitive.endswith("eln") else stem(infinitive)


def _inserts_e(verb_stem: str) -> bool:
    return verb_stem.endswith(("t", "d", "chn", "ffn", "gn", "kn"))


def present(verb: Verb, person: int, number: str) -> str:
    """Return a present form, without the separable prefix."""
    if verb.de in PRESENT:
        table = LIKE if verb.de == "mögen" else PRESENT[verb.de]
        return _cell(table, person, number)
    if number == PLURAL:
        return _second_plural(verb.de) if person == 2 else verb.de
    if person == 1:
        return _first_person_stem(verb.de) + "e"
    if verb.du_er:
        return verb.du_er[person - 2]
    base = stem(verb.de)
    if _inserts_e(base):
        return base + ("est" if person == 2 else "et")
    return base + ("st" if person == 2 and base[-1] not in "sßzx" else "t")


def participle(verb: Verb) -> str:
    """Return the past participle, including the separable prefix."""
    if verb.participle:
        return verb.participle
    base = stem(verb.de)
    regular = base + ("et" if _inserts_e(base) else "t")
    if verb.de.endswith("ieren"):
        return verb.prefix + regular
    return f"{verb.prefix}ge{regular}"


def imperative(verb: Verb) -> str:
    """Return the singular imperative, without the prefix: ``lies``, ``warte``, ``fahr``."""
    base = stem(verb.de)
    if verb.du_er and "i" in verb.du_er[1] and "i" not in base:
        return verb.du_er[1].removesuffix("t")
    if _inserts_e(base) or verb.de.endswith(("eln", "ern", "ieren")):
        return _first_person_stem(verb.de) + "e"
    return base


def _verb_group(clause: Clause) -> tuple[str, str, str]:
    """Return the finite verb, its separated prefix, and the non-finite forms."""
    verb, (person, number) = clause.verb, _agreement(_subject(clause))
    if periphrasis := _periphrasis(clause):
        forms, nonfinite = periphrasis
        return _cell(forms, person, number), "", nonfinite
    for tenses, table in ((PAST_TENSES, PRETERITE), (UNREAL_TENSES, SUBJUNCTIVE)):
        if clause.tense in tenses:
            return _cell(table[verb.de], person, number), verb.prefix, ""
    return present(verb, person, number), verb.prefix, ""


def _agreement(phrase: Phrase) -> tuple[int, str]:
    """Return person and number, which differ from English for "Sie" and "alle"."""
    if getattr(phrase, "gender", "") == "formal":
        return 3, PLURAL
    person, number = agreement(phrase)
    return person, getattr(phrase, "de_number", number)


def _periphrasis(clause: Clause) -> tuple[str, str] | None:
    """Return the forms of the auxiliary and the non-finite verbs; None if there is no auxiliary."""
    verb, tense = clause.verb, clause.tense
    infinitive = f"{participle(verb)} werden" if clause.passive else verb.prefix + verb.de
    if clause.causative:
        infinitive += " lassen"
    if clause.modal:
        table = SUBJUNCTIVE if tense in UNREAL_TENSES else PRESENT
        return (PRETERITE if tense == "past" else table)[clause.modal.de], infinitive
    if tense in FUTURE_TENSES:
        return PRESENT["werden"], infinitive
    if clause.passive:
        return _passive(clause)
    if clause.causative and tense == "present":
        return PRESENT["lassen"], infinitive.removesuffix(" lassen")
    if clause.causative:
        return PRESENT["haben"], infinitive
    if tense in UNREAL_TENSES and (verb.de not in SUBJUNCTIVE or verb.kind == "becoming"):
        return SUBJUNCTIVE["werden"], infinitive
    if tense in PAST_TENSES and (verb.de not in PRETERITE or verb.kind == "becoming"):
        return PRESENT[verb.auxiliary], participle(verb)
    return None


def _passive(clause: Clause) -> tuple[str, str]:
    done = participle(clause.verb)
    if clause.tense == "perfect":
        return PRESENT["sein"], f"{done} worden"
    return (PRETERITE if clause.tense == "past" else PRESENT)["werden"], done


# Clauses


def _subject(clause: Clause) -> Phrase:
    """Return the German subject; for "gefallen" it is the object of the English verb."""
    experience = clause.verb.kind == "experience"
    return first_complement(clause).phrase if experience else subject_of(clause)


def _is_indefinite(complement: Complement) -> bool:
    return (
        getattr(complement.phrase, "determiner", "") in ("indefinite", "profession")
        and not complement.de_preposition
    )


def _participants(clause: Clause, implied: Phrase | None) -> list[tuple[Slot, str]]:
    """Return the subject and its reflexive pronoun; ``implied`` is an infinitive's subject."""
    if clause.subject is None:
        return [(Slot.REFLEXIVE, _reflexive(implied))] if clause.verb.reflexive else []
    if clause.verb.kind == "experience":
        # The dative precedes the subject, unless the subject is a pronoun: "ob sie ihm gefällt".
        after = isinstance(_subject(clause), Pronoun)
        slot = Slot.DATIVE_PRONOUN if after else Slot.EXPERIENCER
        return [(slot, render(clause.subject, DATIVE)), _nominative(clause)]
    parts = [_nominative(clause)]
    if clause.verb.reflexive:
        before = not isinstance(clause.subject, Pronoun)
        slot = Slot.EXPERIENCER if before else Slot.REFLEXIVE
        parts.append((slot, _reflexive(clause.subject)))
    return parts


def _nominative(clause: Clause) -> tuple[Slot, str]:
    subject = _subject(clause)
    # "Hat mich jemand angerufen?", but "Hat Anna mich angerufen?"
    slot = Slot.INDEFINITE_SUBJECT if isinstance(subject, Indefinite) else Slot.SUBJECT
    return slot, render(subject, NOMINATIVE)


def _reflexive(subject: Phrase | None) -> str:
    if not isinstance(subject, Pronoun) or subject.person == 3 or subject.gender == "formal":
        return "sich"
    return _pronoun_forms(subject)[1].removesuffix(" zwei")


def _complement(part: Argument, negative: bool) -> tuple[Slot, str]:
    if isinstance(part, Quality):
        return Slot.PREDICATE, _quality(part)
    if isinstance(part, Measure):
        unit = {"euro": "Euro", "year": "Jahre alt"}[part.unit]
        return Slot.PREDICATE, f"{part.number.de} {unit}"
    if isinstance(part, Clock | Date):
        text = adjunct(part)[1]
        return Slot.PREDICATE, text.removeprefix("um ")
    if part.de_preposition:
        text = prepositional(part.de_preposition, part.phrase, part.case)
    else:
        text = render(part.phrase, part.case, negative and _is_indefinite(part))
    return _complement_slot(part), text


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


def _quality(part: Quality) -> str:
    adjective = part.adjective
    if part.degree == "comparative":
        than = f" als {render(part.than, NOMINATIVE)}" if part.than else ""
        return adjective.de_comparative + than
    if part.degree == "equative" and part.than:
        return f"so {adjective.de} wie {render(part.than, NOMINATIVE)}"
    if part.degree == "enough":
        return f"{adjective.de} genug"
    return _join([DEGREES.get(part.degree, ("", ""))[1], adjective.de])


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


def adjunct(part: Adjunct) -> tuple[Slot, str]:
    """Return the position of an adjunct in the middle field, and its wording."""
    if isinstance(part, Clock):
        return Slot.TIME, _clock(part)
    if isinstance(part, Span):
        return Slot.TIME, _span(part)
    if isinstance(part, Date):
        return Slot.TIME, f"am {part.day.de} {part.month.de}" if part.day else f"im {part.month.de}"
    if isinstance(part, Question):
        return Slot.TIME, part.de
    for name, slot in ADVERB_SLOTS.items():
        if name in part.classes:
            return slot, part.de
    return Slot.TIME if TIME_CLASSES & set(part.classes) else Slot.MANNER, part.de


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


def _parts(clause: Clause, implied: Phrase | None = None) -> list[tuple[Slot, str]]:
    """Return all phrases of a clause except the verb, in the order of the middle field."""
    negative_article = clause.negative and any(
        isinstance(part, Complement)
        and (_is_indefinite(part) or getattr(part.phrase, "negative", False))
        for part in clause.complements
    )
    parts = _participants(clause, implied)
    complements = clause.complements[clause.verb.kind == "experience" :]
    parts += [_complement(part, clause.negative) for part in complements]
    parts += [adjunct(part) for part in clause.adjuncts]
    if clause.progressive and clause.verb.kind != "posture" and clause.tense == "present":
        parts.append((Slot.TIME, "gerade"))
    if clause.liking:
        parts.append((Slot.MANNER, "gern"))
    if clause.negative and not negative_article:
        parts.append((Slot.NOT, "nicht"))
    return sorted(parts, key=lambda part: part[0])


def _question_part(clause: Clause) -> tuple[Slot, str] | None:
    """Return the question word or relative pronoun of a clause."""
    if isinstance(clause.subject, Interrogative | Relative):
        return _participants(clause, None)[0]
    for part in clause.complements:
        if isinstance(part, Complement) and is_interrogative(part.phrase):
            experienced = clause.verb.kind == "experience"
            return _nominative(clause) if experienced else _complement(part, False)
    if clause.adjuncts and isinstance(clause.adjuncts[0], Question):
        return adjunct(clause.adjuncts[0])
    return None


def _topic(clause: Clause) -> tuple[Slot, str] | None:
    """Return the phrase that begins a statement instead of the subject: a place or an adjunct."""
    if clause.verb.kind == "existence":
        return _complement(clause.complements[-1], False)
    return adjunct(clause.adjuncts[0]) if clause.fronted else None


def _clause(clause: Clause, order: str) -> str:
    """Return a clause; ``order`` is the verb position: "first", "second" or "final"."""
    parts = _parts(clause)
    front = _question_part(clause)
    if front is None and order == "second":
        front = _topic(clause) or _nominative(clause)
    if front:
        parts.remove(front)
    middle = [text for _, text in parts]
    finite, prefix, nonfinite = _verb_group(clause)
    start = [front[1]] if front else []
    if order == "final":
        return _join([*start, *middle, nonfinite, prefix + finite])
    return _join([*start, finite, *middle, prefix, nonfinite])


def _infinitive_clause(clause: Clause, implied: Phrase | None) -> str:
    verb = clause.verb
    attached = verb.prefix and not verb.prefix.endswith(" ")
    infinitive = verb.prefix + ("zu" if attached else "zu ") + verb.de
    return _join([*(text for _, text in _parts(clause, implied)), infinitive])


def _imperative_clause(clause: Clause, please: bool) -> str:
    """Return an imperative; its clause has no subject if the addressee is "du"."""
    addressee = clause.subject if isinstance(clause.subject, Pronoun) else Pronoun(2)
    parts = _parts(replace(clause, subject=None), addressee)
    parts += [(Slot.PLEASE, "bitte")] if please else []
    middle = [text for _, text in sorted(parts, key=lambda part: part[0])]
    return _join([_imperative_form(clause.verb, addressee), *middle, clause.verb.prefix])


def _imperative_form(verb: Verb, addressee: Pronoun) -> str:
    if addressee.gender == "formal":
        return "seien Sie" if verb.de == "sein" else f"{verb.de} Sie"
    return present(verb, 2, PLURAL) if addressee.number == PLURAL else imperative(verb)


def _proposal(clause: Clause) -> str:
    """Return "lass uns" with an infinitive."""
    middle = [text for _, text in _parts(clause, Pronoun(1, PLURAL))]
    return _join(["lass uns", *middle, clause.verb.prefix + clause.verb.de])


def _subordinate(subordinate: Subordinate, main: Clause) -> str:
    clause, conjunction = subordinate.clause, subordinate.conjunction.de
    if clause.subject is None:
        return _join([conjunction, _infinitive_clause(clause, main.subject)])
    return _join([conjunction, _clause(clause, "final")])


def _join(words: Iterable[str]) -> str:
    return " ".join(word.rstrip() for word in words if word)


def realise(sentence: Sentence) -> str:
    """Return a sentence in German."""
    subordinate, main = sentence.subordinate, sentence.clause
    if sentence.mood in ("imperative", "command"):
        text = _imperative_clause(main, sentence.mood == "imperative")
    elif sentence.mood == "proposal":
        text = _proposal(main)
    elif subordinate and subordinate.first:
        text = f"{_subordinate(subordinate, main)} , {_clause(main, 'first')}"
    else:
        question = sentence.mood == "question" and _question_part(main) is None
        text = _clause(main, "first" if question else "second")
    if subordinate and not subordinate.first:
        text = f"{text} , {_subordinate(subordinate, main)}"
    if sentence.address:
        text = f"{text} , {sentence.address.de}"
    return punctuate(text, sentence.mood)
