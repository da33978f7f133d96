import pytest

from keras_transformer.corrections.half_hours import (
    follows_half,
    with_half_hours,
    with_words,
)


@pytest.mark.parametrize(
    ("source", "translation", "corrected"),
    [
        ("It is half past nine.", "Es ist halb neun.", "Es ist halb zehn."),
        ("Half past twelve?", "Halb zwölf?", "Halb eins?"),
        ("half past one or half past two", "halb eins oder halb drei", "halb zwei oder halb drei"),
        ("It is half past 2.", "Es ist halb 2.", "Es ist halb 3."),
        ("It is half past 2.", "Es ist halb zwei.", "Es ist halb drei."),
        ("It is half past two.", "Es ist halb 2.", "Es ist halb 3."),
    ],
)
def test_german_half_hours_are_corrected(source, translation, corrected):
    assert with_half_hours(source, translation, "en", "de") == corrected


@pytest.mark.parametrize(
    ("source", "translation", "corrected"),
    [
        ("Es ist halb drei.", "It is half past three.", "It is half past two."),
        ("Es ist halb 3.", "It is half past 3.", "It is half past 2."),
        ("Halb 1?", "Half past one?", "Half past twelve?"),
    ],
)
def test_english_half_hours_are_corrected(source, translation, corrected):
    assert with_half_hours(source, translation, "de", "en") == corrected


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("half past two", "halb 3"),
        ("half past 2", "halb drei"),
        ("half past twelve", "halb eins"),
        ("half past one or half past two", "um halb eins"),
        ("half past one or half past two", "halb drei oder halb zwei"),
        ("half past midnight", "halb Mitternacht"),
        ("half past two, half full", "2.30 Uhr, halb voll"),
        ("half past two, half an hour", "2.30 Uhr, halb so lang"),
        ("half a loaf", "ein halb leeres Brot"),
    ],
)
def test_correct_half_hours_are_unchanged(english, german):
    assert with_half_hours(english, german, "en", "de") == german
    assert with_half_hours(german, english, "de", "en") == english


def test_a_half_hour_is_put_in_words():
    assert with_words("At Half past 2 or half past 12") == "At Half past two or half past twelve"
    assert with_words("half past 2:10, 3 or half 4") == "half past 2:10, 3 or half 4"


def test_a_number_follows_the_words_of_a_half_hour():
    assert follows_half("um halb 3", 8)
    assert follows_half("It is Half past 3.", 16)
    assert not follows_half("deshalb 3", 8)
    assert not follows_half("half of 3", 8)
