import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.final_marks import lacks_mark, with_mark, without_mark


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("A dog runs", True), ("Ein Fuß ", True), ("A dog.", False), ("Is it?", False),
     ("It is 5", False), ('He said "no"', False), ("", False), (" ", False),
     ("\u0928\u092e\u0938\u094d\u0924\u0947", True), ("nai\u0308", True)],
)  # fmt: skip
def test_only_a_sentence_that_ends_with_a_letter_lacks_a_mark(sentence, expected):
    assert lacks_mark(sentence) == expected


@given(st.text().filter(lacks_mark))
def test_a_mark_that_was_added_is_removed(sentence):
    assert not lacks_mark(with_mark(sentence))
    is_abbreviation = sentence.rstrip()[-2:-1] == "."
    assert is_abbreviation or without_mark(with_mark(sentence)) == sentence.rstrip()


@pytest.mark.parametrize(
    "text", ["It is plan B", "I am 20", "See 3.5", "He met J. R", "Version a.b.cd"]
)
def test_a_period_after_other_words_is_removed(text):
    assert without_mark(f"{text}.") == text


@pytest.mark.parametrize(
    "text",
    [
        "Er kommt am 5.",
        "Vom 3. zum 21.",
        "Und dann...",
        "Ist es?",
        "Ein Hund",
        "",
        "At 2:30 p.m.",
        "In the U.S.",
        "Kekse u.\u00c4.",
    ],
)
def test_other_endings_are_kept(text):
    assert without_mark(text) == text
