"""The parsers of the commands, and the names of commands in messages."""

import shlex
from pathlib import Path

import pytest

from keras_transformer.commands import command_line
from keras_transformer.errors import UserError


def test_errors_name_the_help_of_a_kind_of_picture(monkeypatch):
    monkeypatch.setattr("sys.argv", ["draw.py"])
    parser = command_line.make_parser("draw masks", "Draws masks.")
    with pytest.raises(UserError, match=r"\(see python draw\.py masks --help\)"):
        parser.parse_args(["--nonsense"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--outptu", "x"], "unrecognized arguments: --outptu x; did you mean --output? (see"),
        (["--outputs=x"], "unrecognized arguments: --outputs=x; did you mean --output? (see"),
        (["--target-lang", "en"], "unrecognized arguments: --target-lang en (see"),
        (["3", "--vresion"], "unrecognized arguments: 3 --vresion; did you mean --version? (see"),
        (["--nonsense"], "unrecognized arguments: --nonsense (see"),
        (["output"], "unrecognized arguments: output (see"),
    ],
)
def test_an_unknown_flag_that_resembles_another_is_a_question(given, message):
    parser = command_line.make_parser("draw masks", "Draws masks.")
    parser.add_argument("--output")
    parser.add_argument("--alignment-layer")  # hardly resembles --target-lang
    with pytest.raises(UserError) as error:
        parser.parse_args(given)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["draw", "network", "--config", "", "-o", "x.png"], "--config must not be empty"),
        (["draw", "network", "-o", ""], "--output must not be empty"),
        (["draw", "embeddings", "--projector", ""], "--projector must not be empty"),
        (["draw", "history", ""], "RUN must not be empty"),
        (["draw", "positions", "--rings", ""], "--rings must not be empty"),
        (["train", "--config", ""], "--config must not be empty"),
        (["train", "--config", "multi30k", "--train", "a", ""], "--train must not be empty"),
        (["train", "--start-from", ""], "--start-from must not be empty"),
        (["evaluate", "--baseline", ""], "--baseline must not be empty"),
        (["evaluate", "--translations", ""], "--translations must not be empty"),
        (["evaluate", "--test", ""], "--test must not be empty"),
        (["average", "--output", ""], "--output must not be empty"),
        (["export", "--output", ""], "--output must not be empty"),
        (["translate", "--server", "", "a"], "--server must not be empty"),
    ],
)
def test_an_empty_path_is_an_error(error_of, tmp_path, monkeypatch, given, message):
    """An unset variable of a shell must not choose a default or the current directory."""
    monkeypatch.chdir(tmp_path)
    assert error_of(*given).startswith(f"error: {message} (see ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "sentences"),
    [
        (["a", "--beam-size", "4", "b"], ["a", "b"]),
        (["--beam-size", "4", "a", "b"], ["a", "b"]),
        (["--beam-size", "4", "--", "a", "--version"], ["a", "--version"]),
    ],
)
def test_flags_may_stand_between_sentences(given, sentences):
    parser = command_line.make_parser("translate", "")
    parser.add_argument("sentences", nargs="*")
    parser.add_argument("--beam-size", type=int)
    assert vars(parser.parse_args(given)) == {"sentences": sentences, "beam_size": 4}


def test_an_empty_text_is_no_empty_path():
    parser = command_line.make_parser("draw network", "")
    parser.add_argument("--prefix", metavar="TEXT")
    parser.add_argument("--input", metavar="FILE")
    assert vars(parser.parse_args(["--prefix", ""])) == {"prefix": "", "input": None}


def test_suggested_commands_quote_their_arguments(monkeypatch):
    monkeypatch.setattr("sys.argv", ["keras-transformer"])
    command = command_line.program("train", "--checkpoint", Path("my runs/it's"))
    name, *arguments = shlex.split(command)
    assert (name, arguments) == ("keras-transformer", ["train", "--checkpoint", "my runs/it's"])
