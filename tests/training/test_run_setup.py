"""Run directories before training: new runs, and runs that are resumed."""

import json
import shutil
from pathlib import Path

import pytest
import tensorflow as tf

from keras_transformer.errors import PathTaken, RunMismatch, UserError
from keras_transformer.runs.averaging import average
from keras_transformer.runs.layout import AVERAGE, CASING, LOGS
from keras_transformer.runs.run import Run
from keras_transformer.training import session
from keras_transformer.training.finishing import finish
from keras_transformer.training.session import train
from keras_transformer.translation.restoring import Restorer
from keras_transformer.translation.translator import Translator
from tests.conftest import toy_pairs, write_pairs
from tests.training.toy_training import make_earlier_version, prepare, settings_for

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples", "no_finish")


def test_a_run_of_another_shape_is_not_resumed(one_epoch):
    settings, directory = one_epoch
    with pytest.raises(RunMismatch, match="was started with d_model 16, not 32"):
        train(settings | {"d_model": 32}, directory)


def test_fresh_training_starts_over_and_keeps_the_old_run(trained, tmp_path, capsys):
    """With a setting that a resumed run cannot change, and that needs no other network."""
    settings, directory = trained
    train(settings | {"augment": 0.5}, directory, fresh=True)
    assert f"run is renamed to {tmp_path / 'run.1'}" in capsys.readouterr().out
    assert Run.open(tmp_path / "run").config.training.augment == 0.5
    assert Run.open(tmp_path / "run.1").config.training.augment == 0


def test_fresh_does_not_replace_other_files(tmp_path):
    with pytest.raises(PathTaken, match="is not a run directory"):
        train(settings_for(tmp_path), tmp_path, fresh=True)


def test_a_failed_start_can_be_repeated(tmp_path):
    """After a vocabulary that was too large, the same command with a smaller one works."""
    settings = settings_for(tmp_path, epochs=1)
    with pytest.raises(UserError, match="vocab_size 9999 .* the corpus"):
        train(settings | {"vocab_size": 9999}, tmp_path / "run")
    assert {path.name for path in (tmp_path / "run").iterdir()} <= {"lock"}
    assert train(settings, tmp_path / "run").finished
    content = json.loads((tmp_path / "run" / "config.json").read_text())
    assert content["text"]["vocab_size"] == 40
    assert content["versions"]["tensorflow"] == tf.__version__


@pytest.fixture
def unsaved(tmp_path, monkeypatch):
    """Settings, and a directory with the files of a start that saved no state."""
    directory, settings = tmp_path / "run", settings_for(tmp_path, epochs=1)
    prepare(monkeypatch, settings, directory)
    (directory / LOGS).mkdir(exist_ok=True)
    assert {"config.json", "manifest.json", "training.ids"} <= names_in(directory)
    return settings, directory


def names_in(directory):
    return {path.name for path in directory.iterdir()}


def test_after_two_failed_starts_the_directory_can_be_used(unsaved):
    settings, directory = unsaved
    with pytest.raises(UserError, match="vocab_size 9999 .* the corpus"):
        train(settings | {"vocab_size": 9999}, directory)
    assert names_in(directory) <= {"lock"}
    assert train(settings, directory).finished


def test_files_of_a_start_that_saved_no_state_do_not_belong_to_the_next_run(unsaved, monkeypatch):
    settings, directory = unsaved
    (directory / CASING).touch()
    assert "target.model" in names_in(directory)
    prepare(monkeypatch, settings | {"joint_vocabulary": True}, directory)
    assert Run.open(directory).config.text.joint_vocabulary
    assert not names_in(directory) & {CASING, "target.model"}


def test_fresh_ignores_hidden_files_as_other_starts_do(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".DS_Store").touch()
    assert train(settings_for(tmp_path, epochs=1), tmp_path / "run", fresh=True).finished


def test_a_run_with_a_decay_gets_no_time_budget(tmp_path):
    settings, directory = settings_for(tmp_path, epochs=1, decay_epochs=1), tmp_path / "run"
    train(settings, directory)
    with pytest.raises(RunMismatch, match="with decay_epochs 1, which a time budget replaces"):
        train({"train": settings["train"], "hours": 1.0}, directory)


def test_an_average_is_not_trained(trained):
    settings, directory = trained
    average(directory, directory.parent / "mean", last=1)
    with pytest.raises(PathTaken, match="mean is an average of checkpoints, which cannot be train"):
        train(settings, directory.parent / "mean")


def test_no_part_of_a_run_is_overwritten_by_a_fresh_start(trained):
    settings, directory = trained
    [index] = directory.glob("ckpt-*.index")
    message = "contains parts of a trained run, but no state from which to resume"
    for lost in (index, index.with_suffix(".data-00000-of-00001"), directory / "checkpoint"):
        lost.unlink()
        with pytest.raises(RunMismatch, match=message):
            train(settings, directory)
    shutil.rmtree(directory / "best")
    with pytest.raises(RunMismatch, match=message):
        train(settings, directory)


def test_a_corpus_whose_text_changed_but_not_its_size_is_rejected(tmp_path):
    settings, directory = settings_for(tmp_path, epochs=1), tmp_path / "run"
    train(settings, directory)
    pairs = Path(settings["train"][0])
    lines = pairs.read_text().splitlines()
    for changed in (lines[::-1], [lines[0].replace("a", "o"), *lines[1:]]):
        pairs.write_text("\n".join(changed) + "\n")
        with pytest.raises(RunMismatch, match="was started with other sentence pairs"):
            train(settings | {"epochs": 2}, directory)
    pairs.write_text("\n".join(lines) + "\n")
    assert train(settings, directory).was_finished


def test_the_files_of_a_corpus_may_move(tmp_path):
    settings, directory = settings_for(tmp_path, epochs=1), tmp_path / "run"
    train(settings, directory)
    moved = str(Path(settings["train"][0]).rename(tmp_path / "moved.tsv"))
    assert train({"train": (moved,), "epochs": 2}, directory).finished
    assert Run.open(directory).config.training.train == (moved,)
    other = write_pairs(tmp_path / "other.tsv", toy_pairs(60, seed=5))
    with pytest.raises(RunMismatch, match="was started with other sentence pairs"):
        train({"train": (other,), "epochs": 3}, directory)
    assert Run.open(directory).config.training.train == (moved,)


def test_a_finished_run_averages_again_if_the_number_of_epochs_to_average_changes(tmp_path, capsys):
    settings, directory = settings_for(tmp_path, average_last=2), tmp_path / "run"
    train(settings, directory)
    assert "mean of 2 epochs" in capsys.readouterr().out
    assert not train(settings | {"average_last": 1}, directory).was_finished
    out = capsys.readouterr().out
    assert "averaging the last epochs, after step" in out
    assert "mean of 1 epoch:" in out
    assert "in epoch 3/2" not in out
    for number in (1, 0):
        assert train(settings | {"average_last": number}, directory).was_finished
        assert (directory / AVERAGE).is_dir()


def test_a_run_of_an_earlier_version_gets_a_manifest_when_it_is_resumed(trained):
    settings, directory = trained
    manifest = json.loads((directory / "manifest.json").read_text())
    make_earlier_version(directory)
    assert train(settings, directory).was_finished
    assert json.loads((directory / "manifest.json").read_text()) == manifest


def test_the_files_of_another_program_with_a_manifest_are_kept(tmp_path):
    directory = tmp_path / "site"
    (directory / "logs").mkdir(parents=True)
    files = {
        "manifest.json": '{"name": "site"}',
        "config.json": '{"port": 80}',
        "logs/access.log": "GET /",
        "examples.txt": "mine",
    }
    for name, text in files.items():
        (directory / name).write_text(text)
    with pytest.raises(PathTaken, match="site contains no run"):
        train(settings_for(tmp_path, epochs=1), directory)
    assert {name: (directory / name).read_text() for name in files} == files


@pytest.mark.parametrize("name", ["best", "ckpt-1.index"])
def test_parts_of_other_programs_are_kept(tmp_path, name):
    directory = tmp_path / "other"
    (directory / "ckpt-2_temp").mkdir(parents=True)
    (directory / "film.part").touch()
    (directory / name).mkdir() if name == "best" else (directory / name).touch()
    with pytest.raises(UserError):
        train(settings_for(tmp_path, epochs=1), directory)
    assert {"ckpt-2_temp", "film.part", name} <= {path.name for path in directory.iterdir()}


def test_a_directory_of_another_program_gets_no_lock_and_is_not_renamed(tmp_path):
    directory = tmp_path / "site"
    (directory / "logs").mkdir(parents=True)
    files = {"config.json": "{}", "examples.txt": "mine", "lock": "theirs"}
    for name, text in files.items():
        (directory / name).write_text(text)
    for fresh in (False, True):
        with pytest.raises(PathTaken):
            train(settings_for(tmp_path, epochs=1), directory, fresh=fresh)
    assert {name: (directory / name).read_text() for name in files} == files
    assert (directory / "logs").is_dir()


def test_files_that_belong_to_no_run_are_kept(tmp_path):
    directory = tmp_path / "downloads"
    directory.mkdir()
    for name in ("photo.jpg", "film.part", ".song.99.part"):
        (directory / name).touch()
    for settings in (settings_for(tmp_path, epochs=1), {"epochs": 0}):
        with pytest.raises(UserError):
            train(settings, directory)
    with pytest.raises(PathTaken, match="downloads contains other files, but no run"):
        train(settings_for(tmp_path, epochs=1), directory)
    names = {"photo.jpg", "film.part", ".song.99.part"}
    assert names <= {path.name for path in directory.iterdir()} <= names | {"lock"}


def test_the_settings_file_of_another_program_is_kept(tmp_path):
    directory = tmp_path / "project"
    directory.mkdir()
    (directory / "config.json").write_text('{"name": "project"}')
    with pytest.raises(UserError, match="config.json"):
        train(settings_for(tmp_path, epochs=1), directory)
    assert (directory / "config.json").read_text() == '{"name": "project"}'


def test_the_current_directory_can_be_set_aside(tmp_path, small_run, monkeypatch):
    directory = tmp_path / "run"
    shutil.copytree(small_run, directory)
    weights = [path.read_bytes() for path in sorted((directory / "best").glob("ckpt-*"))]
    monkeypatch.chdir(directory)
    result = train(settings_for(tmp_path, epochs=1, augment=0.5), ".", fresh=True)
    assert result.finished
    assert not result.was_finished
    kept = tmp_path / "run.1"
    assert weights == [path.read_bytes() for path in sorted((kept / "best").glob("ckpt-*"))]
    assert Run.open(kept).config.training.augment == 0
    assert Run.open(directory).config.training.augment == 0.5


def test_a_corpus_too_small_for_the_default_vocabulary_is_reported(tmp_path, capsys, monkeypatch):
    settings = settings_for(tmp_path, epochs=1)
    del settings["vocab_size"]
    prepare(monkeypatch, settings, tmp_path / "run")
    size = Run.open(tmp_path / "run").config.text.vocab_size
    assert size < 10_000
    out = capsys.readouterr().out
    assert f"too small for 10,000 subwords; the vocabulary has {size}" in out


def test_a_run_contains_examples_of_its_validation_pairs(small_run):
    examples = Run.open(small_run).examples()
    assert len(examples) == 5
    assert set(examples) <= {source for source, _ in toy_pairs(200)}
    assert len(examples[0].split()) == 3
    assert [len(example) for example in examples] == sorted(map(len, examples))


def test_training_with_pretrained_subwords(tmp_path, monkeypatch, thousand):
    """The models are in the directory to which BPEmb would download them."""
    monkeypatch.setattr(session, "finish", finish)  # which saves what the restorer needs
    monkeypatch.setenv("HOME", str(tmp_path))
    for lang in ("en", "de"):
        model = tmp_path / ".cache" / "bpemb" / lang / f"{lang}.wiki.bpe.vs1000.model"
        model.parent.mkdir(parents=True)
        model.write_bytes(thousand)
    settings = settings_for(tmp_path, subwords="pretrained", vocab_size=1000, epochs=1)
    assert train(settings, tmp_path / "run").finished
    assert (tmp_path / "run" / "target.model").read_bytes() == thousand
    source, _ = Run.open(tmp_path / "run").subwords()
    assert source.encode("ABC 12") == source.encode("abc 00")
    # The run restores capitals and digits, also if it was trained before `casing.npz` existed.
    casing = (tmp_path / "run" / CASING).read_bytes()
    run = Run.open(tmp_path / "run")
    run._remove(CASING)
    assert train(settings, tmp_path / "run").was_finished
    assert (tmp_path / "run" / CASING).read_bytes() == casing
    restore = Restorer.of(Run.open(tmp_path / "run"))
    assert restore("Ba 12 lo", "du 00.") == "du 12."
    assert Translator.load(tmp_path / "run").restore("ba 12", "00") == "12"
