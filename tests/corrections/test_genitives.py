import pytest

from keras_transformer.corrections.genitives import (
    genitive_ending,
    german_genitive_ending,
)
from keras_transformer.text.words import WORD


@pytest.mark.parametrize(
    ("word", "ending"), [("Zork's", "'s"), ("ZORK'S", "'S"), ("Zorks", ""), ("'s", "'s"), ("", "")]
)
def test_an_english_genitive_has_an_apostrophe(word, ending):
    assert genitive_ending(word) == ending


def german_ending(sentence, name):
    [last] = (match for match in WORD.finditer(sentence) if match[0] == name.split()[-1])
    return german_genitive_ending(sentence, sentence.index(name), last)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Okafors Auto ist rot.", "Okafors"),
        ('"Okafors Auto ist rot."', "Okafors"),
        ("Anna Okafors Auto ist rot.", "Anna Okafors"),
        ("Frau Okafors Auto ist rot.", "Okafors"),
        ("Er fuhr mit Okafors Auto.", "Okafors"),
        ("Ich habe Okafors Auto gesehen.", "Okafors"),
        ("Kennst du Dr. Okafors Frau?", "Okafors"),
    ],
)
def test_a_german_genitive_precedes_a_noun(sentence, name):
    assert german_ending(sentence, name) == "s"


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Okafors kommen heute.", "Okafors"),
        ("Jones mag Katzen.", "Jones"),
        ("Okafor Autos sind rot.", "Okafor"),
        ("Hat Jones Hunger?", "Jones"),
        ("Gestern trank Jones Kaffee.", "Jones"),
        ("Weißt du, ob Jones Hunger hat?", "Jones"),
        ("Thomas Bauer ist da.", "Thomas"),
        ("Strauss Walzer sind alt.", "Strauss"),
    ],
)
def test_a_name_may_end_with_s(sentence, name):
    assert german_ending(sentence, name) == ""
