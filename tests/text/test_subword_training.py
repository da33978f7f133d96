"""Training of subword vocabularies."""

import errno
import tempfile

import pytest

from keras_transformer.errors import UserError
from keras_transformer.text.subword_training import (
    VocabularyTooLarge,
    train_largest,
    train_subwords,
)
from keras_transformer.text.subwords import Subwords
from tests.text.conftest import SENTENCES


def test_training_is_deterministic(model_file, tmp_path):
    train_subwords(iter(SENTENCES), 60, tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == model_file.read_bytes()


@pytest.mark.parametrize(("size", "message"), [(5000, "at most"), (9, "too small")])
def test_vocabulary_sizes_the_corpus_does_not_allow_are_rejected(tmp_path, size, message):
    with pytest.raises(UserError, match=f"vocab_size {size} is .*{message}"):
        train_subwords(SENTENCES, size, tmp_path / "x.model")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), UserError("a.tsv, line 3: not UTF-8"), OSError("disk")]
)
def test_errors_of_the_corpus_are_not_replaced(tmp_path, error):
    def sentences():
        yield from SENTENCES
        raise error

    with pytest.raises(type(error), match=f"^{error}$"):
        train_subwords(sentences(), 60, tmp_path / "x.model")
    assert not list(tmp_path.iterdir())


def test_train_largest_uses_the_largest_size_all_texts_allow(tmp_path):
    paths = tmp_path / "x.model", tmp_path / "y.model"
    fewer = SENTENCES[:10]
    size = train_largest([SENTENCES, fewer], 5000, paths)
    assert [Subwords.load(path, "de").start for path in paths] == [size, size]
    with pytest.raises(VocabularyTooLarge):
        train_subwords(fewer, size + 1, tmp_path / "z.model")


def test_train_largest_explains_that_no_size_suits_both_texts(tmp_path):
    paths = tmp_path / "x.model", tmp_path / "y.model"
    many = [" ".join(map(chr, range(first, first + 50))) for first in range(0x4E00, 0x5A00, 50)]
    with pytest.raises(
        UserError, match=r"yields at most \d+ .* needs at least 3,\d{3}: give joint"
    ):
        train_largest([many, ["ja nein"] * 50], 5000, paths)


def test_train_largest_keeps_a_size_that_all_texts_allow(tmp_path):
    assert train_largest([SENTENCES], 60, [tmp_path / "x.model"]) == 60


def test_models_do_not_contain_paths_of_temporary_files(model_file):
    assert b".tsv" not in model_file.read_bytes()


def test_a_model_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="x.model: cannot be written: Not a directory"):
        train_subwords(SENTENCES, 60, tmp_path / "file" / "x.model")


def test_a_missing_directory_for_temporary_files_is_an_error(tmp_path, monkeypatch):
    def fail():
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "gettempdir", fail)
    with pytest.raises(UserError, match=r"temporary files: cannot be written: No usable .*/tmp"):
        train_subwords(SENTENCES, 60, tmp_path / "x.model")
