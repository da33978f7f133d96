import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.stand_ins import (
    contains,
    in_digits,
    restored,
    stand_ins,
    with_stand_ins,
)
from keras_transformer.translation.lexicon import Lexicon

# Letters of scripts that are written without spaces, or whose particles touch a number.
TOUCHING = st.text(
    st.sampled_from("\u6211\u53f7\u3067\u304f\u30a2\ub85c\uc758\u0e01\u0e82\u1000\u1780\u3002")
)


def test_numbers_that_the_corpus_copies_come_first():
    pairs = [("it is 47", "es ist 47"), ("we are 83", "wir sind 83"), ("no 12", "kein Dutzend")]
    first, second, *_ = stand_ins(Lexicon.learn(pairs * 50))
    assert {first, second} == {"47", "83"}


def test_stand_ins_do_not_occur_in_the_source():
    source = "a@b.example is 12 of 1157"
    masked, originals = with_stand_ins(source, [(0, 11, "a@b.example")], ["12", "15", "18"])
    assert masked == "18 is 12 of 1157"
    assert originals == {"18": "a@b.example"}


def test_parts_without_a_free_stand_in_are_left():
    spans = [(4, 5, "B"), (0, 1, "A")]
    assert with_stand_ins("a = b", spans, ["12"]) == ("12 = b", {"12": "A"})


@pytest.mark.parametrize(
    ("source", "lang", "used"),
    [
        ("At noon email B.", "", "15"),
        ("A dozen of B.", "en", "15"),
        ("A dozen of B.", "", "12"),
        ("Twelve of B.", "en", "15"),
        ("Zw\u00f6lf von B.", "de", "15"),
        ("Mittags um B.", "de", "15"),
        ("Mittagessen mit B.", "de", "12"),
        ("In December at B.", "en", "15"),
        ("At noon or 3 p.m., B.", "en", "18"),
        ("At noon or 3:30pm, B.", "en", "18"),
        ("Midnight, a quarter past, 6 pm, B.", "en", "30"),
        ("At 3 a.m., B.", "en", "12"),
    ],
)
def test_numbers_that_a_translation_may_have_for_another_reason_are_not_used(source, lang, used):
    start = source.index("B.")
    numbers = ["12", "15", "18", "24", "30"]
    masked, originals = with_stand_ins(source, [(start, start + 1, "B")], numbers, lang)
    assert originals == {used: "B"}
    assert masked == f"{source[:start]}{used}."


@pytest.mark.parametrize(
    ("translation", "expected"),
    [
        ("Tom fährt dreißig.", "Tom fährt 30."),
        ("Dreißig sind in A30.", "30 sind in A30."),
        ("Er ist dreißigjährig.", None),
        ("Dreißig oder dreißig?", None),
        ("Dreißig und 30.", None),
        ("Hunderteinunddreißig.", None),
        ("Peter fährt.", None),
    ],
)
def test_a_stand_in_in_words_is_put_in_digits(translation, expected):
    originals = {"30": "80 km/h", "Peter": "Zork"}
    assert in_digits(translation, originals, "de") == (expected or translation)


@pytest.mark.parametrize(
    ("translation", "expected"),
    [
        ("On the thirtieth day", "On the 30th day"),
        ("On day thirty", "On day 30"),
        ("On the thirty-first day", "On the thirty-first day"),
    ],
)
def test_an_ordinal_in_words_is_put_in_digits(translation, expected):
    assert in_digits(translation, {"30": "80"}, "en") == expected


@pytest.mark.parametrize(
    ("original", "expected"),
    [("115", "115th"), ("21", "21st"), ("111", "111th"), ("1,002", "1,002nd"), ("B-17", "B-17")],
)
def test_the_new_number_of_an_ordinal_has_its_own_ending(original, expected):
    assert contains("On the 12th day", "12")
    assert restored("On the 12th day", {"12": original}) == f"On the {expected} day"


def test_words_of_unknown_languages_are_left():
    assert in_digits("dreißig", {"30": "9"}, "xx") == "dreißig"


@pytest.mark.parametrize(
    ("translation", "expected"),
    [
        ("12 ist 15.", "a@b.example ist 3,50 €."),
        ("12 ist 12 15 15.", "a@b.example ist 3,50 €."),
        ("12 ist 15, 1215.", "a@b.example ist 3,50 €,."),
        ("Es ist 12,5 und A12.", "Es ist 12,5 und A12."),
        ("Peters Hund", "Zorks Hund"),
        ("Um 12 Uhr schreib an 12.", "Um 12 Uhr schreib an a@b.example."),
        ("Um 12 Uhr schreib.", "Um a@b.example Uhr schreib."),
        ("Write to 12 at 12 p.m.", "Write to a@b.example at 12 p.m."),
        (
            "12\u6708\u7ed912\u53d1\u90ae\u4ef6\u3002",
            "12\u6708\u7ed9a@b.example\u53d1\u90ae\u4ef6\u3002",
        ),
        (
            "15\u306b\u96fb\u8a71\u3057\u3066\u304f\u3060\u3055\u3044\u3002",
            "3,50 \u20ac\u306b\u96fb\u8a71\u3057\u3066\u304f\u3060\u3055\u3044\u3002",
        ),
        (
            "15\u53f7\u822a\u73ed\u665a\u70b9\u4e86\u3002",
            "3,50 \u20ac\u53f7\u822a\u73ed\u665a\u70b9\u4e86\u3002",
        ),
        (
            "\uc624\ub298 12\ub85c \ubcf4\ub0b4\uc138\uc694.",
            "\uc624\ub298 a@b.example\ub85c \ubcf4\ub0b4\uc138\uc694.",
        ),
        ("Peter\u3055\u3093", "Zork\u3055\u3093"),
    ],
)
def test_a_stand_in_is_restored_once(translation, expected):
    originals = {"12": "a@b.example", "15": "3,50 €", "Peter": "Zork"}
    assert restored(translation, originals) == expected


@given(TOUCHING, TOUCHING)
def test_letters_of_scripts_without_spaces_may_touch_a_stand_in(before, after):
    assert contains(f"{before}15{after}", "15")
    assert restored(f"{before}15{after}", {"15": "B-17"}) == f"{before}B-17{after}"


@pytest.mark.parametrize(
    "translation", ["A15", "15A", "\u044f15", "15\u044f", "115", "15.5", "\u0e5115", ""]
)
def test_a_part_of_a_longer_word_is_no_stand_in(translation):
    assert not contains(translation, "15")


@pytest.mark.parametrize(("text", "name"), [("Peters Hund", "Peter"), ("Am 3. Juli.", "3. Juli")])
def test_a_genitive_or_a_period_may_follow_a_stand_in(text, name):
    assert contains(text, name)


@pytest.mark.parametrize(
    ("lang", "name", "translation", "expected"),
    [
        ("de", "Hodges", "Peters Hund", "Hodges' Hund"),
        ("de", "Moritz", "Peters Hund", "Moritz' Hund"),
        ("de", "Zork", "Peters Hund", "Zorks Hund"),
        ("en", "Hodges", "Peter's dog", "Hodges's dog"),
        ("sv", "Hodges", "Peters hund", "Hodgess hund"),
    ],
)
def test_the_german_genitive_of_a_name_in_s_has_an_apostrophe(lang, name, translation, expected):
    assert restored(translation, {"Peter": name}, lang) == expected


def test_a_restored_text_is_not_taken_for_a_stand_in():
    assert restored("12 ist Peter", {"12": "www.Peter.de/15", "15": "x", "Peter": "Zork"}) == (
        "www.Peter.de/15 ist Zork"
    )
