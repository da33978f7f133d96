"""Names of subwords, and the subwords of words in languages without spaces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.inspection.embeddings.frequencies import Counts
from keras_transformer.inspection.embeddings.vectors import Embeddings
from keras_transformer.inspection.embeddings.writing import Kind, Spaced, Unspaced, writing_of
from keras_transformer.text.subword_training import train_subwords
from keras_transformer.text.subwords import Subwords

# 猫 and 狗 are often within sentences. 但是 is at the beginning only. Apple follows a space.
SENTENCES = ["我看猫", "你看狗", "他有猫和狗", "但是我看", "但是你有", "我有 Apple 和猫"] * 20


@pytest.fixture(scope="module")
def subwords(tmp_path_factory):
    path = tmp_path_factory.mktemp("unspaced") / "source.model"
    train_subwords(SENTENCES, 40, path)
    return Subwords.load(path, "zh")


def embeddings_of(subwords, counted):
    """Return the embeddings of the pieces in {piece: occurrences}."""
    occurrences = np.zeros(subwords.size, np.int64)
    for piece, number in counted.items():
        occurrences[subwords.bpemb.spm.piece_to_id(piece)] = number
    counts = Counts(occurrences, np.zeros_like(occurrences))
    return Embeddings.of(np.eye(subwords.size, dtype=np.float32), counts, subwords)


def pieces(embeddings, word):
    return embeddings.subwords.labels(embeddings.ids[embeddings.rows(word)])


@pytest.mark.parametrize(
    ("piece", "is_continued", "kind", "label"),
    [
        ("▁cat", False, Kind.WORD, "cat"),
        ("▁un", True, Kind.BEGINNING, "un"),
        ("ing", True, Kind.CONTINUATION, "-ing"),
        ("▁7", True, Kind.SIGN, "7"),
        (".", False, Kind.SIGN, "."),
        ("▁", True, Kind.SIGN, "␣"),
    ],
)
def test_kinds_and_labels_with_spaces_between_words(piece, is_continued, kind, label):
    assert (Spaced().kind(piece, is_continued), Spaced().label(piece)) == (kind, label)


@pytest.mark.parametrize("is_continued", [False, True])
@pytest.mark.parametrize(
    ("piece", "kind", "label"),
    [
        ("猫", Kind.LETTERS, "猫"),
        ("▁但是", Kind.LETTERS, "␣但是"),
        ("▁Apple", Kind.LETTERS, "␣Apple"),
        ("。", Kind.SIGN, "。"),
        ("▁7", Kind.SIGN, "␣7"),
        ("▁", Kind.SIGN, "␣"),
    ],
)
def test_kinds_and_labels_without_spaces_between_words(piece, is_continued, kind, label):
    assert (Unspaced().kind(piece, is_continued), Unspaced().label(piece)) == (kind, label)


@pytest.mark.parametrize("lang", ["zh", "ja", "th"])
def test_languages_without_spaces_have_neither_hyphens_nor_kinds_of_words(lang):
    assert isinstance(writing_of(lang), Unspaced)
    assert isinstance(writing_of("de"), Spaced)


def test_a_word_within_sentences_is_found_without_the_space(subwords):
    """SentencePiece inserts a space before a text, which is a subword of its own here."""
    assert subwords.labels(subwords.encode("猫")) == ["<start>", "▁", "猫", "<end>"]
    embeddings = embeddings_of(subwords, {"▁": 90, "猫": 60, "狗": 40})
    assert pieces(embeddings, "猫") == ["猫"]
    assert sorted(embeddings.labels) == ["␣", "狗", "猫"]
    assert set(embeddings.kinds) == {Kind.LETTERS, Kind.SIGN}


def test_a_word_at_the_beginning_of_sentences_is_found_with_the_space(subwords):
    embeddings = embeddings_of(subwords, {"▁但是": 40, "看": 60})
    assert pieces(embeddings, "但是") == ["▁但是"]
    assert embeddings.labels == ["看", "␣但是"]


@pytest.mark.parametrize(
    ("within", "first", "found"),
    [(60, 50, "我"), (50, 60, "▁我"), (60, 4, "我"), (4, 60, "▁我")],
)
def test_the_more_frequent_subword_is_the_word(subwords, within, first, found):
    assert subwords.labels(subwords.encode("我")[1:-1]) == ["▁我"]
    assert pieces(embeddings_of(subwords, {"我": within, "▁我": first}), "我") == [found]


def test_a_word_without_trained_subwords_is_an_error_that_names_it(subwords):
    with pytest.raises(UserError, match="'猫' is not trained: its subword '猫' occurs fewer"):
        embeddings_of(subwords, {"▁": 90, "狗": 40}).rows("猫")


@pytest.mark.parametrize("word", ["", " "])
def test_white_space_is_no_word(subwords, word):
    with pytest.raises(UserError, match="is not a word"):
        embeddings_of(subwords, {"▁": 90}).rows(word)


@given(st.text("我你他看有猫狗和但是", min_size=1))
def test_within_a_sentence_only_the_first_space_is_missing(subwords, text):
    ids = subwords.encode_within(text)
    assert not subwords.labels(ids)[0].startswith("▁")
    assert subwords.decode(ids) == text
