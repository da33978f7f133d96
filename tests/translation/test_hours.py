import pytest

from keras_transformer.translation.hours import (
    with_full_hours,
    with_half_hours,
    with_minutes,
    without_repeated_halves,
    without_repeated_hours,
)


def test_full_hours_get_minutes():
    assert (
        with_minutes("From 9am to 10 p.m., at 7:30 pm")
        == "From 9:00 a.m. to 10:00 p.m., at 7:30 pm"
    )
    assert with_minutes("Open 9am-5pm.") == "Open 9:00 a.m. to 5:00 p.m."


@pytest.mark.parametrize(
    ("source", "translation", "corrected"),
    [
        ("Open at 9 a.m.", "Um 9.00 Uhr offen.", "Um 9 Uhr offen."),
        ("from 8 am to 6 pm", "von 8:00 Uhr bis 18.00 Uhr", "von 8 Uhr bis 18 Uhr"),
        ("9 a.m. or 9:00", "9.00 Uhr oder 9.00 Uhr", "9.00 Uhr oder 9.00 Uhr"),
        ("9 a.m.", "9.00 Euro", "9.00 Euro"),
        ("It is half past nine.", "Es ist halb neun.", "Es ist halb zehn."),
        ("Half past twelve?", "Halb zwölf?", "Halb eins?"),
        ("half past one or half past two", "halb eins oder halb drei", "halb zwei oder halb drei"),
        ("half past one or half past two", "um halb eins", "um halb eins"),
        ("half past midnight", "halb Mitternacht", "halb Mitternacht"),
        ("half a loaf", "ein halb leeres Brot", "ein halb leeres Brot"),
    ],
)
def test_full_and_half_hours_are_corrected_from_the_source(source, translation, corrected):
    assert with_half_hours(source, with_full_hours(source, translation)) == corrected


@pytest.mark.parametrize(
    ("translation", "expected"),
    [
        ("Um 9 Uhr Uhr.", "Um 9 Uhr."),
        ("9 Uhr um Uhr Uhr", "9 Uhr"),
        ("9 Uhr, 10 Uhr", "9 Uhr, 10 Uhr"),
    ],
)
def test_repeated_hours_are_removed(translation, expected):
    assert without_repeated_hours(translation) == expected


def test_repeated_halves_of_the_day_are_removed():
    assert without_repeated_halves("At 3 p.m. pm or 4 a.m. p.m. here") == "At 3 p.m. or 4 a.m. here"
