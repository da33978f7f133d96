"""The progress bar of `translate`."""

import argparse
import io
import logging
import os

import pytest

from keras_transformer.commands.line_progress import advancing, is_useless, line_bar
from keras_transformer.translation.translated_line import TranslatedLine


class Stream(io.StringIO):
    def __init__(self, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal


def arguments(**given):
    defaults = {"sentences": [], "input": None, "output": None, "quiet": False}
    return argparse.Namespace(**defaults | given)


@pytest.mark.parametrize(
    ("terminals", "given", "wanted"),
    [
        ("ioe", {"input": "a.txt", "output": "b.txt"}, False),
        ("ie", {"input": "a.txt"}, False),  # the output is redirected
        ("e", {"output": "b.txt"}, False),  # the input is piped
        ("ioe", {"input": "a.txt"}, True),  # the translations appear in the terminal
        ("io", {"input": "a.txt", "output": "b.txt"}, True),  # the errors are redirected
        ("ioe", {"output": "b.txt"}, True),  # lines are typed at a prompt
        ("ioe", {"output": "b.txt", "sentences": ["Hello."]}, True),
        ("ioe", {"input": "a.txt", "output": "b.txt", "quiet": True}, True),
    ],
)
def test_where_a_bar_is_useless(monkeypatch, terminals, given, wanted):
    names = {"i": "stdin", "o": "stdout", "e": "stderr"}
    for letter, name in names.items():
        monkeypatch.setattr(f"sys.{name}", Stream(letter in terminals))
    assert is_useless(arguments(**given)) == wanted


def lines_of(*texts):
    return [TranslatedLine((), "de", text) for text in texts]


def upper(lines):
    """The output format under the bar."""
    return ((line, [line.text.upper()]) for line in lines)


def test_the_bar_counts_lines_and_leaves_nothing_behind(monkeypatch, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("a\nb\nc\nd\n")
    screen = Stream(is_terminal=True)
    monkeypatch.setattr("sys.stderr", screen)
    with line_bar(arguments(input=str(path), output="b.txt")) as bar:
        output_format = advancing(bar, upper)
        two = lines_of("a", "b")
        assert list(output_format(two)) == [(two[0], ["A"]), (two[1], ["B"])]
        assert bar.n == 2
        assert screen.getvalue().split("\r")[-2].strip() == "", "room for the warnings"
        list(output_format(lines_of("c")))
        bar.refresh()
        assert "translating:  75%" in screen.getvalue().split("\r")[-1]
        assert "3/4" in screen.getvalue().split("\r")[-1]
    assert screen.getvalue().split("\r")[-2].strip() == ""
    assert "\n" not in screen.getvalue()


def test_a_file_with_an_invalid_line_has_no_known_length(monkeypatch, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\n\xff\n")
    monkeypatch.setattr("sys.stderr", Stream(is_terminal=True))
    with line_bar(arguments(input=str(path), output="b.txt")) as bar:
        assert bar.total is None
        assert not bar.disable


def test_a_pipe_is_not_read_to_count_its_lines(monkeypatch, tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)  # opening it would wait for a writer
    monkeypatch.setattr("sys.stderr", Stream(is_terminal=True))
    with line_bar(arguments(input=str(path), output="b.txt")) as bar:
        assert bar.total is None


def test_messages_appear_above_the_bar(monkeypatch):
    screen = Stream(is_terminal=True)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("sys.stdin", Stream(is_terminal=False))
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [logging.StreamHandler(screen)])
    with line_bar(arguments(output="b.txt")) as bar:
        bar.refresh()
        root.warning("line 3 is too long")
        before, message = screen.getvalue().rsplit("line 3 is too long", 1)
    assert before.split("\r")[-2].strip() == ""
    assert message.startswith("\n\rtranslating: ")


def test_a_useless_bar_prints_nothing(monkeypatch):
    screen = Stream(is_terminal=False)
    monkeypatch.setattr("sys.stderr", screen)
    with line_bar(arguments(output="b.txt")) as bar:
        assert len(list(advancing(bar, upper)(lines_of("a", "b")))) == 2
    assert screen.getvalue() == ""
