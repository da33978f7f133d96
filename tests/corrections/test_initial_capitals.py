import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.initial_capitals import has_capitals, with_initial_capital


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("Does anyone speak English?", "spricht hier jemand?", "Spricht hier jemand?"),
        ("does anyone speak English?", "spricht hier jemand?", "spricht hier jemand?"),
        ('"Come in."', '"komm herein."', '"Komm herein."'),
        ("Éric came.", "éric kam.", "Éric kam."),
        ("My iPhone is broken.", "iPhone ist kaputt.", "iPhone ist kaputt."),
        ("3 people came.", "drei Leute kamen.", "drei Leute kamen."),
        ("Come", "", ""),
    ],
)
def test_a_translation_begins_like_its_source(source, translation, expected):
    assert with_initial_capital(source, translation) == expected


@given(st.text(), st.text())
def test_at_most_the_case_of_one_letter_changes(source, translation):
    changed = with_initial_capital(source, translation)
    assert changed.lower() == translation.lower() or changed.upper() == translation.upper()
    assert with_initial_capital(source, changed) == changed


def test_capitals_of_a_language_are_recognized():
    assert has_capitals({"der": 9, "Hund": 1, "Der": 1})
    assert not has_capitals({"der": 99, "hund": 9, "Tom": 1})
    assert not has_capitals({"كلب": 9})
    assert not has_capitals({})
