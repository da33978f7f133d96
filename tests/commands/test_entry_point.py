"""How programs start and end: streams, one-line errors and exit statuses."""

import io
import os
import sys

import pytest

from keras_transformer.commands import entry_point
from keras_transformer.commands.console import open_output
from keras_transformer.errors import CheckError, UserError


def status_of(main):
    """Return the exit status of a program."""
    with pytest.raises(SystemExit) as end:
        entry_point.run(main)
    return end.value.code


@pytest.mark.parametrize("length", [1, 100_000], ids=["buffered", "longer than the buffer"])
def test_a_reader_that_closes_the_pipe_is_no_error(monkeypatch, capsys, length):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        assert status_of(lambda: print("a" * length, flush=True)) == 0
    assert capsys.readouterr().err == ""


def test_a_broken_pipe_other_than_standard_output_is_an_error(monkeypatch, capsys):
    def main():
        raise BrokenPipeError(32, "Broken pipe")

    with open(os.devnull, "w") as nowhere:
        monkeypatch.setattr("sys.stdout", nowhere)
        assert status_of(main) == 2
    assert capsys.readouterr().err == "error: Broken pipe\n"


def latin1_stdout(monkeypatch):
    """Replace standard output by one in Latin-1, and return its bytes."""
    content = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(content, "latin-1"))
    return content


def test_characters_that_standard_output_cannot_encode_are_escaped(monkeypatch):
    content = latin1_stdout(monkeypatch)
    assert not status_of(lambda: print("sch\xf6n \u0434\u0430"))
    assert content.getvalue() == b"sch\xf6n \\u0434\\u0430\n"


def test_translations_on_standard_output_are_utf_8_without_escapes(monkeypatch):
    def main():
        with open_output() as output:
            print("\u0434\u0430", file=output, flush=True)
            with pytest.raises(UnicodeEncodeError):
                print("\ud800", file=output)

    content = latin1_stdout(monkeypatch)
    assert not status_of(main)
    assert content.getvalue() == "\u0434\u0430\n".encode()


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (UserError("first\n  second"), 2, "error: first second\n"),
        (UserError("my  file.txt\r\n: missing\n"), 2, "error: my  file.txt : missing\n"),
        (OSError(28, "No space left on device"), 2, "error: No space left on device\n"),
        (CheckError("first\n  second"), 1, "error: first second\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
    ],
)
def test_an_error_is_one_line_with_an_exit_status(capsys, error, status, message):
    def main():
        raise error

    assert status_of(main) == status
    assert capsys.readouterr().err == message


def test_the_exit_status_is_that_of_main():
    assert status_of(lambda: 1) == 1
    assert not status_of(lambda: None)


def test_an_exit_with_a_message_has_status_1(capsys):
    assert status_of(lambda: sys.exit("not here")) == 1
    assert capsys.readouterr().err == "not here\n"
    assert status_of(lambda: sys.exit(3)) == 3
    assert not status_of(sys.exit)
