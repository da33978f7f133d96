import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.text.lines import decode_lines, read_lines, write_lines

line_text = st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]))


@given(st.lists(line_text))
def test_only_line_feeds_separate_lines(lines):
    expected = [line.removesuffix("\r") for line in lines]
    if expected:
        expected[0] = expected[0].removeprefix("\ufeff")
    content = "".join(line + "\n" for line in lines).encode()
    assert list(decode_lines(split_at_line_feeds(content), "x")) == expected


def split_at_line_feeds(content):
    return [line + b"\n" for line in content.split(b"\n")[:-1]]


def test_other_separators_do_not_split_lines(tmp_path):
    path = tmp_path / "odd.txt"
    path.write_bytes("\ufeffa\u2028b\r\n\r\nc\x0bd\x85e\nlast".encode())
    assert list(read_lines(path)) == ["a\u2028b", "", "c\x0bd\x85e", "last"]


def test_gzip_files_are_decompressed(tmp_path):
    path = tmp_path / "lines.gz"
    path.write_bytes(gzip.compress(b"eins\nzwei\n"))
    assert list(read_lines(path)) == ["eins", "zwei"]
    path.write_bytes(b"not gzip")
    with pytest.raises(UserError, match=r"lines\.gz: cannot be read"):
        list(read_lines(path))
    path.write_bytes(gzip.compress(b"x" * 1000)[:-12])
    with pytest.raises(UserError, match=r"lines\.gz: cannot be read"):
        list(read_lines(path))


def test_errors_name_the_line_that_is_not_utf8(tmp_path):
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"gut\nsch\xf6n\n")
    with pytest.raises(UserError, match=r"latin1\.txt, line 2: not UTF-8"):
        list(read_lines(path))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_other_encodings_of_unicode_are_rejected(tmp_path, encoding):
    """They are valid UTF-8, with NUL between the letters, unless there is a byte order mark."""
    path = tmp_path / "wide.txt"
    path.write_bytes("gut\nja\n".encode(encoding))
    with pytest.raises(UserError, match=r"wide\.txt, line 1: not UTF-8: .*UTF-16"):
        list(read_lines(path))


def test_a_binary_file_is_rejected_where_it_contains_nul():
    lines = decode_lines([b"gut\n", b"\x7fELF\x00\n"], "ls")
    assert next(lines) == "gut"
    with pytest.raises(UserError, match="ls, line 2: not UTF-8: the line contains NUL"):
        next(lines)


def test_a_file_can_be_rewritten_while_it_is_read(tmp_path):
    path = tmp_path / "both.txt"
    path.write_text("a\nb\n")
    write_lines(path, (line * 2 for line in read_lines(path)))
    assert path.read_text() == "aa\nbb\n"
