import random
import re
from itertools import islice

import pytest

from keras_transformer.phrasebook import corpus
from keras_transformer.phrasebook.direct_speech import can_be_spoken, spoken


def all_spoken(english, german):
    rand = random.Random(1)
    return {spoken((english, german), rand) for _ in range(3_000)}


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (
            ("I'm tired.", "Ich bin müde."),
            {
                ('"I\'m tired," he said.', '"Ich bin müde", sagte er.'),
                ('"I\'m tired," they said.', '"Ich bin müde", sagten sie.'),
                ('"I\'m tired," I thought.', '"Ich bin müde", dachte ich.'),
                ('"I\'m tired," said the child.', '"Ich bin müde", sagte das Kind.'),
                ('She said, "I\'m tired."', 'Sie sagte: "Ich bin müde."'),
                ('My parents said: "I\'m tired."', 'Meine Eltern sagten: "Ich bin müde."'),
            },
        ),
        (
            ("Where is it?", "Wo ist es?"),
            {
                ('"Where is it?" she asked.', '"Wo ist es?", fragte sie.'),
                ('"Where is it?" asked the doctor.', '"Wo ist es?", fragte der Arzt.'),
                ('We asked, "Where is it?"', 'Wir fragten: "Wo ist es?"'),
            },
        ),
        (
            ("Help!", "Hilfe!"),
            {
                ('"Help!" the man shouted.', '"Hilfe!", rief der Mann.'),
                ('"Help!" they shouted.', '"Hilfe!", riefen sie.'),
                ('The children shouted, "Help!"', 'Die Kinder riefen: "Hilfe!"'),
            },
        ),
    ],
)
def test_words_are_spoken(pair, expected):
    assert expected <= all_spoken(*pair)


def test_no_pronoun_follows_its_english_verb():
    sources = [source for source, _ in all_spoken("No.", "Nein.")]
    assert any(re.search(r'," \w+ the child\.', source) for source in sources)
    assert not [each for each in sources if re.search(r'," \w+ (he|she|I|we|they)\.', each)]


@pytest.mark.parametrize(
    "pair",
    [
        ("Left", "Links"),
        ("Go.", "Geh!"),
        ('The word "tree".', 'Das Wort "Baum".'),
        ("Hi. I'm Anna.", "Hallo. Ich bin Anna."),
        ("It is late: go home.", "Es ist spät: Geh nach Hause."),
        ("one two three four five six seven eight nine ten.", "zehn."),
    ],
)
def test_other_texts_are_not_spoken(pair):
    assert not can_be_spoken(pair)


def test_pairs_of_the_corpus():
    for source, target in islice(corpus.speech_pairs(0), 2_000):
        assert source.count('"') == target.count('"') == 2
        assert not set(source + target) & set("„“")
        assert '."' in target or '",' in target or target.endswith('"')
        assert source[0] == '"' or source[0].isupper()
        assert (source[0] == '"') == (target[0] == '"')
        assert '.",' not in target and '.," ' not in source
