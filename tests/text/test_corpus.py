"""Corpora, from the names in the settings of a training run."""

import pytest
import tensorflow_datasets as tfds

from keras_transformer.errors import UserError
from keras_transformer.text.corpus import corpus_name, open_corpus, open_pairs
from tests.conftest import toy_pairs, write_pairs


def test_validation_pairs_are_read_from_files_or_held_out(tmp_path):
    train = write_pairs(tmp_path / "train.tsv", toy_pairs(40))
    held_out = write_pairs(tmp_path / "held_out.tsv", toy_pairs(5, seed=1))
    corpus = open_corpus((train,), (held_out,), "en", "de")
    assert corpus.test is None
    assert [list(corpus.train), list(corpus.validation)] == [toy_pairs(40), toy_pairs(5, seed=1)]
    corpus = open_corpus((train,), (), "en", "de")
    assert sorted([*corpus.train, *corpus.validation]) == sorted(toy_pairs(40))


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_corpus_without_pairs_is_rejected(tmp_path, content):
    path = tmp_path / "empty.tsv"
    path.write_text(content)
    with pytest.raises(UserError, match="empty.tsv: "):
        open_corpus((str(path),), (), "en", "de")
    with pytest.raises(UserError, match="empty.tsv: no sentence pairs"):
        open_corpus((str(path),), (str(path),), "en", "de")


def test_the_built_in_corpus_has_both_directions():
    english_german = open_corpus((), (), "en", "de")
    german_english = open_corpus((), (), "de", "en")
    for split in ("validation", "test"):
        pairs = list(getattr(english_german, split))
        assert pairs
        assert [(b, a) for a, b in getattr(german_english, split)] == pairs
    # Some German sentences are held out, although another English one has the same translation.
    train, swapped = list(english_german.train), [(b, a) for a, b in german_english.train]
    assert set(swapped) <= set(train)
    assert 0 < len(train) - len(swapped) < 200
    with pytest.raises(UserError, match="English and German, not fr and de"):
        open_corpus((), (), "fr", "de")


def test_corpus_names():
    assert corpus_name(()) == "phrasebook"
    assert corpus_name(("data/train.en", "data/train.de")) == "train"
    assert corpus_name(("data/.pairs.tsv",)) == "pairs"
    assert corpus_name(("..tsv",)) == "tsv"
    assert corpus_name(("data/pairs[1].tsv",)) == "pairs-1-"  # TensorFlow cannot read pairs[1]
    assert corpus_name(("tfds:ted_hrlr_translate/pt_to_en",)) == "ted_hrlr_translate"


def test_tfds_data_sets_mocked_by_tfds():
    with tfds.testing.mock_data(num_examples=7):
        corpus = open_corpus(("tfds:ted_hrlr_translate/pt_to_en",), (), "pt", "en")
        pairs = [*corpus.train, *corpus.validation]
        assert len(pairs) == 7
        assert all(isinstance(text, str) for pair in pairs for text in pair)
        with pytest.raises(UserError, match="no language de; available: "):
            open_corpus(("tfds:ted_hrlr_translate/pt_to_en",), (), "pt", "de")


def test_tfds_data_sets_cannot_be_combined_with_files(tmp_path):
    with pytest.raises(UserError, match="tfds:a: a TFDS data set cannot be combined"):
        open_pairs(("tfds:a", write_pairs(tmp_path / "b.tsv", toy_pairs(1))), "en", "de")
