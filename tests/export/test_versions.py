import errno
import os
import signal

import pytest

from keras_transformer import files
from keras_transformer.errors import PathTaken, UserError
from keras_transformer.export.versions import check_directory, new_version
from tests.programs import run_python


def test_versions_are_numbered_consecutively(tmp_path):
    for name in ("1", "7", "notes", ".hidden"):
        (tmp_path / "en-de" / name).mkdir(parents=True)
    for number in ("8", "9"):
        with new_version(tmp_path / "en-de") as version:
            assert version.path.parent == tmp_path / "en-de"
            assert version.path.name.startswith(".")
            (version.path / "file").write_text(number)
        assert version.path == tmp_path / "en-de" / number
        assert (version.path / "file").read_text() == number


def test_the_first_version_is_1(tmp_path):
    with new_version(tmp_path / "a/b") as version:
        pass
    assert version.path == tmp_path / "a/b/1"


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt(), SystemExit(143)])
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


def test_exports_at_the_same_time_do_not_disturb_each_other(tmp_path):
    with new_version(tmp_path) as first:
        (first.path / "first").touch()
        with new_version(tmp_path) as second:
            (second.path / "second").touch()
        assert [path.name for path in first.path.iterdir()] == ["first"]
    assert [path.name for path in (tmp_path / "1").iterdir()] == ["second"]
    assert [path.name for path in (tmp_path / "2").iterdir()] == ["first"]


KILLED = """
import os, pathlib, signal, sys
from keras_transformer.export.versions import new_version
with new_version(pathlib.Path(sys.argv[1])) as version:
    (version.path / "half").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_export_leaves_no_version_and_the_next_one_removes_its_files(tmp_path):
    assert run_python("-c", KILLED, tmp_path).returncode == -signal.SIGKILL
    [hidden] = tmp_path.iterdir()
    assert hidden.name.startswith(".")
    with new_version(tmp_path):
        assert not hidden.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["1"]


def test_files_of_killed_exports_are_removed_by_the_next_one_that_is_alone(tmp_path):
    def leave():
        (tmp_path / ".01234567.part").mkdir()
        (tmp_path / ".01234567.part/half").touch()
        (tmp_path / ".models.config.99.part").touch()

    leave()
    with new_version(tmp_path, ["models.config"]) as version:
        assert list(tmp_path.iterdir()) == [version.path]
        leave()
        with new_version(tmp_path):  # cannot know whose files they are
            assert (tmp_path / ".01234567.part/half").exists()
    with new_version(tmp_path, ["models.config"]):
        assert not (tmp_path / ".01234567.part").exists()
        assert not (tmp_path / ".models.config.99.part").exists()


def test_files_of_other_programs_are_not_removed(tmp_path):
    names = {".out.txt.99.part", ".notes.part", "01234567.part"}
    for name in names:
        (tmp_path / name).touch()
    with new_version(tmp_path, ["models.config"]):
        assert names < {path.name for path in tmp_path.iterdir()}


def test_a_version_that_may_not_be_on_the_disk_gets_no_number(tmp_path, monkeypatch):
    def sync(descriptor, sync=os.fsync):
        if os.fstat(descriptor).st_ino == (tmp_path / "toy").stat().st_ino:
            raise OSError(errno.EIO, "Input/output error")
        sync(descriptor)

    monkeypatch.setattr(files.os, "fsync", sync)
    with (
        pytest.raises(UserError, match="toy: cannot be written: Input/output error"),
        new_version(tmp_path / "toy"),
    ):
        pass
    assert not list((tmp_path / "toy").iterdir())


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc")
def test_a_version_gets_its_number_when_it_is_on_the_disk(tmp_path, monkeypatch):
    calls = []

    def sync(descriptor):
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        calls.append(f"sync {os.path.basename(path)}")

    def rename(old, new, replace=os.replace):
        calls.append(f"rename to {new.name}")
        replace(old, new)

    monkeypatch.setattr(files.os, "fsync", sync)
    monkeypatch.setattr(files.os, "replace", rename)
    with new_version(tmp_path / "toy") as version:
        hidden = version.path.name
        (version.path / "file").touch()
    assert calls == ["sync file", f"sync {hidden}", "rename to 1", "sync toy"]


def test_a_directory_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(UserError, match="file/toy: cannot be written: Not a directory"),
        new_version(tmp_path / "file/toy"),
    ):
        pass


@pytest.mark.parametrize(
    ("names", "is_free"),
    [
        ([], True),
        ([".hidden"], True),
        (["1", "notes.txt"], True),
        (["models.config", "notes.txt"], True),
        (["notes.txt"], False),
        (["1a", "src"], False),
    ],
)
def test_a_directory_of_versions_has_no_other_purpose(tmp_path, names, is_free):
    for name in names:
        (tmp_path / name).mkdir()
    if is_free:
        check_directory(tmp_path, ["models.config"])
    else:
        with pytest.raises(PathTaken, match="not empty, but contains no version"):
            check_directory(tmp_path, ["models.config"])


def test_a_file_is_no_directory_of_versions(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(PathTaken, match="file: not a directory"):
        check_directory(tmp_path / "file")


def test_a_directory_that_does_not_exist_is_free(tmp_path):
    check_directory(tmp_path / "new")
