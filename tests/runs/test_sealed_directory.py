"""Directories whose manifest lists the files that are complete."""

import hashlib

import pytest

from keras_transformer.runs.layout import MANIFEST
from keras_transformer.runs.manifest import Manifest
from keras_transformer.runs.sealed_directory import SealedDirectory

SEALED, UNSEALED = "lexicon.npz", "training.ids"


@pytest.fixture
def sealed(tmp_path):
    """A directory with an empty manifest."""
    manifest = Manifest({}, {}, {})
    manifest.save(tmp_path)
    return SealedDirectory(tmp_path, manifest)


def listed(directory):
    return Manifest.load(directory.directory).files


def test_without_a_manifest_each_file_that_exists_is_complete(tmp_path):
    directory = SealedDirectory(tmp_path)
    assert not directory.has(SEALED)
    with directory.replacing(SEALED) as path:
        path.write_bytes(b"content")
    assert directory.has(SEALED)
    assert [path.name for path in tmp_path.iterdir()] == [SEALED]


def test_a_file_that_must_be_listed_is_complete_only_if_it_is(sealed):
    for name in (SEALED, UNSEALED):
        (sealed.directory / name).write_bytes(b"content")
    assert not sealed.has(SEALED)
    assert sealed.has(UNSEALED)


def test_a_listed_file_that_is_missing_is_not_there(sealed):
    with sealed.replacing(SEALED) as path:
        path.write_bytes(b"content")
    assert sealed.has(SEALED)
    path.unlink()
    assert not sealed.has(SEALED)


def test_a_file_is_listed_after_it_is_written(sealed):
    for content in (b"old", b"new"):
        with sealed.replacing(SEALED) as path:
            assert path == sealed.directory / SEALED
            assert SEALED not in listed(sealed)
            assert not sealed.has(SEALED)
            path.write_bytes(content)
        assert listed(sealed) == {SEALED: hashlib.sha256(content).hexdigest()}
        assert sealed.has(SEALED)


def test_other_files_stay_listed(sealed):
    for name in ("calibration.json", SEALED):
        with sealed.replacing(name) as path:
            path.write_bytes(b"content")
    assert set(listed(sealed)) == {"calibration.json", SEALED}


def test_a_file_whose_writing_failed_is_incomplete(sealed):
    with sealed.replacing(SEALED) as path:
        path.write_bytes(b"old")
    with pytest.raises(RuntimeError), sealed.replacing(SEALED) as path:
        path.write_bytes(b"ne")
        raise RuntimeError
    assert (sealed.directory / MANIFEST).is_file()
    assert not sealed.has(SEALED)
    assert listed(sealed) == {}
