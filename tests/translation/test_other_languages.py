"""Names and values in languages whose formats are unknown, or that have no spaces."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from num2words import CONVERTER_CLASSES

from keras_transformer.text.words import WORD
from keras_transformer.translation.copying import Copier
from keras_transformer.translation.formats import Formats, formats
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.number_forms import ascii_digits, lacks_digits
from keras_transformer.translation.number_words import word_pattern

# A clause without spaces looks like a word.
CLAUSES = {"我昨天见了沃洛维茨", "私はキンカンが好きです"}
UNKNOWN = {"Wolowitz", "Volovitz", "kumquats", "Воловица", *CLAUSES}


def restored(source, translation, source_lang, target_lang):
    """Return a translation with the corrections for two languages, whose words are known."""
    source_counts, target_counts = (
        {word: 9 for word in WORD.findall(text) if word not in UNKNOWN}
        for text in (source, translation)
    )
    languages = formats(source_lang, target_lang)
    copier = Copier(source_counts, target_counts, languages, target_lang, None, source_lang)
    return copier.restored(source, source, translation, {})


@pytest.mark.parametrize(
    ("source", "translation", "source_lang", "target_lang"),
    [
        ("I met Wolowitz yesterday.", "我昨天见了沃洛维茨。", "en", "zh"),
        ("I like kumquats.", "私はキンカンが好きです。", "en", "ja"),
        ("我昨天见了沃洛维茨。", "I met Volovitz yesterday.", "zh", "en"),
        ("I met Wolowitz yesterday.", "Вчера я встретил Воловица.", "en", "ru"),
    ],
)
def test_words_of_other_scripts_or_without_spaces_stay(
    source, translation, source_lang, target_lang
):
    assert restored(source, translation, source_lang, target_lang) == translation


def test_a_garbled_name_of_the_same_script_is_replaced():
    found = restored("I met Wolowitz yesterday.", "J'ai vu Volovitz hier.", "en", "fr")
    assert "Wolowitz" in found


@pytest.mark.parametrize(
    ("source", "translation", "target_lang"),
    [
        ("The train leaves at 6:45 p.m.", "Le train part à 18h45.", "fr"),
        ("The train leaves at 6:45 p.m.", "Le train part à 18 h 45.", "fr"),
        ("The train leaves at 6 p.m.", "Le train part à 18h.", "fr"),
        ("1,500 people came.", "1 500 personnes sont venues.", "fr"),
        ("1,500 people came.", "1\u202f500 personnes sont venues.", "fr"),
        ("1,500 people came.", "Vinieron 1.500 personas.", "es"),
        ("1,500 people came.", "Vinieron 1500 personas.", "es"),
        ("1500 people came.", "Przyszło 1 500 osób.", "pl"),
        ("It costs 3.5 euros.", "Il coûte 3,5 euros.", "fr"),
        ("It costs 12,450.50 euros.", "Il coûte 12 450,50 euros.", "fr"),
        ("It weighs 3.5 kg.", "Il pèse 3,5 kg.", "fr"),
        ("20 books", "二十冊", "ja"),
        ("20 books", "二十本书", "zh"),
        ("It is 50%.", "50%です。", "ja"),
        ("in 2021", "في عام ٢٠٢١", "ar"),
    ],
)
def test_a_value_in_the_format_of_another_language_stays(source, translation, target_lang):
    assert restored(source, translation, "en", target_lang) == translation


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("في عام ٢٠٢١", "in 2021.", "in 2021."),
        ("۲۵۰ دلار", "250 dollars", "250 dollars"),
        ("۲۵۰ دلار", "dollars", "250 dollars"),
    ],
)
def test_digits_of_other_scripts_become_ascii_digits(source, translation, expected):
    assert restored(source, translation, "fa", "en") == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("I met 1984 people.", "J'ai vu 1994 personnes.", "J'ai vu 1984 personnes."),
        ("It is 12,450.5.", "C'est 12,4.", "C'est 12,450.5."),
        ("in 250 years", "dans ans", "dans 250 ans"),
    ],
)
def test_garbled_and_missing_numbers_are_mended(source, translation, expected):
    assert restored(source, translation, "en", "fr") == expected


def test_numbers_that_may_be_another_form_are_not_removed():
    assert restored("2 of 14 people", "2 de 14 (14h30)", "en", "fr") == "2 de 14 (14h30)"
    assert restored("14 people", "14 personnes et 7", "en", "fr") == "14 personnes et 7"


@given(st.text(max_size=20), st.text(max_size=20), st.sampled_from(["en", "de", "fr", "zh", "sv"]))
def test_any_text_can_be_corrected(source, translation, lang):
    assert isinstance(restored(source, translation, "en", lang), str)


@pytest.mark.parametrize("lang", [*sorted(CONVERTER_CLASSES), "zh", "xx"])
@pytest.mark.parametrize("number", [0, 7, 1984, 1500, 1_677_739, 9_999_999])
def test_number_words_of_any_language_are_a_pattern_or_unknown(lang, number):
    pattern = word_pattern(number, lang)
    assert pattern is None or re.compile(pattern)


@pytest.mark.parametrize("char", ["\\", r"\1", r"\g<0>", r"c$\docs"])
@pytest.mark.parametrize("lang", ["de", "fr"])
def test_a_backslash_in_an_address_is_no_escape(char, lang):
    source = f"The file is at smb://server/{char}€ today."
    assert f"smb://server/{char}" in restored(source, source, "en", lang)


def test_an_ip_address_has_no_separators_of_thousands():
    german = "Der Server hat die Adresse 192.168.100.200."
    found = restored(german, "The server has the address 192.168.10.", "de", "en")
    assert found == "The server has the address 192.168.100.200."
    assert restored("Es sind 1.234.567.890 Euro.", "It is euros.", "de", "en").count(",") == 3


@pytest.mark.parametrize(
    ("source", "translation"),
    [("big book 250", "\u09ac\u09a1\u09bc \u09ac\u0987"), ("cafe\u0301 35", "the coffee")],
)
def test_a_value_is_placed_among_letters_that_are_not_composed(source, translation):
    lexicon = Lexicon.learn([("big", "\u09ac\u09a1\u09bc"), ("caf\u00e9", "coffee")] * 9)
    copier = Copier({}, {}, Formats(), "bn", lexicon, "en")
    number = source.split()[-1]
    assert number in copier.completed(source, translation)


@pytest.mark.parametrize(
    ("number", "wanted", "lacks"),
    [("12,4", "12,450.5", True), ("18h45", "6:45", False), ("64", "645", True), ("5", "5", False)],
)
def test_a_number_that_lacks_digits_is_garbled(number, wanted, lacks):
    assert lacks_digits(number, wanted) == lacks


@given(st.text())
def test_digits_become_ascii_digits_of_the_same_value(text):
    found = ascii_digits(text)
    assert len(found) == len(text)
    assert [int(c) for c in text if c.isdecimal()] == [int(c) for c in found if c.isdecimal()]
    assert all(c.isascii() for c in found if c.isdecimal())
