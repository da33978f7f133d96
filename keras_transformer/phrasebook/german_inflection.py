"""The forms of German words, and the tables of endings."""

from __future__ import annotations

from keras_transformer.phrasebook.lexicon import Adjective, Noun, Verb
from keras_transformer.phrasebook.syntax import (
    PLURAL,
    SINGULAR,
)

NOMINATIVE, ACCUSATIVE, DATIVE, GENITIVE = "nominative", "accusative", "dative", "genitive"

CASES = (NOMINATIVE, ACCUSATIVE, DATIVE, GENITIVE)
GENDERS = "mfnp"  # masculine, feminine, neuter and plural


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


def form_for(forms: str, person: int, number: str) -> str:
    cells = forms.split()
    if (person, number) == (2, PLURAL):
        return "seid" if cells[3] == "sind" else _second_plural(cells[3])
    return cells[3 if number == PLURAL else person - 1]


def _second_plural(plural: str) -> str:
    """Return the form for "ihr", derived from the form for "wir"."""
    base = stem(plural)
    return base + ("et" if _inserts_e(base) else "t")


def decline(noun: Noun, number: str, case: str) -> str:
    """Return a noun in a number and case."""
    if number == PLURAL:
        return noun.de_plural + ("n" if case == DATIVE and noun.de_plural[-1] not in "ns" else "")
    if noun.declension == "weak" and case != NOMINATIVE:
        return noun.de_plural
    if noun.declension == f"{noun.de}ns" and case in (ACCUSATIVE, DATIVE):  # Name, Namens
        return f"{noun.de}n"
    if case == GENITIVE and noun.gender in "mn":
        return noun.declension or noun.de + _genitive_ending(noun.de)
    return noun.de


def _genitive_ending(singular: str) -> str:
    return "es" if singular.endswith(("s", "ß", "z", "nd", "nn", "st", "hn", "zt", "sch")) else "s"


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
    inserts = base.endswith(("t", "d", "s", "ß", "z", "sch", "eu"))
    # spannendst, romantischst, but frischest
    exempt = base.endswith(("end", "isch")) and base != "frisch"
    return base + ("est" if inserts and not exempt else "st")


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
        return form_for(table, person, number)
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
