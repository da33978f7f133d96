"""Sentences after list markers and within quotation marks, parentheses or brackets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.enclosing import PAIRS, Enclosed
from keras_transformer.translation.translation import Translation
from tests.translation.copied_lines import translated_line, translations


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("after", ["", ".", "?!", "\u2026 "])
def test_marks_around_a_sentence_are_removed(pair, after):
    opening, closing = pair
    enclosed = Enclosed.of(f"{opening}It is red.{closing}{after}")
    assert enclosed == (opening, "It is red.", closing + after)


@pytest.mark.parametrize(
    "marker",
    [
        "- ",
        "* ",
        "\u2022 ",
        "\u2013 ",
        "> ",
        "### ",
        "2) ",
        "a) ",
        "(12) ",
        "(b) ",
        "[1]  ",
        "[ ] ",
    ],
)
def test_list_markers_are_removed(marker):
    assert Enclosed.of(f"{marker}It is red.") == (marker, "It is red.", "")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ('("No.")', ('("', "No.", '")')),
        ('> - [x] "It is".', ('> - [x] "', "It is", '".')),
        ("a) b) c", ("a) b) ", "c", "")),
    ],
)
def test_markers_and_marks_may_be_nested(sentence, expected):
    assert Enclosed.of(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ('"I am tired.', ('"', "I am tired.", "")),
        ('I want to sleep."', ("", "I want to sleep.", '"')),
        ("\u201eIch will schlafen", ("\u201e", "Ich will schlafen", "")),
        ('I want to sleep".', ("", "I want to sleep", '".')),
        ('- "I am tired.', ('- "', "I am tired.", "")),
        ('The screen has 15"', ("", 'The screen has 15"', "")),
        ('The word "house is here.', ("", 'The word "house is here.', "")),
    ],
)
def test_a_lone_quotation_mark_at_the_edge_is_removed(sentence, expected):
    assert Enclosed.of(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "1. Mai",
        "-5 degrees",
        "- 5",
        "-it",
        "a)",
        "[1]",
        "(yes) it is",
        "2 * 3 is six",
        '"Yes" and "no"',
        '"Yes," he said.',
        "(yes) or (no)",
        "f(x)",
        "He said (no)",
        "(12)",
        '""',
        '"',
        "",
        "'Twas cold in the dogs' house",
        ")no(",
        "(no]",
    ],
)
def test_other_marks_stay(sentence):
    assert Enclosed.of(sentence) == ("", sentence, "")


@given(st.text(st.sampled_from("ab1 .!?-#*" + "".join(PAIRS)), max_size=10))
def test_a_copy_is_the_sentence(sentence):
    enclosed = Enclosed.of(sentence)
    assert enclosed.around(enclosed.text) == sentence


class Shout:
    """A substitute for a translator that converts to upper case."""

    def translate(self, sentences, numbers=None):
        return [[Translation(each.upper(), -1.0, (1,))] for each in sentences]


@pytest.mark.parametrize(
    ("line", "read", "expected"),
    [
        ('"it is!"', "it is!", '"IT IS!"'),
        ("(it is).", "it is", "(IT IS)."),
        ("\u2192 [it is] :-)", "it is", "\u2192 [IT IS] :-)"),
        ('"it" is', '"it" is', '"IT" IS'),
        ("* it is", "it is", "* IT IS"),
        ("a) it is.", "it is.", "a) IT IS."),
    ],
)
def test_a_network_reads_sentences_without_the_marks_around_them(line, read, expected):
    found = translated_line(Shout(), line)
    assert [sentence.read for sentence in found.sentences] == [read]
    assert [each.text for each in found.translations()] == [expected]


class Capitalizing:
    """A substitute for a translator that begins each translation with a capital letter."""

    def translate(self, sentences, numbers=None):
        return [[Translation(each.capitalize(), -1.0, (1,))] for each in sentences]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- it is", "- it is"),
        ("- It is", "- It is"),
        ("(it is)", "(it is)"),
        ("- hund", "- Hund"),  # mostly has a capital letter
        ("it is", "It is"),
    ],
)
def test_what_is_enclosed_keeps_its_small_letter(line, expected):
    counts = {"it": 9, "It": 9, "is": 9, "Hund": 9}
    assert translations(Capitalizing(), line, counts) == [expected]
