import pytest

from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.stand_ins import in_digits, restored, stand_ins, with_stand_ins


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
    ],
)
def test_a_stand_in_is_restored_once(translation, expected):
    originals = {"12": "a@b.example", "15": "3,50 €", "Peter": "Zork"}
    assert restored(translation, originals) == expected


def test_a_restored_text_is_not_taken_for_a_stand_in():
    assert restored("12 ist Peter", {"12": "www.Peter.de/15", "15": "x", "Peter": "Zork"}) == (
        "www.Peter.de/15 ist Zork"
    )
