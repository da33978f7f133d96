import gzip
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.text.lines import (
    check_file,
    decode_lines,
    read_lines,
    whole_file,
    write_lines,
)

line_text = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]))


@given(st.lists(line_text))
def test_only_line_feeds_divide(lines):
    expected = [line.removesuffix("\r") for line in lines]
    if expected:
        expected[0] = expected[0].removeprefix("\ufeff")
    content = "".join(line + "\n" for line in lines).encode()
    assert list(decode_lines(_divided(content), "x")) == expected


def _divided(content):
    return [line + b"\n" for line in content.split(b"\n")[:-1]]


def test_odd_characters_shift_nothing(tmp_path):
    path = tmp_path / "odd.txt"
    path.write_bytes("\ufeffa\u2028b\r\n\r\nc\x00d\x85e\nlast".encode())
    assert list(read_lines(path)) == ["a\u2028b", "", "c\x00d\x85e", "last"]


def test_gzip(tmp_path):
    path = tmp_path / "lines.gz"
    path.write_bytes(gzip.compress(b"eins\nzwei\n"))
    assert list(read_lines(path)) == ["eins", "zwei"]
    path.write_bytes(b"no gzip")
    with pytest.raises(UserError, match=r"lines\.gz: cannot be read"):
        list(read_lines(path))
    path.write_bytes(gzip.compress(b"x" * 1000)[:-12])
    with pytest.raises(UserError, match=r"lines\.gz: cannot be read"):
        list(read_lines(path))


def test_bytes_that_are_not_utf8_are_placed(tmp_path):
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"gut\nsch\xf6n\n")
    with pytest.raises(UserError, match=r"latin1\.txt, line 2: not UTF-8"):
        list(read_lines(path))


def test_missing_file(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        check_file(tmp_path / "nowhere")


def test_a_file_is_there_whole_or_not_at_all(tmp_path):
    path = tmp_path / "out.txt"
    with pytest.raises(KeyboardInterrupt), whole_file(path) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    with whole_file(path) as file:
        file.write("schön\n")
        file.flush()
        assert not path.exists()
    assert path.read_bytes() == b"sch\xc3\xb6n\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_replaced_keeps_its_permissions_and_links(tmp_path):
    path, link = tmp_path / "out.txt", tmp_path / "link.txt"
    path.write_text("old\n")
    path.chmod(0o640)
    link.symlink_to(path)
    with pytest.raises(ValueError), whole_file(link) as file:
        file.write("half")
        raise ValueError
    assert path.read_text() == "old\n"
    with whole_file(link) as file:
        file.write("new\n")
    assert link.is_symlink()
    assert path.read_text() == "new\n"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_file_can_be_read_and_written_at_once(tmp_path):
    path = tmp_path / "both.txt"
    path.write_text("a\nb\n")
    write_lines(path, (line * 2 for line in read_lines(path)))
    assert path.read_text() == "aa\nbb\n"


def test_what_is_no_regular_file_stays_what_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(pipe) as file:
        file.write("through\n")
    assert os.read(read, 100) == b"through\n"
    os.close(read)
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("name", "why"),
    [("no/out.txt", "No such file"), ("", "Is a directory"), ("file/x", "Not a directory")],
)
def test_a_file_that_cannot_be_written(tmp_path, name, why):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=f"cannot be written: {why}"), whole_file(tmp_path / name):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
