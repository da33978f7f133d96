"""Numbers with nouns."""

import pytest

from keras_transformer.counting import counted


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 hours"),
        (1, "1 hour"),
        (1.0, "1 hour"),
        (1.5, "1.5 hours"),
        (0.25, "0.25 hours"),
        (29_000, "29,000 hours"),
    ],
)
def test_only_one_is_singular(number, text):
    assert counted(number, "hour") == text
