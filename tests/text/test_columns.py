"""Columns of text in a terminal."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.columns import columns, padded


@given(st.text(st.characters(categories=["L", "N", "Mn", "Zs"]), max_size=20))
def test_a_padded_text_has_the_columns_that_were_asked_for(text):
    assert columns(padded(text, 50)) == 50
    assert padded(text, 50).rstrip(" ") == text.rstrip(" ")


def test_columns_are_those_of_a_terminal():
    assert columns("Straße") == 6
    assert columns("東京") == 4
    assert columns(unicodedata.normalize("NFD", "ü")) == 1
    assert columns("か\u3099") == 2  # a letter and its voicing mark, which has the width W, too
    assert columns("\u0e14\u0e35") == 1  # a Thai letter with a vowel sign above it
    assert columns("\u0995\u09c1") == 1  # a Bengali letter with a vowel sign below it
