import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.touching import BEGIN, END, LETTER


@pytest.mark.parametrize("letter", ["a", "Z", "é", "я", "א", "ع", "क", "7", "_", "１", "๑", "Ａ"])  # noqa: RUF001
def test_a_word_ends_before_other_letters(letter):
    assert re.fullmatch(LETTER, letter)
    assert not re.search(f"B1{END}", f"B1{letter}")
    assert not re.search(f"{BEGIN}B1", f"{letter}B1")


@pytest.mark.parametrize(
    "letter", ["我", "で", "ア", "로", "ก", "ກ", "က", "ក", "ཀ", "𠮷", " ", "。", ""]
)
def test_a_word_may_touch_letters_of_scripts_without_spaces(letter):
    assert not re.fullmatch(LETTER, letter)
    assert re.search(f"{BEGIN}B1{END}", f"{letter}B1{letter}")


@given(st.characters(categories=["Nd"]))
def test_every_decimal_digit_belongs_to_a_number(digit):
    assert re.fullmatch(LETTER, digit)
