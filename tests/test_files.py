import os

import pytest

from keras_transformer import files
from keras_transformer.errors import UserError
from keras_transformer.files import atomic_open, check_file


def test_check_file_rejects_missing_files(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        check_file(tmp_path / "nowhere")


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


def test_pipes_are_written_to_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with atomic_open(pipe) as file:
        file.write("through\n")
    assert os.read(read, 100) == b"through\n"
    os.close(read)
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("name", "reason"),
    [("no/out.txt", "No such file"), ("", "Is a directory"), ("file/x", "Not a directory")],
)
def test_errors_say_why_a_file_cannot_be_written(tmp_path, name, reason):
    (tmp_path / "file").touch()
    with (
        pytest.raises(UserError, match=f"cannot be written: {reason}"),
        atomic_open(tmp_path / name),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_write_bytes_is_atomic(tmp_path, monkeypatch):
    monkeypatch.setattr(files.os, "replace", _fail)
    with pytest.raises(OSError, match="disk"):
        files.write_bytes(tmp_path / "file", b"content")
    assert not (tmp_path / "file").exists()


def _fail(*_):
    raise OSError("disk full")
