"""A sentence as the page's network reads it, against the normalization in Python."""

import random

from hypothesis import strategies as st

from keras_transformer.text.normalization import with_double_quotes, with_straight_apostrophes
from tests.page.drawing import draw
from tests.page.node import run_node

READ = {
    "'Yes,' she said.": '"Yes," she said.',
    "\u2018Don\u2019t go!\u2019 he said.": '"Don\'t go!" he said.',
    "\u201aNein.\u2018 \u201aDoch!\u2018": '"Nein." "Doch!"',
    "It is the boys\u2019 room.": "It is the boys' room.",
    "Rock 'n' roll, isn't it?": "Rock 'n' roll, isn't it?",
    "'a'b.'": '"a\'b."',
    "Mu\u0308ller": "M\xfcller",
    "\u1112\u1161\u11ab": "\ud55c",  # a Korean syllable
    "'NO,' SAID MU\u0308LLER.": '"No," said m\xfcller.',
    "": "",
}
PIECES = [
    "'",
    "\u2019",
    '"',
    "a",
    "\xe9",
    "4",
    "_",
    ",",
    "!'",
    ". ",
    " ",
    " 'Wait",
    "go,'",
    "\u0301",
]


def random_texts(count):
    draw_one = random.Random(0)
    return ["".join(draw_one.choices(PIECES, k=draw_one.randint(1, 14))) for _ in range(count)]


def test_letters_are_composed_and_direct_speech_gets_double_quotation_marks():
    assert run_node("sentence.mjs", list(READ))["read"] == list(READ.values())


def test_direct_speech_is_found_as_in_python():
    # Python's version of Unicode may lack characters that Node knows.
    known = st.characters(exclude_categories=["Cn", "Cs"])
    texts = random_texts(5000) + draw(st.text(known | st.sampled_from("',.!? ab")), 500)
    found = run_node("sentence.mjs", texts)["quoted"]
    changed = 0
    for text, one in zip(texts, found, strict=True):
        straight = with_straight_apostrophes(text)
        wanted = with_double_quotes(straight)
        changed += wanted != straight
        assert one == wanted, repr(text)
    assert changed > 100
