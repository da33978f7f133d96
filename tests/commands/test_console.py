"""Lines in, lines out, and the prompt."""

import io
import subprocess
import sys

import pytest

from keras_transformer.commands.confidence_warnings import ConfidenceWarnings
from keras_transformer.commands.console import prompt, translate_lines
from keras_transformer.errors import UserError
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.translated_line import TranslatedLine, TranslatedSentence
from keras_transformer.translation.translation import Translation
from tests.programs import HOME
from tests.terminal import Terminal


class Echo:
    """A fake `LineTranslator` that returns its input and records the size of each buffer."""

    def __init__(self):
        self.buffers = []

    def stream(self, sentences, first_number=1, search=None, batch_size=64):
        self.buffers.append((first_number, len(sentences)))
        n_best = search.n_best if search else 1
        found = (
            [Translation(f"{sentence}{'!' * n}", -0.5 - n, (1,)) for n in range(n_best)]
            for sentence in sentences
        )
        for sentence, each in zip(sentences, found, strict=True):
            yield TranslatedLine((TranslatedSentence(sentence, each[0], each),), "de")


def test_each_line_has_one_line_of_output():
    lines = ["a", "", "b\u2028c", "d\te\rf\x85g"]
    assert list(translate_lines(Echo(), lines, ConfidenceWarnings())) == ["a", "", "b c", "d e f g"]


def test_only_one_buffer_is_read_ahead():
    echo = Echo()
    read = []

    def endless():
        while True:
            read.append(1)
            yield "x"

    output = translate_lines(echo, endless(), ConfidenceWarnings(), buffer_size=3)
    assert [next(output) for _ in range(4)] == ["x"] * 4
    assert len(read) == 6
    assert echo.buffers == [(1, 3), (4, 3)]


def test_lines_before_an_invalid_one_are_translated_and_examined(monkeypatch):
    def lines():
        yield from "abc"
        raise UserError("line 4: not UTF-8")

    warnings, summaries = ConfidenceWarnings(), []
    monkeypatch.setattr(warnings, "summarize", lambda: summaries.append(warnings.lines))
    output = translate_lines(Echo(), lines(), warnings)
    assert [next(output) for _ in "abc"] == ["a", "b", "c"]
    with pytest.raises(UserError, match="line 4"):
        next(output)
    assert summaries == [3]


def test_scores_and_line_numbers_are_columns():
    assert list(translate_lines(Echo(), ["a"], ConfidenceWarnings(), scores=True)) == ["-0.5000\ta"]
    assert list(
        translate_lines(
            Echo(), ["a", "b"], ConfidenceWarnings(), SearchSettings(n_best=2), scores=True
        )
    ) == [
        "1\t-0.5000\ta",
        "1\t-1.5000\ta!",
        "2\t-0.5000\tb",
        "2\t-1.5000\tb!",
    ]


def test_the_prompt_yields_what_the_user_types(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("gut\n\nschön".encode())))
    assert list(prompt("de", "checkpoints/mine")) == ["gut", "", "schön"]
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "translating with checkpoints/mine; Ctrl-D quits\nde> de> de> de> \n"


# The command translate at a prompt, with a fake translator that returns capitals.
SHOUT = """
import sys
from keras_transformer.commands.console import open_output, source_lines, translate_lines
from keras_transformer.commands.confidence_warnings import ConfidenceWarnings
from keras_transformer.translation.line_translator import LineTranslator
from keras_transformer.translation.translation import Translation
class Shout:
    def translate(self, sentences, **search):
        return [[Translation(sentence.upper(), 0.0)] for sentence in sentences]
with open_output() as output:
    lines, at_once = source_lines([], None, "de", "checkpoints/mine")
    size = 1 if at_once else 1000
    for line in translate_lines(LineTranslator(Shout()), lines, ConfidenceWarnings(), None, size):
        print(line, file=output, flush=True)
"""
GREETING = "translating with checkpoints/mine; Ctrl-D quits\n"


def test_a_line_can_be_edited_and_recalled():
    pytest.importorskip("readline")
    with Terminal("-c", SHOUT, cwd=HOME) as terminal:
        for keys in ("ut\x01g\r", "\x1b[A!\r"):  # the key Home, or Ctrl-A; the arrow up
            terminal.wait_for("de> ")
            terminal.type(keys)
            terminal.wait_for("GUT")
        terminal.wait_for("!")
        terminal.wait_for("de> ")
        terminal.type("\x04")
        status, _, err, _ = terminal.finish()
    assert (status, err) == (0, GREETING + "\n")


def test_lines_that_are_pasted_together_are_translated_one_by_one():
    with Terminal("-c", SHOUT, cwd=HOME) as terminal:
        terminal.wait_for("de> ")
        terminal.type("\x1b[200~gut\rschön\x1b[201~\r")
        for text in ("GUT", "SCHÖN", "de> "):
            terminal.wait_for(text)
        terminal.type("\x04")
        assert terminal.finish()[0] == 0


def test_the_prompt_works_without_readline():
    program = "import sys; sys.modules['readline'] = None\n" + SHOUT
    with Terminal("-c", program, cwd=HOME) as terminal:
        assert terminal.wait_for_question("de> ") == GREETING + "de> "
        terminal.type("gut\r")
        terminal.wait_for("GUT")
        assert terminal.wait_for_question("de> ") == "de> "
        terminal.type("\x04")
        status, _, err, _ = terminal.finish()
    assert (status, err) == (0, "\n")


def test_the_prompt_writes_nothing_to_a_pipe():
    """The output contains neither the question nor control sequences of the terminal."""
    with Terminal("-c", SHOUT, cwd=HOME, stdout=subprocess.PIPE) as terminal:
        assert terminal.wait_for_question("de> ") == GREETING + "de> "
        terminal.type("gut\r")
        assert terminal.wait_for_question("de> ") == "de> "
        terminal.type("\x1b[A\r")
        terminal.wait_for_question("de> ")
        terminal.type("\x04")
        status, out, err, _ = terminal.finish()
    assert (status, out, err) == (0, b"GUT\n\x1b[A\n", "\n"), "no line is recalled"


def test_without_a_terminal_there_is_no_prompt():
    program = SHOUT + "assert 'readline' not in sys.modules"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=HOME, input="schön\n".encode(), capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "SCHÖN\n".encode(), b"")
