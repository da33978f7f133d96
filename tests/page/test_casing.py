"""The page's sentence case against that in Python."""

import random

from keras_transformer.text.casing import without_capitals
from tests.page.node import run_node

SENTENCES = [
    "ROOM A4 IS ON FLOOR B2.",
    "WRITE TO INFO@EXAMPLE.COM NOW!",
    "SEE HTTPS://EXAMPLE.ORG/A?B=C, PLEASE.",
    "WWW.EXAMPLE.NET OR EXAMPLE.CO.UK/PAGE",
    "OPEN EXAMPLE.COM.",
    "NO.IT IS.AT HOME",
    "\u0130STANBUL IS LARGE 4U",
    "STRASSE \u00dcBER 3KM",
    "OK, USA",
    "Mixed CASE HERE",
    "MEET ME @HOME NOW PLEASE",
    "FOLLOW @NASA AND @ESA PLEASE",
    "PLEASE OPEN EXAMPLE.XYZ/FOO NOW",
    "\u24d0BC DEF GHI",
    "\u00aaBC DEF GHI",
    "\u24b6BC DEF GHI",
]
PIECES = ["A4", "B-17", "HELLO", "A.B", "X@Y.DE", "HTTP://A.B", "\u00c4\u00d6", "-", "3", "OK.DE,"]


def random_sentences(count):
    draw = random.Random(0)
    return [" ".join(draw.choices(PIECES, k=draw.randint(1, 6))) for _ in range(count)]


def test_capitals_are_removed_as_in_python():
    sentences = [*SENTENCES, *random_sentences(500)]
    found = run_node("casing.mjs", sentences)
    assert found == [without_capitals(each) for each in sentences]
