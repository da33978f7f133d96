import errno
import os
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.text import id_file
from keras_transformer.text.encoding import PairIds
from keras_transformer.text.rows import Rows

KEY, OTHER = id_file.make_key("corpus", "subwords"), id_file.make_key("corpus", "other subwords")


def pair_ids(lists, categories=(), dtype=np.uint16):
    rows = Rows.of(lists)
    return PairIds(Rows(rows.ids.astype(dtype), rows.offsets), np.array(categories, np.uint8))


CHUNKS = [pair_ids([[1, 2, 3], [4, 5]], [1, 0]), pair_ids([[6], [7, 65535]], [0, 2, 2])]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "some.ids"
    id_file.save(path, KEY, CHUNKS)
    return path


def assert_loads(path, lists, categories):
    found = id_file.load(path, KEY)
    assert found.rows.lists() == lists
    assert found.categories.tolist() == categories


@given(
    st.lists(st.lists(st.lists(st.integers(0, 65535), max_size=4), max_size=4), max_size=4),
    st.sampled_from([np.uint16, np.int32]),
)
def test_what_is_saved_is_loaded(tmp_path_factory, parts, dtype):
    path = tmp_path_factory.mktemp("ids") / "some.ids"
    id_file.save(path, KEY, (pair_ids(lists, [0] * len(lists), dtype) for lists in parts))
    lists = sum(parts, [])
    assert_loads(path, lists, [0] * len(lists))


def test_loaded_ids_are_mapped_and_cannot_be_changed(file):
    assert_loads(file, [[1, 2, 3], [4, 5], [6], [7, 65535]], [1, 0, 0, 2, 2])
    ids = id_file.load(file, KEY).rows.ids
    assert ids.dtype == np.uint16
    while not isinstance(ids, np.memmap):
        ids = ids.base
    with pytest.raises(ValueError, match="read-only"):
        ids[0] = 1


def test_ids_that_do_not_fit_in_two_bytes_are_kept(tmp_path):
    id_file.save(tmp_path / "some.ids", KEY, [pair_ids([[2**20]], [0], np.int32)])
    assert_loads(tmp_path / "some.ids", [[2**20]], [0])


def test_missing_files_and_files_of_other_pairs_are_not_loaded(file, caplog):
    assert id_file.load(file.with_name("none.ids"), KEY) is None
    assert id_file.load(file, OTHER) is None
    assert not caplog.records


def test_any_flipped_bit_is_found(file, caplog):
    content = file.read_bytes()
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        file.write_bytes(damaged)
        assert id_file.load(file, KEY) is None, f"byte {place}"
    assert len(caplog.records) == len(content)
    assert caplog.messages[0] == f"{file} is damaged; the sentence pairs are encoded again"


def test_truncated_and_extended_files_are_found(file, caplog):
    content = file.read_bytes()
    for changed in (*(content[:size] for size in range(len(content))), content + b"\0"):
        file.write_bytes(changed)
        assert id_file.load(file, KEY) is None, f"{len(changed)} bytes"
    assert len(caplog.records) == len(content) + 1


def test_foreign_files_are_not_loaded(file):
    file.write_bytes(random.Random(0).randbytes(5000))
    assert id_file.load(file, KEY) is None
    file.unlink()
    file.mkdir()
    assert id_file.load(file, KEY) is None


def test_a_file_is_replaced_only_when_the_new_one_is_complete(file):
    def interrupted():
        yield CHUNKS[0]
        assert_loads(file, [[1, 2, 3], [4, 5], [6], [7, 65535]], [1, 0, 0, 2, 2])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        id_file.save(file, OTHER, interrupted())
    assert_loads(file, [[1, 2, 3], [4, 5], [6], [7, 65535]], [1, 0, 0, 2, 2])
    assert os.listdir(file.parent) == [file.name]


def test_a_full_disk_is_reported_in_one_line(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match=r"some\.ids: cannot be written: No space left on device$"):
        id_file.save(tmp_path / "some.ids", KEY, CHUNKS)
    assert not os.listdir(tmp_path)


def test_a_directory_that_cannot_be_written_is_reported_in_one_line(tmp_path):
    with pytest.raises(UserError, match=r"some\.ids: cannot be written: .*none does not exist$"):
        id_file.save(tmp_path / "none" / "some.ids", KEY, CHUNKS)
