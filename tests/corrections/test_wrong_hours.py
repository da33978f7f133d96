import pytest

from keras_transformer.corrections.wrong_hours import without_wrong_hours


@pytest.mark.parametrize(
    ("source", "translation", "corrected"),
    [
        ("It costs 3 dollars.", "Es kostet 3 Uhr.", "Es kostet 3 Dollar."),
        ("It costs 3 or 4 euros.", "Es kostet 3 oder 4 Uhr.", "Es kostet 3 oder 4 Euro."),
        ("She found 29 dollars.", "Sie hat 29 Uhr Dollar.", "Sie hat 29 Dollar."),
        ("3 dollars and 4 dollars", "3 Uhr und 4 Uhr", "3 Dollar und 4 Dollar"),
        ("We won 2:1.", "Wir haben 2.1 Uhr gewonnen.", "Wir haben 2:1 gewonnen."),
        ("We won 2-1.", "Wir haben 2-1 Uhr gewonnen.", "Wir haben 2-1 gewonnen."),
        ("They lost 2-1.", "Sie haben 2.1 Uhr verloren.", "Sie haben 2:1 verloren."),
        ("At 7 from platform 3.", "Um 7 Uhr von Gleis 3 Uhr.", "Um 7 Uhr von Gleis 3."),
        ("Room 12 is free.", "Zimmer 12 Uhr ist frei.", "Zimmer 12 ist frei."),
    ],
)
def test_what_is_no_time_is_not_followed_by_an_hour(source, translation, corrected):
    assert without_wrong_hours(source, translation, []) == corrected


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("It costs 20 dollars and starts at 8 pm.", "Es kostet 20 Dollar und beginnt um 20 Uhr."),
        ("It costs 20 dollars, at 8 pm.", "Es kostet zwanzig Dollar, um 20 Uhr."),
        ("It costs 20 dollars, at eight.", "Es kostet zwanzig, um 20 Uhr."),
        ("It costs 20 dollars tonight.", "Es kostet 20 US-Dollar, um 20 Uhr."),
        ("It costs 20 euros tonight.", "Es kostet 20 €, um 20 Uhr."),
        ("I paid 12 pounds at noon.", "Ich habe um 12 Uhr bezahlt."),
        ("I paid 7 pounds.", "Ich habe um 7 Uhr 30 bezahlt."),
        ("It costs 3 euros at 3.", "Es kostet 3 Uhr um 3 Uhr."),
        ("It costs 3 euros at 4.", "Es kostet 3 Euro um 4 Uhr."),
        ("It costs 3 pounds.", "Es kostet 13 Uhr."),
        ("At 2:15.", "Um 2.15 Uhr."),
        ("In the room at 3.", "Im Zimmer um 3 Uhr."),
        ("Room 3 at 8.", "Zimmer 3 um 8 Uhr."),
        ("I work 9-5.", "Ich arbeite 9-5 Uhr."),
        ("We won and are open 2-4pm.", "Wir haben gewonnen und haben 2-4 Uhr geöffnet."),
    ],
)
def test_hours_of_correct_translations_are_unchanged(source, translation):
    assert without_wrong_hours(source, translation, []) == translation


def test_only_times_are_followed_by_an_hour():
    values = ["5 $", "18.45", "20-22", "halb sieben", "halb 3", "nachmittags um 4", "a@b.example"]
    translation = (
        "5 $ Uhr, 18.45 Uhr, 20-22 Uhr, halb sieben Uhr, halb 3 Uhr, nachmittags um 4 Uhr, "
        "a@b.example Uhr"
    )
    expected = (
        "5 $, 18.45 Uhr, 20-22 Uhr, halb sieben Uhr, halb 3 Uhr, nachmittags um 4 Uhr, a@b.example"
    )
    assert without_wrong_hours("", translation, values) == expected
