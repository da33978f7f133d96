import errno
import os
import stat
import tempfile
from pathlib import Path

import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer import files
from keras_transformer.errors import UserError
from keras_transformer.files import (
    atomic_open,
    check_directory_path,
    check_file,
    check_utf8,
    copy_file,
    hidden_prefix,
    sync_tree,
    write_bytes,
)
from keras_transformer.workspace import workspace
from tests.limits import limited_files


def test_check_file_rejects_missing_files(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        check_file(tmp_path / "nowhere")


def test_check_file_does_not_call_a_file_missing_that_may_not_be_read(monkeypatch):
    def exists(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", exists)
    with pytest.raises(UserError, match="^secret/file: Permission denied$"):
        check_file("secret/file")


def test_check_directory_path_rejects_what_is_not_utf_8(tmp_path):
    with pytest.raises(UserError, match="the name of a directory is not UTF-8"):
        check_directory_path(tmp_path / os.fsdecode(b"caf\xe9"))


@pytest.mark.parametrize(
    ("name", "is_read"),
    [("a[1]", False), ("b[x]c", False), ("d\\e", False), ("a]", True), ("[", True), ("*?{}", True)],
)
def test_check_directory_path_rejects_what_tensorflow_does_not_find(tmp_path, name, is_read):
    (tmp_path / name).mkdir()
    path = tf.train.Checkpoint(value=tf.Variable(1.0)).write(f"{tmp_path / name}/ckpt")
    if is_read:
        check_directory_path(tmp_path / name)
        assert tf.train.load_checkpoint(path).has_tensor("value/.ATTRIBUTES/VARIABLE_VALUE")
    else:
        with pytest.raises(UserError, match="TensorFlow cannot read files in a directory with"):
            check_directory_path(tmp_path / name)
        with pytest.raises(tf.errors.NotFoundError):
            tf.train.load_checkpoint(path)


@pytest.mark.parametrize("name", ["a[1]", "d\\e", "caf\u00e9"])
def test_other_libraries_read_files_in_these_directories(tmp_path, name):
    check_utf8(tmp_path / name)


def test_an_interrupted_write_leaves_no_file(tmp_path):
    path = tmp_path / "out.txt"
    with pytest.raises(KeyboardInterrupt), atomic_open(path) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    with atomic_open(path) as file:
        file.write("schön\n")
        file.flush()
        assert not path.exists()
    assert path.read_bytes() == b"sch\xc3\xb6n\n"
    assert list(tmp_path.iterdir()) == [path]


def test_replaced_files_keep_their_permissions_and_links(tmp_path):
    path, link = tmp_path / "out.txt", tmp_path / "link.txt"
    path.write_text("old\n")
    path.chmod(0o640)
    link.symlink_to(path)
    with pytest.raises(ValueError), atomic_open(link) as file:
        file.write("half")
        raise ValueError
    assert path.read_text() == "old\n"
    with atomic_open(link) as file:
        file.write("new\n")
    assert link.is_symlink()
    assert path.read_text() == "new\n"
    assert path.stat().st_mode & 0o777 == 0o640


def copied(path, content):
    """Write a copy of a file with this content."""
    source = path.with_name("source")
    source.write_bytes(content)
    copy_file(source, path)
    source.unlink()


@pytest.mark.parametrize("write", [write_bytes, copied])
def test_files_that_are_written_at_once_keep_their_permissions_and_links(tmp_path, write):
    (tmp_path / "elsewhere").mkdir()
    path, link = tmp_path / "elsewhere" / "out", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o600)
    link.symlink_to(path)
    write(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]
    assert list(tmp_path.iterdir()) in ([path.parent, link], [link, path.parent])


@given(st.integers(0, 0o777).map(lambda mode: mode | 0o600))
def test_the_mode_of_a_replaced_file_is_kept(mode):
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "file")
        path.touch()
        path.chmod(mode)
        write_bytes(path, b"new")
        assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", mode)


@pytest.mark.parametrize("name", ["a" * 255, "語" * 85, "\U0001f600" * 63])
def test_names_may_be_as_long_as_the_file_system_permits(tmp_path, name):
    """The names of hidden files are not longer than 255 bytes."""
    write_bytes(tmp_path / name, b"1")
    with atomic_open(tmp_path / name) as file, workspace(tmp_path, hidden_prefix(tmp_path / name)):
        file.write("2")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: "2"}


def test_pipes_are_written_to_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with atomic_open(pipe) as file:
        file.write("through\n")
    assert os.read(read, 100) == b"through\n"
    os.close(read)
    assert pipe.is_fifo()


def test_pipes_without_a_name_are_written_to_directly():
    """As /dev/stdout or a shell's >(...), whose real path is not that of a file."""
    read, write = os.pipe()
    with atomic_open(f"/dev/fd/{write}") as file:
        file.write("through\n")
    assert os.read(read, 100) == b"through\n"
    os.close(read)
    os.close(write)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no/out.txt", "the directory .*no does not exist$"),
        ("", "Is a directory"),
        ("file/x", "Not a directory"),
    ],
)
def test_errors_say_why_a_file_cannot_be_written(tmp_path, name, reason):
    (tmp_path / "file").touch()
    with (
        pytest.raises(UserError, match=f"cannot be written: {reason}"),
        atomic_open(tmp_path / name),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def record_calls(monkeypatch):
    """Record the calls of the functions that make a write durable, and carry them out."""
    calls = []

    def recording(function, describe):
        def call(*arguments):
            function(*arguments)
            calls.append(describe(*arguments))

        return call

    def synced(descriptor):
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        return "sync directory" if os.path.isdir(path) else f"sync {os.path.getsize(path)} bytes"

    monkeypatch.setattr(files.os, "fsync", recording(os.fsync, synced))
    monkeypatch.setattr(files.os, "replace", recording(os.replace, lambda *_: "rename"))
    return calls


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no /proc")
def test_content_is_synced_before_it_is_renamed_and_the_directory_after(tmp_path, monkeypatch):
    calls = record_calls(monkeypatch)
    order = ["sync 7 bytes", "rename", "sync directory"]
    write_bytes(tmp_path / "file", b"content")
    assert calls == order
    copy_file(tmp_path / "file", tmp_path / "copy")
    assert calls == 2 * order
    with atomic_open(tmp_path / "file") as file:
        file.write("replace")
    assert calls == 3 * order


def test_everything_in_a_tree_is_synced_before_its_directory(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "file").write_text("abc")
    calls = record_calls(monkeypatch)
    sync_tree(tmp_path)
    assert calls == ["sync 3 bytes", "sync directory", "sync directory"]


def test_a_failed_write_keeps_the_old_content_and_leaves_no_other_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_bytes(path, b"old")
    monkeypatch.setattr(files.os, "replace", _fail)
    with pytest.raises(UserError, match="file: cannot be written: disk full"):
        write_bytes(path, b"new")
    with pytest.raises(UserError, match="file: cannot be written: disk full"), atomic_open(path):
        pass
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EINVAL])
def test_a_directory_that_cannot_be_synced_is_no_error(tmp_path, monkeypatch, number):
    _fail_to_sync_directories(monkeypatch, number)
    write_bytes(tmp_path / "file", b"new")
    with atomic_open(tmp_path / "text") as file:
        file.write("new")
    assert (tmp_path / "file").read_bytes() == (tmp_path / "text").read_bytes() == b"new"


def test_an_error_of_the_disk_after_the_replacement_names_the_file(tmp_path, monkeypatch):
    _fail_to_sync_directories(monkeypatch, errno.EIO)
    with (
        pytest.raises(UserError, match="text: cannot be written: Input/output error"),
        atomic_open(tmp_path / "text"),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


def test_a_write_beyond_the_limit_names_the_file(tmp_path):
    """A limit on the size of files fails like a full disk, at the write or at the end."""
    with limited_files(1000):
        for size in (2000, 2_000_000):  # less and more than the buffer
            with (
                pytest.raises(UserError, match="out.txt: cannot be written: File too large"),
                atomic_open(tmp_path / "out.txt") as file,
            ):
                file.write("x" * size)
        with pytest.raises(UserError, match="out.bin: cannot be written: File too large"):
            write_bytes(tmp_path / "out.bin", b"x" * 2000)
    assert list(tmp_path.iterdir()) == []


def _fail_to_sync_directories(monkeypatch, number):
    def sync(descriptor, sync=os.fsync):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        sync(descriptor)

    monkeypatch.setattr(files.os, "fsync", sync)


def _fail(*_):
    raise OSError(28, "disk full")
