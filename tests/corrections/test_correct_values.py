"""Correct translations, whose values a `Copier` must not change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import formats
from keras_transformer.text.words import count_words

CURRENCIES = {"$": "US-Dollar", "€": "Euro", "£": "britische Pfund"}
# Of numbers, units, ranges and times.
CHARACTERS = "0123456789 .,:-–/€$%°mk Uhrbistopm"  # noqa: RUF001, the dash of ranges


def restored(source, translation, source_lang, target_lang):
    """Return a translation with the corrections for a line whose words are all known."""
    counts = count_words([source]), count_words([translation])
    languages = formats(source_lang, target_lang)
    copier = Copier(*counts, languages, target_lang, None, source_lang)
    return copier.restored(source, source, translation, {})


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        # A sign or a unit for a word of the source
        ("It costs 20 dollars.", "Es kostet 20 $."),
        ("The trip is 5 kilometers.", "Die Fahrt ist 5 km."),
        ("About 5 percent agree.", "Etwa 5 % stimmen zu."),
        ("He drives 80 kilometers per hour.", "Er fährt 80 km/h."),
        # Words with a number
        ("It was built in the 1990s.", "Es wurde in den 1990er Jahren gebaut."),
        ("It is a 10-minute walk.", "Es ist ein 10-minütiger Weg."),
        ("It takes 2h.", "Es dauert 2 Stunden."),
        ("It was a 5-star hotel.", "Es war ein 5-Sterne-Hotel."),
        ("A 16GB card.", "Eine 16-GB-Karte."),
        ("I want an MP3 player.", "Ich will einen MP3-Spieler."),
        # Words for a sign or a unit of the source
        ("It costs $20.", "Es kostet 20 US-Dollar."),
        ("It costs £20.", "Es kostet 20 britische Pfund."),
        ("We need $2.5 billion.", "Wir brauchen 2,5 Milliarden Dollar."),
        ("It is -5 degrees.", "Es sind minus 5 Grad."),
        # Ranges
        ("It costs $20–30.", "Es kostet 20–30 $."),  # noqa: RUF001
        ("It costs $20-$30.", "Es kostet 20-30 $."),
        ("It costs $20-30.", "Es kostet 20-30 Dollar."),
        ("It costs $20-30.", "Es kostet 20 bis 30 Dollar."),
        ("Between $20 and $30.", "Zwischen 20 und 30 Dollar."),
        ("It is 5-10 km away.", "Es ist 5 bis 10 km entfernt."),
        ("It is 5-10 km away.", "Es ist zwischen 5 und 10 Kilometern entfernt."),
        ("About 70% to 80% agree.", "Etwa 70 bis 80 % stimmen zu."),
        # Times
        ("Open from 8 to 10 p.m.", "Geöffnet von 20 bis 22 Uhr."),
        ("Open 8–10 p.m.", "Geöffnet 20–22 Uhr."),  # noqa: RUF001
        ("Open 8-10 p.m.", "Geöffnet 20-22 Uhr."),
        ("Open 8-10 p.m.", "Geöffnet von 20 bis 22 Uhr."),
        ("Come between 8 and 9 p.m.", "Komm zwischen 20 und 21 Uhr."),
        ("It starts at 8.30pm.", "Es beginnt um 20.30 Uhr."),
        ("I get up at 7:00.", "Ich stehe um sieben auf."),
        ("Call us between 9 and 5.", "Rufen Sie uns zwischen 9 und 17 Uhr an."),
        ("The shop is open from 8 to 6.", "Der Laden ist von 8 bis 18 Uhr geöffnet."),
        ("Lunch break from 12 to 1", "Mittagspause von 12 bis 13 Uhr"),
        ("It is open from 1 to 3.", "Es ist von 13 bis 15 Uhr geöffnet."),
        (
            "I woke up at 7 and went to bed at 10.",
            "Ich bin um 7 aufgewacht und um 22 Uhr ins Bett.",
        ),
        ("I went to bed at 12.", "Ich ging um 24 Uhr ins Bett."),
        ("We are open 9-5.", "Wir haben von 9 bis 17 Uhr geöffnet."),
        ("We are open 9-5.", "Geöffnet 9-17 Uhr."),
        ("We are open 1-3.", "Wir haben 13–15 Uhr geöffnet."),  # noqa: RUF001
        ("It is half past 2.", "Es ist halb 3."),
        ("It takes 3-4 days.", "Es dauert drei bis vier Tage."),
        ("We won 2:1.", "Wir haben zwei zu eins gewonnen."),
        ("It takes 2.5 hours.", "Es dauert zweieinhalb Stunden."),
        ("Add 1/2 cup of sugar.", "Eine halbe Tasse Zucker dazugeben."),
        ("It is quarter past 3.", "Es ist 3.15 Uhr."),
        ("It is quarter past 3.", "Es ist Viertel nach 3."),
        ("It is quarter to 3.", "Es ist dreiviertel drei."),
        ("It is half past two.", "Es ist halb 3."),
        ("At half past 2 he ate 2 eggs.", "Um halb drei aß er 2 Eier."),
        ("At half past 2 he ate 3 eggs.", "Um 14.30 Uhr aß er 3 Eier."),
        ("Half past 2 or half past 3?", "Halb 4 oder halb 3?"),
        ("Meet me at 4 pm.", "Triff mich um 4 Uhr nachmittags."),
        ("Call me at 4:30 pm.", "Ruf mich nachmittags um halb 5 an."),
        ("Call me at 12 a.m.", "Ruf mich um 12 Uhr nachts an."),
        ("Meet me at 4 in the afternoon.", "Triff mich um 16 Uhr."),
        ("Meet me at 8 tonight.", "Triff mich heute Abend um 20 Uhr."),
        ("Meet me at 8 tonight.", "Triff mich heute Abend um 8."),
        ("Open from 8 to 10 tonight.", "Heute Abend von 20 bis 22 Uhr geöffnet."),
        ("I ate 3 tonight.", "Ich habe heute Abend drei gegessen."),
        ("The train leaves at 6.30.", "Der Zug fährt um 6.30 Uhr ab."),
        ("The train leaves at 6.30.", "Der Zug fährt um 6.30 ab."),
        ("The train leaves at 6.30.", "Der Zug fährt um halb sieben ab."),
        ("The train leaves at 6.30.", "Der Zug fährt um 18.30 Uhr ab."),
        ("It costs 6.30.", "Es kostet 6,30."),
        ("It costs 4,99 euros.", "Es kostet 4,99 Euro."),
        ("It costs €4,99.", "Es kostet 4,99 €."),
        ("It is open from 9.30 to 5.30.", "Es ist von 9.30 bis 17.30 Uhr geöffnet."),
        ("Come at 4 p.m.", "Kommen Sie nachmittags um 4 Uhr."),
        ("Open 2-4pm.", "Geöffnet von 14 bis 16 Uhr."),
        ("I work 9-5pm.", "Ich arbeite von 9-17 Uhr."),
        ("It costs 20 dollars, at 8 pm.", "Es kostet 20 Dollar, um 20 Uhr."),
        ("It costs 20 dollars, at eight p.m.", "Es kostet zwanzig Dollar, um 20 Uhr."),
        # Scores
        ("We won 2-1.", "Wir haben 2:1 gewonnen."),
        ("We won 2:1.", "Wir haben 2:1 gewonnen."),
        # Codes and versions
        ("I moved to NYC 10 years ago.", "Ich bin vor 10 Jahren nach NYC gezogen."),
        ("In the US 50 million people live.", "In den USA leben 50 Millionen Menschen."),
        ("The EU 27 agree.", "Die EU-27 sind sich einig."),
        ("It is version 2.0.", "Es ist Version 2.0."),
        ("We use Python 3.11.", "Wir benutzen Python 3.11."),
        ("See Section 3.2.", "Siehe Abschnitt 3.2."),
        ("Figure 3.5 shows 2.5 meters.", "Abbildung 3.5 zeigt 2,5 Meter."),
        ("The figure 3.5 is wrong.", "Die Zahl 3,5 ist falsch."),
        ("In Germany 3.5 million people work.", "In Deutschland arbeiten 3,5 Millionen Menschen."),
        ("I gave Tom 3.50.", "Ich gab Tom 3,50."),
        # Dates
        ("May 3-5", "3.-5. Mai"),
        ("We ski from May 3–5, 2021.", "Wir fahren vom 3.–5. Mai 2021 Ski."),  # noqa: RUF001
        ("We ski from May 3 to 5.", "Wir fahren vom 3. bis zum 5. Mai Ski."),
        ("We ski from 3 to 5 May.", "Wir fahren vom 3. Mai bis zum 5. Mai Ski."),
        ("From May 3 to 5, 5 people ski.", "Vom 3. bis 5. Mai fahren 5 Leute Ski."),
        ("Open May 3 to 5 p.m.", "Geöffnet bis 3. Mai, 17 Uhr."),
        ("He was born on 1990-05-03.", "Er wurde am 3. Mai 1990 geboren."),
        ("He was born on 1990-05-03.", "Er wurde am 03.05.1990 geboren."),
    ],
)
def test_a_correct_german_translation_is_unchanged(source, translation):
    assert restored(source, translation, "en", "de") == translation


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("Es kostet 20 Euro.", "It costs €20."),
        ("Es kostet 5 Millionen Euro.", "It costs €5 million."),
        ("Es sind 16 GB RAM.", "It is 16 GB of RAM."),
        ("Die 80er Jahre.", "The 80s."),
        ("Ein 5-Sterne-Hotel.", "A 5-star hotel."),
        ("Es kostet 20 €.", "It costs 20 euros."),
        ("Es kostet 10,00 €.", "It costs €10."),
        ("Es sind -5 °C.", "It is minus 5 degrees."),
        ("Es kostet 20–30 €.", "It costs €20–30."),  # noqa: RUF001
        ("Es kostet 20 bis 30 €.", "It costs €20 to €30."),
        ("Es kostet 20-30 €.", "It costs 20 to 30 euros."),
        ("Von 14 bis 16 Uhr.", "From 2 to 4 p.m."),
        ("Von 14-16 Uhr.", "From 2-4 p.m."),
        ("Von 10-14 Uhr.", "From 10 a.m. to 2 p.m."),
        ("Von 14.30-16.00 Uhr.", "From 2:30-4:00 p.m."),
        ("Um 20 Uhr 15.", "At 8:15 p.m."),
        ("Um 20 Uhr 15 Leute.", "At 8 p.m., 15 people."),
        ("Um 9 Uhr.", "At 9:00 p.m."),
        ("Um 12 Uhr.", "At noon."),
        ("Wir treffen uns um 14.30 am Bahnhof.", "We're meeting at 2:30 p.m. at the station."),
        ("Der Termin ist am 03.05.24.", "The appointment is on May 3, 2024."),
        ("Der Termin ist am 03.05.24.", "The appointment is on 05/03/24."),
        ("Er kommt am 03.05.2021.", "He is coming on May 3, 2021."),
        ("Er kommt am 03.05.2021.", "He is coming on the 3rd of May 2021."),
        ("Er kommt am 3.5.2021.", "He is coming on 05/03/2021."),
        ("Er bleibt bis zum 31.12.", "He is staying until December 31."),
        ("Es kamen 10 000 Leute.", "There came 10,000 people."),
        ("Es kamen 12\u202f450 Leute.", "There came 12,450 people."),
        ("Seiten 100 250 300", "Pages 100 250 300"),
        ("C5 um 17 Uhr", "C5 at 5:00 p.m."),
        ("Um halb 3.", "At 2:30."),
        ("Es ist halb 3.", "It is half past 2."),
        ("Vom 3.5. bis zum 7.5.", "From May 3 to 7."),
        ("Das macht 3 Euro 50.", "That's €3.50."),
        ("Er ist 1 Meter 80 groß.", "He is 1.80 meters tall."),
        ("Es ist 10 nach 8.", "It's 8:10."),
        ("Es ist 5 nach halb 3.", "It's 2:35."),
        ("Er ist Mitte 40.", "He is in his mid-forties."),
        ("In 2-3 Tagen.", "In two to three days."),
        ("Es dauert 2 1/2 Stunden.", "It takes two and a half hours."),
        ("Es ist Viertel nach 3.", "It's 3:15."),
        ("Es ist Viertel nach 3.", "It's quarter past three."),
        ("Es ist viertel 3.", "It's 2:15."),
        ("Es ist halb 3.", "It is half past two in the morning."),
        ("Es ist halb 1, und 5 Leute sind da.", "It is 12:30, and 5 people are there."),
        ("Es ist halb drei, am 5.", "It is 2:30, on the 5th."),
        ("Er kommt um 14:30.", "He is coming at 2:30 p.m."),
        ("Er kommt um 14:30.", "He is coming at 14:30."),
        ("Er kommt um 8:15.", "He is coming at a quarter past eight."),
        ("Wir haben 2:1 gewonnen.", "We won 2-1."),
        ("Wir haben 21:15 gewonnen.", "We won 21-15."),
        ("Um 4 Uhr nachmittags.", "At 4 p.m."),
        ("Um 16 Uhr.", "At 4 in the afternoon."),
        ("Heute Abend um 20 Uhr.", "At 8 tonight."),
        ("Um 0 Uhr.", "At midnight."),
        ("Im 20. Jahrhundert gab es 2 Kriege.", "In the twentieth century there were 2 wars."),
        ("Im 20. Jahrhundert", "In the 20th century"),
        ("Am 21. Tag", "On the twenty-first day"),
        ("In Kapitel 3.2 steht es.", "It is in chapter 3.2."),
        ("Vom 3.-5. Mai", "From May 3-5"),
        ("Bei der WM 2014", "At the 2014 World Cup"),
    ],
)
def test_a_correct_english_translation_is_unchanged(source, translation):
    assert restored(source, translation, "de", "en") == translation


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("It is 15 km.", "Es sind 5 Kilometer.", "Es sind 15 Kilometer."),
        ("It is -15 degrees.", "Es sind minus 5 Grad.", "Es sind minus 15 Grad."),
        ("It is -15°C.", "Es sind minus 5 Grad.", "Es sind minus 15 Grad."),
        ("It costs 20 dollars.", "Es kostet 2 $.", "Es kostet 20 $."),
        ("It costs $45.", "Es kostet 4 US-Dollar.", "Es kostet 45 US-Dollar."),
        ("On the 3rd I paid €20.", "Am 3. bezahlte ich.", "Am 3. bezahlte ich 20 €."),
        ("Open from 8 to 10 p.m.", "Geöffnet von 8 bis 22 Uhr.", "Geöffnet von 20 bis 22 Uhr."),
        ("Open 8-10 p.m.", "Geöffnet 8-10 Uhr.", "Geöffnet 20-22 Uhr."),
        ("It is version 2.0.", "Es ist Version 2,0.", "Es ist Version 2.0."),
        ("At half past 2.", "Um halb 2.", "Um halb 3."),
        ("At half past 2.", "Um 2.", "Um 2.30 Uhr."),
        ("At 4 pm.", "Um 4 Uhr.", "Um 16 Uhr."),
        ("At 8 in the morning.", "Um 9 Uhr.", "Um 8 Uhr."),
        ("In the US 50 men", "In den USA 5 Männer", "In den USA 50 Männer"),
        ("Born on 1990-05-03.", "Geboren am 199-05-03.", "Geboren am 1990-05-03."),
    ],
)
def test_a_garbled_value_keeps_the_unit_and_the_words_around_it(source, translation, expected):
    assert restored(source, translation, "en", "de") == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("Um halb 3.", "At half past 3.", "At half past 2."),
        ("Um halb 3.", "At 3.", "At 2:30."),
    ],
)
def test_a_wrong_value_is_corrected_or_added_in_english(source, translation, expected):
    assert restored(source, translation, "de", "en") == expected


@pytest.mark.parametrize("time", ["5 a.m.", "5 in the morning."])
def test_an_hour_before_noon_is_none_after_noon(time):
    found = restored(f"It opens at {time}", "Es öffnet um 17 Uhr.", "en", "de")
    assert found == "Es öffnet um 5 Uhr."


def test_the_days_of_a_range_are_masked_one_by_one():
    counts = {"open": 9, "on": 9}, {"offen": 9, "vom": 9, "bis": 9, "uhr": 9}
    copier = Copier(*counts, formats("en", "de"), "de", None, "en")
    source = "Open 2-4pm on May 3-5"
    read, originals = copier.with_values_masked(source)
    assert read == "Open 12 on 15 to 18"
    assert originals == {"12": "14-16 Uhr", "15": "3. Mai", "18": "5. Mai"}
    found = copier.restored(source, read, "Offen 12 Uhr vom 15 bis 18", originals)
    assert found == "Offen 14-16 Uhr vom 3. Mai bis 5. Mai"


def test_an_ordinal_may_be_masked():
    copier = Copier({"am": 9, "tag": 9}, {"on": 9}, formats("de", "en"), "en", None, "de")
    source = "Am 115. Tag"
    read, originals = copier.with_values_masked(source)
    assert read == "Am 12. Tag"
    found = copier.restored(source, read, "On the twelfth day", originals)
    assert found == "On the 115th day"


def test_a_compound_with_a_code_keeps_its_word():
    source, translation = "A 3D printer is expensive.", "Ein 12-Drucker ist teuer."
    counts = count_words([source]), count_words([translation, "Drucker"])
    copier = Copier(*counts, formats("en", "de"), "de", None, "en")
    read, originals = copier.masked(source)
    assert read == "A 12 printer is expensive."
    assert copier.restored(source, read, translation, originals) == "Ein 3D-Drucker ist teuer."


@pytest.mark.parametrize("word", ["5-Sterne-Hotel", "500-Seiten-Buch", "100-Euro-Schein"])
def test_a_compound_with_a_number_is_not_masked(word):
    source = f"Ein {word}."
    copier = Copier(count_words([source]), {}, formats("de", "en"), "en", None, "de")
    assert copier.masked(source) == (source, {})


@pytest.mark.parametrize("code", ["B-17", "7B", "A1b2C3", "Covid-19", "F-16/X"])
def test_a_code_is_masked(code):
    copier = Copier({"the": 9}, {"the": 9}, formats("de", "en"), "en", None, "de")
    assert copier.masked(f"the {code}") == ("the 12", {"12": code})


@given(st.integers(0, 9_999), st.integers(0, 9_999), st.sampled_from(sorted(CURRENCIES)))
def test_a_named_currency_is_not_repeated(amount, garbled, sign):
    words = f"Es kostet {{}} {CURRENCIES[sign]}."
    found = restored(f"It costs {sign}{amount}.", words.format(garbled), "en", "de")
    assert found in {words.format(amount), words.format(f"{amount:,}".replace(",", "."))}


@given(
    st.text(alphabet=CHARACTERS),
    st.text(alphabet=CHARACTERS),
    st.sampled_from([("en", "de"), ("de", "en")]),
)
def test_any_numbers_can_be_corrected_twice(source, translation, languages):
    once = restored(source, translation, *languages)
    assert isinstance(restored(source, once, *languages), str)
