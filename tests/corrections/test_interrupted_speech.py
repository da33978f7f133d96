"""Direct speech that its speaker interrupts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.corrections.interrupted_speech import InterruptedSpeech
from keras_transformer.translation.translation import Translation
from tests.translation.copied_lines import translations

COUNTS = {"und": 9, "Und": 2, "ich": 3, "Ich": 9, "hunde": 1, "Hunde": 50}


@pytest.mark.parametrize(
    ("sentence", "rest", "own"),
    [
        ('"Come in," she said, "and sit."', '"Come in," she said', "and sit."),
        ('"Why," he asked, "not?"', '"Why," he asked', "not?"),
        (
            "\u201cYes,\u201d he said, \u201cbut no.\u201d",
            "\u201cYes,\u201d he said",
            "but no.",
        ),
        (
            "\u201eJa\u201c, sagte er, \u201eaber nein\u201c.",
            "\u201eJa\u201c, sagte er",
            "aber nein",
        ),
    ],
)
def test_the_halves_of_interrupted_speech(sentence, rest, own):
    speech = InterruptedSpeech.of(sentence)
    assert (speech.rest, speech.own) == (rest, own)
    assert speech.joined(speech.rest, speech.own, {}) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        '"Yes," he said.',
        '"Yes" and "no"',
        'I read "Faust", "Emma" and "Ulysses".',
        '"Emma" is long, "Faust" is longer.',
        '"Come," he said, "in" and "out."',
        '"Come," he said, "..."',
    ],
)
def test_other_sentences_are_no_interrupted_speech(sentence):
    assert InterruptedSpeech.of(sentence) is None


@pytest.mark.parametrize(
    ("own", "translated", "expected"),
    [
        ("and sit.", "Und setz dich.", "und setz dich."),
        ("And sit.", "Und setz dich.", "Und setz dich."),
        ("but I", "Ich aber", "ich aber"),
        ("I know.", "Ich weiß.", "ich weiß."),
        ("Ivy and I.", "Und Ivy.", "Und Ivy."),
        ("dogs.", "Hunde.", "Hunde."),
    ],
)
def test_the_second_half_keeps_its_small_letter(own, translated, expected):
    speech = InterruptedSpeech('"Yes," he said', '"', own, '"')
    joined = speech.joined('"Ja", sagte er', translated, COUNTS)
    assert joined == f'"Ja", sagte er, "{expected}"'


@given(st.text(st.sampled_from('ab ",.?\u201c\u201d'), max_size=16))
def test_the_parts_are_the_whole_sentence(sentence):
    if speech := InterruptedSpeech.of(sentence):
        assert speech.joined(speech.rest, speech.own, {}) == sentence


class Forgetful:
    """A substitute for a translator that forgets all but the first quotation and the speaker."""

    def translate(self, sentences, numbers=None):
        assert numbers is None or len(numbers) == len(sentences)
        texts = ['"'.join(sentence.split('"')[:3]) for sentence in sentences]
        return [[Translation(text.upper(), -1.0, (1,))] for text in texts]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"it is," is it, "is it?"', '"IT IS," IS IT, "IS IT?"'),
        ("'it is,' is it, 'it is.'", '"IT IS," IS IT, "IT IS."'),
        ('- "it," is it, "it"!', '- "IT," IS IT, "IT"!'),
    ],
)
def test_a_network_reads_the_second_half_alone(line, expected):
    assert translations(Forgetful(), line) == [expected]
