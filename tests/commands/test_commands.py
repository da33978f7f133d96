"""The scripts as a user runs them."""

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from keras_transformer.commands.command_line import Parser, add_settings, run
from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.run import read_config
from keras_transformer.search.settings import SearchSettings
from tests.conftest import SMALL, toy_pairs, write_pairs
from tests.terminal import Terminal

HOME = Path(__file__).parents[2]
SMALL_FLAGS = [f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items()]


def script(name, *arguments, cwd=HOME, **options):
    """Runs a script in a process of its own."""
    return subprocess.run(
        [sys.executable, str(HOME / name), *map(str, arguments)],
        capture_output=True,
        cwd=cwd,
        **options,
    )


def load_script(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name, HOME / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def call(monkeypatch, capsys):
    """Runs a script's main in this process: (status, standard output, standard error)."""

    def call(name, *arguments):
        module = load_script(name)
        monkeypatch.setattr(sys, "argv", [f"{name}.py", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            run(module.main)
        captured = capsys.readouterr()
        return end.value.code or 0, captured.out, captured.err

    return call


SCRIPTS = ["train", "translate", "evaluate", "average", "export"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_version(call, name):
    assert call(name, "--version") == (0, "keras_transformer 0.1.0\n", "")


@pytest.mark.parametrize("name", SCRIPTS)
def test_help_names_every_flag_with_its_default(call, name):
    status, out, _ = call(name, "--help")
    assert status == 0
    if name == "train":
        for setting, default in Config().flat().items():
            described = out.split(f"--{setting.replace('_', '-')}")[1:]
            assert described, setting
            if isinstance(default, int | float | str) and not isinstance(default, bool):
                assert any(f"default {default}" in " ".join(d.split()) for d in described), setting


def error_of(result):
    status, out, err = result
    assert status == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    return err


@pytest.fixture
def files(tmp_path):
    """Bad input of every kind."""
    contents = {
        "good.tsv": "".join(f"a {i}\tb {i}\n" for i in range(30)),
        "columns.tsv": "a\tb\nab\n",
        "latin1.tsv": "a\tsch\xf6n\n".encode("latin-1"),
        "empty.tsv": "",
        "three.en": "a\nb\nc\n",
        "two.de": "a\nb\n",
        "bad.gz": "no gzip",
        "wrong.json": '{"model": {"depth": 3}}',
    }
    for name, content in contents.items():
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--train", "{}/none.tsv"], "none.tsv: no such file"),
        (["--train", "{}/columns.tsv", "--validation", "{}/good.tsv"], "columns.tsv, line 2"),
        (["--train", "{}/latin1.tsv"], "latin1.tsv, line 1: not UTF-8"),
        (["--train", "{}/empty.tsv"], "empty.tsv"),
        (["--train", "{}/three.en", "{}/two.de"], "two.de ends after line 2"),
        (["--train", "{}/bad.gz"], "bad.gz: cannot be read"),
        (["--train", "{}/good.tsv", "--vocab-size", "5000"], "the corpus yields at most"),
        (["--train", "{}/good.tsv", "--source-lang", "xx"], "unknown language 'xx'"),
        (["--source-lang", "fr"], "the built-in corpus is English and German"),
        (["--num-heads", "7"], "d_model 192 is not divisible by num_heads 7"),
        (["--epochs", "many"], "argument --epochs"),
        (["--checkpoint", "{}/good.tsv", "--train", "{}/good.tsv", "--vocab-size", "20"], "exists"),
        (["--fresh", "--checkpoint", "{}"], "no run, so it is not set aside"),
        (["--no-such-flag"], "--no-such-flag"),
        (["--train", "tfds:no_such_set_at_all"], "no_such_set_at_all"),
    ],
)
def test_bad_input_to_train(call, files, arguments, message):
    arguments = [argument.format(files) for argument in arguments]
    assert message in error_of(call("train", "--checkpoint", files / "run", *arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "--checkpoint", "{}/none"], "none: no run here"),
        (["a", "--beam-size", "0"], "--beam-size must be at least 1"),
        (["a", "--n-best", "13"], "--n-best must not be greater"),
        (["a", "--length-penalty", "nan"], "--length-penalty must be a number"),
        (["a", "--layer", "2"], "--layer is for --plot"),
        (["--checkpoint", "RUN", "--input", "x" * 300], "no such file"),
        (["a", "--attention", "cross"], "--attention is for --plot"),
        (["ba", "--plot", "{}/x.png", "--layer", "0"], "--layer must be at least 1"),
        (["ba", "--plot", "{}/x"], "x: cannot be written: the name must end in one of"),
        (["ba", "--plot", "{}/x.bmp"], "x.bmp: cannot be written: the name must end in one of"),
        (["ba", "--plot", "{}/no/x.png"], "no/x.png: cannot be written"),
        (["ba", "--output", "{}/no/x.txt"], "no/x.txt: cannot be written: No such file"),
        (["ba", "--output", "{}"], "cannot be written: Is a directory"),
        (["a", "--input", "{}/good.tsv"], "not both"),
        (["--plot", "x.png"], "--plot draws one sentence"),
        (["a", "--attention", "self"], "--attention"),
        (["--checkpoint", "RUN", "--input", "{}/none.txt"], "none.txt: no such file"),
        (["--checkpoint", "RUN", "--input", "{}/latin1.tsv"], "latin1.tsv, line 1: not UTF-8"),
        (["--checkpoint", "RUN", "ba", "--plot", "{}/x.png", "--layer", "9"], "no layer 9"),
    ],
)
def test_bad_input_to_translate(call, files, small_run, arguments, message):
    arguments = [str(small_run) if a == "RUN" else a.format(files) for a in arguments]
    assert message in error_of(call("translate", *arguments))


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("evaluate", ["--checkpoint", "{}/none"], "none: no run here"),
        ("evaluate", ["--checkpoint", "RUN"], "no test pairs of its own"),
        ("evaluate", ["--test", "{}/none.tsv"], "none.tsv: no such file"),
        ("evaluate", ["--test", "{}/empty.tsv", "--checkpoint", "RUN"], "no sentence pairs"),
        ("evaluate", ["--test", "{}/good.tsv", "--translations", "{}/two.de"], "2 lines for 30"),
        ("evaluate", ["--translations", "a", "--output", "b"], "not both"),
        ("evaluate", ["--beam-size", "0"], "--beam-size must be at least 1"),
        ("evaluate", ["--length-penalty", "-1"], "--length-penalty must be a number"),
        ("evaluate", ["--tokenize", "words"], "--tokenize"),
        ("average", [], "--output"),
        ("average", ["--checkpoint", "{}/none", "--output", "{}/mean"], "none: no run here"),
        ("average", ["--checkpoint", "RUN", "--output", "{}"], "is there already"),
        ("average", ["--checkpoint", "RUN", "--output", "{}/m", "--last", "0"], "cannot be 0"),
        ("train", ["--config", "{}/none.json"], "none.json: not a run's settings"),
        ("train", ["--config", "{}/good.tsv"], "good.tsv: not a run's settings"),
        ("train", ["--config", "{}/wrong.json"], "wrong.json: unknown setting: model.depth"),
    ],
)
def test_bad_input_to_the_others(call, files, small_run, name, arguments, message):
    arguments = [str(small_run) if a == "RUN" else a.format(files) for a in arguments]
    assert message in error_of(call(name, *arguments))


def test_settings_in_a_file_and_flags_before_them(call, tmp_path):
    """A recipe without paths; the run's own config.json is one too."""
    pairs = write_pairs(tmp_path / "pairs.tsv", toy_pairs(60))
    recipe = {"model": {"d_model": 8, "num_heads": 1, "num_layers": 1, "dff": 8}}
    recipe["training"] = {"epochs": 1, "batch_size": 16}
    recipe["text"] = {"vocab_size": 40}
    (tmp_path / "recipe.json").write_text(json.dumps(recipe))
    flags = ["--config", tmp_path / "recipe.json", "--train", pairs, "--num-heads", 2]
    assert call("train", "--checkpoint", tmp_path / "one", *flags)[0] == 0
    config = read_config(tmp_path / "one" / "config.json")
    assert (config.model.d_model, config.model.num_heads, config.training.batch_size) == (8, 2, 16)
    again = ["--config", tmp_path / "one" / "config.json", "--checkpoint", tmp_path / "two"]
    assert call("train", *again)[0] == 0
    assert read_config(tmp_path / "two" / "config.json") == config


def test_average_then_evaluate(call, small_run, tmp_path):
    mean, pairs = tmp_path / "mean", write_pairs(tmp_path / "test.tsv", toy_pairs(20, seed=4))
    status, out, err = call("average", "--checkpoint", small_run, "--last", 2, "--output", mean)
    assert (status, err) == (0, "")
    assert out.startswith(f"{mean}: the mean of 2 checkpoints of {small_run}: ckpt-")

    flags = ["--test", pairs, "--json", "--tokenize", "none", "--lowercase"]
    file = tmp_path / "out.txt"
    status, out, err = call("evaluate", "--checkpoint", mean, *flags, "--output", file)
    assert (status, err) == (0, "")
    report = json.loads(out)
    assert report["sentences"] == 20
    assert "case:lc" in report["bleu_signature"]
    status, out, _ = call("evaluate", *flags, "--translations", file)
    assert json.loads(out).items() <= report.items()
    status, out, _ = call("evaluate", "--test", pairs, "--translations", file)
    assert out.startswith("BLEU ")
    assert out.count("\n") == 2


def test_train_interrupt_go_on_and_translate(tmp_path):
    """The whole way of a user, in processes of their own; standard error has no stray line."""
    pairs = write_pairs(tmp_path / "pairs.tsv", toy_pairs(150))
    command = ["train.py", "--train", pairs, "--checkpoint", tmp_path / "run", *SMALL_FLAGS]
    long = [sys.executable, *map(str, command), "--epochs", "100000", "--patience", "0"]
    with subprocess.Popen(
        long, cwd=HOME, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        told = [process.stdout.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert b"training pairs" in told[0]
    assert b"validation pairs" in told[1]
    assert told[2].startswith(b"epoch 1/100000: loss")
    assert process.returncode == 130
    assert err == b"\nstopping: the state is saved after this step\n"
    step = int(re.search(r"saved after step ([\d,]+)", out.decode())[1].replace(",", ""))

    done = script(*command, "--epochs", "60", "--patience", "1")
    assert done.returncode == 0
    assert done.stderr == b""
    assert f"going on after step {step:,}" in done.stdout.decode()

    sentences = tmp_path / "sentences.txt"
    sentences.write_bytes("ba be\r\n\n\u2028 </s> \x00 😀\nlo".encode())
    translate = "translate.py", "--quiet", "--checkpoint", tmp_path / "run"
    from_file = script(*translate, "--input", sentences)
    from_pipe = script(*translate, input=sentences.read_bytes())
    assert from_file.returncode == from_pipe.returncode == 0
    assert from_file.stderr == from_pipe.stderr == b""
    assert from_file.stdout == from_pipe.stdout
    lines = from_file.stdout.decode().split("\n")
    assert len(lines) == 5
    assert lines[1] == lines[4] == ""


def test_translate_in_all_its_forms(call, small_run, tmp_path, translator, reranking, caplog):
    run_flags = ["--checkpoint", small_run, "--quiet"]
    [[best]] = reranking.translate(["ba lo"])
    status, out, err = call("translate", *run_flags, "ba lo", "", "be")
    assert (status, err) == (0, "")
    assert out.split("\n")[:2] == [best.text, ""]
    assert out.count("\n") == 3

    _, out, _ = call("translate", *run_flags, "ba lo", "--n-best", "3", "--scores")
    assert out.split("\n")[0] == f"1\t{best.score:.4f}\t{best.text}"
    assert out.count("\n") == 3

    _, out, _ = call("translate", *run_flags, "ba lo", "--no-rerank", "--beam-size", "3")
    assert out == translator.translate(["ba lo"], SearchSettings(beam_size=3))[0][0].text + "\n"

    _, out, _ = call("translate", *run_flags, "ba lo", "--xla", "--beam-size", "1")
    assert out == translator.translate(["ba lo"], SearchSettings(beam_size=1))[0][0].text + "\n"

    _, out, err = call("translate", *run_flags, "ba " * 100)
    assert out.count("\n") == 1
    assert "line 1 is too long" in caplog.text

    plot = tmp_path / "plot.png"
    picture = ["--plot", plot, "--attention", "encoder", "--n-best", 2]
    _, out, err = call("translate", *run_flags, "ba lo", *picture)
    assert out.split("\n")[0] == f"1\t{best.text}"
    assert out.count("\n") == 2
    assert err == f"{plot} is written\n"
    assert plot.read_bytes().startswith(b"\x89PNG")

    _, out, _ = call("translate", *run_flags, "\udcff ba")  # an argument that is not UTF-8
    assert out.count("\n") == 1


def test_the_newest_run_is_the_default(call, small_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "no run under checkpoints/" in error_of(call("translate", "ba"))
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
    assert "no test pairs of its own" in err
    (tmp_path / "ids").touch()
    status, _, err = call("export", "--output", tmp_path / "ids")
    assert (status, err[: len(using)]) == (2, using)


def test_output_to_a_file(call, small_run, reranking, tmp_path):
    source, target = tmp_path / "source.txt", tmp_path / "target.txt"
    source.write_text("ba lo\n\nbe\n")
    flags = ["--checkpoint", small_run, "-q", "-i", source, "-o", target]
    assert call("translate", *flags) == (0, "", "")
    wanted = [best.text for best, *_ in reranking.translate(["ba lo", "", "be"])]
    assert target.read_text(encoding="utf-8") == "".join(f"{text}\n" for text in wanted)
    assert sorted(tmp_path.iterdir()) == [source, target]


def test_after_a_failure_there_is_no_output(call, small_run, tmp_path):
    source, target = tmp_path / "source.txt", tmp_path / "target.txt"
    source.write_bytes(b"ba lo\n\xff\n")
    flags = ["--checkpoint", small_run, "--buffer-size", 1, "--input", source, "--output", target]
    assert "line 2: not UTF-8" in error_of(call("translate", *flags))
    assert list(tmp_path.iterdir()) == [source]
    target.write_text("old")
    assert "line 2: not UTF-8" in error_of(call("translate", *flags))
    assert target.read_text() == "old"
    assert "none: no run here" in error_of(
        call("translate", "--checkpoint", tmp_path / "none", "ba", "--output", tmp_path / "x")
    )
    assert sorted(tmp_path.iterdir()) == [source, target]


@pytest.mark.parametrize("to_file", [False, True])
def test_a_picture_that_fails_does_not_cost_the_translation(
    call, small_run, reranking, tmp_path, monkeypatch, to_file
):
    def fail(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr("keras_transformer.pictures.heatmaps.save", fail)
    picture, target = tmp_path / "x.png", tmp_path / "target.txt"
    flags = ["--checkpoint", small_run, "-q", "ba lo", "--plot", picture]
    flags += ["--output", target] if to_file else []
    status, out, err = call("translate", *flags)
    assert status == 2
    assert err == f"error: {picture}: cannot be written: No space left on device\n"
    written = target.read_text(encoding="utf-8") if to_file else out
    assert written == reranking.translate(["ba lo"])[0][0].text + "\n"
    assert (out == "") == to_file


def test_an_empty_translation_has_no_picture(call, small_run, tmp_path):
    flags = ["--checkpoint", small_run, " ", "--plot", tmp_path / "x.png"]
    message = "error: an empty translation has no attention to plot\n"
    assert call("translate", *flags) == (2, "\n", message)
    assert list(tmp_path.iterdir()) == []


def test_translate_at_a_terminal(small_run, reranking):
    best = reranking.translate(["ba lo"])[0][0].text
    with Terminal("translate.py", "--quiet", "--checkpoint", small_run, cwd=HOME) as terminal:
        for keys in ("ba lo\r", "\x1b[A\r"):
            terminal.wait_for("en> ")
            terminal.type(keys)
            terminal.wait_for(f"\n{best}\r\n")
        terminal.wait_for("en> ")
        terminal.type("\x04")
        status, _, err, _ = terminal.finish()
    assert (status, err) == (0, f"translating with {small_run}; Ctrl-D quits\n\n")


def test_a_reader_that_goes_away_is_no_error(monkeypatch, capsys):
    def main():
        raise BrokenPipeError

    with open(os.devnull, "w") as nowhere:
        monkeypatch.setattr(sys, "stdout", nowhere)
        with pytest.raises(SystemExit) as end:
            run(main)
    assert end.value.code == 0


def test_an_error_is_one_line(capsys):
    def main():
        raise UserError("first\n  second")

    with pytest.raises(SystemExit) as end:
        run(main)
    assert end.value.code == 2
    assert capsys.readouterr().err == "error: first second\n"


def test_only_given_settings_are_passed_on():
    parser = Parser(prog="x")
    add_settings(parser)
    assert vars(parser.parse_args([])) == {}
    given = vars(parser.parse_args(["--train", "a", "b", "--no-norm-first", "--rate", "0.3"]))
    assert given == {"train": ["a", "b"], "norm_first": False, "rate": 0.3}
    assert Config().with_settings(given).training.train == ("a", "b")


def test_starting_is_quiet_but_does_not_swallow_errors():
    program = (
        "from keras_transformer.quiet import quiet_stderr\n"
        "import os, sys\n"
        "with quiet_stderr():\n"
        "    os.write(2, b'greeting')\n"
        "os.write(2, b'after')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=HOME, capture_output=True)
    assert done.stderr == b"after"


def translated(call, run, *arguments):
    """What translate.py prints for the arguments, without warnings."""
    status, out, _ = call("translate", "--checkpoint", run, *arguments)
    assert status == 0
    return out.splitlines()


def test_a_line_of_two_sentences_is_translated_sentence_by_sentence(call, small_run):
    first, second, both = translated(call, small_run, "ba lo ki.", "de fi.", "ba lo ki. de fi.")
    assert both == f"{first} {second}"
    [whole] = translated(call, small_run, "--no-split", "ba lo ki. de fi.")
    alone = translated(call, small_run, "--no-split", "ba lo ki.", "de fi.")
    assert alone == [first, second]
    assert whole


def test_scores_of_two_sentences_add_up(call, small_run):
    lines = translated(call, small_run, "--scores", "ba lo ki.", "de fi.", "ba lo ki. de fi.")
    scores = [float(line.split("\t")[0]) for line in lines]
    assert scores[2] == pytest.approx(scores[0] + scores[1], abs=2e-4)


def test_a_picture_of_two_sentences_is_refused(call, small_run, tmp_path):
    picture = tmp_path / "a.png"
    arguments = ("--checkpoint", small_run, "--plot", picture, "ba lo ki. de fi.")
    status, out, err = call("translate", *arguments)
    assert (status, out) == (2, "")
    assert "--plot draws one sentence, not 2" in err
    assert not picture.exists()


def test_unsure_translations_are_warned_about_once_a_run(call, small_run):
    arguments = ("--checkpoint", small_run, "ba lo", "猫 ba", "犬 ba")
    _, out, err = call("translate", *arguments)
    assert len(out.splitlines()) == 3
    [warning] = [line for line in err.splitlines() if line.startswith("warning:")]
    assert re.search("[23] of 3 lines may be wrong", warning)
    assert all(char in out or char in warning for char in "猫犬")
    _, again, err = call("translate", "--quiet", *arguments)
    assert (again, "warning" in err) == (out, False)
