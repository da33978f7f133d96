"""Truecasing against the texts from which it was learned, and rules that anyone can check."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.translation.truecasing import Truecaser, best_forms

SENTENCES = [
    "Das Essen ist gut.",
    "Wir essen heute Brot.",
    "Wir essen gern.",
    "Ein Mann sieht das Haus.",
    "Heute kommt ein Mann.",
    "Die Zeitung und die Wohnung sind neu.",
    "Er wohnt in Berlin.",
    "Gehen wir!",
    "Wir gehen.",
]


@pytest.fixture(scope="module")
def truecaser():
    return Truecaser.learn(SENTENCES)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_training_sentences_are_restored(truecaser, sentence):
    assert truecaser(sentence.lower()) == sentence


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("wir essen das essen.", "Wir essen das Essen."),
        ("in berlin kommt ein mann.", "In Berlin kommt ein Mann."),
        ("heute kommt das haus. wir essen!", "Heute kommt das Haus. Wir essen!"),
        ("am 3. und 4. heute", "Am 3. und 4. heute"),
        ("", ""),
        ("  ...  ", "  ...  "),
        ("die kleidung ist neu.", "Die Kleidung ist neu."),  # ends like Zeitung and Wohnung
    ],
)
def test_other_sentences(truecaser, text, wanted):
    assert truecaser(text) == wanted


@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "\u02bc"])
def test_a_word_keeps_its_apostrophe(apostrophe):
    texts = [f"Je vois L{mark}Oréal ici." for mark in ("'", "\u2019")]
    truecaser = Truecaser.learn(texts * 5)
    found = truecaser(f"je vois l{apostrophe}oréal ici.")
    assert found == f"Je vois L{apostrophe}Oréal ici."


def test_an_unknown_word_is_written_as_in_the_source(truecaser):
    assert truecaser("wir essen in mcfadden.", "We eat in McFadden.") == "Wir essen in McFadden."
    # The first word of a source has a capital in any case.
    assert truecaser("wir mögen obsten.", "Obsten is nice.") == "Wir mögen obsten."


def test_the_first_word_of_a_source_in_quotation_marks_has_a_capital_in_any_case(truecaser):
    assert truecaser("wir mögen obsten.", '"Obsten is nice."') == "Wir mögen obsten."


SPANISH = ["¿Es azul mi casa?", "¡Mi casa es azul!", "El perro ladra.", "¿Quién es?", "Mi casa"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("¿mi casa es azul?", "¿Mi casa es azul?"),
        ("¡¿mi casa?!", "¡¿Mi casa?!"),
        ('"mi casa" dice', '"Mi casa" dice'),
        ("«mi casa» dice", "«Mi casa» dice"),
        ("el perro ladra. ¿mi casa?", "El perro ladra. ¿Mi casa?"),
        ('el perro ladra. "mi casa"', 'El perro ladra. "Mi casa"'),
        ("el perro (mi perro) ladra. (mi casa)", "El perro (mi perro) ladra. (Mi casa)"),
        ("... mi casa", "... Mi casa"),
    ],
)
@pytest.mark.parametrize("sentences", [SPANISH, SPANISH[:2]])
def test_a_sentence_may_start_with_marks(sentences, text, wanted):
    assert Truecaser.learn(sentences)(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('"wir essen." in', '"Wir essen." in'),
        ("„wir essen!“ in", "„Wir essen!“ in"),
        ("ein mann (gehen wir!) in berlin", "Ein Mann (gehen wir!) in Berlin"),
        ("wir essen! - in berlin", "Wir essen! - in Berlin"),
    ],
)
def test_a_mark_that_closes_starts_no_sentence(truecaser, text, wanted):
    assert truecaser(text) == wanted


def test_a_dotted_letter_gets_its_capital():
    truecaser = Truecaser.learn(["Bugün İstanbul güzel.", "Ankara güzel."])
    assert truecaser("bugün i\u0307stanbul güzel.") == "Bugün İstanbul güzel."
    assert truecaser("bugün i\u0307zmir", "It is İzmir") == "Bugün İzmir"


def test_text_without_capitals_stays_in_lower_case():
    truecaser = Truecaser.learn(each.lower() for each in SENTENCES)
    assert truecaser("wir essen in berlin. wir gehen.") == "wir essen in berlin. wir gehen."


def test_lists_of_words_do_not_start_with_capitals():
    truecaser = Truecaser.learn(["das Haus", "die Wohnung", "ein Mann", "in Berlin"])
    assert truecaser("das haus in berlin") == "das Haus in Berlin"


def test_the_most_frequent_form_counts():
    found = best_forms(["Essen", "essen", "essen", "Haus"])
    assert found == {"essen": "essen", "haus": "Haus"}


LETTERS = st.text("aäbßc İ.!?1", max_size=40)


@given(st.lists(st.text("aAbBcC .!?1", max_size=20), max_size=8), LETTERS, LETTERS)
def test_only_the_case_changes(sentences, text, source):
    truecaser = Truecaser.learn([*sentences, "a"])
    found = truecaser(text.lower(), source)
    assert found.lower() == text.lower().lower()
    assert len(found.replace("İ", "i\u0307")) == len(text.lower())


def test_a_saved_truecaser_is_the_same(truecaser, tmp_path):
    truecaser.save(tmp_path / "casing.npz")
    loaded = Truecaser.load(tmp_path / "casing.npz")
    for text in ("wir essen das essen.", "die kleidung ist neu."):
        assert loaded(text) == truecaser(text)
    (tmp_path / "casing.npz").write_bytes(b"PK nothing")
    with pytest.raises(UserError, match="damaged"):
        Truecaser.load(tmp_path / "casing.npz")


def test_nothing_is_learned_from_sentences_without_words():
    with pytest.raises(UserError, match="contain no words"):
        Truecaser.learn(["", " "])
