import pytest

from keras_transformer.text.casing import without_capitals


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("WHERE IS THE BANK?", "Where is the bank?"),
        ("ÜBER DIE BRÜCKE", "Über die brücke"),
        ("OK, USA", "Ok, usa"),
        ("WRITE TO JO@EXAMPLE.ORG, NOT TO ME", "Write to JO@EXAMPLE.ORG, not to me"),
        ("WE TAKE FLIGHT LH400 TODAY", "We take flight LH400 today"),
        ("\u0130STANBUL IS A TOWN", "\u0130STANBUL IS A TOWN".capitalize()),
        ("NASA", "NASA"),
        ("I AM", "I AM"),
        ("I like the BBC.", "I like the BBC."),
        ("42 - 7", "42 - 7"),
        ("", ""),
    ],
)
def test_only_sentences_in_capitals_change(typed, expected):
    assert without_capitals(typed) == expected
