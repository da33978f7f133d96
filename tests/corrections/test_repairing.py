import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.formats import (
    EnglishToGerman,
    Formats,
    GermanToEnglish,
)
from keras_transformer.corrections.repairing import Repairer
from tests.translation.vocabulary import ENGLISH, GERMAN


@pytest.fixture(scope="module")
def repairer():
    return Repairer(ENGLISH, GERMAN, EnglishToGerman())


@pytest.mark.parametrize(
    ("source", "garbled", "repaired"),
    [
        # Names: single, of several words, several in a sentence, in the genitive
        (
            "My sister works with Luigi Parmantello.",
            "Meine Schwester arbeitet mit Luigi Pantello.",
            "Meine Schwester arbeitet mit Luigi Parmantello.",
        ),
        ("Dorrick Ashmunden has two cats.", "Dorckri hat zwei Katzen.",
         "Dorrick Ashmunden hat zwei Katzen."),
        ("Tell Emeric that Zabeth is called Ximena.", "Sag Vmerik, dass Zabeth Ximer heißt.",
         "Sag Emeric, dass Zabeth Ximena heißt."),
        ("Brenolda's dog is called Rix.", "Brenoldas Hund heißt Rux.",
         "Brenoldas Hund heißt Rix."),
        ("Dorrick Ashmunden has two cats.", "Dorrick hat zwei Katzen.",
         "Dorrick Ashmunden hat zwei Katzen."),
        ("Sven Britteldahl has two cats.", "Sven Hund hat zwei Katzen.",
         "Sven Britteldahl hat zwei Katzen."),
        # Dates
        ("It was on June 13, 1977.", "Es war am 13. Juni.", "Es war am 13. Juni 1977."),
        ("He was there on March 3, 2020.", "Er war am 3. März da, 2020.",
         "Er war am 3. März 2020 da."),
        ("On August 3 we were there.", "Am August 3 waren wir da.", "Am 3. August waren wir da."),
        ("He was there on the 5th of April.", "Er war am 55ten April da.",
         "Er war am 5. April da."),
        ("It was on May 3, 1996.", "Es war am 3. Mai 1969.", "Es war am 3. Mai 1996."),
        ("MR KUSSWICK IS LATE.", "Herr Kuswick hat Verspätung.",
         "Herr KUSSWICK hat Verspätung."),
        # Numbers, in the German format
        ("There were 447 people.", "Es waren 47 Leute.", "Es waren 447 Leute."),
        ("It costs 4.99 euros.", "Es kostet 4,9 Euro.", "Es kostet 4,99 Euro."),
        ("It costs €12,450.", "Es kostet 12.45 €.", "Es kostet 12.450 €."),
        ("The bus is at 6:45.", "Der Bus ist um 6.5 Uhr.", "Der Bus ist um 6.45 Uhr."),
        ("The bus is at 3:20 p.m.", "Der Bus ist um 13.20 Uhr.", "Der Bus ist um 15.20 Uhr."),
        ("The bus is at 12:05 a.m.", "Der Bus ist um 12.05 Uhr.", "Der Bus ist um 0.05 Uhr."),
        ("The bus is at 5 a.m.", "Der Bus ist um 17 Uhr.", "Der Bus ist um 5 Uhr."),
        ("The bus is at 7 pm.", "Der Bus ist um 7 Uhr.", "Der Bus ist um 19 Uhr."),
        ("My order is 7677-TS.", "Die Bestellung ist 76767-SSST.", "Die Bestellung ist 7677-TS."),
        ("The flight is NB 615.", "Der Flug ist 6151.", "Der Flug ist NB 615."),
        ("It costs €6.60.", "Es kostet 6,60.", "Es kostet 6,60 €."),
        ("It costs €3,124.", "Es kostet 31 €,24.", "Es kostet 3.124 €."),
        ("The bus is at 6:45 p.m.", "Der Bus ist um 6.", "Der Bus ist um 18.45 Uhr."),
        ("I got 50%.", "Ich bekam 50.", "Ich bekam 50 %."),
        ("I got 50%.", "Ich bekam 50 Prozent.", "Ich bekam 50 Prozent."),
        ("I got 52%.", "Ich bekam 50 Prozent.", "Ich bekam 52 Prozent."),
        ("He has 1.5 kg.", "Er hat 1,5 Kilogramm.", "Er hat 1,5 Kilogramm."),
        ("He has 80kg.", "Er hat 80.", "Er hat 80 kg."),
        ("It is -5.", "Es ist 5.", "Es ist -5."),
        # Values without a garbled copy are not added here.
        ("It costs €6.60.", "Es kostet.", "Es kostet."),
        ("It costs $45.", "Es kostet 4 Dollar.", "Es kostet 45 Dollar."),
        ("Version 2.4.1 is late.", "Version 2.4 hat Verspätung.",
         "Version 2.4.1 hat Verspätung."),
    ],
)  # fmt: skip
def test_a_garbled_copy_is_repaired(repairer, source, garbled, repaired):
    assert repairer(source, garbled) == repaired


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("My sister has two cats.", "Meine Schwester hat zwei Katzen."),
        ("I have 2 cats and 13 dogs.", "Ich habe zwei Katzen und 13 Hunde."),
        ("Brenolda's dog.", "Brenoldas Hund."),
        ("It costs €3.50 at 6:45.", "Es kostet 3,50 € um 6.45 Uhr."),
        ("We were in Zork on May 3, 2024.", "Wir waren am 3. Mai 2024 in Zork."),
        ("On the 21st.", "Am 21."),
        ("BUS 42 IS LATE.", "Bus 42 hat Verspätung."),
        ("It costs $20 and £5.", "Es kostet 20 $ und 5 £."),
        # The translation has no word in place of the name.
        ("Tell Zork that the dog is late.", "Sag, dass der Hund Verspätung hat."),
        # The compound is unknown, but no word of the source is.
        ("The sister of my dog.", "Die Hundeschwester."),
        # Unknown common nouns of the source are translated, also at the beginning.
        ("I like hedgehogs.", "Ich mag Igel."),
        ("Hedgehogs were there.", "Igel waren da."),
        ("HEDGEHOGS WERE THERE.", "IGEL WAREN DA."),
        ("The firefighters were there.", "Die Feuerwehrleute waren da."),
        ("", ""),
    ],
)
def test_correct_translations_are_unchanged(repairer, source, translation):
    assert repairer(source, translation) == translation


@pytest.mark.parametrize(
    ("source", "translation", "completed"),
    [
        # Both names have the same first word.
        ("Anna Zork has Anna Vogon.", "Anna hat Anna.", "Anna Zork hat Anna Vogon."),
        ("Anna Zork has Anna Vogon.", "Anna Hund hat Anna.", "Anna Zork hat Anna Vogon."),
    ],
)
def test_each_name_is_completed_at_its_own_place(source, translation, completed):
    repairer = Repairer({"has", "dog"}, {"hat", "hund"}, EnglishToGerman())
    assert repairer(source, translation) == completed


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        # "In" is no first name, and the unknown compound was translated.
        ("In Bergd\u00f6rfern hat er Hunde.", "In mountain villages he has dogs."),
        ("In Bergd\u00f6rfern hat er Hunde.", "In Mountain villages he has dogs."),
    ],
)
def test_a_noun_after_a_known_word_completes_no_name(source, translation):
    words = {"in", "hat", "er", "hunde"}, {"in", "mountain", "villages", "he", "has", "dogs"}
    repairer = Repairer(*words, GermanToEnglish(), ("de", "en"), is_name={"Anna"}.__contains__)
    assert repairer(source, translation) == translation


def test_a_known_first_name_is_completed():
    words = {"anna", "hat", "hunde"}, {"anna", "has", "dogs"}
    repairer = Repairer(*words, GermanToEnglish(), ("de", "en"), is_name={"Anna"}.__contains__)
    assert repairer("Anna Zork hat Hunde.", "Anna has dogs.") == "Anna Zork has dogs."


def test_a_correctly_copied_name_is_not_replaced(repairer):
    """Hosen is a German word, so it is not recognized as a garbled name."""
    source, found = "Anneke has Dehoestra.", "Anneke Hosen hat."
    assert "Anneke" in repairer(source, found)


def test_only_integers_of_the_same_length_are_replaced_in_other_languages():
    """The others may be the same numbers in another format: 18h45 for 6:45 p.m., 22 for 10 p.m."""
    repairer = Repairer({"it"}, {"es"}, Formats())
    assert repairer("It 12,450.5 at 6:45", "Es 12,4 à 18h45") == "Es 12,4 à 18h45"
    assert repairer("It 1984", "Es 1994") == "Es 1984"
    assert repairer("It 10", "Es 22") == "Es 22"


def test_a_name_in_german_replaces_no_word_in_lower_case():
    repairer = Repairer(GERMAN, ENGLISH, GermanToEnglish(), ("de", "en"))
    assert repairer("Ich hat Igel.", "I has hedgehogs.") == "I has hedgehogs."
    assert repairer("Er hat Fridolinos.", "He has Fridolnos.") == "He has Fridolinos."


@pytest.mark.parametrize(
    ("source", "translation", "repaired"),
    [
        ("The dog has Fridolinos.", "Der Hund hat angenella.", "Der Hund hat Fridolinos."),
        ("The dog has Fridolinos.", "Der Hund hat Quummba.", "Der Hund hat Fridolinos."),
        # The first word and a word in lower case may have been translated.
        ("Hedgehogs has dog.", "Igel hat Hund.", "Igel hat Hund."),
        ("The dog has hedgehogs.", "Der Hund hat Igel.", "Der Hund hat Igel."),
    ],
)
def test_a_capital_within_an_english_sentence_shows_a_name(source, translation, repaired):
    words = {"the", "dog", "has"}, {"der", "hund", "hat"}
    repairer = Repairer(*words, EnglishToGerman(), ("en", "de"))
    assert repairer(source, translation) == repaired


@given(st.text(), st.text())
def test_any_text_can_be_repaired(repairer, source, translation):
    assert isinstance(repairer(source, translation), str)


@given(st.text(alphabet="abcdefgABCDEFG 0123456789.,:-'!?"))
def test_a_copy_of_the_whole_sentence_needs_no_repair(text):
    repairer = Repairer(set(), set(), Formats())
    assert repairer(text, text) == text
