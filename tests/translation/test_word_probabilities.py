"""The probabilities of words."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.subwords import Subwords
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.translated_line import TranslatedLine, TranslatedSentence
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.word_probabilities import (
    Word,
    WordProbabilities,
    corrected,
    joined,
    words_of,
    words_written,
)


@pytest.fixture(scope="module")
def subwords(thousand, tmp_path_factory):
    """Subwords with byte pieces."""
    path = tmp_path_factory.mktemp("subwords") / "thousand.model"
    path.write_bytes(thousand)
    return Subwords.load(path, "en")


TEXTS = st.text(st.sampled_from("abcdefgh .,'äß漢😀"), max_size=30)


@given(text=TEXTS, data=st.data())
def test_words_are_those_of_the_text_and_conserve_the_product(subwords, text, data):
    ids = subwords.encode(text)[1:-1]
    logs = data.draw(st.lists(st.floats(-5, 0), min_size=len(ids), max_size=len(ids)))
    words = words_of(ids, logs, subwords)
    assert [word.text for word in words] == subwords.decode(ids).split()
    product = math.prod(word.probability for word in words)
    assert product == pytest.approx(math.exp(sum(logs)))


@given(data=st.data())
def test_any_ids_conserve_the_product(subwords, data):
    """A network may write spaces in a row, or bytes that form no character."""
    ids = data.draw(st.lists(st.integers(2, subwords.start - 1), max_size=12))
    logs = -np.arange(1.0, len(ids) + 1) / 10
    product = math.prod(word.probability for word in words_of(ids, logs, subwords))
    assert product == pytest.approx(math.exp(logs.sum()))


def word_list(text, probability=0.5):
    return [Word(each, probability) for each in text.split()]


def test_words_that_were_corrected_have_no_probability():
    texts = ["Peter", "wohnt", "seit", "12", "Jahren"]
    words = [Word(text, n / 10) for n, text in enumerate(texts, 1)]
    found = corrected(words, "Jean Luc wohnt seit 1.200 Jahren")
    assert found == [("Jean", None), ("Luc", None), *words[1:3], ("1.200", None), words[4]]
    assert corrected(words, "Peter wohnt seit 12 Jahren") == words
    assert corrected([], "a") == [("a", None)]
    quoted = corrected(words, '"Peter wohnt seit 12 Jahren." 😀')
    assert [word.probability for word in quoted] == [0.1, 0.2, 0.3, 0.4, 0.5, None]
    assert corrected(words, "") == []


def test_words_with_restored_capitals_keep_their_probabilities(thousand, tmp_path):
    path = tmp_path / "pretrained.model"
    path.write_bytes(thousand)
    pretrained = Subwords.load(path, "en", pretrained=True)
    ids = tuple(pretrained.encode("ein hund läuft 00 meter."))
    translation = Translation("Ein Hund läuft 12 Meter.", 0.0, ids)
    parts = [(translation, np.full(len(ids) - 1, -0.25))]
    words = words_written(translation.text, parts, pretrained)
    assert [word.text for word in words] == translation.text.split()
    assert [word.probability is None for word in words] == [False, False, False, True, False]


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_words_of_a_corrected_translation_are_those_of_its_text(one, other):
    assert [word.text for word in corrected(word_list(one), other)] == other.split()
    assert corrected(word_list(one), one) == word_list(one)


def test_sentences_are_joined_with_or_without_a_space():
    one, other = word_list("今日は"), [Word("暑い。", 0.25)]
    assert joined([one, [], other], "de") == [*one, *other]
    assert joined([one, [], other], "ja") == [("今日は暑い。", 0.125)]
    assert joined([[Word("a", None)], other, one], "ja") == [("a暑い。今日は", None)]
    assert joined([], "ja") == []


def forward(translator, sentence, ids):
    """Return the probability of each id but the start and end tokens, by a plain forward pass."""
    ids = [i for i in ids if i != translator.target_subwords.end]
    source = np.array([translator.source_ids(sentence)])
    logits = translator.model((source, np.array([ids[:-1]])), training=False).numpy()[0]
    exponentials = np.exp(logits.astype(np.float64) / 0.8)
    softmax = exponentials / exponentials.sum(-1, keepdims=True)
    return softmax[np.arange(len(ids) - 1), ids[1:]]


def test_probabilities_equal_those_of_a_forward_pass(translator):
    search = SearchSettings(beam_size=3, n_best=3)
    lines = LineTranslator(translator).translate(["ba lo ki.", "", "de fi. lo."], search=search)
    found = WordProbabilities(translator, 0.8).of(lines)
    assert [len(each) for each in found] == [3, 1, 3]
    for line, of_line in zip(lines, found, strict=True):
        for translation, words in zip(line.translations(), of_line, strict=True):
            assert [word.text for word in words] == translation.text.split()
    [sentence] = lines[0].sentences
    for translation, words in zip(sentence.found, found[0], strict=True):
        product = math.prod(word.probability for word in words)
        wanted = forward(translator, sentence.read, translation.ids).prod()
        assert product == pytest.approx(wanted, rel=1e-3)


def test_each_word_is_the_product_of_its_subwords(translator):
    [line] = LineTranslator(translator).translate(["ba lo ki"])
    [translation] = line.translations()
    [[words]] = WordProbabilities(translator, 0.8).of([line])
    probabilities = forward(translator, "ba lo ki", translation.ids)
    pieces = translator.target_subwords.labels(translation.ids[1 : len(probabilities) + 1])
    starts = [i for i, piece in enumerate(pieces) if piece.startswith("▁")]
    ends = [*starts[1:], len(pieces)]
    wanted = [probabilities[i:j].prod() for i, j in zip(starts, ends, strict=True)]
    assert [word.probability for word in words] == pytest.approx(wanted, rel=1e-3)


def test_the_network_is_asked_about_what_it_read(translator):
    """The name in the sentence was replaced before the search, and restored afterwards."""
    [[best]] = translator.translate(["ba lo"])
    changed = Translation(f"{best.text} Quokka", best.score, best.ids)
    sentence = TranslatedSentence("ba lo", best, [changed], {"x": "Quokka"})
    plain = TranslatedSentence("ba lo", best, [best])
    lines = [TranslatedLine((each,), "de") for each in (sentence, plain)]
    [[with_name], [without]] = WordProbabilities(translator).of(lines)
    assert with_name[-1] == ("Quokka", None)
    assert [word.text for word in with_name[:-1]] == [word.text for word in without]
    for one, other in zip(with_name, without, strict=False):
        assert one.probability == pytest.approx(other.probability, rel=1e-4)


def test_parts_that_were_read_on_their_own_have_probabilities(translator):
    [[one], [other]] = translator.translate(["ba lo", "ki"])
    part = TranslatedSentence("ki", other, [other])
    text = f'{one.text}, "{other.text}"'
    whole = TranslatedSentence("ba lo", one, [Translation(text, -1.0, one.ids)], parts=(part,))
    sentences = whole, TranslatedSentence("ba lo", one, [one]), part
    lines = [TranslatedLine((each,), "de") for each in sentences]
    [[words], [first], [second]] = WordProbabilities(translator).of(lines)
    assert [word.text for word in words] == text.split()
    wanted = [word.probability for word in [*first, *second]]
    assert [word.probability for word in words] == pytest.approx(wanted, rel=1e-4)


def test_a_copied_sentence_has_words_without_probabilities(translator):
    """An emoji is put into the translation without the network."""
    copied = Translation("\U0001f44d ok", 0.0, ())
    lines = [TranslatedLine((TranslatedSentence("", copied, [copied]),), "de")]
    [[words]] = WordProbabilities(translator).of(lines)
    assert words == [("\U0001f44d", None), ("ok", None)]


def test_words_whose_first_letter_changed_its_case_keep_their_probabilities():
    words = [Word("Und", 0.5), Word("geh!", 0.25)]
    assert corrected(words, '"und geh!"') == [('"und', 0.5), ('geh!"', 0.25)]
    assert corrected([Word("ja", 0.5)], "Ja") == [("Ja", 0.5)]


def test_words_of_a_part_that_replaced_another_have_no_probability():
    words = [Word("Sie", 0.5), Word("sagt", 0.25), Word('"Komm."', 0.125)]
    found = corrected(words, 'Sie sagt "Kommen Sie herein."')
    assert [word.probability for word in found] == [0.5, 0.25, None, None, None]
