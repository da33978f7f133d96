import sys
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.words import (
    MARKS,
    SYMBOL_MARKS,
    count_words,
    fold_case,
    tokens,
    without_outer_marks,
    words,
)

ACCENTED = ["M\u00fcller", "\u00e9t\u00e9", "\u010cesk\u00fd", "na\u00efve", "plain"]


def test_words_are_counted_case_sensitively_and_folded():
    assert words("Don't eat 3 apples, O'Neil-Smith!") == [
        "don't",
        "eat",
        "apples",
        "o'neil-smith",
    ]
    counts = count_words(["A cat.", "a dog", "CAT"])
    assert counts == {"A": 1, "cat": 1, "a": 1, "dog": 1, "CAT": 1}
    assert fold_case(counts) == {"a": 2, "cat": 2, "dog": 1}


@pytest.mark.parametrize("apostrophe", ["\u2019", "\u02bc"])
def test_typographic_apostrophes_of_a_corpus_are_those_of_the_input(apostrophe):
    """The input is read with straight ones."""
    text = f"I{apostrophe}m sure you don{apostrophe}t."
    assert words(text) == ["i'm", "sure", "you", "don't"]
    assert tokens(text) == ["I'm", "sure", "you", "don't", "."]
    assert count_words([text]) == {"I'm": 1, "sure": 1, "you": 1, "don't": 1}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ('"Wo', "Wo"),
        ('Bahnhof?"', "Bahnhof"),
        ("„Ja“,", "Ja"),
        ("(12", "12"),
        ("don't", "don't"),
        ("p.m.", "p.m"),
        ("-5", "-5"),
        ("50%", "50%"),
        ("...", "..."),
        ("", ""),
    ],
)
def test_outer_marks_are_removed(word, expected):
    assert without_outer_marks(word) == expected


@given(st.text(), st.lists(st.sampled_from("\"'„“«»()[].,;:!?…")))
def test_outer_marks_do_not_change_a_word(word, marks):
    core = f"a{word}a"
    assert without_outer_marks("".join([*marks, core, *marks])) == core


@given(st.lists(st.sampled_from(ACCENTED)), st.sampled_from(["NFC", "NFD"]))
def test_an_accent_may_be_a_character_of_its_own(chosen, form):
    text = unicodedata.normalize(form, " ".join(chosen))
    assert words(text) == [word.lower() for word in chosen]
    assert tokens(text) == chosen
    assert count_words([text]) == Counter(chosen)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("हिन्दी में लिखो", ["हिन्दी", "में", "लिखो"]),
        ("বাংলা ভাষা", ["বাংলা", "ভাষা"]),
        ("தமிழ் மொழி", ["தமிழ்", "மொழி"]),
        ("ภาษาไทย ที่นี่", ["ภาษาไทย", "ที่นี่"]),
        ("مُحَمَّدٌ رَسُول", ["مُحَمَّدٌ", "رَسُول"]),
        ("שָׁלוֹם עוֹלָם", ["שָׁלוֹם", "עוֹלָם"]),
        ("می\u200cخواهم بروم", ["می\u200cخواهم", "بروم"]),
        ("ශ\u0dca\u200dරී ලංකා", ["ශ\u0dca\u200dරී", "ලංකා"]),
        ("за\u0301мок пан-за\u0301мок", ["за\u0301мок", "пан-за\u0301мок"]),
        ("n\u0308a n\u0308'n\u0308a", ["n\u0308a", "n\u0308'n\u0308a"]),
    ],
)
def test_letters_keep_their_marks(text, expected):
    assert words(text) == expected
    assert count_words([text]) == Counter(expected)


def test_marks_are_parts_of_tokens():
    assert tokens("हिन्दी 3, में।") == ["हिन्दी", "3", ",", "में", "।"]
    assert tokens("n\u0308'n\u0308a") == ["n\u0308'n\u0308a"]


def test_a_mark_without_a_letter_is_a_token():
    assert tokens("a \u0308") == ["a", "\u0308"]
    assert words("\u0308 a") == ["a"]


def test_marks_of_symbols_do_not_belong_to_words():
    assert tokens("\u2139\ufe0f 1\ufe0f\u20e3") == ["\u2139", "\ufe0f", "1", "\ufe0f", "\u20e3"]
    assert words("\u2139\ufe0f a\u20d7") == ["\u2139", "a"]


def test_all_marks_are_known():
    every = (chr(code) for code in range(sys.maxunicode + 1) if code not in SYMBOL_MARKS)
    assert set(MARKS) == {char for char in every if unicodedata.category(char).startswith("M")}
