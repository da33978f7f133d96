import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.sentences import join_sentences, split_sentences


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("Hello. How are you?", ["Hello.", "How are you?"]),
        ("hello. how are you?", ["hello.", "how are you?"]),
        ("Mr. Smith paid $3.50 at 6:45 p.m. today.", ["Mr. Smith paid $3.50 at 6:45 p.m. today."]),
        ("What?! No way.", ["What?!", "No way."]),
        ("\tHello.\u00a0Bye! ", ["Hello.", "Bye!"]),
        ("See https://a.org/x?B=1. Bye!", ["See https://a.org/x?B=1.", "Bye!"]),
        ("Is it a.b@c.example? Yes.", ["Is it a.b@c.example?", "Yes."]),
        ("no mark at all", ["no mark at all"]),
        ("", []),
        (" \t", []),
        ("a\udc80b. C.", ["a?b.", "C."]),
    ],
)
def test_lines_are_split_into_sentences(line, sentences):
    assert split_sentences(line, "en") == sentences


@given(st.text())
def test_splitting_removes_only_whitespace(line):
    line = line.encode("utf-8", "replace").decode("utf-8")
    assert "".join("".join(split_sentences(line, "en")).split()) == "".join(line.split())


def test_sentences_are_joined_as_the_language_requires():
    assert join_sentences(["Hallo.", "", "Tschüss!"], "de") == "Hallo. Tschüss!"
    assert join_sentences(["你好。", "再见！"], "zh") == "你好。再见！"
