"""Digits of the source in translations whose digits are 0."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.digits import with_digits, zeroed
from keras_transformer.corrections.formats import formats
from keras_transformer.corrections.values import values

ENGLISH_GERMAN = formats("en", "de")


def restored(source, translation, place=lambda span: span[0], languages=ENGLISH_GERMAN):
    return with_digits(source, values(source, languages), translation, place)


@pytest.mark.parametrize(
    ("source", "translation", "wanted"),
    [
        ("There are 35 people.", "es sind 00 leute.", "es sind 35 leute."),
        ("Gate 12 closes at 7:45.", "gate 00 schließt um 0:00.", "gate 12 schließt um 7:45."),
        ("It costs 1,250.75.", "es kostet 0.000,00.", "es kostet 1.250,75."),
        ("It costs $3.50.", "es kostet 0,00 $.", "es kostet 3,50 $."),
        ("We need $2.5 billion.", "0,0 milliarden dollar.", "2,5 milliarden dollar."),
        ("On May 3, 2021 it rained.", "am 0. mai 0000 regnete es.", "am 3. Mai 2021 regnete es."),
        ("Flight LH 400 is late.", "flug lh 000 hat verspätung.", "flug LH 400 hat verspätung."),
        ("A 2-year-old, 10 cats.", "ein 0-jähriger, 00 katzen.", "ein 2-jähriger, 10 katzen."),
        ("The 21st of 30 laps.", "die 00. von 00 runden.", "die 21. von 30 runden."),
        ("He is 7.", "er ist sieben.", "er ist sieben."),
        ("He is late.", "er ist 00 zu spät.", "er ist 00 zu spät."),
        ("Version 2.10.3 is out.", "version 0.00.0 ist da.", "version 2.10.3 ist da."),
        ("", "00", "00"),
        ("12", "", ""),
    ],
)
def test_digits_come_from_the_source(source, translation, wanted):
    assert restored(source, translation) == wanted


def test_the_places_decide_the_order_of_values_of_the_same_length():
    source, translation = "12 cats chase 34 dogs.", "00 hunde jagen 00 katzen."
    assert restored(source, translation) == "12 hunde jagen 34 katzen."
    backward = {0: 20, 14: 0}
    found = restored(source, translation, lambda span: backward[span[0]])
    assert found == "34 hunde jagen 12 katzen."


NUMBERS = st.lists(st.integers(0, 99_999).map(str), max_size=6)


@given(NUMBERS, st.sampled_from([" and ", " x 'y' ", ": "]))
def test_a_translation_that_is_the_source_is_restored_completely(numbers, joint):
    source = f"We have {joint.join(numbers)} here."
    assert restored(source, zeroed(source), languages=formats("en", "fr")) == source


@given(st.text("0a ,.:", max_size=30), st.text("123b ,.:", max_size=30))
def test_only_zeros_are_replaced(translation, source):
    found = restored(source, translation, languages=formats("en", "fr"))
    assert zeroed(found).lower() == translation
    # Each digit of the source is used once.
    for digit in "123":
        assert found.count(digit) <= source.count(digit)
    assert not re.search(r"[4-9]", found)
