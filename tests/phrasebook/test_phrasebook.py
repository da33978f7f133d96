"""The built-in English-German corpus: its properties, and hand-written examples of the grammar."""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from itertools import islice
from pathlib import Path

import pytest

from keras_transformer import phrasebook
from keras_transformer.phrasebook import corpus, english_inflection, german_inflection
from keras_transformer.phrasebook.english import English
from keras_transformer.phrasebook.german import German
from keras_transformer.phrasebook.lexicon import (
    Adjective,
    Adverbial,
    Lexeme,
    Name,
    Noun,
    Verb,
    lexicon,
)
from keras_transformer.phrasebook.syntax import (
    PLURAL,
    SINGULAR,
    Clause,
    Clock,
    Complement,
    Conjunction,
    Coordination,
    Date,
    Indefinite,
    Interrogative,
    Measure,
    Modal,
    NounPhrase,
    Pronoun,
    Quality,
    Question,
    Relative,
    Sentence,
    Span,
    Subordinate,
    lexemes,
)

# Generated sentences

SIZE = 24_000

english, german = English(), German()


@pytest.fixture(scope="module")
def stream():
    """Return pairs of the grammar with their trees; the pairs after SIZE are held out."""
    return list(islice(corpus.sentences(1), SIZE + 2_000))


def test_an_unknown_split_is_rejected():
    with pytest.raises(ValueError, match="no split 'dev'"):
        phrasebook.pairs("dev")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [("nouns.tsv", "\t", "x\t"), ("everyday/food.tsv", "e", "f"), ("german.py", "self", "this")],
)
def test_the_version_covers_data_and_code(tmp_path, file, old, new):
    package = tmp_path / "phrasebook"
    shutil.copytree(Path(phrasebook.__file__).parent, package)

    def version():
        """Return the version of the copy, which is imported under another name."""
        spec = importlib.util.spec_from_file_location("copy_of_phrasebook", package / "__init__.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.version()

    assert version() == phrasebook.version()
    content = (package / file).read_bytes()
    (package / file).write_bytes(content.replace(b"\n", b"\r\n"))
    assert version() == phrasebook.version(), "line endings differ between machines"
    (package / file).write_bytes(content.replace(old.encode(), new.encode(), 1))
    assert version() != phrasebook.version()


def test_callers_cannot_change_the_cache():
    phrasebook.pairs("test").clear()
    assert len(phrasebook.pairs("test")) == 200


def plain(sentence):
    """Return the English words that the German translation determines.

    German does not distinguish contractions, "going to" from "will", or "their" from "her".
    """
    full = english.realise(replace(sentence, contracted=False)).lower().replace("their", "her")
    free = {"will", "am", "is", "are", "going", "to"}
    return sorted(word for word in re.findall(r"[\w'-]+", full) if word not in free)


def test_each_sentence_has_one_translation_in_both_directions():
    """Use the grammar directly: `corpus.sentences` would hide second translations."""
    grammar = corpus.Grammar(seed=7)
    translations, repetitions = {}, 0
    for _ in range(20_000):
        sentence = grammar.sentence()
        source, target = english.realise(sentence), german.realise(sentence)
        repetitions += source in translations
        assert translations.setdefault(source, target) == target
        assert translations.setdefault(target, plain(sentence)) == plain(sentence)
    assert repetitions > 100


def test_size_of_the_lexicon():
    words = list(lexicon())
    assert 1_300 <= len(words) <= 3_000
    assert len({(word.en, word.de, type(word)) for word in words if word.en}) > 700


def test_every_lexeme_occurs_in_training(stream):
    counts = {id(word): 0 for word in lexicon()}
    for _, _, tree in stream[:SIZE]:
        for word in {id(word): word for word in lexemes(tree) if id(word) in counts}:
            counts[word] += 1
    rare = [word.en for word in lexicon() if counts[id(word)] < (3 if _is_noun(word) else 5)]
    assert set(rare) <= {word.en for word in lexicon().nouns if not _goes_with_a_verb(word)}


def _is_noun(word):
    return isinstance(word, Noun)


def _goes_with_a_verb(noun):
    """Return whether a verb accepts the noun; only patterns use other nouns."""
    named = {name for verb in lexicon().verbs for frame in verb.frames for name in frame.classes}
    named |= {name for verb in lexicon().verbs for name in verb.subject}
    return not named.isdisjoint(noun.classes)


def test_held_out_words_occur_in_training(stream):
    known = {lexeme for _, _, tree in stream[:SIZE] for lexeme in lexemes(tree)}
    held_out = {lexeme for _, _, tree in stream[SIZE:] for lexeme in lexemes(tree)}
    assert len(held_out) > 500
    assert held_out <= known


def test_sentence_lengths(stream):
    lengths = [len(text.split()) for source, target, _ in stream for text in (source, target)]
    assert max(lengths) <= corpus.MAXIMUM_WORDS
    assert sum(4 <= length <= 14 for length in lengths) > 0.9 * len(lengths)


def test_most_german_sentences_do_not_end_with_a_noun(stream):
    """German puts participles, infinitives and separable prefixes last."""
    verb_last = sum(target.rstrip(".?!").split()[-1].islower() for _, target, _ in stream)
    assert verb_last > 0.5 * len(stream)


def test_capitals_punctuation_and_spaces(stream):
    for source, target, _ in stream:
        for text in (source, target):
            assert text[0].isupper() and text[-1] in ".?!"
            assert text == " ".join(text.split())
            assert " ," not in text and ",," not in text and ",." not in text
        assert source[-1] == target[-1]
        assert source.isascii() or "café" in source


def test_contractions_and_articles_are_correct(stream):
    """Uncontracted prepositions and wrong English articles never occur."""
    text = "\n".join(f" {source} {target} " for source, target, _ in stream)
    for wrong in (" zu dem ", " zu der ", " in dem ", " an dem ", " von dem ", " a a", " a e",
                  " a i", " a o", " an b", " an c", " does has ", " kein ein ", "~",
                  ):  # fmt: skip
        assert wrong not in text, wrong
    for right in (" zum ", " zur ", " im ", " ins ", " am ", " ans ", " an a", " keinen "):
        assert right in text, right


NUMERAL = "(zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)"
FREQUENCY = "(oft|immer|manchmal|nie|selten|meistens)"


@pytest.mark.parametrize(
    "wrong",
    [
        r"[gG]ef\w+ wem\b|\bwem [^?]*gefallen\?",
        r"\b(Hut|Mütze|Gürtel|Krawatte|Schal|Hüte|Mützen|Krawatten|Schals) "
        r"(gerade )?(an|aus)(ge|zu)?z(ie|o)",
        rf"(?<!wie )\b{FREQUENCY} (Anna|Clara|Peter|Julia|David|Lena|Rom|Berlin)\b"
        r"(?! und)[^,]*[.?]$",
        r"\bum (\w+ Uhr|halb|Viertel|\w+ (nach|vor)) [^,]*\bnicht\b",
        rf"\bnicht {NUMERAL} (?!(nach|vor|Jahre)\b)",
        r"\b(im|in diesem|in dem) \w* ?Hotel an(ge|zu)?kom",
        r"\bRechnung(en)? (be|zu be)zahl|Tischs\b|\bBuses\b",
        r"\bFragen? (zu )?erzähl",
        r"\b[Bb]leib\w* gerade|gerade [^,]*\bwäch?st\b",
    ],
)
def test_wrong_german_never_occurs(stream, wrong):
    offending = [text for _, text, _ in stream if re.search(wrong, text)]
    assert offending == []


@pytest.mark.parametrize(
    "wrong",
    [
        r"\balone home\b|\bwith \w+ home\b",
        r"\b(put on|putting on|take off|took off|taking off)\b.*\b(hat|cap|scarf|tie|belt)s?\b",
        r"\bwash(es|ed|ing)?\b.*\b(plate|cup|glass|pot|hat|tie|belt)s?\b",
        r"\barriv\w+ (in|at) the( \w+)? hotel\b",
        r"\bWho did .*\b(give|lend|show|send|offer)\b(?!.*\bto\b)",
        r"^What .*\b(speak|teach)\b.*\?|\b(is|are|am) (staying|growing)\b",
        r"\bpay\w* for .*\bbills?\b",
        r"\b(bag|suitcase|backpack)s? (is|are|was|were) (not )?(empty|full)\b",
    ],
)
def test_wrong_english_never_occurs(stream, wrong):
    offending = [text for text, _, _ in stream if re.search(wrong, text)]
    assert offending == []


def clauses(tree):
    """Yield all clauses of a syntax tree."""
    if isinstance(tree, Clause):
        yield tree
    if isinstance(tree, tuple):
        parts = tree
    elif is_dataclass(tree) and not isinstance(tree, Lexeme):
        parts = [getattr(tree, field.name) for field in fields(tree)]
    else:
        parts = ()
    for part in parts:
        yield from clauses(part)


def objects(stream, *infinitives):
    """Yield the noun phrases that are complements of the verbs."""
    wanted = [verb(infinitive) for infinitive in infinitives]
    for _, _, tree in stream:
        for clause in clauses(tree):
            if clause.verb in wanted and not clause.passive:
                phrases = [getattr(part, "phrase", None) for part in clause.complements]
                yield from (item for item in phrases if isinstance(item, NounPhrase))


def test_nobody_acquires_their_own_things(stream):
    found = [
        item.determiner
        for item in objects(stream, "ausleihen", "mieten", "kaufen", "nähen", "stricken")
    ]
    assert "definite" in found and "genitive" in found
    assert "possessive" not in found


def test_the_object_of_like_is_definite(stream):
    found = {item.determiner for item in objects(stream, "gefallen")}
    assert found == {"definite", "this", "possessive", "genitive"}


def test_daily_actions_take_days_and_times_of_day(stream):
    daily = [verb(word) for word in ("aufstehen", "aufwachen", "einschlafen", "frühstücken")]
    actions = [clause for _, _, tree in stream for clause in clauses(tree) if clause.verb in daily]
    times = [part for clause in actions for part in clause.adjuncts]
    assert len(times) > 100
    assert not any(isinstance(part, Date) for part in times)
    long = {"last year", "next month", "every winter", "in summer", "every week", "last week"}
    assert long.isdisjoint(part.en for part in times if isinstance(part, Adverbial))


def test_another_process_generates_the_same_corpus():
    command = [sys.executable, "-m", "keras_transformer.phrasebook", "--split", "train"]
    environment = {**os.environ, "PYTHONHASHSEED": "123", "PYTHONIOENCODING": "utf-8"}
    printed = subprocess.run(command, capture_output=True, check=True, env=environment).stdout
    expected = "".join(f"{source}\t{target}\n" for source, target in phrasebook.pairs("train"))
    assert hashlib.sha256(printed).hexdigest() == hashlib.sha256(expected.encode()).hexdigest()


def test_a_closed_pipe_ends_printing_silently():
    process = subprocess.Popen(
        [sys.executable, "-m", "keras_transformer.phrasebook"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert b"\t" in process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()


# Building blocks for the examples


def noun(german_form):
    return lexicon().find(Noun, german_form)


def verb(infinitive):
    return lexicon().find(Verb, infinitive)


def adjective(german_form):
    return lexicon().find(Adjective, german_form)


def adverb(german_form):
    return lexicon().find(Adverbial, german_form)


def name(german_form):
    return lexicon().find(Name, german_form)


def number(value):
    return lexicon().number(value)


def the(german_form, word=None, **attributes):
    word = word and adjective(word)
    return NounPhrase(noun(german_form), "definite", adjective=word, **attributes)


def a(german_form, word=None, **attributes):
    word = word and adjective(word)
    return NounPhrase(noun(german_form), "indefinite", adjective=word, **attributes)


def my(german_form, word=None, owner=None, **attributes):
    word = word and adjective(word)
    owner = owner or ME
    return NounPhrase(
        noun(german_form), "possessive", adjective=word, possessor=owner, **attributes
    )


def accusative(phrase):
    return Complement(phrase, "accusative")


def dative(phrase, to=""):
    return Complement(phrase, "dative", en_preposition=to)


def nominative(phrase):
    return Complement(phrase, "nominative")


def governed(de_preposition, case, en_preposition, phrase):
    return Complement(phrase, case, "object", de_preposition, en_preposition)


def place(role, case, de_preposition, en_preposition, phrase, bare=False):
    return Complement(phrase, case, role, de_preposition, en_preposition, bare)


ME, YOU, WE = Pronoun(1), Pronoun(2), Pronoun(1, PLURAL)
HE, SHE, THEY = Pronoun(3, SINGULAR, "m"), Pronoun(3, SINGULAR, "f"), Pronoun(3, PLURAL)
IT = Pronoun(3, SINGULAR, "n")
CAN, HAVE_TO, WANT = Modal("can", "können"), Modal("have to", "müssen"), Modal("want to", "wollen")
MAY, SHOULD = Modal("be allowed to", "dürfen"), Modal("should", "sollen")
WOULD_LIKE = Modal("would like to", "mögen")
BOOK = accusative(the("Buch"))
TO_SCHOOL = place("direction", "accusative", "in", "to", the("Schule"), bare=True)
AT_SCHOOL = place("location", "dative", "in", "at", the("Schule"), bare=True)
HOME = Complement(adverb("nach Hause"), "accusative", "direction")
WITH_ANNA = Complement(name("Anna"), "dative", "companion", "mit", "with")
BECAUSE, THAT = Conjunction("because", "weil"), Conjunction("that", "dass")
WHETHER, IF = Conjunction("whether", "ob"), Conjunction("if", "wenn")
INDIRECT, TO = Conjunction("", ""), Conjunction("to", "")
IN_ORDER_TO = Conjunction("to", "um")


# Declension: nominative, accusative, dative and genitive, as in a German grammar

DECLENSION = [
    (the("Mann", "alt"), "der alte Mann, den alten Mann, dem alten Mann, des alten Mannes"),
    (the("Frau", "alt"), "die alte Frau, die alte Frau, der alten Frau, der alten Frau"),
    (the("Haus", "alt"), "das alte Haus, das alte Haus, dem alten Haus, des alten Hauses"),
    (
        the("Hund", "klein", number=PLURAL),
        "die kleinen Hunde, die kleinen Hunde, den kleinen Hunden, der kleinen Hunde",
    ),
    (a("Mann", "alt"), "ein alter Mann, einen alten Mann, einem alten Mann, eines alten Mannes"),
    (a("Frau", "alt"), "eine alte Frau, eine alte Frau, einer alten Frau, einer alten Frau"),
    (a("Haus", "alt"), "ein altes Haus, ein altes Haus, einem alten Haus, eines alten Hauses"),
    (
        a("Haus", "alt", number=PLURAL),
        "alte Häuser, alte Häuser, alten Häusern, alter Häuser",
    ),
    (
        my("Freund", "gut", owner=WE),
        "unser guter Freund, unseren guten Freund, unserem guten Freund, unseres guten Freundes",
    ),
    (
        my("Schwester", "jung", owner=SHE),
        "ihre junge Schwester, ihre junge Schwester, ihrer jungen Schwester, "
        "ihrer jungen Schwester",
    ),
    (
        my("Bruder", "klein", owner=YOU, number=PLURAL),
        "deine kleinen Brüder, deine kleinen Brüder, deinen kleinen Brüdern, deiner kleinen Brüder",
    ),
    (
        NounPhrase(noun("Auto"), "this", adjective=adjective("teuer")),
        "dieses teure Auto, dieses teure Auto, diesem teuren Auto, dieses teuren Autos",
    ),
    (
        NounPhrase(noun("Turm"), "which", adjective=adjective("hoch")),
        "welcher hohe Turm, welchen hohen Turm, welchem hohen Turm, welches hohen Turms",
    ),
    (
        NounPhrase(noun("Keller"), "this", adjective=adjective("dunkel")),
        "dieser dunkle Keller, diesen dunklen Keller, diesem dunklen Keller, "
        "dieses dunklen Kellers",
    ),
    (a("Kaffee", "heiß"), "heißer Kaffee, heißen Kaffee, heißem Kaffee, heißen Kaffees"),
    (a("Milch", "kalt"), "kalte Milch, kalte Milch, kalter Milch, kalter Milch"),
    (a("Brot", "frisch"), "frisches Brot, frisches Brot, frischem Brot, frischen Brots"),
    (
        NounPhrase(noun("Apfel"), "number", PLURAL, adjective("reif"), number(3)),
        "drei reife Äpfel, drei reife Äpfel, drei reifen Äpfeln, drei reifer Äpfel",
    ),
    (the("Junge"), "der Junge, den Jungen, dem Jungen, des Jungen"),
    (a("Student"), "ein Student, einen Studenten, einem Studenten, eines Studenten"),
    (my("Nachbar"), "mein Nachbar, meinen Nachbarn, meinem Nachbarn, meines Nachbarn"),
    (my("Name"), "mein Name, meinen Namen, meinem Namen, meines Namens"),
    (the("Tisch"), "der Tisch, den Tisch, dem Tisch, des Tisches"),
    (the("Bus"), "der Bus, den Bus, dem Bus, des Busses"),
    (the("Auto", number=PLURAL), "die Autos, die Autos, den Autos, der Autos"),
    (the("Mädchen", number=PLURAL), "die Mädchen, die Mädchen, den Mädchen, der Mädchen"),
]


@pytest.mark.parametrize(("phrase", "forms"), DECLENSION, ids=[row[1][:20] for row in DECLENSION])
def test_noun_phrases_are_declined(phrase, forms):
    assert [german.noun_phrase(phrase, case) for case in german_inflection.CASES] == forms.split(
        ", "
    )


def test_kein_is_declined():
    assert (
        german.noun_phrase(a("Hund", "groß"), "accusative", negative=True) == "keinen großen Hund"
    )
    assert german.noun_phrase(a("Katze"), "nominative", negative=True) == "keine Katze"
    assert german.noun_phrase(a("Geld"), "accusative", negative=True) == "kein Geld"
    assert german.noun_phrase(a("Apfel", number=PLURAL), "dative", negative=True) == "keinen Äpfeln"


@pytest.mark.parametrize(
    ("phrase", "case", "expected_german", "expected_english"),
    [
        (
            NounPhrase(noun("Auto"), "genitive", possessor=the("Arzt")),
            "nominative",
            "das Auto des Arztes",
            "the doctor's car",
        ),
        (
            NounPhrase(noun("Haus"), "genitive", possessor=my("Onkel"), adjective=adjective("alt")),
            "dative",
            "dem alten Haus meines Onkels",
            "my uncle's old house",
        ),
        (
            NounPhrase(noun("Hund"), "genitive", possessor=the("Nachbar")),
            "accusative",
            "den Hund des Nachbarn",
            "the neighbour's dog",
        ),
        (
            NounPhrase(
                noun("Mantel"), "genitive", possessor=name("Anna"), adjective=adjective("neu")
            ),
            "accusative",
            "Annas neuen Mantel",
            "Anna's new coat",
        ),
        (
            NounPhrase(noun("Haus"), "genitive", possessor=my("Eltern", number=PLURAL)),
            "nominative",
            "das Haus meiner Eltern",
            "my parents' house",
        ),
    ],
)
def test_genitive_owners(phrase, case, expected_german, expected_english):
    assert german.noun_phrase(phrase, case) == expected_german
    assert english.noun_phrase(phrase) == expected_english


@pytest.mark.parametrize(
    ("preposition", "phrase", "case", "expected"),
    [
        ("in", the("Garten"), "dative", "im Garten"),
        ("in", the("Kino"), "accusative", "ins Kino"),
        ("in", the("Schule"), "accusative", "in die Schule"),
        ("in", the("Schule"), "dative", "in der Schule"),
        ("an", the("Bahnhof"), "dative", "am Bahnhof"),
        ("an", the("Meer"), "accusative", "ans Meer"),
        ("zu", the("Flughafen", "neu"), "dative", "zum neuen Flughafen"),
        ("zu", the("Universität"), "dative", "zur Universität"),
        ("von", the("Meer"), "dative", "vom Meer"),
        ("auf", the("Markt"), "dative", "auf dem Markt"),
        ("in", my("Garten"), "dative", "in meinem Garten"),
        ("aus", name("Schweiz"), "dative", "aus der Schweiz"),
        ("nach", name("Berlin"), "accusative", "nach Berlin"),
        ("auf", Interrogative(human=False), "accusative", "worauf"),
        ("von", Interrogative(human=False), "dative", "wovon"),
        ("auf", Interrogative(human=True), "accusative", "auf wen"),
    ],
)
def test_prepositional_phrases(preposition, phrase, case, expected):
    assert german.prepositional(preposition, phrase, case) == expected


# Conjugation

CONJUGATION = [
    ("arbeiten", "arbeite arbeitest arbeitet arbeiten", "gearbeitet", "arbeite"),
    ("öffnen", "öffne öffnest öffnet öffnen", "geöffnet", "öffne"),
    ("lesen", "lese liest liest lesen", "gelesen", "lies"),
    ("essen", "esse isst isst essen", "gegessen", "iss"),
    ("nehmen", "nehme nimmst nimmt nehmen", "genommen", "nimm"),
    ("geben", "gebe gibst gibt geben", "gegeben", "gib"),
    ("helfen", "helfe hilfst hilft helfen", "geholfen", "hilf"),
    ("fahren", "fahre fährst fährt fahren", "gefahren", "fahr"),
    ("schlafen", "schlafe schläfst schläft schlafen", "geschlafen", "schlaf"),
    ("treffen", "treffe triffst trifft treffen", "getroffen", "triff"),
    ("tanzen", "tanze tanzt tanzt tanzen", "getanzt", "tanz"),
    ("schließen", "schließe schließt schließt schließen", "geschlossen", "schließ"),
    ("sammeln", "sammle sammelst sammelt sammeln", "gesammelt", "sammle"),
    ("feiern", "feiere feierst feiert feiern", "gefeiert", "feiere"),
    ("spielen", "spiele spielst spielt spielen", "gespielt", "spiel"),
    ("wissen", "weiß weißt weiß wissen", "gewusst", None),
    ("besuchen", "besuche besuchst besucht besuchen", "besucht", "besuch"),
    ("verstehen", "verstehe verstehst versteht verstehen", "verstanden", "versteh"),
    ("reparieren", "repariere reparierst repariert reparieren", "repariert", "repariere"),
    ("aufstehen", "stehe stehst steht stehen", "aufgestanden", "steh"),
    ("mitbringen", "bringe bringst bringt bringen", "mitgebracht", "bring"),
    ("einschalten", "schalte schaltest schaltet schalten", "eingeschaltet", "schalte"),
    ("einladen", "lade lädst lädt laden", "eingeladen", "lade"),
]


@pytest.mark.parametrize(("infinitive", "present", "participle", "imperative"), CONJUGATION)
def test_german_verbs(infinitive, present, participle, imperative):
    forms = [german_inflection.present(verb(infinitive), person, SINGULAR) for person in (1, 2, 3)]
    assert [*forms, german_inflection.present(verb(infinitive), 3, PLURAL)] == present.split()
    assert german_inflection.participle(verb(infinitive)) == participle
    assert imperative is None or german_inflection.imperative(verb(infinitive)) == imperative


@pytest.mark.parametrize(
    ("infinitive", "third", "past", "ing"),
    [
        ("kaufen", "buys", "bought", "buying"),
        ("studieren", "studies", "studied", "studying"),
        ("waschen", "washes", "washed", "washing"),
        ("gehen", "goes", "went", "going"),
        ("schwimmen", "swims", "swam", "swimming"),
        ("lesen", "reads", "read", "reading"),
        ("planen", "plans", "planned", "planning"),
        ("tanzen", "dances", "danced", "dancing"),
        ("sehen", "sees", "saw", "seeing"),
        ("haben", "has", "had", "having"),
        ("spielen", "plays", "played", "playing"),
        ("legen", "puts", "put", "putting"),
    ],
)
def test_english_verbs(infinitive, third, past, ing):
    word = verb(infinitive)
    assert english_inflection.third_person(word.en) == third
    assert english_inflection.past(word.en, word.en_past) == past
    assert english_inflection.ing_form(word) == ing


@pytest.mark.parametrize(
    ("singular", "plural"),
    [("child", "children"), ("city", "cities"), ("boy", "boys"), ("church", "churches"),
     ("bus", "buses"), ("knife", "knives"), ("potato", "potatoes"), ("tooth", "teeth"),
     ("mouse", "mice"), ("sheep", "sheep"), ("policewoman", "policewomen"), ("box", "boxes")],
)  # fmt: skip
def test_english_plurals(singular, plural):
    assert [word.en_plural for word in lexicon().nouns if word.en == singular] == [plural]


@pytest.mark.parametrize(
    ("word", "article"),
    [("apple", "an"), ("book", "a"), ("hour", "an"), ("useful", "a"), ("university", "a"),
     ("ugly", "an"), ("umbrella", "an"), ("house", "a"), ("European", "a"), ("orange", "an")],
)  # fmt: skip
def test_a_and_an(word, article):
    assert english_inflection.article(word) == article


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, ("one", "eins")), (16, ("sixteen", "sechzehn")), (21, ("twenty-one", "einundzwanzig")),
     (37, ("thirty-seven", "siebenunddreißig")), (70, ("seventy", "siebzig")),
     (99, ("ninety-nine", "neunundneunzig"))],
)  # fmt: skip
def test_cardinal_numbers(value, expected):
    assert (number(value).en, number(value).de) == expected


def test_numbers_above_100_are_rejected():
    with pytest.raises(KeyError):
        number(101)


CLOCKS = [
    (Clock(number(5), number(6)), "at five o'clock", "um fünf Uhr"),
    (Clock(number(1), number(2)), "at one o'clock", "um ein Uhr"),
    (Clock(number(6), number(7), 15), "at a quarter past six", "um Viertel nach sechs"),
    (Clock(number(7), number(8), 30), "at half past seven", "um halb acht"),
    (Clock(number(12), number(1), 30), "at half past twelve", "um halb eins"),
    (Clock(number(8), number(9), 45), "at a quarter to nine", "um Viertel vor neun"),
    (Clock(number(9), number(10), 10, number(10)), "at ten past nine", "um zehn nach neun"),
    (Clock(number(3), number(4), 40, number(20)), "at twenty to four", "um zwanzig vor vier"),
]


@pytest.mark.parametrize(("clock", "expected_english", "expected_german"), CLOCKS)
def test_times_of_day(clock, expected_english, expected_german):
    assert english.adjunct(clock)[1] == expected_english
    assert german.adjunct(clock)[1] == expected_german


# Sentences: syntax tree, English, German


def said(infinitive, subject, *complements, at=(), **attributes):
    return Clause(verb(infinitive), subject, complements, adjuncts=at, **attributes)


def statement(*arguments, **attributes):
    return Sentence(said(*arguments, **attributes))


def question(*arguments, **attributes):
    return Sentence(said(*arguments, **attributes), "question")


def request(infinitive, *complements, **attributes):
    return Sentence(said(infinitive, None, *complements, **attributes), "imperative")


def joined(main, conjunction, subordinate, first=False, mood="statement"):
    return Sentence(main, mood, Subordinate(conjunction, subordinate, first))


def sei(subject, word, **attributes):
    return said("sein", subject, Quality(adjective(word)), **attributes)


YESTERDAY, TOMORROW = (adverb("gestern"),), (adverb("morgen"),)
EXAMPLES = [
    # Verb-second order, and inversion after a fronted adjunct
    (
        statement("kaufen", name("Anna"), accusative(a("Hut", "neu")), at=YESTERDAY, tense="past"),
        "Anna bought a new hat yesterday.",
        "Anna hat gestern einen neuen Hut gekauft.",
    ),
    (
        statement(
            "kaufen", SHE, accusative(the("Brot")), at=YESTERDAY, tense="past", fronted=True
        ),
        "Yesterday she bought the bread.",
        "Gestern hat sie das Brot gekauft.",
    ),
    (
        statement("besuchen", WE, accusative(my("Tante", owner=WE)), at=(adverb("oft"),)),
        "We often visit our aunt.",
        "Wir besuchen oft unsere Tante.",
    ),
    (
        statement("waschen", HE, accusative(the("Auto")), at=(adverb("jeden Tag"),), fronted=True),
        "Every day he washes the car.",
        "Jeden Tag wäscht er das Auto.",
    ),
    # Perfect with "haben" and "sein", preterite of "sein" and "haben"
    (
        statement("gehen", the("Junge"), HOME, tense="past"),
        "The boy went home.",
        "Der Junge ist nach Hause gegangen.",
    ),
    (
        statement("verlieren", YOU, accusative(my("Schlüssel", owner=YOU)), tense="past"),
        "You lost your key.",
        "Du hast deinen Schlüssel verloren.",
    ),
    (
        statement("haben", THEY, accusative(a("Zeit")), tense="past", negative=True),
        "They did not have time.",
        "Sie hatten keine Zeit.",
    ),
    (Sentence(sei(ME, "müde", tense="past")), "I was tired.", "Ich war müde."),
    # Future and modal verbs
    (
        statement("fahren", SHE, HOME, at=TOMORROW, tense="future", fronted=True),
        "Tomorrow she will drive home.",
        "Morgen wird sie nach Hause fahren.",
    ),
    (
        statement("lesen", HE, BOOK, modal=HAVE_TO),
        "He has to read the book.",
        "Er muss das Buch lesen.",
    ),
    (
        statement("lesen", HE, BOOK, modal=HAVE_TO, negative=True),
        "He does not have to read the book.",
        "Er muss das Buch nicht lesen.",
    ),
    (
        statement("aufstehen", ME, modal=WANT, tense="past", negative=True),
        "I did not want to get up.",
        "Ich wollte nicht aufstehen.",
    ),
    (
        statement("schwimmen", the("Kind", number=PLURAL), modal=CAN, negative=True),
        "The children cannot swim.",
        "Die Kinder können nicht schwimmen.",
    ),
    (
        statement("fernsehen", YOU, modal=MAY),
        "You are allowed to watch television.",
        "Du darfst fernsehen.",
    ),
    (
        statement("schlafen", SHE, modal=SHOULD),
        "She should sleep.",
        "Sie sollte schlafen.",
    ),
    (
        statement("bestellen", ME, accusative(a("Tee", "heiß")), modal=WOULD_LIKE),
        "I would like to order hot tea.",
        "Ich möchte heißen Tee bestellen.",
    ),
    # Separable verbs
    (
        statement("einschalten", name("Peter"), accusative(the("Lampe")), at=(adverb("oft"),)),
        "Peter often turns on the lamp.",
        "Peter schaltet oft die Lampe ein.",
    ),
    (
        statement("anrufen", HE, accusative(ME), tense="past"),
        "He called me.",
        "Er hat mich angerufen.",
    ),
    (
        statement("abholen", SHE, accusative(HE), tense="past"),
        "She picked him up.",
        "Sie hat ihn abgeholt.",
    ),
    # Progressive and "gern"
    (
        statement("lesen", my("Vater"), accusative(a("Zeitung")), progressive=True),
        "My father is reading a newspaper.",
        "Mein Vater liest gerade eine Zeitung.",
    ),
    (
        statement("essen", SHE, accusative(a("Apfel", number=PLURAL)), liking=True),
        "She likes to eat apples.",
        "Sie isst gern Äpfel.",
    ),
    # Negation
    (
        statement("kaufen", HE, accusative(a("Hund")), tense="past", negative=True),
        "He did not buy a dog.",
        "Er hat keinen Hund gekauft.",
    ),
    (
        statement("arbeiten", SHE, place("location", "dative", "in", "in", the("Garten")),
                  tense="past", negative=True),
        "She did not work in the garden.",
        "Sie hat nicht im Garten gearbeitet.",
    ),
    (
        statement("warten", WE, governed("auf", "accusative", "for", the("Bus")),
                  tense="future", negative=True),
        "We will not wait for the bus.",
        "Wir werden nicht auf den Bus warten.",
    ),
    (
        Sentence(sei(the("Haus"), "groß", negative=True)),
        "The house is not big.",
        "Das Haus ist nicht groß.",
    ),
    # Cases governed by verbs
    (
        statement("helfen", ME, dative(the("Nachbar")), tense="past"),
        "I helped the neighbour.",
        "Ich habe dem Nachbarn geholfen.",
    ),
    (
        statement("gehören", the("Haus"), dative(my("Eltern", number=PLURAL), "to")),
        "The house belongs to my parents.",
        "Das Haus gehört meinen Eltern.",
    ),
    (
        statement("geben", the("Lehrer"), dative(the("Kind", number=PLURAL)),
                  accusative(a("Buch")), tense="past"),
        "The teacher gave the children a book.",
        "Der Lehrer hat den Kindern ein Buch gegeben.",
    ),
    (
        statement("erklären", SHE, dative(the("Student"), "to"), accusative(the("Regel")),
                  tense="past"),
        "She explained the rule to the student.",
        "Sie hat dem Studenten die Regel erklärt.",
    ),
    (
        statement("gefallen", ME, Complement(the("Bild"), "nominative")),
        "I like the picture.",
        "Das Bild gefällt mir.",
    ),
    (
        question("gefallen", YOU, Complement(the("Schuh", number=PLURAL), "nominative")),
        "Do you like the shoes?",
        "Gefallen dir die Schuhe?",
    ),
    (
        question("gefallen", Interrogative(human=True), nominative(a("Pullover"))),
        "Who likes a pullover?",
        "Wem gefällt ein Pullover?",
    ),
    (
        question("gefallen", Interrogative(human=True), nominative(the("Bluse")),
                 at=(adverb("am Samstag"),), tense="past"),
        "Who liked the blouse on Saturday?",
        "Wem hat die Bluse am Samstag gefallen?",
    ),
    (
        joined(said("wissen", ME, negative=True), WHETHER,
               said("gefallen", Coordination(name("Julia"), name("David")),
                    nominative(the("Pullover")))),
        "I do not know whether Julia and David like the pullover.",
        "Ich weiß nicht, ob Julia und David der Pullover gefällt.",
    ),
    (
        joined(said("wissen", WE), THAT, said("gefallen", my("Mutter"), nominative(the("Bild")),
                                              tense="past", negative=True)),
        "We know that my mother did not like the picture.",
        "Wir wissen, dass meiner Mutter das Bild nicht gefallen hat.",
    ),
    (
        joined(said("wissen", ME), THAT, said("gefallen", SHE, nominative(HE))),
        "I know that she likes him.",
        "Ich weiß, dass er ihr gefällt.",
    ),
    (question("gefallen", YOU, nominative(HE)), "Do you like him?", "Gefällt er dir?"),
    (statement("gefallen", ME, nominative(YOU)), "I like you.", "Du gefällst mir."),
    (
        question("geben", the("Ingenieur"), dative(Interrogative(human=True), "to"),
                 accusative(a("Obst")), tense="past"),
        "Who did the engineer give fruit to?",
        "Wem hat der Ingenieur Obst gegeben?",
    ),
    # Names before an adverb of frequency and before "nicht"
    (
        statement("begleiten", my("Ehemann"), accusative(name("Clara")), at=(adverb("nie"),)),
        "My husband never accompanies Clara.",
        "Mein Ehemann begleitet Clara nie.",
    ),
    (
        statement("helfen", SHE, dative(name("Peter")), at=(adverb("oft"),)),
        "She often helps Peter.",
        "Sie hilft Peter oft.",
    ),
    (
        statement("anrufen", HE, accusative(name("Anna")), at=YESTERDAY, tense="past",
                  negative=True),
        "He did not call Anna yesterday.",
        "Er hat gestern Anna nicht angerufen.",
    ),
    (
        statement("sich freuen", ME, governed("auf", "accusative", "to", the("Urlaub"))),
        "I look forward to the holiday.",
        "Ich freue mich auf den Urlaub.",
    ),
    (
        statement("denken", HE, governed("an", "accusative", "of", ME)),
        "He thinks of me.",
        "Er denkt an mich.",
    ),
    # Direction and location; time precedes manner, manner precedes place
    (
        statement("fahren", SHE, HOME, at=(adverb("allein"),), tense="past"),
        "She drove home alone.",
        "Sie ist allein nach Hause gefahren.",
    ),
    (
        statement("gehen", ME, HOME, WITH_ANNA, tense="future"),
        "I will go home with Anna.",
        "Ich werde mit Anna nach Hause gehen.",
    ),
    (statement("gehen", THEY, TO_SCHOOL, tense="past"), "They went to school.",
     "Sie sind in die Schule gegangen."),
    (statement("lernen", SHE, accusative(a("Deutsch")), AT_SCHOOL, tense="past"),
     "She learned German at school.", "Sie hat in der Schule Deutsch gelernt."),
    (
        statement(
            "reisen",
            HE,
            place("means", "dative", "mit", "by", the("Zug"), bare=True),
            place("direction", "accusative", "nach", "to", name("Berlin")),
            at=YESTERDAY,
            tense="past",
        ),
        "He travelled to Berlin by train yesterday.",
        "Er ist gestern mit dem Zug nach Berlin gereist.",
    ),
    (
        statement("aufstehen", name("Peter"), at=(adverb("jeden Tag"), CLOCKS[3][0])),
        "Peter gets up at half past seven every day.",
        "Peter steht jeden Tag um halb acht auf.",
    ),
    (
        statement("sprechen", SHE, accusative(a("Deutsch")), at=(adverb("gut"),)),
        "She speaks German well.",
        "Sie spricht gut Deutsch.",
    ),
    (
        statement("schlafen", ME, at=(Span("duration", number(8), noun("Stunde")),), tense="past"),
        "I slept for eight hours.",
        "Ich habe acht Stunden lang geschlafen.",
    ),
    (
        statement("besuchen", HE, accusative(ME), at=(Span("ago", number(2), noun("Jahr")),),
                  tense="past"),
        "He visited me two years ago.",
        "Er hat mich vor zwei Jahren besucht.",
    ),
    (
        statement("sein", my("Geburtstag"), Date(adverb("Mai"), adverb("dritten"))),
        "My birthday is on the third of May.",
        "Mein Geburtstag ist am dritten Mai.",
    ),
    # The verb "be"
    (
        statement("sein", my("Bruder"), Complement(
            NounPhrase(noun("Arzt"), "profession"), "nominative", "predicate")),
        "My brother is a doctor.",
        "Mein Bruder ist Arzt.",
    ),
    (
        statement(
            "sein", SHE, Complement(a("Schauspielerin", "berühmt"), "nominative", "predicate")
        ),
        "She is a famous actress.",
        "Sie ist eine berühmte Schauspielerin.",
    ),
    (
        statement("sein", the("Mantel"), Quality(adjective("teuer"), "comparative", the("Jacke"))),
        "The coat is more expensive than the jacket.",
        "Der Mantel ist teurer als die Jacke.",
    ),
    (
        statement("sein", the("Hund"), Quality(adjective("groß"), "equative", the("Katze")),
                  negative=True),
        "The dog is not as big as the cat.",
        "Der Hund ist nicht so groß wie die Katze.",
    ),
    (
        statement("sein", my("Tochter"), Measure(number(7), "year")),
        "My daughter is seven years old.",
        "Meine Tochter ist sieben Jahre alt.",
    ),
    (
        statement("kosten", the("Stuhl"), Measure(number(82), "euro")),
        "The chair costs eighty-two euros.",
        "Der Stuhl kostet zweiundachtzig Euro.",
    ),
    (statement("sein", IT, CLOCKS[3][0]), "It is half past seven.", "Es ist halb acht."),
    (
        statement("regnen", IT, at=(adverb("letzte Woche"),), tense="past", fronted=True),
        "Last week it rained.",
        "Letzte Woche hat es geregnet.",
    ),
    # Questions
    (
        question("kaufen", SHE, accusative(the("Mantel")), tense="past"),
        "Did she buy the coat?",
        "Hat sie den Mantel gekauft?",
    ),
    (
        question("reparieren", Interrogative(human=True), accusative(the("Fahrrad")), tense="past"),
        "Who repaired the bicycle?",
        "Wer hat das Fahrrad repariert?",
    ),
    (
        question("besuchen", YOU, accusative(Interrogative(human=True)), tense="past"),
        "Who did you visit?",
        "Wen hast du besucht?",
    ),
    (
        question("helfen", HE, dative(Interrogative(human=True)), tense="past"),
        "Who did he help?",
        "Wem hat er geholfen?",
    ),
    (
        question("warten", HE, governed("auf", "accusative", "for", Interrogative(human=False)),
                 progressive=True),
        "What is he waiting for?",
        "Worauf wartet er gerade?",
    ),
    (
        question("wohnen", your := my("Tante", owner=YOU), at=(Question("where", "wo"),)),
        "Where does your aunt live?",
        "Wo wohnt deine Tante?",
    ),
    (
        question("reisen", THEY, at=(Question("where", "wohin"),), tense="past"),
        "Where did they travel?",
        "Wohin sind sie gereist?",
    ),
    (
        question("lesen", SHE, accusative(NounPhrase(noun("Roman"), "which")), tense="past"),
        "Which novel did she read?",
        "Welchen Roman hat sie gelesen?",
    ),
    (
        question("sich beeilen", the("Lehrer"), at=(Question("why", "warum"),), tense="past"),
        "Why did the teacher hurry?",
        "Warum hat sich der Lehrer beeilt?",
    ),
    # Verb-final clauses
    (
        joined(said("bleiben", HE, Complement(adverb("zu Hause"), "dative", "location"),
                    tense="past"), BECAUSE, sei(HE, "krank", tense="past")),
        "He stayed at home because he was ill.",
        "Er ist zu Hause geblieben, weil er krank war.",
    ),
    (
        joined(said("schlafen", HE, tense="past"), BECAUSE, sei(HE, "müde", tense="past"),
               first=True),
        "Because he was tired, he slept.",
        "Weil er müde war, hat er geschlafen.",
    ),
    (
        joined(sei(SHE, "traurig"), BECAUSE, said("gehen", your, HOME, tense="past")),
        "She is sad because your aunt went home.",
        "Sie ist traurig, weil deine Tante nach Hause gegangen ist.",
    ),
    (
        joined(said("wissen", ME), THAT, said("lesen", HE, BOOK, modal=HAVE_TO)),
        "I know that he has to read the book.",
        "Ich weiß, dass er das Buch lesen muss.",
    ),
    (
        joined(said("glauben", WE), THAT, said("aufstehen", name("Anna"), at=(adverb("oft"),))),
        "We believe that Anna often gets up.",
        "Wir glauben, dass Anna oft aufsteht.",
    ),
    (
        joined(said("fragen", SHE, tense="past"), WHETHER, said("anrufen", ME, accusative(HE),
               tense="past")),
        "She asked whether I called him.",
        "Sie hat gefragt, ob ich ihn angerufen habe.",
    ),
    (
        joined(said("wissen", ME, negative=True), INDIRECT,
               said("wohnen", HE, at=(Question("where", "wo"),))),
        "I do not know where he lives.",
        "Ich weiß nicht, wo er wohnt.",
    ),
    (
        joined(said("schwimmen", WE, modal=CAN), IF,
               sei(the("Wetter"), "gut"), first=True),
        "If the weather is good, we can swim.",
        "Wenn das Wetter gut ist, können wir schwimmen.",
    ),
    (
        joined(said("versuchen", HE, tense="past"), TO,
               said("abschließen", None, accusative(the("Tür")))),
        "He tried to lock the door.",
        "Er hat versucht, die Tür abzuschließen.",
    ),
    (
        joined(said("gehen", SHE, place("direction", "accusative", "auf", "to", the("Markt")),
                    tense="past"), IN_ORDER_TO, said("kaufen", None, accusative(a("Brot")))),
        "She went to the market to buy bread.",
        "Sie ist auf den Markt gegangen, um Brot zu kaufen.",
    ),
    (
        joined(said("gehen", YOU, HOME, tense="past"), IN_ORDER_TO, said("sich ausruhen", None)),
        "You went home to rest.",
        "Du bist nach Hause gegangen, um dich auszuruhen.",
    ),
    # Requests
    (
        request("öffnen", accusative(the("Fenster"))),
        "Please open the window!",
        "Öffne bitte das Fenster!",
    ),
    (
        request("anrufen", accusative(ME), negative=True),
        "Please do not call me!",
        "Ruf mich bitte nicht an!",
    ),
    (request("sich beeilen"), "Please hurry!", "Beeil dich bitte!"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "expected_english", "expected_german"), EXAMPLES, ids=[row[1] for row in EXAMPLES]
)
def test_example_sentences(sentence, expected_english, expected_german):
    assert english.realise(sentence) == expected_english
    assert german.realise(sentence) == expected_german


def test_there_is():
    there_is = replace(verb("geben"), en="be", kind="existence")
    where = place("location", "dative", "in", "in", the("Dorf"))
    churches = NounPhrase(noun("Kirche"), "number", PLURAL, numeral=number(2))
    clause = Clause(there_is, IT, (accusative(churches), where))
    assert english.realise(Sentence(clause)) == "There are two churches in the village."
    assert german.realise(Sentence(clause)) == "Im Dorf gibt es zwei Kirchen."
    contracted = Sentence(clause, contracted=True)
    assert english.realise(contracted) == "There are two churches in the village."
    asked = Sentence(clause, "question")
    assert english.realise(asked) == "Are there two churches in the village?"
    assert german.realise(asked) == "Gibt es im Dorf zwei Kirchen?"


def test_relative_clauses():
    clause = said("kaufen", my("Onkel"), accusative(Relative(noun("Hund"), SINGULAR)), tense="past")
    dog = replace(the("Hund"), relative=clause)
    this = Lexeme("this", "das")
    sentence = statement("sein", this, Complement(dog, "nominative", "predicate"))
    assert english.realise(sentence) == "This is the dog that my uncle bought."
    assert german.realise(sentence) == "Das ist der Hund, den mein Onkel gekauft hat."
    in_rome = place("location", "dative", "in", "in", name("Rom"))
    woman = replace(the("Frau"), relative=said("wohnen", Relative(noun("Frau"), SINGULAR), in_rome))
    sentence = Sentence(sei(woman, "jung"))
    assert english.realise(sentence) == "The woman who lives in Rome is young."
    assert german.realise(sentence) == "Die Frau, die in Rom wohnt, ist jung."


def test_dative_plural_of_the_relative_pronoun():
    assert german.render(Relative(noun("Kind"), PLURAL), "dative") == "denen"


# Everyday conversation: syntax tree, English with full forms, with contractions, German

FORMAL, YOU_TWO = Pronoun(2, SINGULAR, "formal"), Pronoun(2, PLURAL)
ADDRESSED = Pronoun(2, PLURAL, "addressed")
EVERYBODY = Indefinite("everybody", "alle alle allen", de_number=PLURAL)
NOBODY = Indefinite("nobody", "niemand niemanden niemandem")
NOT_ANYTHING = Indefinite("anything", "nichts nichts nichts", negative=True)
MR_MILLER, CHILDREN = adverb("Herr Miller"), adverb("Kinder")
CAR, DOOR = accusative(the("Auto")), accusative(the("Tür"))
TOO_TIRED = Quality(adjective("müde"), "too")


def spoken(sentence, address):
    return replace(sentence, address=address)


EVERYDAY = [
    # Contractions
    (
        statement("lesen", ME, BOOK, tense="past", negative=True),
        "I did not read the book.",
        "I didn't read the book.",
        "Ich habe das Buch nicht gelesen.",
    ),
    (Sentence(sei(ME, "müde", negative=True)), "I am not tired.", "I'm not tired.",
     "Ich bin nicht müde."),
    (Sentence(sei(HE, "müde", negative=True)), "He is not tired.", "He isn't tired.",
     "Er ist nicht müde."),
    (Sentence(sei(the("Hund"), "alt")), "The dog is old.", "The dog is old.", "Der Hund ist alt."),
    (statement("schwimmen", SHE, modal=CAN, negative=True), "She cannot swim.", "She can't swim.",
     "Sie kann nicht schwimmen."),
    (statement("lesen", WE, BOOK, tense="future", negative=True), "We will not read the book.",
     "We won't read the book.", "Wir werden das Buch nicht lesen."),
    (statement("lesen", THEY, BOOK, tense="future"), "They will read the book.",
     "They'll read the book.", "Sie werden das Buch lesen."),
    (statement("lesen", ME, BOOK, modal=WOULD_LIKE), "I would like to read the book.",
     "I'd like to read the book.", "Ich möchte das Buch lesen."),
    (
        joined(said("wissen", ME, negative=True), INDIRECT,
               said("sein", HE, at=(Question("where", "wo"),))),
        "I do not know where he is.",
        "I don't know where he is.",
        "Ich weiß nicht, wo er ist.",
    ),
    (statement("haben", ME, accusative(a("Hund"))), "I have a dog.", "I have a dog.",
     "Ich habe einen Hund."),
    # "Going to", "used to" and the perfect
    (statement("lesen", SHE, BOOK, tense="intention"), "She is going to read the book.",
     "She's going to read the book.", "Sie wird das Buch lesen."),
    (
        statement("rauchen", HE, at=(adverb("früher"),), tense="former"),
        "He used to smoke.",
        "He used to smoke.",
        "Er hat früher geraucht.",
    ),
    (
        statement("lesen", ME, BOOK, at=(adverb("schon"),), tense="perfect"),
        "I have already read the book.",
        "I've already read the book.",
        "Ich habe das Buch schon gelesen.",
    ),
    (
        statement("anrufen", SHE, accusative(HE), at=(adverb("noch"),), tense="perfect",
                  negative=True),
        "She has not called him yet.",
        "She hasn't called him yet.",
        "Sie hat ihn noch nicht angerufen.",
    ),
    (
        question("essen", YOU, accusative(a("Pfannkuchen", number=PLURAL)),
                 at=(adverb("schon einmal"),), tense="perfect"),
        "Have you ever eaten pancakes?",
        "Have you ever eaten pancakes?",
        "Hast du schon einmal Pfannkuchen gegessen?",
    ),
    (
        statement("lernen", HE, accusative(a("Deutsch")),
                  at=(Span("since", number(2), noun("Jahr")),), tense="since", progressive=True),
        "He has been learning German for two years.",
        "He's been learning German for two years.",
        "Er lernt seit zwei Jahren Deutsch.",
    ),
    # Passive and causative
    (
        statement("bauen", the("Haus"), at=(adverb("letztes Jahr"),), tense="past", passive=True),
        "The house was built last year.",
        "The house was built last year.",
        "Das Haus wurde letztes Jahr gebaut.",
    ),
    (statement("reparieren", the("Auto"), modal=HAVE_TO, passive=True),
     "The car has to be repaired.", "The car has to be repaired.",
     "Das Auto muss repariert werden."),
    (statement("ausschalten", the("Lampe"), tense="perfect", negative=True, passive=True),
     "The lamp has not been turned off.", "The lamp hasn't been turned off.",
     "Die Lampe ist nicht ausgeschaltet worden."),
    (statement("putzen", the("Küche"), progressive=True, passive=True),
     "The kitchen is being cleaned.", "The kitchen is being cleaned.",
     "Die Küche wird gerade geputzt."),
    (statement("reparieren", ME, CAR, tense="past", causative=True), "I had the car repaired.",
     "I had the car repaired.", "Ich habe das Auto reparieren lassen."),
    (statement("reparieren", SHE, CAR, modal=HAVE_TO, causative=True),
     "She has to have the car repaired.", "She has to have the car repaired.",
     "Sie muss das Auto reparieren lassen."),
    # Unreal conditionals
    (
        joined(said("helfen", ME, dative(YOU), tense="conditional"), IF,
               said("haben", ME, accusative(a("Zeit")), tense="unreal"), first=True),
        "If I had time, I would help you.",
        "If I had time, I'd help you.",
        "Wenn ich Zeit hätte, würde ich dir helfen.",
    ),
    (
        joined(said("schwimmen", WE, modal=CAN, tense="conditional"), IF,
               sei(the("Wetter"), "warm", tense="unreal")),
        "We could swim if the weather were warm.",
        "We could swim if the weather were warm.",
        "Wir könnten schwimmen, wenn das Wetter warm wäre.",
    ),
    # Forms of address, requests and proposals
    (
        spoken(question("öffnen", FORMAL, DOOR, at=(adverb("bitte"),), modal=CAN,
                        tense="conditional"), MR_MILLER),
        "Could you please open the door, Mr Miller?",
        "Could you please open the door, Mr Miller?",
        "Könnten Sie bitte die Tür öffnen, Herr Miller?",
    ),
    (
        spoken(Sentence(said("sich beeilen", FORMAL), "imperative"), MR_MILLER),
        "Please hurry, Mr Miller!",
        "Please hurry, Mr Miller!",
        "Beeilen Sie sich bitte, Herr Miller!",
    ),
    (
        spoken(Sentence(said("abschließen", ADDRESSED, DOOR, negative=True), "command"), CHILDREN),
        "Do not lock the door, children.",
        "Don't lock the door, children.",
        "Schließt die Tür nicht ab, Kinder.",
    ),
    (
        spoken(Sentence(sei(FORMAL, "vorsichtig"), "command"), MR_MILLER),
        "Be careful, Mr Miller.",
        "Be careful, Mr Miller.",
        "Seien Sie vorsichtig, Herr Miller.",
    ),
    (
        question("sich freuen", YOU_TWO,
                 governed("auf", "accusative", "to", my("Reise", owner=YOU_TWO)),
                 progressive=False),
        "Do you two look forward to your trip?",
        "Do you two look forward to your trip?",
        "Freut ihr zwei euch auf eure Reise?",
    ),
    (Sentence(said("gehen", None, HOME), "proposal"), "Let's go home.", "Let's go home.",
     "Lass uns nach Hause gehen."),
    (question("anrufen", ME, accusative(the("Arzt")), modal=Modal("shall", "soll")),
     "Shall I call the doctor?", "Shall I call the doctor?", "Soll ich den Arzt anrufen?"),
    (
        joined(said("möchten", ME), Conjunction("to", "dass"), said("helfen", YOU, dative(SHE))),
        "I would like you to help her.",
        "I'd like you to help her.",
        "Ich möchte, dass du ihr hilfst.",
    ),
    (
        joined(said("bitten", SHE, accusative(HE), tense="past"), TO,
               said("abschließen", None, DOOR)),
        "She asked him to lock the door.",
        "She asked him to lock the door.",
        "Sie hat ihn gebeten, die Tür abzuschließen.",
    ),
    # Degree and comparison
    (
        joined(said("sein", ME, TOO_TIRED), IN_ORDER_TO, said("tanzen", None)),
        "I am too tired to dance.",
        "I'm too tired to dance.",
        "Ich bin zu müde, um zu tanzen.",
    ),
    (
        joined(said("sein", SHE, Quality(adjective("stark"), "enough")), IN_ORDER_TO,
               said("hochheben", None, accusative(the("Kiste")))),
        "She is strong enough to lift the box.",
        "She's strong enough to lift the box.",
        "Sie ist stark genug, um die Kiste hochzuheben.",
    ),
    (
        joined(said("sein", HE, Quality(adjective("müde"), "so"), tense="past"), THAT,
               said("einschlafen", HE, tense="past")),
        "He was so tired that he fell asleep.",
        "He was so tired that he fell asleep.",
        "Er war so müde, dass er eingeschlafen ist.",
    ),
    (
        statement("brauchen", WE, accusative(a("Wohnung", "groß", degree="comparative"))),
        "We need a bigger flat.",
        "We need a bigger flat.",
        "Wir brauchen eine größere Wohnung.",
    ),
    (
        statement("sein", Lexeme("this", "das"),
                  Complement(the("Kirche", "alt", degree="superlative"), "nominative",
                             "predicate"),
                  place("scope", "dative", "in", "in", name("Rom"))),
        "This is the oldest church in Rome.",
        "This is the oldest church in Rome.",
        "Das ist die älteste Kirche in Rom.",
    ),
    (
        question("sein", my("Bruder", owner=YOU), at=(Question("how old", "wie alt"),)),
        "How old is your brother?",
        "How old is your brother?",
        "Wie alt ist dein Bruder?",
    ),
    # Pronouns
    (statement("lachen", EVERYBODY, tense="past"), "Everybody laughed.", "Everybody laughed.",
     "Alle haben gelacht."),
    (question("anrufen", Indefinite("anybody", "jemand jemanden jemandem"), accusative(ME),
              tense="past"),
     "Did anybody call me?", "Did anybody call me?", "Hat mich jemand angerufen?"),
    (statement("anrufen", NOBODY, accusative(ME), tense="past"), "Nobody called me.",
     "Nobody called me.", "Niemand hat mich angerufen."),
    (
        statement("hören", WE, accusative(NOT_ANYTHING), tense="past", negative=True),
        "We did not hear anything.",
        "We didn't hear anything.",
        "Wir haben nichts gehört.",
    ),
    (
        statement("geben", ME, dative(HE, "to"), accusative(IT), tense="past"),
        "I gave it to him.",
        "I gave it to him.",
        "Ich habe es ihm gegeben.",
    ),
    (
        statement("verkaufen", THEY, accusative(my("Haus", owner=THEY)), tense="past"),
        "They sold their house.",
        "They sold their house.",
        "Sie haben ihr Haus verkauft.",
    ),
    # Adverbs
    (
        statement("verlieren", ME, accusative(my("Schlüssel")), at=(adverb("leider"),),
                  tense="past", fronted=True),
        "Unfortunately, I lost my key.",
        "Unfortunately, I lost my key.",
        "Leider habe ich meinen Schlüssel verloren.",
    ),
    (
        statement("wohnen", SHE, place("location", "dative", "in", "in", name("Rom")),
                  at=(adverb("mehr"),), negative=True),
        "She does not live in Rome anymore.",
        "She doesn't live in Rome anymore.",
        "Sie wohnt nicht mehr in Rom.",
    ),
    (
        Sentence(sei(ME, "müde", at=(adverb("immer noch"),))),
        "I am still tired.",
        "I'm still tired.",
        "Ich bin immer noch müde.",
    ),
    # Multi-word verbs, and "mögen"
    (
        joined(said("versuchen", HE, tense="past"), TO, said("spazieren gehen", None)),
        "He tried to go for a walk.",
        "He tried to go for a walk.",
        "Er hat versucht, spazieren zu gehen.",
    ),
    (statement("den Tisch decken", SHE), "She sets the table.", "She sets the table.",
     "Sie deckt den Tisch."),
    (
        statement("mögen", ME, accusative(a("Schokolade")), negative=True),
        "I do not like chocolate.",
        "I don't like chocolate.",
        "Ich mag keine Schokolade.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "full", "short", "expected_german"), EVERYDAY, ids=[row[1] for row in EVERYDAY]
)
def test_everyday_sentences(sentence, full, short, expected_german):
    assert english.realise(sentence) == full
    assert english.realise(replace(sentence, contracted=True)) == short
    assert german.realise(sentence) == expected_german


@pytest.mark.parametrize(
    ("word", "expected_english", "expected_german"),
    [("alt", "oldest", "ältest"), ("gut", "best", "best"), ("schlecht", "worst", "schlechtest"),
     ("groß", "biggest", "größt"), ("hoch", "highest", "höchst"), ("teuer", "most expensive",
     "teuerst"), ("spannend", "most exciting", "spannendst"), ("kurz", "shortest", "kürzest"),
     ("dunkel", "darkest", "dunkelst"), ("neu", "newest", "neuest"), ("nett", "nicest", "nettest"),
     ("bunt", "most colourful", "buntest"), ("leise", "quietest", "leisest"),
     ("romantisch", "most romantic", "romantischst"), ("frisch", "freshest", "frischest")],
)  # fmt: skip
def test_superlatives(word, expected_english, expected_german):
    assert english_inflection.graded(adjective(word), "superlative") == expected_english
    assert german_inflection.graded(adjective(word), "superlative") == expected_german


@pytest.mark.parametrize(
    ("infinitive", "second_plural", "participle"),
    [("arbeiten", "arbeitet", "worked"), ("sein", "seid", "been"), ("haben", "habt", "had"),
     ("lesen", "lest", "read"), ("nehmen", "nehmt", "taken"), ("sammeln", "sammelt", "collected"),
     ("schwimmen", "schwimmt", "swum"), ("wissen", "wisst", "known"), ("gehen", "geht", "gone")],
)  # fmt: skip
def test_second_person_plural_and_english_participle(infinitive, second_plural, participle):
    assert german_inflection.present(verb(infinitive), 2, PLURAL) == second_plural
    assert english_inflection.past_participle(verb(infinitive)) == participle


def test_full_and_contracted_negations_are_about_equally_frequent(stream):
    full = sum(" not " in source for source, _, _ in stream)
    short = sum("n't" in source for source, _, _ in stream)
    assert 0.7 < short / full < 1.4


def test_an_unknown_german_word_raises_key_error():
    with pytest.raises(KeyError):
        noun("Quux")
