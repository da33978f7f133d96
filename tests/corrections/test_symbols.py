import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import Formats
from keras_transformer.corrections.placing import placed
from keras_transformer.corrections.symbols import with_symbols, without_symbols
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.translation import Translation

HEART, FAMILY, THUMB, GERMANY, KEY = (
    "\u2764\ufe0f",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f44d\U0001f3fd",
    "\U0001f1e9\U0001f1ea",
    "1\ufe0f\u20e3",
)
INFORMATION, DOUBLE_MARK = "\u2139\ufe0f", "\u203c\ufe0f"
SYMBOLS = [
    HEART,
    FAMILY,
    THUMB,
    GERMANY,
    KEY,
    INFORMATION,
    DOUBLE_MARK,
    "\u2022",
    "\u2605",
    "\u2192",
    "\u2713",
]
EMOTICONS = [":-)", ";(", ":D"]
WORDS = ["ball", "hund", "12", "$5", "see,", "rot."]


def test_symbols_in_parentheses_are_removed_with_them():
    text, symbols = without_symbols(f"A dog ({HEART} {THUMB}) runs (fast {KEY}).")
    assert (text, [each.text for each in symbols]) == (
        "A dog runs (fast).",
        [f"({HEART} {THUMB})", KEY],
    )


def test_no_space_follows_an_opening_mark():
    text, symbols = without_symbols(f"A dog ({HEART} runs).")
    assert text == "A dog (runs)."
    assert with_symbols("Ein Hund (rennt).", text, symbols, None) == f"Ein Hund (rennt {HEART})."
    assert placed(HEART, 10, "Ein Hund (rennt).")[0] == f"Ein Hund ({HEART} rennt)."


@pytest.mark.parametrize("mark", "\u061f\u06d4\u0964")
def test_symbols_precede_final_marks_of_other_scripts(mark):
    text, symbols = without_symbols(f"a b {HEART}{mark}")
    assert text == f"a b{mark}"
    assert with_symbols(f"x y{mark}", text, symbols, None) == f"x y {HEART}{mark}"


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("A man runs {}", "A man runs"),
        ("A man runs. {}", "A man runs."),
        ("A man runs {}.", "A man runs."),
        ("A man runs{}!", "A man runs!"),
        ("{} A man runs.", "A man runs."),
        ("A {} man", "A man"),
        ("A{}man", "A man"),
        ("{}", ""),
    ],
)
def test_symbols_are_removed_with_their_spaces(symbol, sentence, rest):
    text, [found] = without_symbols(sentence.format(symbol))
    assert (text, found.text) == (rest, symbol)


@pytest.mark.parametrize(
    "text",
    [
        "at 5:)",
        "a:D",
        "see (page 5)",
        "x;)",
        "::)",
        "25 \u00b0C",
        "Tea\u2122",
        "\u20ac5",
        "2 + 2 = 4",
        "a \u2014 b",
        "#1",
        "Stop\u203c",
        "\u4f60",
        "",
    ],
)
def test_other_characters_stay(text):
    assert without_symbols(text) == (text, [])


@pytest.mark.parametrize("emoticon", EMOTICONS)
@pytest.mark.parametrize(
    ("sentence", "rest"),
    [("A man runs {}", "A man runs"), ("{} A man.", "A man."), ("A man {}!", "A man!")],
)
def test_emoticons_are_removed_with_their_spaces(emoticon, sentence, rest):
    text, [found] = without_symbols(sentence.format(emoticon))
    assert (text, found.text) == (rest, emoticon)


@given(st.lists(st.sampled_from([*SYMBOLS, *EMOTICONS, *WORDS]), max_size=8).map(" ".join))
def test_a_copy_has_the_symbols_at_their_places(sentence):
    rest, symbols = without_symbols(sentence)
    assert rest.split() == [each for each in sentence.split() if each in WORDS]
    copy = with_symbols(rest, rest, symbols, None)
    kept = [each for each in re.split(r"[ .,]+", copy) if each in {*SYMBOLS, *EMOTICONS}]
    assert kept == [each for each in sentence.split() if each not in WORDS]
    assert without_symbols(copy)[0].split() == rest.split()


def test_symbols_follow_the_translation_of_the_word_before_them():
    """The word order of the translation is reversed."""
    pairs = [("red", "rot"), ("dog", "hund"), ("big", "gross"), ("cat", "katze")] * 20
    lexicon = Lexicon.learn([(f"{a} {c}", f"{d} {b}") for a, b in pairs for c, d in pairs])
    sentence = f"red {HEART} dog \u2605 cat"
    rest, symbols = without_symbols(sentence)
    found = with_symbols("katze hund rot", rest, symbols, lexicon)
    assert found == f"katze hund \u2605 rot {HEART}"


class Shout:
    """A substitute for a translator that converts to upper case."""

    def translate(self, sentences, numbers=None):
        return [[Translation(each.upper(), -1.0, (1,))] for each in sentences]


@pytest.mark.parametrize(
    ("line", "read", "expected"),
    [
        (f"it is {HEART}", ["it is"], f"IT IS {HEART}"),
        (f"it is. {HEART}", ["it is.", ""], f"IT IS. {HEART}"),
        (f"{THUMB} it is {HEART}!", ["it is!"], f"{THUMB} IT IS {HEART}!"),
        (FAMILY, [""], FAMILY),
    ],
)
def test_a_network_reads_lines_without_their_symbols(line, read, expected):
    counts = dict.fromkeys(["it", "is"], 9)
    translator = LineTranslator(Shout(), copier=Copier(counts, counts, Formats()))
    [found] = translator.translate([line])
    assert [sentence.read for sentence in found.sentences] == read
    assert [each.text for each in found.translations()] == [expected]
