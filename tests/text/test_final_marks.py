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
    assert without_mark(with_mark(sentence)) == sentence.rstrip()


@pytest.mark.parametrize("text", ["Und dann...", "Ist es?", "Ein Hund", ""])
def test_other_endings_are_kept(text):
    assert without_mark(text) == text
