"""Pairs in files."""

import gzip
import os
import unicodedata

import pytest

from keras_transformer.errors import UserError
from keras_transformer.text.pair_files import open_files
from keras_transformer.text.reading import normalized


def write(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_tab_separated_files_may_have_more_columns(tmp_path):
    old = tmp_path / "old.tsv"
    old.write_bytes("Go.\tGeh.\r\nHi.\tGrüß Gott!\r\n".encode())
    new = write(tmp_path / "new.tsv", "Go.\tGeh.\tCC-BY 2.0 (France)\tx", "", " Hi. \tGrüß Gott!\t")
    for path in (str(old), new):
        assert list(open_files([path])) == [("Go.", "Geh."), ("Hi.", "Grüß Gott!")]


def test_letters_are_composed_as_in_the_text_to_translate(tmp_path):
    """The Bengali letter yya has a composed form that composition replaces by two characters."""
    bengali, german = "\u09df", unicodedata.normalize("NFD", "Grüße")
    tabbed = write(tmp_path / "a.tsv", f"{bengali}\t{german}")
    parallel = write(tmp_path / "a.bn", bengali), write(tmp_path / "a.de", german)
    for files in ([tabbed], parallel):
        assert list(open_files(files)) == [("\u09af\u09bc", "Grüße")]
        assert list(open_files(files)) == [(normalized(bengali), normalized(german))]


def test_parallel_files_may_be_compressed(tmp_path):
    source = write(tmp_path / "train.en", "one\u2028line", "two")
    packed = tmp_path / "train.de.gz"
    packed.write_bytes(gzip.compress(b"eins\r\nzwei\r\n"))
    pairs = open_files([source, str(packed)])
    assert list(pairs) == [("one\u2028line", "eins"), ("two", "zwei")]
    assert list(pairs) == list(pairs), "pairs can be read repeatedly"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.tsv": "one\teins\ntwo zwei\n"}, r"a\.tsv, line 2: only one column"),
        ({"a.en": "one\ntwo\n", "a.de": "eins\n"}, r"a\.de ends after line 1"),
        ({"a.en": "one\n", "a.de": "eins\nzwei\n"}, r"a\.en ends after line 1"),
        ({"a": "", "b": "", "c": ""}, "not 3 files"),
        ({"a.tsv": "one\teins\rtwo\tzwei\r"}, r"a\.tsv: its lines end with CR"),
        ({"a.en": "one\n", "a.de": "eins\rzwei\r"}, r"a\.de: its lines end with CR"),
    ],
)
def test_errors_name_the_invalid_file(tmp_path, files, message):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content.encode())
    with pytest.raises(UserError, match=message):
        list(open_files([str(tmp_path / name) for name in files]))


def test_missing_files_are_rejected():
    with pytest.raises(UserError, match=r"nowhere\.tsv: no such file"):
        open_files(["nowhere.tsv"])


def test_pipes_are_rejected(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match="pipe: not a regular file"):
        open_files([str(tmp_path / "pipe")])


def test_directories_are_rejected(tmp_path):
    with pytest.raises(UserError, match="a directory, not a file"):
        open_files([str(tmp_path)])


def test_an_empty_path_is_rejected():
    with pytest.raises(UserError, match="^the path of a file is empty$"):
        open_files([""])
