"""The page's sentence case against that in Python."""

import random

import pytest

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
    '"STOP THAT NOW!"',
    "(CLOSED ON SUNDAY)",
    "[1] PLEASE SIT DOWN",
    "1) 2. PLEASE SIT DOWN",
    "16 PEOPLE CAME",
    "\U0001f600 I AM HERE",
    "I THINK I KNOW, SO DO I. I'M IN A.I., I.E. HERE",
    "SSD 500 GB, 5GB, X5HZ, 25\u00b0C, 25 \u00b0C, 80 KM/H, 50 HZ, 5 HZX",
    "MAY 2ND, 21ST, 5PM, A5PM, 1990S, 5S, 0S, 3KM, 3KMS, \u06605PM",
    "\u6211\u5728 IBM \u5de5\u4f5c\u4e86\u4e09\u5e74",
    "\u0623\u0639\u0645\u0644 \u0641\u064a IBM",
    "_ABC DEF_",
    "I\u015eIK YARIN GEL\u0130YOR, \u0130ZM\u0130R B\u0130-5",
    "THE B-17, F-16C, A-5PM, MID-1990S, TOP-10, ALL-IN-1, LH-\u0660, X\u00b2-1, _A-1 AND -B-2",
    "OPEN 9AM-5PM, A 2-YEAR-OLD, A4-SIZED, \u0422\u0423-154-A, ABCD-1 OR A--1",
    "!?! ...",
    "WO IST DIE N\u00c4CHSTE STRA\u00dfE?",
    "VIVO EN EL 3\u00ba PISO",
    "IN DEN 80ER JAHREN, DER 2TE BUS",
    "LE 1ER MAI \u00c0 14H30",
    "KIZIM IRMAK",
    "\u13a3\u13cf\u13f2 \u13d9\u13af\u13e7 \u13a0\u13c2",
    "\u1c9b\u1c9d\u1c93\u1c98 \u1ca1\u1c90\u1c8e\u1c9a\u1ca8\u1c98",
]
PIECES = [
    "I",
    "\u4f60",
    "5 GB",
    "[1]",
    "A4",
    "B-17",
    "HELLO",
    "A.B",
    "X@Y.DE",
    "HTTP://A.B",
    "\u00c4\u00d6",
    "-",
    "3",
    "OK.DE,",
]


def random_sentences(count):
    draw = random.Random(0)
    return [" ".join(draw.choices(PIECES, k=draw.randint(1, 6))) for _ in range(count)]


@pytest.mark.parametrize("lang", ["en", "de", "fr", "tr", "az", "crh"])
def test_capitals_are_removed_as_in_python(lang):
    sentences = [*SENTENCES, *random_sentences(500)]
    found = run_node("casing.mjs", [lang, sentences])
    assert found == [without_capitals(each, lang) for each in sentences]
