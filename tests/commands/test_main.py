"""The program `keras-transformer`, and the scripts that do the same."""

import configparser
import importlib
import json
import runpy

import pytest

from keras_transformer.commands import COMMANDS, main
from keras_transformer.commands.drawing import KINDS
from keras_transformer.errors import UserError
from tests.programs import HOME, load_script, run_python

VERSION = "keras_transformer 0.1.0\n"


def test_the_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as end:
        main.main(["--help"])
    assert not end.value.code
    out = capsys.readouterr().out
    assert out.startswith("usage: keras-transformer [-h] [--version] COMMAND [ARGUMENT ...]\n")
    for name in COMMANDS:
        assert f"\n  {name:11}{COMMANDS[name]}\n" in out


def test_the_entry_point_prints_the_version(monkeypatch, capsys):
    setup = configparser.ConfigParser()
    setup.read(HOME / "setup.cfg")
    name, target = setup["options.entry_points"]["console_scripts"].strip().split(" = ")
    module, function = target.split(":")
    monkeypatch.setattr("sys.argv", [name, "--version"])
    with pytest.raises(SystemExit) as end:
        getattr(importlib.import_module(module), function)()
    assert (name, end.value.code) == ("keras-transformer", 0)
    assert capsys.readouterr().out == VERSION


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [],
            "give a command: train, translate, evaluate, average, datastore, draw, export "
            "(see keras-transformer --help)",
        ),
        (
            ["trian"],
            "unknown command 'trian': expected one of train, translate, evaluate, average, "
            "datastore, draw, export; did you mean train? (see keras-transformer --help)",
        ),
        (["--fast", "train"], "arguments are required: COMMAND"),
        (["translate", "--fast"], "--fast (see keras-transformer translate --help)"),
    ],
)
def test_bad_arguments_are_errors(arguments, message):
    with pytest.raises(UserError) as error:
        main.main(arguments)
    assert message in str(error.value)


def test_a_command_gets_the_other_arguments(call):
    arguments = ["translate", "--server", "here", "--", "--version"]
    with pytest.raises(UserError, match="here: not the address of a model"):
        main.main(arguments)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_the_version_of_the_package(call, name):
    assert call(name, "--version") == (0, VERSION, "")


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    ("started_as", "shown"),
    [("{}.py", "python {}.py"), ("bin/keras-transformer", "keras-transformer {}")],
)
def test_the_help_shows_how_the_command_was_started(call, monkeypatch, name, started_as, shown):
    monkeypatch.setattr("sys.argv", [started_as.format(name)])
    status, out, _ = call(name, "--help")
    assert status == 0
    assert out.startswith(f"usage: {shown.format(name)} [-h]")
    examples = [line for line in out.splitlines() if line.startswith(f"  {shown.format(name)}")]
    assert examples


@pytest.mark.parametrize("name", COMMANDS)
def test_a_script_runs_its_command(monkeypatch, capsys, name):
    monkeypatch.setattr("sys.argv", [f"{name}.py", "--no-such-flag"])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(HOME / f"{name}.py"), run_name="__main__")
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert f"(see python {name}.py --help)" in err
    assert err.count("\n") == 1


def test_all_commands_have_the_same_interface():
    for name in COMMANDS:
        module = load_script(name)
        assert module.make_parser().prog == f"keras-transformer {name}"
        assert callable(module.main)


# The modules that the help of one command imports.
NEEDED = ("advice", "average", "command_line", "dispatch", "failures", "main", "run_flag")

PROGRAM = """
import contextlib, io, json, sys
import keras_transformer
after_import = sorted({"keras", "numpy", "tensorflow"} & set(sys.modules))
from keras_transformer.commands.main import main
from keras_transformer.errors import UserError
ends = []
for arguments in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        try:
            main(arguments)
        except SystemExit as end:
            ends.append(f"status {end.code}")
        except UserError as error:
            ends.append(str(error))
    if len(ends) == 1:
        commands = sorted(m for m in sys.modules if m.startswith("keras_transformer.commands."))
at_the_end = sorted({"keras", "tensorflow"} & set(sys.modules))
print(json.dumps([after_import, commands, ends, at_the_end]))
"""


def test_tensorflow_is_imported_only_when_it_is_needed():
    """Neither for the package itself, --help, --version and errors, nor to ask a server."""
    server = "http://localhost:1/v1/models/toy"
    arguments = [
        ["average", "--help"],
        *([name, "--help"] for name in COMMANDS),
        *(["draw", kind, "--help"] for kind in KINDS),
        ["train", "--version"],
        ["train", "--epochs", "many"],
        ["train", "--config", "multi30"],
        ["translate", "--beam-size", "0"],
        ["evaluate", "--seed", "1"],
        ["export", "--xla"],
        ["translate", "--server", server, "Good morning."],
        ["translate", "--server", server, "--alignments", "Good morning."],
        ["translate", "--server", server, "--plot", "heads.png", "Good morning."],
    ]
    done = run_python("-c", PROGRAM, json.dumps(arguments))
    assert (done.returncode, done.stderr) == (0, b"")
    after_import, commands, ends, at_the_end = json.loads(done.stdout)
    assert after_import == at_the_end == []
    assert commands == [f"keras_transformer.commands.{name}" for name in NEEDED]
    helps = 1 + len(COMMANDS) + len(KINDS) + 1
    assert ends[:helps] == ["status 0"] * helps
    assert len(ends) == len(arguments)
    assert ends[-1] == f"{server}: no server answers there"


def test_the_package_can_be_run_as_a_module():
    done = run_python("-m", "keras_transformer", "--version")
    assert (done.returncode, done.stdout) == (0, VERSION.encode())
