"""The steps around the translation of a sentence, with a substitute for the network."""

from functools import partial

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import Formats
from keras_transformer.corrections.inner_parts import InnerPart
from keras_transformer.corrections.interrupted_speech import InterruptedSpeech
from keras_transformer.text.final_marks import NO_FINAL_MARK
from keras_transformer.translation.copying_translation import CopyingTranslation
from keras_transformer.translation.partwise_translation import PartwiseTranslation
from keras_transformer.translation.plain_translation import PlainTranslation
from keras_transformer.translation.stripped_translation import (
    StrippedTranslation,
    add_mark,
    keep_wordless,
    strip_enclosing,
    strip_symbols,
)
from keras_transformer.translation.translation import Translation

WORDS = {"yes": "ja", "she": "sie", "says": "sagt", "Yes": "Ja", "She": "Sie"}
COUNTS = dict.fromkeys(WORDS.values(), 9)
STRIP = {
    "mark": add_mark,
    "enclosing": partial(strip_enclosing, counts=COUNTS),
    "symbols": partial(strip_symbols, lexicon=None),
    "wordless": keep_wordless,
}
LINES = st.lists(st.text(alphabet='aB .!?()"-😀1', max_size=12), max_size=5)


class WordByWord:
    """Translates word by word, twice, and records what it is given."""

    def __init__(self):
        self.calls = []

    def translate(self, sentences, numbers, **options):
        self.calls.append((list(sentences), list(numbers), options))
        for sentence in sentences:
            text = sentence
            for word, translation in WORDS.items():
                text = text.replace(word, translation)
            yield [Translation(text, -1.0), Translation(text.upper(), -2.0)]


def texts(found):
    return [[each.text for each in sentence.found] for sentence in found]


@pytest.mark.parametrize(
    ("kind", "sentence", "read", "expected"),
    [
        ("mark", "Yes", "Yes.", ["Ja", "JA"]),
        ("mark", "Yes!", "Yes!", ["Ja!", "JA!"]),
        ("enclosing", "- Yes", "Yes", ["- Ja", "- JA"]),
        ("enclosing", "(Yes.)", "Yes.", ["(Ja.)", "(JA.)"]),
        ("enclosing", 'Yes."', "Yes.", ['Ja."', 'JA."']),
        ("enclosing", "Yes.", "Yes.", ["Ja.", "JA."]),
        ("symbols", "Yes. 😀", "Yes.", ["Ja. 😀", "JA. 😀"]),
        ("symbols", "Yes.", "Yes.", ["Ja.", "JA."]),
        ("wordless", "* * *", "", ["* * *", "* * *"]),
        ("wordless", "?", "", ["?", "?"]),
        ("wordless", ":D!", "", [":D!", ":D!"]),
        ("wordless", "1\ufe0f\u20e3.", "", ["1\ufe0f\u20e3.", "1\ufe0f\u20e3."]),
        ("wordless", "* Yes", "* Yes", ["* Ja", "* JA"]),
        ("wordless", "5", "5", ["5", "5"]),
    ],
)
def test_every_translation_gets_what_the_sentence_lost(kind, sentence, read, expected):
    network = WordByWord()
    step = StrippedTranslation(PlainTranslation(network), STRIP[kind])
    assert texts(step([sentence], [7], {"batch_size": 3})) == [expected]
    assert network.calls == [([read], [7], {"batch_size": 3})]


@pytest.mark.parametrize("kind", STRIP)
@given(sentences=LINES)
def test_no_character_is_lost(kind, sentences):
    class Copying:
        def translate(self, read, numbers):
            return [[Translation(each, 0.0)] for each in read]

    step = StrippedTranslation(PlainTranslation(Copying()), STRIP[kind])
    found = step(sentences, range(len(sentences)), {})
    # An abbreviation keeps the period that it gets: U.S
    assume(kind != "mark" or not any(NO_FINAL_MARK.search(each[0]) for each in texts(found)))
    # White space is not kept, and a symbol moves to the end of a word.
    assert [sorted("".join(each[0].split())) for each in texts(found)] == [
        sorted("".join(each.split())) for each in sentences
    ]


def test_a_part_is_translated_with_the_number_of_its_sentence():
    network = WordByWord()
    step = PartwiseTranslation(PlainTranslation(network), InnerPart.of, COUNTS)
    found = step(["She says yes.", 'She says "Yes."'], [4, 5], {})
    [(read, numbers, _)] = network.calls
    assert (len(read), numbers) == (3, [4, 5, 5])
    assert read[0] == "She says yes."
    assert "Yes." in read[2]
    assert texts(found)[0] == ["Sie sagt ja.", "SIE SAGT JA."]
    assert texts(found)[1][0] == 'Sie sagt "Ja."'
    assert found[1].parts == (), "the sentence that was read contains the part"


def test_the_second_half_of_interrupted_speech_is_a_part():
    step = PartwiseTranslation(PlainTranslation(WordByWord()), InterruptedSpeech.of, COUNTS)
    [found] = step(['"Yes," she says, "yes."'], [4], {})
    assert found.found[0].text == '"Ja," sie sagt, "ja."'
    assert found.read == '"Yes," she says'
    assert [(part.read, part.found[0].text) for part in found.parts] == [("yes.", "ja.")]


def test_only_the_first_of_two_translations_of_a_sentence_warns():
    """A sentence whose value is lost, for example because it is too long, is translated again."""

    class Losing(WordByWord):
        def translate(self, sentences, numbers, **options):
            self.calls.append(list(numbers))
            return [[Translation("ja", -1.0)] for _ in sentences]

    network = Losing()
    step = CopyingTranslation(PlainTranslation(network), Copier({}, {}, Formats()))
    step(["yes", "She says 4512."], [7, 8], {})
    assert network.calls == [[7, 8], [None]]
