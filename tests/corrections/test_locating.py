import pytest

from keras_transformer.corrections.formats import (
    EnglishToGerman,
    Formats,
    GermanToEnglish,
)
from keras_transformer.corrections.locating import located
from keras_transformer.corrections.values import values


@pytest.mark.parametrize(
    ("source", "translation", "missing"),
    [
        ("It costs €3.50.", "Es kostet 3,50 Euro.", []),
        ("It costs €3.50.", "Es kostet 13,50 €.", ["3,50 €"]),
        ("It costs 3.", "Es kostet drei.", []),
        ("I won 2 or 12 games.", "Ich gewann zweimal oder zwölf Mal.", []),
        ("I won 2 or 11 games.", "Ich gewann ein Spiel.", ["2", "11"]),
        ("I won 14 games.", "Ich gewann vierzehn Spiele.", []),
        ("I won 14 games.", "Ich gewann vier Spiele.", ["14"]),
        ("It costs €50,000.", "Es kostet fünfzigtausend Euro.", []),
        ("About 100 in 1800", "Etwa hundert, achtzehnhundert", []),
        ("2,000 of 3000 for 4.00", "2000 von 3.000 für 4", []),
        ("It costs €20.", "Es kostet 20 $.", ["20 €"]),
        ("It costs €20.", "Es kostet 20.", ["20 €"]),
        ("It costs €20.", "Es kostet 20 €,5.", ["20 €"]),
        ("It costs €20.", "20 Leute zahlen 20 €.", []),
        ("At 7 p.m.", "Um 7 Uhr", ["19 Uhr"]),
        ("It is -5 degrees.", "Es sind minus fünf Grad.", []),
        ("Pages 10-20", "Seite 10 bis 20", []),
        ("A 50% discount", "50 Prozent Rabatt", []),
        ("USD 50 at 7 o'clock", "50 US-Dollar um 19 Uhr", []),
        ("It is 99% done.", "Es ist zu 99\u00a0% fertig.", []),
        ("the 100m dash", "der 100-Meter-Lauf", []),
        ("At 2:30 p.m.", "Um halb drei", []),
        ("At 2:30 p.m.", "Um 2.30 Uhr", ["14.30 Uhr"]),
        ("At 3:00 p.m. and 6:30", "Um 15 Uhr und 18.30 Uhr", []),
        ("At 12:45 and 8:15", "Um Viertel vor eins und acht Uhr fünfzehn", []),
        ("14 and 14", "14 Mal", ["14"]),
        ("It is 5 kg or 1.5 m.", "Es sind fünf Kilo oder 1,5 Meter.", []),
        ("It is 5% or 20%.", "Es sind fünf Prozent oder 20 Prozent.", []),
        ("It is 20 % more.", "Es sind 20 mehr.", ["20 %"]),
        ("It is 20m or 20 GB.", "Es sind 20 oder 20.", ["20 m"]),
        ("It is -5.", "Es ist 5.", ["-5"]),
        ("It is -5 °C.", "Es sind minus 5 Grad.", []),
        ("It is at 6:45.", "Es ist um 6.45.", []),
        ("On May 14 I won 14 games.", "Am 14. Mai gewann ich.", ["14"]),
        ("Mail ba@c.example.", "Schreib an a@c.example.", ["ba@c.example"]),
        ("On 5/14/2024 at half past two", "Um halb drei", ["14.5.2024"]),
        ("2.5 km", "zweieinhalb Kilometer", []),
    ],
)
def test_values_are_found_in_a_german_translation(source, translation, missing):
    found = located(values(source, EnglishToGerman()), translation, "de")[1]
    assert [value.text for value in found] == missing


@pytest.mark.parametrize(
    ("source", "translation", "missing"),
    [
        ("Um 2.30 Uhr", "At half past two", []),
        ("Um 14.30 Uhr und um 15 Uhr", "At 2:30 and at 3 o'clock", []),
        ("Um 14.30 Uhr", "At the station", ["2:30 p.m."]),
        ("Es kostet 10,00 $ oder 1.000 €.", "It costs $10 or one thousand euros.", []),
        ("Es kostet 3,50 €.", "It costs a lot.", ["€3.50"]),
        ("Er ist 18 und hat 96 Bälle.", "He is eighteen and has ninety-six balls.", []),
    ],
)
def test_values_are_found_in_an_english_translation(source, translation, missing):
    found = located(values(source, GermanToEnglish()), translation, "en")[1]
    assert [value.text for value in found] == missing


def test_small_integers_may_be_words_that_are_unknown():
    found = values("2 of 14", Formats())
    assert [value.text for value in located(found, "deux", "fr")[1]] == ["14"]
