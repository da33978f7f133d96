"""Parts of sentences between quotation marks or in parentheses."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from keras_transformer.corrections.copying import Copier
from keras_transformer.corrections.formats import Formats
from keras_transformer.corrections.inner_parts import InnerPart
from keras_transformer.translation.translation import Translation
from tests.translation.copied_lines import translations


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ('"Good night," he said.', "Good night"),
        ("He asked, \u201cWhere?\u201d", "Where?"),
        ("Er sagte: \u201eNein.\u201c", "Nein."),
        ("It is closed (on Sundays).", "on Sundays"),
        ('"No," he said (again).', "No"),
    ],
)
def test_the_part_between_the_marks(sentence, words):
    part = InnerPart.of(sentence)
    assert part.own == words
    assert part.text == sentence[part.start : part.end]


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "No.",
        '"',
        '"Yes" and "no"',
        "book(s)",
        "f(xy) is",
        "(12) it",
        ")no(",
        "(a) it",
        '5" by 6"',
    ],
)
def test_sentences_without_a_single_part(sentence):
    assert InnerPart.of(sentence) is None


COUNTS = {"am": 9, "ein": 9, "sie": 9, "Am": 2, "Hund": 5, "Titanic": 1}


@pytest.mark.parametrize(
    ("source", "translation", "part", "expected"),
    [
        ('"Go," he said.', '"G", sagte er.', "Geh", '"Geh", sagte er.'),
        ('"Go," he said.', '"G,", sagte er.', "Geh.", '"Geh", sagte er.'),
        ('"Geh", sagte er.', '"G," he said.', "Go", '"Go," he said.'),
        ('He said, "Go."', 'Er sagte: "G."', "Geh.", 'Er sagte: "Geh."'),
        ('"Go?" he asked.', '"G", fragte er.', "Gehen?", '"Gehen?", fragte er.'),
        ("Shut (on Mondays).", "Zu (Auf).", "Am Montag", "Zu (am Montag)."),
        ("It (dog) ran.", "Es (Dog) lief.", "Hund", "Es (Hund) lief."),
        ("It was (I am) on.", "Es war (bin) an.", "Am", "Es war (am) an."),
        ('"On it," he said.', '"An", sagte er.', "Am", '"Am", sagte er.'),
        ('See "Titanic".', 'Sieh "Titanic".', "Titik", 'Sieh "Titanic".'),
        ('"Dogs," he said.', '"Dogs", sagte er.', "Hunde", '"Hunde", sagte er.'),
        ('"Go," he said.', "\u00ab Va \u00bb, dit-il.", "Pars", "\u00ab Pars \u00bb, dit-il."),
        ('Know "Go"?', 'Kennst du "Go?"', "Geh?", 'Kennst du "Geh"?'),
        ('Know "Go"?', 'Kennst "Go" du?', "Geh", 'Kennst "Geh" du?'),
        ('I met "Al" on TV.', 'Ich "Al im Fernsehen getroffen."', "Al", None),
        ('"Go," he said.', "Geh, sagte er.", "Geh", '"Geh", sagte er.'),
        ('"Go," he said.', "Gehen, sagte er.", "Geh", None),
        (
            'He wrote "Hi" on it.',
            'Er hat "Hallo darauf geschrieben.',
            "Hallo.",
            'Er hat "Hallo" darauf geschrieben.',
        ),
        (
            'He wrote "Hi" on it.',
            'Er hat hallo" darauf geschrieben.',
            "Hallo.",
            'Er hat "Hallo" darauf geschrieben.',
        ),
        ('He wrote "Hi" on it.', 'Er hat "hallo und hallo geschrieben.', "Hallo.", None),
        (
            "Al (a nurse) is in.",
            "Al (ein Pfleger ist da.",
            "Ein Pfleger",
            "Al (ein Pfleger) ist da.",
        ),
        ("Al (a nurse) is in.", "Al, ein Pfleger, ist da.", "Ein Pfleger", None),
        ('"Go?" he asked.', "Gehst du? fragte er.", "Gehst du?", '"Gehst du?" fragte er.'),
        ('"Go?" he asked.', 'Gehst du?" fragte er.', "Gehst du?", '"Gehst du?" fragte er.'),
        ('"Go?" he asked.', '"Gehst du? fragte er.', "Gehst du?", '"Gehst du?" fragte er.'),
        ('He said "hi" to me.', "Er sagte 'Hallo' zu mir.", "Hallo", None),
        (
            "He wrote \u201cHi\u201d on it.",
            'Er hat "Hallo darauf.',
            "Hallo",
            'Er hat "Hallo" darauf.',
        ),
        ("Al (a nurse) is in.", "Al (er ist Pfleger ist da.", "Ein Pfleger", None),
        ('Go "there" now.', 'Geh "dorthin" jetzt.', "?!", None),
        ('He said "you may" now.', 'Er sagte "sie" an.', "Sie sind", 'Er sagte "Sie sind" an.'),
        ('He said "they may" now.', 'Er sagte "sie" an.', "Sie sind", 'Er sagte "sie sind" an.'),
        ('The "dog" sleeps.', 'Der "Am" ruht.', "Am.", 'Der "Am" ruht.'),
        ('The "dog" sleeps.', 'Der "am" ruht.', "Am", 'Der "am" ruht.'),
        ("Go (they like you) on.", "Geh (Sie) an.", "Sie an", "Geh (sie an) an."),
        ("Go (you may be) now.", "Geh (sie sind an) jetzt.", "Sie sind", "Geh (Sie sind) jetzt."),
        ("Go (on foot) now.", "Geh (An Fuß) jetzt.", "An Hand", "Geh (An Hand) jetzt."),
    ],
)
def test_the_translation_of_the_part_replaces_what_is_there(source, translation, part, expected):
    found = InnerPart.of(source).joined(translation, part, COUNTS)
    assert found == (expected or translation)


@given(st.text(st.sampled_from('ab "().,?\u201c\u201d'), max_size=12))
@example("\u201caa \u201c")
@example('"aa. "')
def test_a_copied_part_stays(sentence):
    part = InnerPart.of(sentence)
    if part and not part.text.strip().endswith(","):  # one of the commas of "a,", would be removed
        assert part.joined(sentence, part.text, {}) == sentence


def test_a_word_that_is_rare_in_the_target_language_is_no_shared_word():
    copier = Copier({"Help": 50, "Titanic": 1}, {"Help": 1, "Titanic": 1, "Hilfe": 9}, Formats())
    part = InnerPart.of('"Help!" he said.')
    assert part.joined('"Help!", sagte er.', "Hilfe!", copier.target_counts) == (
        '"Hilfe!", sagte er.'
    )
    part = InnerPart.of('I saw "Titanic".')
    assert part.joined('Ich sah "Titanic".', "Titik", copier.target_counts) == 'Ich sah "Titanic".'


class Reader:
    """A substitute for a translator that reads the first letter after a mark wrongly."""

    def translate(self, sentences, numbers=None):
        assert numbers is None or len(numbers) == len(sentences)
        return [[Translation(self._read(each), -1.0, (1,))] for each in sentences]

    def _read(self, sentence):
        for mark in '"(':
            before, found, after = sentence.partition(mark)
            sentence = before + found + (after[1:] if found else after)
        return sentence.upper()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"it is," is it.', '"IT IS," IS IT.'),
        ("it is (is it).", "IT IS (IS IT)."),
        ('- it is "is it".', '- IT IS "IS IT".'),
        ('"it" is "is".', '"T" IS "IS".'),
    ],
)
def test_a_network_also_reads_the_part_alone(line, expected):
    assert translations(Reader(), line) == [expected]
