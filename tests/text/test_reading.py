import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.reading import as_read


@pytest.mark.parametrize(
    ("sentence", "read"),
    [
        ("WHERE IS IT?", "Where is it?"),
        ("I don\u2019t know", "I don't know"),
        ("\u2018Yes,\u2019 she said.", '"Yes," she said.'),
        ("Cafe\u0301", "Caf\u00e9"),
        ("a\ud800b", "a?b"),
        ("USA", "USA"),
    ],
)
def test_a_sentence_is_read_without_what_people_type_in_many_ways(sentence, read):
    assert as_read(sentence, "en") == read


@given(st.text())
def test_a_sentence_that_was_read_stays_as_it_is(sentence):
    once = as_read(sentence, "en")
    assert as_read(once, "en") == once
