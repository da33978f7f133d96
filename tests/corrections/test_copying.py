import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import EnglishToGerman, GermanToEnglish
from tests.translation.vocabulary import ENGLISH, GERMAN


@pytest.fixture(scope="module")
def copier():
    return Copier(dict.fromkeys(ENGLISH, 9), dict.fromkeys(GERMAN, 9), EnglishToGerman())


@pytest.mark.parametrize(
    ("source", "translation", "completed"),
    [
        ("From May 3 to May 5.", "Vom 3. bis 5. Mai.", "Vom 3. bis 5. Mai."),
        ("On May 3 or May 5.", "Am 3. oder 5. Mai.", "Am 3. oder 5. Mai."),
    ],
)
def test_days_of_the_same_month_are_not_missing(source, translation, completed):
    assert Copier({}, {}, EnglishToGerman()).completed(source, translation) == completed


@pytest.mark.parametrize(
    ("source", "translation", "completed"),
    [
        ("It costs $5.", "Es kostet 5 $ Uhr.", "Es kostet 5 $."),
        ("Mail a@b.example.", "Schreib an a@b.example Uhr.", "Schreib an a@b.example."),
        ("Today is May 3.", "Heute ist der 3. Mai Uhr.", "Heute ist der 3. Mai."),
        ("At 5 on May 3.", "Um 5 Uhr am 3. Mai.", "Um 5 Uhr am 3. Mai."),
        ("At 6:30 p.m.", "Um 18.30 Uhr.", "Um 18.30 Uhr."),
        ("At 6:30 for $5", "Um 6 Uhr 30 für 5 $", "Um 6 Uhr 30 für 5 $"),
        ("It costs 3 dollars.", "Es kostet 3 Uhr.", "Es kostet 3 Dollar."),
        ("We won 2-1.", "Wir haben 2-1 Uhr gewonnen.", "Wir haben 2-1 gewonnen."),
    ],
)
def test_only_hours_are_followed_by_uhr(source, translation, completed):
    assert Copier({}, {}, EnglishToGerman(), "de").completed(source, translation) == completed


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("Open until 8 p.m.", "Bis acht geöffnet."),
        ("From 2 to 4 p.m.", "Von zwei bis vier."),
        ("Here since 2 p.m.", "Seit zwei hier."),
        ("We met on May 3.", "Wir trafen uns am dritten Mai."),
        ("Last May 12 people died.", "Letzten Mai starben 12 Menschen."),
        ("3/4 of them came.", "Drei Viertel von ihnen kamen."),
        ("Wait 30 minutes.", "Warte eine halbe Stunde."),
        ("A 15-minute walk.", "Ein Weg von einer Viertelstunde."),
        ("In 14 days.", "In zwei Wochen."),
        ("We help 24/7.", "Wir helfen rund um die Uhr."),
        ("50% of them came.", "Die Hälfte von ihnen kam."),
        ("On May 3, 2021, we met.", "Wir trafen uns am dritten Mai 2021."),
    ],
)
def test_a_value_in_words_is_not_missing(source, translation):
    assert Copier({}, {}, EnglishToGerman(), "de").completed(source, translation) == translation


@pytest.mark.parametrize(
    ("source", "translation"),
    [
        ("In 14 Tagen.", "In two weeks."),
        ("Um 12 Uhr mittags.", "At midday."),
        ("50 % kamen.", "Half of them came."),
        ("Warte 30 Minuten.", "Wait half an hour."),
    ],
)
def test_a_value_in_english_words_is_not_missing(source, translation):
    assert Copier({}, {}, GermanToEnglish(), "en").completed(source, translation) == translation


@pytest.mark.parametrize(
    ("source", "translation", "missing"),
    [
        ("50 came.", "Die Hälfte kam.", "50"),
        ("14 people stayed.", "Die Leute blieben zwei Wochen.", "14"),
        ("50% of them live here.", "Sie leben auf einer Halbinsel.", "50 %"),
        ("At 2 p.m. and two friends.", "Und zwei Freunde.", "14"),
        ("Back at 2 p.m. for two years.", "Nach zwei Jahren zurück.", "14"),
        ("Last May 12, 2021, he died.", "Er starb.", "12. Mai 2021"),
    ],
)
def test_other_words_do_not_hide_that_a_value_is_missing(source, translation, missing):
    found = Copier({}, {}, EnglishToGerman(), "de").completed(source, translation)
    assert missing in found


def test_a_value_is_restored_if_its_stand_in_is_translated_into_words():
    copier = Copier({}, {}, EnglishToGerman(), "de")
    read, translation = "Tom drives 30.", "Tom fährt dreißig."
    found = copier.restored("Tom drives 80 km/h.", read, translation, {"30": "80 km/h"})
    assert found == "Tom fährt 80 km/h."


@given(st.permutations(["May 3", "77", "a", "b", "c"]), st.permutations(["3. Mai", "x", "y", "z"]))
def test_no_value_is_inserted_into_a_date(source, translation):
    completed = Copier({}, {}, EnglishToGerman()).completed(" ".join(source), " ".join(translation))
    assert "3. Mai" in completed
    assert "77" in completed


@pytest.mark.parametrize(
    ("sentence", "masked", "originals"),
    [
        ("Flight LH 400 is late.", "Flight 12 is late.", {"12": "LH 400"}),
        ("In 12 days, room 7B.", "In 12 days, room 15.", {"15": "7B"}),
        ("The code is 6157/33.", "The code is 12.", {"12": "6157/33"}),
        ("At 7 on the 3rd, for 5kg in the 1980s.", None, {}),
        ("It costs €3.50 on May 4.", "It costs €3.50 on July 3.", {"3. Juli": "4. Mai"}),
    ],
)
def test_codes_and_dates_are_masked_by_frequent_ones(copier, sentence, masked, originals):
    assert copier.masked(sentence) == (masked or sentence, originals)


def test_a_restored_original_is_not_taken_for_a_mask(copier):
    originals = {"12": "B4", "3. Juli": "12. Mai"}
    text = copier.restored(
        "Flight B4 on May 12", "Flight 12 on July 3", "Bus 12 am 3. Juli", originals
    )
    assert text == "Bus B4 am 12. Mai"


@pytest.mark.parametrize(
    "line", ["a" * 20_000, "A1-" * 7_000, "I like dogs and " * 500, "14 15 " * 900]
)
def test_long_lines_take_no_excessive_time(copier, line):
    masked, originals = copier.masked(line)
    assert copier.restored(line, masked, masked, originals).startswith(line[:7])
    assert copier.num_missing(line, copier.completed(line, "x")) == 0


@pytest.mark.parametrize(("counts", "first"), [({"Der": 1}, "Gehst"), ({"der": 1}, "gehst")])
def test_a_sentence_begins_with_a_capital_if_the_training_targets_do(counts, first):
    copier = Copier({}, counts, EnglishToGerman(), "de")
    assert copier.restored("Do you go?", "Do you go?", "gehst du?", {}) == f"{first} du?"
