import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from keras_transformer.text import normalization
from keras_transformer.text.subword_training import FULL_VOCABULARY, train_subwords
from keras_transformer.text.subwords import Subwords

WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiouäöü" for c in "bdfgklmnprst"]


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """Return `Subwords` with the smallest vocabulary that can represent any text."""
    path = tmp_path_factory.mktemp("subwords") / "full.model"
    train_subwords([f"{word} {word[::-1]}." for word in WORDS], FULL_VOCABULARY, path)
    return Subwords.load(path, "de")


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("\tI’m  here\u00a0now. ", "I'm here now."),
        ("‘a’ “b” „c“ «d»", '\'a\' "b" "c" "d"'),
        ("it´s I`m", "it's I'm"),
        ("3–5 – well—known", "3-5 - well - known"),
        ("Wait…", "Wait..."),
        ("u\u0308ber e\u0301te\u0301", "über été"),
        ("soft\u00adhyphen zero\u200bwidth \ufeffmark", "softhyphen zerowidth mark"),
        ("a\u2003b\u3000c\u2028d\re", "a b c d e"),
    ],
)
def test_text_is_normalized(full, typed, normal):
    assert full.decode(full.encode(typed)) == normal


def test_small_vocabularies_also_normalize_text(tmp_path):
    train_subwords(['it\'s - "a"'] * 9, 16, tmp_path / "small.model")
    small = Subwords.load(tmp_path / "small.model", "en")
    assert small.decode(small.encode("it’s\u00a0–\t“a”")) == 'it\'s - "a"'


def test_replacements_are_not_replaced_again():
    rules = normalization.rules()
    replaced = {char for char in rules if len(char) == 1}
    assert not replaced & {char for text in rules.values() for char in text if text != " "} - {" "}
    assert all(old != new for old, new in rules.items())


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_full_vocabularies_represent_any_text(full, text):
    """Only the rules change a text, because unknown characters are encoded as bytes."""
    wanted = full.bpemb.spm.normalize(text).replace("▁", " ").strip(" ")
    assert full.decode(full.encode(text)) == wanted
    assert 1 not in full.encode(text)


@given(st.text("abcäöüßÄÖÜéñłşčАбвΩλ0123456789 .,;:!?()%&/+*=#@<>[]{}|~^_$€£-'\""))
def test_european_text_is_unchanged(full, text):
    assert full.decode(full.encode(text)) == " ".join(text.split())
    assert full.unknown_characters(text) == ""


def test_european_characters_are_single_pieces(full):
    for char in "AZaz09!~äßÉłőșĞжЯёіўΩάώ€£¡¿":
        assert full.bpemb.spm.piece_to_id(char) > 2, char
    assert set(normalization.ASCII) - {"`"} <= set(normalization.european_characters())
    letters = normalization.european_characters()
    assert all(unicodedata.category(c)[0] in "LNPSC" for c in letters)


def test_numbers_are_split_into_digits(full):
    assert full.labels(full.encode("4711"))[1:-1] == ["▁", "4", "7", "1", "1"]


def test_unknown_characters_are_returned_once(full):
    assert full.unknown_characters("猫 und 犬, 猫 😀 ä\u00a0“x”") == "猫犬😀"


@given(st.text("a?\udc80\ud83d😀\x00\n"))
@example("a\udc80b \ud83d😀")
def test_only_lone_surrogates_are_replaced(text):
    wanted = "".join("?" if "\ud800" <= char <= "\udfff" else char for char in text)
    assert normalization.without_surrogates(text) == wanted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'Where are you going?' he asked.", '"Where are you going?" he asked.'),
        ("He said, 'I don't know.'", 'He said, "I don\'t know."'),
        ("'Yes,' he said, 'it is.'", '"Yes," he said, "it is."'),
        ("the boys' room, and the girls' room.", None),
        ("a dog called 'Rex'.", None),
        ("'tis late, it's 'bout ten.", None),
        ("rock 'n' roll, it's fun.", None),
        ("'He said \"no.\"'", None),
        ("5' 2.' tall", None),
    ],
)
def test_direct_speech_gets_double_quotation_marks(text, expected):
    assert normalization.with_double_quotes(text) == (expected or text)


@given(st.text(st.sampled_from("ab ',.?")))
def test_only_apostrophes_become_double_quotation_marks(text):
    changed = normalization.with_double_quotes(text)
    assert changed.replace('"', "'") == text
    assert changed.count('"') % 2 == 0
