"""The everyday patterns: notation, values and German inflection."""

import itertools
import random
import re

import pytest
from num2words import num2words

from keras_transformer.phrasebook import patterns, slots, values
from keras_transformer.phrasebook.contractions import expanded
from keras_transformer.phrasebook.lexicon import Adjective, Noun, lexicon
from keras_transformer.phrasebook.patterns import (
    Filling,
    PatternError,
    Patterns,
    lexicon_classes,
    side_text,
)
from keras_transformer.phrasebook.values import Value

CLASSES = lexicon_classes()


def noun(german):
    return lexicon().find(Noun, german)


def filled(line, *germans, adjective=""):
    """Return the pair for a pattern and German nouns in the order of its slots."""
    pattern = patterns.read_pattern(line, CLASSES)
    filling = Filling(dict(zip(pattern.nouns, map(noun, germans), strict=True)))
    if adjective:
        word = lexicon().find(Adjective, adjective)
        filling.adjectives = dict.fromkeys(pattern.adjectives, word)
    sides = zip((pattern.english, pattern.german), ("en", "de"), strict=True)
    return tuple(side_text(side, language, pattern, filling) for side, language in sides)


def german(slot, german_noun):
    read = slots.read_slot(slot, "de", frozenset(CLASSES))
    return slots.german_noun(read, noun(german_noun), None)


# Nouns. The class "tool" includes Hammer (masculine), Säge (feminine) and Seil (neuter).


@pytest.mark.parametrize(
    ("determiner", "masculine", "feminine", "neuter"),
    [
        ("der", "der Hammer", "die Säge", "das Seil"),
        ("den", "den Hammer", "die Säge", "das Seil"),
        ("dem", "dem Hammer", "der Säge", "dem Seil"),
        ("des", "des Hammers", "der Säge", "des Seils"),
        ("ein", "ein Hammer", "eine Säge", "ein Seil"),
        ("einen", "einen Hammer", "eine Säge", "ein Seil"),
        ("einem", "einem Hammer", "einer Säge", "einem Seil"),
        ("eines", "eines Hammers", "einer Säge", "eines Seils"),
        ("kein", "kein Hammer", "keine Säge", "kein Seil"),
        ("keinen", "keinen Hammer", "keine Säge", "kein Seil"),
        ("mein", "mein Hammer", "meine Säge", "mein Seil"),
        ("deinen", "deinen Hammer", "deine Säge", "dein Seil"),
        ("seinem", "seinem Hammer", "seiner Säge", "seinem Seil"),
        ("ihres", "ihres Hammers", "ihrer Säge", "ihres Seils"),
        ("Ihren", "Ihren Hammer", "Ihre Säge", "Ihr Seil"),
        ("unser", "unser Hammer", "unsere Säge", "unser Seil"),
        ("unserem", "unserem Hammer", "unserer Säge", "unserem Seil"),
        ("euer", "euer Hammer", "eure Säge", "euer Seil"),
        ("euren", "euren Hammer", "eure Säge", "euer Seil"),
        ("dieser", "dieser Hammer", "diese Säge", "dieses Seil"),
        ("diesen", "diesen Hammer", "diese Säge", "dieses Seil"),
        ("diesem", "diesem Hammer", "dieser Säge", "diesem Seil"),
        ("welcher", "welcher Hammer", "welche Säge", "welches Seil"),
        ("jeden", "jeden Hammer", "jede Säge", "jedes Seil"),
        ("zum", "zum Hammer", "zur Säge", "zum Seil"),
        ("im", "im Hammer", "in der Säge", "im Seil"),
        ("ins", "in den Hammer", "in die Säge", "ins Seil"),
        ("in den", "in den Hammer", "in die Säge", "ins Seil"),
        ("von dem", "vom Hammer", "von der Säge", "vom Seil"),
        ("mit einem", "mit einem Hammer", "mit einer Säge", "mit einem Seil"),
    ],
)
def test_german_determiners_agree_with_the_noun(determiner, masculine, feminine, neuter):
    found = [german(f"{determiner} tool", word) for word in ("Hammer", "Säge", "Seil")]
    assert found == [masculine, feminine, neuter]


@pytest.mark.parametrize(
    ("slot", "word", "expected"),
    [
        ("die tools", "Hammer", "die Hämmer"),
        ("den tools", "Hammer", "den Hämmern"),
        ("der tools", "Hammer", "der Hämmer"),
        ("meinen tools", "Säge", "meinen Sägen"),
        ("keine tools", "Seil", "keine Seile"),
        ("tools", "Seil", "Seile"),
        ("tools/dat", "Seil", "Seilen"),
        ("keinen food(s)", "Brot", "kein Brot"),
        ("keinen food(s)", "Apfel", "keine Äpfel"),
        ("food(s)", "Käse", "Käse"),
        ("dem person", "Kollege", "dem Kollegen"),
        ("einen job", "Pilot", "einen Piloten"),
        ("job/nom", "Pilot", "Pilot"),
        ("meine spectacles", "Brille", "meine Brille"),
        ("meinen spectacles", "Brille", "meiner Brille"),
        ("AT goal", "Bahnhof", "am Bahnhof"),
        ("TO goal", "Bahnhof", "zum Bahnhof"),
        ("FROM goal", "Bahnhof", "vom Bahnhof"),
        ("AT goal", "Schule", "in der Schule"),
        ("TO goal", "Kino", "ins Kino"),
        ("FROM goal", "Kino", "aus dem Kino"),
        ("TO goal", "Spielplatz", "auf den Spielplatz"),
    ],
)
def test_german_nouns_with_number_case_and_preposition(slot, word, expected):
    assert german(slot, word) == expected


@pytest.mark.parametrize(
    ("line", "nouns", "expected"),
    [
        ("{the tool} is here.\t{der tool} ist hier.", ["Säge"], ("The saw is here.", "Die Säge ist hier.")),  # noqa: E501
        ("I need {a tool}.\tIch brauche {einen tool}.", ["Axt"], ("I need an axe.", "Ich brauche eine Axt.")),  # noqa: E501
        ("I see {a clothing}.\tIch sehe {einen clothing}.", ["Uniform"], ("I see a uniform.", "Ich sehe eine Uniform.")),  # noqa: E501
        ("{my spectacles}?\t{meine spectacles}?", ["Brille"], ("My glasses?", "Meine Brille?")),
        ("I go {TO goal}.\tIch gehe {TO goal}.", ["Schule"], ("I go to school.", "Ich gehe in die Schule.")),  # noqa: E501
        ("{a tool} and {a tool#2}\t{ein tool} und {ein tool#2}", ["Säge", "Hammer"], ("A saw and a hammer", "Eine Säge und ein Hammer")),  # noqa: E501
        ("The tool that I like: {the tool}.\tDas mag ich: {den tool}, {er=tool}, {ihn=tool}, {dem=tool}.", ["Säge"], ("The tool that I like: the saw.", "Das mag ich: die Säge, sie, sie, der.")),  # noqa: E501
    ],
)  # fmt: skip
def test_filled_patterns(line, nouns, expected):
    assert filled(line, *nouns) == expected


@pytest.mark.parametrize(
    ("slot", "word", "expected"),
    [
        ("{einen ADJ tool}", "Hammer", "einen alten Hammer"),
        ("{ein ADJ tool}", "Hammer", "ein alter Hammer"),
        ("{ein ADJ tool}", "Seil", "ein altes Seil"),
        ("{der ADJ tool}", "Hammer", "der alte Hammer"),
        ("{dem ADJ tool}", "Säge", "der alten Säge"),
        ("{diesem ADJ tool}", "Seil", "diesem alten Seil"),
    ],
)
def test_german_adjectives_agree_with_the_noun(slot, word, expected):
    source, target = filled(f"We: {{a ADJ tool}}.\tWir: {slot}.", word, adjective="alt")
    assert target == f"Wir: {expected}."
    assert source == f"We: an old {noun(word).en}."


def test_plural_adjectives_agree_with_the_noun():
    line = "We: {ADJ tools}.\tWir: {ADJ tools}, {die ADJ tools}, {keine ADJ tools}."
    expected = "Wir: alte Sägen, die alten Sägen, keine alten Sägen."
    assert filled(line, "Säge", adjective="alt") == ("We: old saws.", expected)


def test_predicative_comparatives():
    line = "{the tool} is {ADJER=tool} than {the tool#2}.\t"
    line += "{der tool} ist {ADJER=tool} als {der tool#2}."
    expected = "The saw is older than the hammer.", "Die Säge ist älter als der Hammer."
    assert filled(line, "Säge", "Hammer", adjective="alt") == expected


# Invalid lines


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("I see {a tool}.", "one tab"),
        ("I see {a tool}.\tIch sehe {einen tool}.\tmore", "one tab"),
        ("I see {a tol}.\tIch sehe {einen tol}.", "no class or value 'tol'"),
        ("I see {a tool.\tIch sehe {einen tool}.", "unmatched brace"),
        ("I see {a tool}.\tIch sehe {eine tool}.", "'eine' is not a German determiner"),
        ("I see {die tool}.\tIch sehe {den tool}.", "'die' is not an English determiner"),
        ("I see {the tools}.\tIch sehe {den tool}.", "a noun has different numbers"),
        ("I see {a tools}.\tIch sehe {tools}.", "'a' requires a singular"),
        ("I see {a tool}.\tIch sehe etwas.", "only one side has tool"),
        ("I see {a tool}.\tIch sehe {einen tool#2}.", "only one side has tool, tool#2"),
        ("I see {first}.\tIch sehe {last}.", "only one side has first, last"),
        ("I see {a ADJ tool}.\tIch sehe {einen tool}.", "only one side has an adjective"),
        ("I see {a drink}.\tIch sehe {einen drink}.", "no noun fits 'drink'"),
        ("I see {tool}.\tIch sehe {tool}.", "no noun fits 'tool'"),
        ("I go {TO tool}.\tIch gehe {TO tool}.", "no noun fits 'tool'"),
        ("I go {TO goals}.\tIch gehe {TO goals}.", "expected a class in the singular"),
        ("I go {TO ADJ goal}.\tIch gehe {TO ADJ goal}.", "expected a class in the singular"),
        ("I go {TO the goal}.\tIch gehe {TO the goal}.", "expected a class in the singular"),
        ("I see {a tool}.\tIch sehe {einen tool}, {er=device}.", "no noun slot for device"),
        ("{the tools}\t{die tools}, {denen=tool}", "'denen' is not one of"),
        ("{price's} end\t{price's} Ende", "only people can be in the genitive"),
        ("with {tools}\tmit {tools/gen}", "nom or dat, not 'gen'"),
        ("@ tool = device", "expected '@ new_name ="),
        ("@ stuffs = no_class", "no class 'no_class'"),
        ("@ stuffs = tool, -piano", "not in the group: piano"),
    ],
)
def test_invalid_lines_are_reported_with_their_position(line, message):
    with pytest.raises(PatternError, match=f"^file:2: .*{re.escape(message)}"):
        patterns.read(["# comment", line], "file")


# Values


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (values.grouped("7"), ("7", "7")),
        (values.grouped("999"), ("999", "999")),
        (values.grouped("1234"), ("1,234", "1.234")),
        (values.grouped("123456789012"), ("123,456,789,012", "123.456.789.012")),
        (values.amount(350, "€"), ("€3.50", "3,50 €")),
        (values.amount(350, "euros"), ("3.50 euros", "3,50 Euro")),
        (values.amount(2000, "$"), ("$20", "20 $")),
        (values.amount(500, "£"), ("£5", "5 £")),
        (values.amount(123456, "€"), ("€1,234.56", "1.234,56 €")),
        (values.clock(6, 45, "24"), ("6:45", "6.45 Uhr")),
        (values.clock(6, 45, "a.m."), ("6:45 a.m.", "6.45 Uhr")),
        (values.clock(18, 45, "a.m."), ("6:45 p.m.", "18.45 Uhr")),
        (values.clock(12, 30, "a.m."), ("12:30 p.m.", "12.30 Uhr")),
        (values.clock(0, 30, "a.m."), ("12:30 a.m.", "0.30 Uhr")),
        (values.clock(7, 5, "24"), ("7:05", "7.05 Uhr")),
        (values.clock(6, 0, "o'clock"), ("6 o'clock", "6 Uhr")),
        (values.clock(18, 0, "a.m."), ("6:00 p.m.", "18 Uhr")),
        (values.calendar_date(3, 5, 2024, "us"), ("May 3, 2024", "3. Mai 2024")),
        (values.calendar_date(3, 5, 2024, "uk"), ("3 May 2024", "3. Mai 2024")),
        (values.calendar_date(12, 3, None, "us"), ("March 12", "12. März")),
        (values.calendar_date(3, 5, 2024, "iso"), ("2024-05-03", "2024-05-03")),
        (values.genitive(("Anna", "Anna")), ("Anna's", "Annas")),
        (values.genitive(("Hans", "Hans")), ("Hans's", "Hans'")),
        (values.genitive(("Max", "Max")), ("Max's", "Max'")),
        (values.genitive(("Fritz", "Fritz")), ("Fritz's", "Fritz'")),
    ],
)
def test_formats_of_values(value: Value, expected):
    assert value == expected


FORMS = {
    "decimal": (r"\d+\.\d+", r"\d+,\d+"),
    "percent": (r"[\d.]+%", r"[\d,]+ %"),
    "number": (r"[\d,]+", r"[\d.]+"),
    "degrees": (r"-?\d+ (°C|degrees)", r"-?\d+ (°C|Grad)"),
    "time": (r"\d+(:\d\d)?( [ap]\.m\.| o'clock)?", r"\d+(\.\d\d)? Uhr"),
    "price": (r"[€$£][\d,.]+|[\d,.]+ euros", r"[\d.,]+ ([€$£]|Euro)"),
    "score": (r"\d+-\d+", r"\d+:\d+"),
    "email": (r"[a-z0-9._]+@[a-z0-9]+\.[a-z]+", r"[a-z0-9._]+@[a-z0-9]+\.[a-z]+"),
}


@pytest.mark.parametrize("kind", FORMS)
def test_random_values_have_the_format_of_their_language(kind):
    rand = random.Random(3)
    for _ in range(500):
        english, german_form = values.GENERATORS[kind](rand)
        assert re.fullmatch(FORMS[kind][0], english), english
        assert re.fullmatch(FORMS[kind][1], german_form), german_form


UNCHANGED = ("first", "man", "woman", "last", "full", "brand", "product", "street")
UNCHANGED += ("code", "flight", "plate", "room", "phone", "web", "file", "version")


@pytest.mark.parametrize("kind", UNCHANGED)
def test_names_and_codes_vary_and_are_the_same_in_both_languages(kind):
    rand = random.Random(5)
    found = [values.GENERATORS[kind](rand) for _ in range(300)]
    assert all(source == target and source.strip() for source, target in found)
    assert len(set(found)) > 100


def test_integers_have_1_to_12_digits():
    rand = random.Random(1)
    lengths = {len(re.sub(r"\D", "", values.number(rand)[0])) for _ in range(3000)}
    assert lengths == set(range(1, 13))


# English


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("I can't go.", "I cannot go."),
        ("We won't go, I'm tired.", "We will not go, I am tired."),
        ("Don't go!", "Do not go!"),
        ("Don't you go?", "Don't you go?"),
        ("He's here, she's been there.", "He is here, she has been there."),
        ("That's Anna's dog.", "That is Anna's dog."),
        ("What's new?", "What is new?"),
        ("I'd like tea.", "I would like tea."),
        ("Let's go.", "Let's go."),
        ("They've seen it.", "They have seen it."),
    ],
)
def test_contractions_are_expanded(short, full):
    assert expanded(short) == full


# The file


def test_number_of_patterns():
    loaded = patterns.load().patterns
    assert len(loaded) >= 900
    assert sum(bool(pattern.values) for pattern in loaded) >= 300


def test_every_class_and_group_has_nouns():
    assert all(patterns.load().classes.values())


def test_every_noun_occurs_in_a_pattern():
    used = {id(n) for p in patterns.load().patterns for group in p.nouns.values() for n in group}
    assert [item for item in lexicon().nouns if id(item) not in used] == []


def test_every_pattern_can_be_filled():
    maker = Patterns(seed=2)
    for pattern in maker.patterns:
        for _ in range(3):
            for text in maker.fill(pattern):
                assert "{" not in text and "  " not in text
                assert text == text.strip() and text[-1] in ".?!,"


def test_the_seed_determines_the_pairs():
    first, same, other = (
        [pair for _, pair in zip(range(300), patterns.examples(seed), strict=False)]
        for seed in (1, 1, 2)
    )
    assert first == same != other


def test_articles_contractions_and_periods_in_many_pairs():
    for source, target in itertools.islice(patterns.examples(9), 5000):
        assert not re.search(r"\ba [aeio]\w+ |\ban [bcdfgjklmnpqrstvwxz]", source), source
        assert not re.search(r"(?<!,) (in|zu|von|bei|an) dem [A-Z]", target), target
        assert ".." not in source + target


def test_ordinals_have_the_endings_of_num2words():
    rand = random.Random(1)
    found = {values.ordinal(rand) for _ in range(1000)}
    assert found == {(num2words(n, to="ordinal_num"), f"{n}.") for n in range(2, 32)}


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("a quarter to 8", "Viertel vor 8"),
        ("a quarter past twelve", "Viertel nach zwölf"),
        ("half past 2", "halb 3"),
        ("half past twelve", "halb eins"),
        ("ten to one", "zehn vor eins"),
    ],
)
def test_spoken_times(english, german):
    """In German, half past two is half of the third hour."""
    rand = random.Random(1)
    found = {values.spoken(rand) for _ in range(10_000)}
    assert german in {other for same, other in found if same == english}
    assert len(found) == 9 * 12 * 2
