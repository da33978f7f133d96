"""The command `train`."""

import json
import re
import shutil
import signal
import subprocess
import sys

import pytest

from keras_transformer.commands import train
from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.checkpoints import progress, saved_checkpoints
from keras_transformer.runs.config_file import read_config
from keras_transformer.training import session
from keras_transformer.training.throughput import Throughput
from keras_transformer.training.trainer import Trainer
from tests.conftest import SMALL, toy_pairs, write_pairs
from tests.programs import HOME, run_python, user_environment

SMALL_FLAGS = [f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items()]


def test_the_help_names_every_setting_and_its_default(call):
    status, out, _ = call("train", "--help")
    assert status == 0
    for setting, default in Config().flat().items():
        described = re.search(rf"\n  --{setting.replace('_', '-')}\b(.*?)(?=\n  --|\Z)", out, re.S)
        assert described, setting
        if isinstance(default, int | float | str) and not isinstance(default, bool):
            assert re.search(rf"default {default}\b", " ".join(described[1].split())), setting


def test_the_help_calls_settings_by_their_flags(call):
    _, out, _ = call("train", "--help")
    assert "attention heads; must divide --d-model" in " ".join(out.split())


@pytest.mark.parametrize(
    ("flags", "dtype"),
    [
        ([], None),
        (["--mixed-precision"], "bfloat16"),
        (["--mixed-precision", "float16"], "float16"),
        (["--mixed-precision", "bfloat16"], "bfloat16"),
        (["--mixed-precision", "--no-mixed-precision"], "float32"),
    ],
)
def test_mixed_precision_has_an_optional_value(flags, dtype):
    assert vars(train.make_parser().parse_args(flags)).get("mixed_precision") == dtype


def test_the_help_names_the_recipes(call):
    _, out, _ = call("train", "--help")
    assert "(recipes: multi30k)" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--train", "{}/none.tsv"], "none.tsv: no such file"),
        (["--train", "{}/columns.tsv", "--validation", "{}/good.tsv"], "columns.tsv, line 2"),
        (["--train", "{}/latin1.tsv"], "latin1.tsv, line 1: not UTF-8"),
        (["--train", "{}/empty.tsv"], "empty.tsv"),
        (["--train", "{}/three.en", "{}/two.de"], "two.de ends after line 2"),
        (["--train", "{}/bad.gz"], "bad.gz: cannot be read"),
        (["--train", "{}/good.tsv", "--vocab-size", "5000"], "--vocab-size 5000 is too large"),
        (["--train", "{}/good.tsv", "--source-lang", "xx"], "unknown language 'xx'"),
        (["--train", "{}/good.tsv", "--target-lang", "multi"], "'multi' is BPEmb's vocabulary"),
        (["--train", "{}/good.tsv", "--target-lang", "multilingual"], "'multilingual' is BPEmb's"),
        (["--train", "{}/wide.txt"], "wide.txt, line 1: not UTF-8"),
        (
            ["--train", "{}/good.tsv", "--checkpoint", "{}/empty.tsv/run"],
            "run: cannot be written: Not a di",
        ),
        (["--source-lang", "fr"], "not fr and de; --train must name another corpus"),
        (["--num-heads", "7"], "--d-model 192 is not divisible by --num-heads 7"),
        (["--epochs", "many"], "argument --epochs"),
        (["--hours", "0"], "--hours must be at least 0.01"),
        (["--hours", "1", "--decay-epochs", "2"], "--decay-epochs cannot be combined with --hours"),
        (["--epochs", "0"], "error: --epochs must be at least 1"),
        (["--peak-learning-rate", "1e300"], "--peak-learning-rate must be at most 100.0"),
        (["--train", "{}/good.tsv", "--strategy", "multiworker"], "TF_CONFIG is not set"),
        (["--checkpoint", "{}/good.tsv", "--train", "{}/good.tsv", "--vocab-size", "20"], "exists"),
        (["--fresh", "--checkpoint", "{}"], "give another --checkpoint"),
        (["--no-such-flag"], "--no-such-flag"),
        (["--mixed-precision", "half"], "argument --mixed-precision"),
        (["--train", "tfds:no_such_set_at_all"], "no_such_set_at_all"),
        (["--config", "{}/none.json"], "none.json: no such file or recipe; recipes: multi30k"),
        (["--config", "multi30"], "--config multi30: no such file or recipe; recipes: multi30k"),
        (["--config", "{}/good.tsv"], "good.tsv: not valid JSON"),
        (["--config", "{}/wrong.json"], "wrong.json: unknown setting: model.depth"),
        (["--config", "{}/negative.json"], "negative.json: num_layers must be at least 1"),
        (["--config", "{}/heads.json"], "--d-model 192 is not divisible by --num-heads 7"),
    ],
)
def test_bad_input_is_an_error(error_of, files, arguments, message):
    arguments = [argument.format(files) for argument in arguments]
    assert message in error_of("train", "--checkpoint", files / "run", *arguments)


@pytest.mark.parametrize("name", ["config.json", "manifest.json", "source.model"])
def test_the_error_of_a_missing_file_says_what_to_do(error_of, small_run, tmp_path, name):
    directory = shutil.copytree(small_run, tmp_path / "run")
    (directory / name).unlink()
    error = error_of("train", "--checkpoint", directory)
    assert f"run/{name}: missing; " in error
    assert "restore it from a copy, or give --fresh to start over" in error


def test_settings_are_read_from_a_file_and_flags_take_precedence(call, tmp_path, monkeypatch):
    """The runs are set up, but not trained."""
    monkeypatch.setattr(Trainer, "train", lambda _: True)
    monkeypatch.setattr(session, "finish", lambda *_: None)
    pairs = write_pairs(tmp_path / "pairs.tsv", toy_pairs(60))
    settings = {"model": {"d_model": 8, "num_heads": 1, "num_layers": 1, "dff": 8}}
    settings |= {"training": {"epochs": 1, "batch_size": 16}, "text": {"vocab_size": 40}}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    flags = ["--config", tmp_path / "settings.json", "--train", pairs, "--num-heads", 2]
    assert call("train", "--checkpoint", tmp_path / "one", *flags)[0] == 0
    config = read_config(tmp_path / "one" / "config.json")
    assert (config.model.d_model, config.model.num_heads, config.training.batch_size) == (8, 2, 16)
    run_settings = ["--config", tmp_path / "one" / "config.json"]
    assert call("train", *run_settings, "--checkpoint", tmp_path / "two")[0] == 0
    assert read_config(tmp_path / "two" / "config.json") == config


def test_a_recipe_is_found_by_its_name_in_any_directory(error_of, tmp_path, monkeypatch):
    """A directory of the same name, such as that of the corpus, does not hide it."""
    recipes = []

    def no_training(settings, directory, fresh, config_file, strategy):
        recipes.append(read_config(config_file))
        raise UserError("enough")

    monkeypatch.setattr(session, "train", no_training)
    (tmp_path / "multi30k").mkdir()
    monkeypatch.chdir(tmp_path)
    assert error_of("train", "--config", "multi30k") == "error: enough\n"
    [recipe] = recipes
    assert recipe == read_config(HOME / "keras_transformer" / "recipes" / "multi30k.json")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_the_status_after_a_signal_is_that_of_a_shell(call, tmp_path, monkeypatch, number, status):
    """The strategy is passed on."""
    strategies = []

    def interrupted(settings, directory, fresh, config_file, strategy):
        strategies.append(strategy)
        return session.Result(tmp_path, finished=False, signal=number)

    monkeypatch.setattr(session, "train", interrupted)
    out = "run the same command again to resume\n"
    assert call("train", "--strategy", "mirrored") == (status, out, "")
    assert strategies == ["mirrored"]


def test_a_state_that_cannot_be_saved_is_one_line_without_a_log(small_run, tmp_path):
    """TensorFlow writes its log to the file descriptor, so that a new process is needed."""
    directory = shutil.copytree(small_run, tmp_path / "run")
    program = (
        "import resource, sys\n"
        "from keras_transformer.commands.start import run_program\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "run_program()\n"
    )
    arguments = "--checkpoint", directory, "--epochs", SMALL["epochs"] + 1, "--save-every", 1
    done = run_python("-c", program, "train", *arguments)
    assert done.returncode == 2
    newest = saved_checkpoints(small_run)[-1].name
    message = f"cannot be saved: File too large; {newest} is the newest state\n"
    assert re.fullmatch(rf"error: {directory}/.*ckpt-\d+: {message}", done.stderr.decode())


def test_train_stop_resume_and_translate(call, tmp_path):
    """What a user does; training runs in new processes, and is resumed to the end of an epoch.

    Standard error has only the message after Ctrl-C.
    """
    pairs = write_pairs(tmp_path / "pairs.tsv", toy_pairs(150))
    flags = ["--train", pairs, "--checkpoint", tmp_path / "run", *SMALL_FLAGS]
    long = [sys.executable, "train.py", *map(str, flags), "--epochs", "100000", "--patience", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(long, cwd=HOME, env=user_environment(), **pipes) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert b"training pairs" in lines[0]
    assert b"validation pairs" in lines[1]
    assert lines[2].startswith(b"epoch 1/100000: loss")
    assert process.returncode == 130
    assert err == b"\nstopping: the state is saved after this step\n"
    saved = re.search(r"saved after step ([\d,]+)", out.decode())
    assert saved

    epochs = int(progress(saved_checkpoints(tmp_path / "run")[-1])["epoch"]) + 1
    entry_point = "from keras_transformer.commands.start import run_program; run_program()"
    done = run_python("-c", entry_point, "train", *flags, "--epochs", epochs, "--patience", "0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"after step {saved[1]}, in epoch" in done.stdout.decode()

    status, out, err = call("translate", "--quiet", "--checkpoint", tmp_path / "run", "ba be", "lo")
    assert (status, out.count("\n"), err) == (0, 2, "")


def test_a_dry_run_prints_the_settings_that_training_would_have(call, tmp_path, monkeypatch):
    measured = Throughput(100, 0.15, weights=1, memory=1)
    monkeypatch.setattr("keras_transformer.training.measurement.measure", lambda *_: measured)
    pairs = write_pairs(tmp_path / "pairs.tsv", toy_pairs(200))
    flags = ["--train", pairs, "--hours", 0.5, "--d-model", 16, "--num-layers", 1]
    status, out, _ = call("train", *flags, "--dry-run", "--checkpoint", tmp_path / "run")
    assert status == 0
    assert not (tmp_path / "run").exists()
    figures, settings = out.split("{", 1)
    assert figures.startswith("corpus: 180 pairs, ")  # one in ten of a small corpus is held out
    config = json.loads("{" + settings)
    assert config["training"]["hours"] == 0.5
    assert config["model"]["d_model"] == 16
    assert config["text"]["joint_vocabulary"]


@pytest.mark.parametrize(
    "sentence",
    [
        "It's late.",
        "Good morning! You?",
        "It costs $12, or `9`.",
        'She said "no".',
        "A \\ here; isn't it?",
    ],
)
def test_the_suggested_command_passes_the_sentence_through_a_shell(tmp_path, sentence):
    result = session.Result(tmp_path / "my run", finished=True, example=sentence)
    command = train.next_step(result, fresh=False).split(" --checkpoint ")[1]
    printed = subprocess.run(
        ["sh", "-c", f"printf '%s\\n' {command}"], capture_output=True, text=True, check=True
    ).stdout
    assert printed.splitlines() == [str(tmp_path / "my run"), sentence]


@pytest.mark.parametrize(
    ("ended", "flag"),
    [
        ({"epochs_were_up": True}, "--epochs resumes"),
        ({"stopped_early": True}, "--patience (0: no early stopping) resumes"),
        ({"time_was_up": True}, "--hours resumes"),
        (
            {"stopped_early": True, "epochs_were_up": True},
            "--epochs and --patience (0: no early stopping) resumes",
        ),
    ],
)
def test_the_flag_that_resumes_a_finished_run_is_named(tmp_path, ended, flag):
    result = session.Result(tmp_path, finished=True, was_finished=True, **ended)
    assert train.next_step(result, fresh=False).startswith(f"a larger {flag}")


def test_the_flag_that_resumes_is_named_after_early_stopping(tmp_path):
    result = session.Result(tmp_path, finished=True, stopped_early=True)
    assert train.next_step(result, fresh=False).startswith(
        "a larger --patience (0: no early stopping) resumes"
    )
    result = session.Result(tmp_path, finished=True)
    assert train.next_step(result, fresh=False).startswith("next: ")


def test_a_fresh_run_resumes_without_the_flag(tmp_path):
    result = session.Result(tmp_path, finished=False, signal=2)
    message = "run the same command again without --fresh to resume"
    assert train.next_step(result, fresh=True) == message
