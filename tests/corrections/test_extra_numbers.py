import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import Formats, formats

WORDS = st.lists(st.sampled_from(["ball", "hund", "rot", "see"]), max_size=4)
NUMBERS = st.lists(st.integers(13, 9_999).map(str), max_size=4)


def copier(source_lang, target_lang):
    languages = formats(source_lang, target_lang)
    return Copier({}, {}, languages, target_lang, None, source_lang)


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("The ticket costs $12.50.", "Nummer 20 12,50 $.", "Nummer 12,50 $."),
        ("A sign says 2021-05-03.", "Ein Schild 2021-05-03 20120.", "Ein Schild 2021-05-03."),
        ("It is at 9:30.", "Es ist um 9 9.30 Uhr.", "Es ist um 9.30 Uhr."),
        ("The number is 17.", "11 ist die Nummer 17.", "ist die Nummer 17."),
        ("It costs €17.", "Es kostet 17 € 3 €.", "Es kostet 17 €."),
        ("It is 17.", "Es ist B-52, 17.", "Es ist, 17."),
        ("It is 17.", "Es ist 17, 20.", "Es ist 17."),
        ("It costs 17.", "Es kostet 17. 20", "Es kostet 17."),
        ("The team won 17.", "Die 4mannschaft 17 für 19. paid", "Die 17 für. paid"),
        ("Write to a@b.example.", "Schreib 2012 an a@b.example.", "Schreib an a@b.example."),
        ("It took 27.5 seconds.", "Es hat 2 in 27,5.", "Es hat in 27,5."),
        # Numbers that the source has in another form.
        ("The 3rd of 17", "Der 3. von 17", "Der 3. von 17"),
        ("The 2-year-old has 17.", "Der 2-Jährige hat 17.", "Der 2-Jährige hat 17."),
        ("In the 1980s, 17 came.", "In den 1980ern kamen 17.", "In den 1980ern kamen 17."),
        ("At 7pm, 17 came.", "Um 19 Uhr kamen 17.", "Um 19 Uhr kamen 17."),
        ("Two men have 17.", "2 Männer haben 17.", "2 Männer haben 17."),
        ("Twenty men have 17.", "20 Männer haben 17.", "20 Männer haben 17."),
        ("17 came at noon.", "17 kamen um 12 Uhr.", "17 kamen um 12 Uhr."),
        ("It is 5.", "Es sind fünf.", "Es sind fünf."),
        ("Mail a1@b.example.", "Schreib an a1@b.example.", "Schreib an a1@b.example."),
        ("World War II ended in 1945.", "Der 2. Weltkrieg endete 1945.",
         "Der 2. Weltkrieg endete 1945."),
        ("He won in 2004.", "Er gewann am 25. Mai 2004.", "Er gewann am 25. Mai 2004."),
        ("It has 200 rooms.", "Das 5-Sterne-Hotel hat 200.", "Das 5-Sterne-Hotel hat 200."),
        ("It has 200 rooms.", "Es hat (3) 200.", "Es hat (3) 200."),
        ("It opens at 9:30.", "Es öffnet um 9.30 und 18 Uhr.", "Es öffnet um 9.30 und 18 Uhr."),
        ("It opens at 9:30.", "Es öffnet um halb 10 oder halb 11.",
         "Es öffnet um halb 10 oder halb 11."),
        # Without values in the source, nothing is changed.
        ("A player", "Ein Spieler mit der 20", "Ein Spieler mit der 20"),
    ],
)  # fmt: skip
def test_numbers_that_do_not_come_from_the_source_are_removed(source, translation, expected):
    assert copier("en", "de").completed(source, translation) == expected


@given(WORDS, NUMBERS, st.lists(st.one_of(WORDS, NUMBERS).map(" ".join), max_size=4))
def test_a_translation_has_exactly_the_numbers_of_the_source(words, numbers, translation):
    source, target = " ".join([*words, *numbers]), " ".join(filter(None, translation))
    found = copier("de", "en").completed(source, target)
    wanted = numbers or re.findall(r"\d+", target)
    assert sorted(re.findall(r"\d+", found)) == sorted(re.findall(r"\d+", " ".join(wanted)))
    assert re.findall("[a-z]+", found) == re.findall("[a-z]+", target)


def test_numbers_are_kept_if_the_number_words_of_a_language_are_unknown():
    assert Copier({}, {}, Formats(), "en", None, "fr").completed("17 ans", "17 20") == "17 20"
