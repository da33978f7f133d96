import re

import pytest

from keras_transformer.corrections.number_words import word_pattern


@pytest.mark.parametrize(
    ("number", "lang", "text"),
    [
        (1, "de", "Das ist eine Ente."),
        (2, "de", "zweimal"),
        (30, "de", "in den Dreißigern"),
        (100, "de", "eine hundertköpfige Menge"),
        (1800, "de", "achtzehnhundert"),
        (50_000, "de", "Fünfzigtausend"),
        (12, "en", "a dozen eggs"),
        (96, "en", "ninety six"),
        (101, "en", "a hundred one dogs"),
        (1800, "en", "eighteen hundred"),
        (123_456, "en", "one hundred twenty-three thousand four hundred and fifty-six"),
        (1_000_000, "de", "2 oder 1 Million"),
        (2_000_000, "en", "2 million people"),
        (2, "en", "two-year-old"),
        (16, "fr", "Il a seize ans."),
        (20, "en", "in the twentieth century"),
        (21, "en", "the twenty-first time"),
        (100, "en", "the hundredth time"),
        (5, "en", "a fivefold increase"),
        (2, "de", "zweigleisig"),
        (7, "de", "am siebten Tag"),
        (8, "de", "am achten Mai"),
        (8, "en", "the eighth day"),
        (11, "de", "ein Elfmeter"),
    ],
)
def test_words_express_a_number(number, lang, text):
    assert re.search(word_pattern(number, lang), text)


@pytest.mark.parametrize(
    ("number", "lang", "text"),
    [
        (1, "de", "einfach"),
        (2, "en", "27 seconds"),
        (14, "de", "vier"),
        (6, "en", "sixty"),
        (4, "en", "fourteen"),
        (20, "en", "twenty-five"),
        (3, "de", "dreißig"),
        (6, "de", "sechsundzwanzig"),
        (100, "de", "hunderttausend"),
        (16, "fr", "sept"),
        (8, "en", "eighteen"),
        (8, "en", "eighty"),
        (8, "de", "Achtung"),
        (8, "de", "Achterbahn"),
        (10, "en", "a tennis ball in a tent"),
        (2, "de", "ohne Zweifel"),
        (2, "de", "auf den Zweigen"),
        (2, "en", "bother"),
        (3, "de", "dreiste Diebe"),
        (3, "de", "ein Drittel"),
        (4, "de", "Viertel nach"),
        (7, "de", "ein Siebtel"),
        (8, "de", "ein Achtelfinale"),
        (11, "de", "aus Elfenbein"),
        (12, "de", "Dutzende"),
        (1, "en", "twenty-one, the twenty-first"),
        (20, "en", "the twenty-first time"),
        (1, "de", "erstellen"),
    ],
)
def test_other_words_do_not(number, lang, text):
    assert not re.search(word_pattern(number, lang), text)


def test_there_are_no_words_of_large_numbers_and_unknown_languages():
    assert word_pattern(10_000_000, "en") is None
    assert word_pattern(3, "xx") is None
