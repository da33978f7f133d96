import pytest

from keras_transformer.text.casing import without_capitals


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("WHERE IS THE BANK?", "Where is the bank?"),
        ("ÜBER DIE BRÜCKE", "Über die brücke"),
        ("OK, USA", "Ok, usa"),
        ("NASA", "NASA"),
        ("I AM", "I AM"),
        ("I like the BBC.", "I like the BBC."),
        ("42 - 7", "42 - 7"),
        ("", ""),
    ],
)
def test_only_sentences_in_capitals_change(typed, expected):
    assert without_capitals(typed) == expected
