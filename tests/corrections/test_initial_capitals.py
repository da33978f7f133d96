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
        ("Free iPhone apps are rare.", "iPhone-Apps sind rar.", "iPhone-Apps sind rar."),
        ("3 people came.", "drei Leute kamen.", "drei Leute kamen."),
        ("What was that?", "was war das?", "Was war das?"),
        ("The bell hooks books.", "bell hooks' Bücher.", "bell hooks' Bücher."),
        ("It is a pity.", "'s ist schade.", "'s ist schade."),
        (
            "Mail info@example.com.",
            "info@example.com anschreiben.",
            "info@example.com anschreiben.",
        ),
        ("\u201cCome in,\u201d he said.", '"komm herein", sagte er.', '"Komm herein", sagte er.'),
        ("Mail Max.", "max-muster@a.example anschreiben.", "max-muster@a.example anschreiben."),
        ("Europe is big.", "l'Europe est grande.", "L'Europe est grande."),
        ("U.S. troops left.", "truppen sind abgezogen.", "Truppen sind abgezogen."),
        ("'Twas late.", "es war sp\xe4t.", "Es war sp\xe4t."),
        ("Come", "", ""),
    ],
)
def test_a_translation_begins_like_its_source(source, translation, expected):
    assert with_initial_capital(source, translation, {"was": 9, "info": 9}, "de") == expected


@pytest.mark.parametrize(
    ("lang", "translation", "expected"),
    [
        ("nl", "ijs is koud.", "IJs is koud."),
        ("nl", "het is koud.", "Het is koud."),
        ("tr", "iyi misin?", "\u0130yi misin?"),
        ("az", "\u0131s\u0131q", "Is\u0131q"),
    ],
)
def test_capitals_follow_the_rules_of_the_language(lang, translation, expected):
    assert with_initial_capital("Ice is cold.", translation, {}, lang) == expected


@given(st.text(), st.text())
def test_at_most_the_case_of_one_letter_changes(source, translation):
    changed = with_initial_capital(source, translation, {})
    assert changed.lower() == translation.lower() or changed.upper() == translation.upper()
    assert with_initial_capital(source, changed, {}) == changed


def test_capitals_of_a_language_are_recognized():
    assert has_capitals({"der": 9, "Hund": 1, "Der": 1})
    assert not has_capitals({"der": 99, "hund": 9, "Tom": 1})
    assert not has_capitals({"كلب": 9})
    assert not has_capitals({})
