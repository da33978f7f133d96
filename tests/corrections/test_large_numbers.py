import pytest

from keras_transformer.corrections.large_numbers import (
    with_large_words,
    without_large_words,
)


@pytest.mark.parametrize(
    ("number", "form"),
    [
        ("5.000.000", "5 Millionen"),
        ("5,000,000", "5 million"),
        ("1.250.000", "1,25 Millionen"),
        ("3,000,000,000", "3 billion"),
        ("$5,000,000", "$5 million"),
        ("5.000.000 €", "5 Millionen"),
    ],
)
def test_a_large_number_may_have_a_word(number, form):
    assert form in set(with_large_words(number))


@pytest.mark.parametrize("number", ["5000000", "5,000", "1,234,567", "5.0", "A1", ""])
def test_other_numbers_have_no_word(number):
    assert not list(with_large_words(number))


@pytest.mark.parametrize(
    ("number", "rest", "forms"),
    [
        ("5", " Millionen Menschen", ["5,000,000", "5.000.000", "5000000"]),
        ("2,5", " Millionen", ["2,500,000", "2.500.000", "2500000"]),
        ("$1.25", " billion", ["1,250,000,000", "1.250.000.000", "1250000000"]),
        ("5", " millionaires", []),
        ("5", " people", []),
        ("12345", " million", []),
    ],
)
def test_a_number_with_a_word_may_be_in_digits(number, rest, forms):
    assert without_large_words(number, rest) == forms
