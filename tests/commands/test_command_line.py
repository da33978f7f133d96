"""What the commands share: flags of settings, advice in errors, exit statuses."""

import io
import os
import shlex
import sys
from pathlib import Path

import pytest

from keras_transformer.commands import command_line
from keras_transformer.commands.console import open_output
from keras_transformer.config import Config
from keras_transformer.errors import CheckError, UserError
from keras_transformer.quiet import quiet_stderr
from tests.conftest import toy_pairs, write_pairs


def status_of(main):
    """Return the exit status of a program."""
    with pytest.raises(SystemExit) as end:
        command_line.run(main)
    return end.value.code


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


def test_only_the_settings_that_the_user_gives_are_in_the_namespace():
    parser = command_line.Parser(prog="x")
    command_line.add_settings(parser)
    assert vars(parser.parse_args([])) == {}
    given = vars(parser.parse_args(["--train", "a", "b", "--no-norm-first", "--rate", "0.3"]))
    assert given == {"train": ["a", "b"], "norm_first": False, "rate": 0.3}
    assert Config().with_settings(given).training.train == ("a", "b")


def test_the_run_to_fine_tune_is_called_a_directory():
    parser = command_line.make_parser("train", "")
    command_line.add_settings(parser)
    assert "--start-from DIR " in " ".join(parser.format_help().split())


@pytest.mark.parametrize(
    ("message", "with_flags"),
    [
        (
            "d_model 5 is not divisible by num_heads 2",
            "--d-model 5 is not divisible by --num-heads 2",
        ),
        ("epochs must be at least 1, not 0", "--epochs must be at least 1, not 0"),
        ("validation needs train: there is none", "--validation needs --train: there is none"),
        ("joint_vocabulary needs trained subwords", "--joint-vocabulary needs trained subwords"),
        (
            "both_directions needs joint_vocabulary: x",
            "--both-directions needs --joint-vocabulary: x",
        ),
        ("the setting train must name a corpus", "--train must name a corpus"),
        ("my/num_heads/x.tsv: no such file", "my/num_heads/x.tsv: no such file"),
        ("num_heads.tsv: no such file", "num_heads.tsv: no such file"),
        ("--num-heads is there already", "--num-heads is there already"),
        ("the train pairs and the seed are kept", "the train pairs and the seed are kept"),
    ],
)
def test_settings_in_a_message_become_flags(message, with_flags):
    assert command_line.with_flags(message, Config().flat()) == with_flags


def test_the_strategy_of_a_search_has_another_flag():
    assert command_line.with_flags("strategy must be x", ["strategy"]) == "--search must be x"


class Special(UserError):
    """An error whose arguments are not its message alone."""

    def __init__(self, size, limit):
        super().__init__(f"vocab_size {size} is larger than {limit}")
        self.limit = limit


def test_an_error_that_names_flags_keeps_its_class():
    with (
        pytest.raises(Special, match="^--vocab-size 3 is larger than 2$") as error,
        command_line.naming_flags(["vocab_size"]),
    ):
        raise Special(3, 2)
    assert error.value.limit == 2


def test_errors_in_a_settings_file_name_settings():
    message = "a.json: num_heads must be at least 1"
    with (
        pytest.raises(UserError, match=f"^{message}$"),
        command_line.naming_flags(["num_heads"], Path("a.json")),
    ):
        raise UserError(message)


def test_an_error_of_the_library_gets_the_advice_for_its_class():
    hints = {Special: "give less"}
    with (
        pytest.raises(UserError, match="^vocab_size 3 is larger than 2: give less$"),
        command_line.advice(hints),
    ):
        raise Special(3, 2)
    with pytest.raises(UserError, match="^other$"), command_line.advice(hints):
        raise UserError("other")


def test_quiet_stderr_discards_messages_only_inside_the_context(capfd):
    with quiet_stderr():
        os.write(2, b"inside")
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"


def test_the_default_run_is_the_newest_one(call, error_of, small_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "no run under checkpoints/" in error_of("translate", "ba")
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "mine").symlink_to(small_run)
    using = f"using {Path('checkpoints/mine')}\n"
    status, out, err = call("translate", "-q", "ba")
    assert (status, err) == (0, using)
    assert out.count("\n") == 1
    pairs = write_pairs(tmp_path / "test.tsv", toy_pairs(2))
    assert call("evaluate", "--test", pairs)[::2] == (0, using)
    scored = ["--test", pairs, "--translations", tmp_path / "test.tsv"]
    assert call("evaluate", *scored)[::2] == (0, ""), "no run is needed"
    status, _, err = call("average", "--output", tmp_path / "checkpoints" / "mean")
    assert (status, err) == (0, using)
    assert call("translate", "-q", "ba") == (0, out, using), "a mean is not the default"
    status, _, err = call("evaluate")
    assert (status, err[: len(using)]) == (2, using)
    assert "no test pairs of its own: give --test" in err
    (tmp_path / "ids").touch()
    status, _, err = call("export", "--output", tmp_path / "ids")
    assert (status, err[: len(using)]) == (2, using)
