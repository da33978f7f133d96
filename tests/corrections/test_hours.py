import pytest

from keras_transformer.corrections.hours import (
    with_frequent_times,
    with_full_hours,
    without_repeated_halves,
    without_repeated_hours,
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("From 9am to 10 p.m., at 7:30 pm", "From 9:00 a.m. to 10:00 p.m., at 7:30 pm"),
        ("Open 9am-5pm.", "Open 9:00 a.m. to 5:00 p.m."),
        ("Open 2-4pm.", "Open 2-4pm."),
        ("See you at 5 PM.", "See you at 5:00 p.m."),
        ("It is half past 2.", "It is half past two."),
        ("Rooms 2-4", "Rooms 2-4"),
    ],
)
def test_times_get_a_frequent_format(source, expected):
    assert with_frequent_times(source) == expected


@pytest.mark.parametrize(
    ("source", "translation", "corrected"),
    [
        ("Open at 9 a.m.", "Um 9.00 Uhr offen.", "Um 9 Uhr offen."),
        ("from 8 am to 6 pm", "von 8:00 Uhr bis 18.00 Uhr", "von 8 Uhr bis 18 Uhr"),
        ("Open 9am-5pm.", "Von 9.00 bis 17.00 Uhr offen.", "Von 9 bis 17 Uhr offen."),
        ("9 a.m. or 9:00", "9.00 Uhr oder 9.00 Uhr", "9.00 Uhr oder 9.00 Uhr"),
        ("9 a.m.", "9.00 Euro", "9.00 Euro"),
    ],
)
def test_full_hours_are_corrected_from_the_source(source, translation, corrected):
    assert with_full_hours(source, translation) == corrected


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
