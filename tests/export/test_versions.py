import os

import pytest

from keras_transformer.export.versions import new_version


def test_versions_are_numbered_consecutively(tmp_path):
    for name in ("1", "7", "notes", ".part-0"):
        (tmp_path / "en-de" / name).mkdir(parents=True)
    for number in ("8", "9"):
        with new_version(tmp_path / "en-de") as version:
            assert version.path.name == f".part-{os.getpid()}"
            (version.path / "file").write_text(number)
        assert version.path == tmp_path / "en-de" / number
        assert (version.path / "file").read_text() == number


def test_the_first_version_is_1(tmp_path):
    with new_version(tmp_path / "a/b") as version:
        pass
    assert version.path == tmp_path / "a/b/1"


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_a_failed_version_is_removed(tmp_path, error):
    with pytest.raises(type(error)), new_version(tmp_path) as version:
        (version.path / "half").write_text("a")
        raise error
    assert not list(tmp_path.iterdir())


def test_a_version_created_in_the_meantime_is_not_overwritten(tmp_path):
    with new_version(tmp_path) as version:
        (tmp_path / "1").mkdir()
        (tmp_path / "1/other").touch()
        (version.path / "mine").touch()
    assert version.path == tmp_path / "2"
    assert (tmp_path / "1/other").exists()
