"""New and resumed runs: their settings, their reports, and the files they contain."""

import errno
import json
import os
import shutil
import signal
from pathlib import Path

import pytest
import tensorflow as tf
import tensorflow_datasets as tfds

from keras_transformer.config import Config
from keras_transformer.errors import (
    PathTaken,
    RunLocked,
    RunMismatch,
    TrainingDiverged,
    UserError,
)
from keras_transformer.runs.checkpoints import saved_checkpoints
from keras_transformer.runs.lock import LOCK, locked
from keras_transformer.runs.run import CASING, Run
from keras_transformer.text.encoding import Encoding
from keras_transformer.text.examples import example_sentences
from keras_transformer.training.choices import (
    built_in_settings,
    default_directory,
    new_config,
)
from keras_transformer.training.objective import Totals
from keras_transformer.training.planning import Plan
from keras_transformer.training.preparation import describe
from keras_transformer.training.session import (
    Result,
    dry_run,
    train,
)
from keras_transformer.training.trainer import Trainer
from keras_transformer.training.validation import Validator
from keras_transformer.translation.decoding import Decoding
from keras_transformer.translation.reranking import Reranker
from keras_transformer.translation.restoring import Restorer
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL, toy_pairs, write_pairs
from tests.training.toy_training import make_earlier_version, settings_for

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples")


def test_the_built_in_corpus_has_settings_of_its_own():
    config = new_config({})
    assert config == Config().with_settings(built_in_settings({})).resolved()
    assert config.text.joint_vocabulary
    assert config.model.tied_embeddings == "all"


def test_settings_of_the_user_take_precedence():
    config = new_config({"epochs": 2, "vocab_size": 1000, "norm_first": False})
    assert (config.training.epochs, config.text.vocab_size) == (2, 1000)
    assert not config.model.norm_first


def test_other_corpora_have_the_general_defaults():
    assert new_config({"train": ("a", "b")}) == Config().with_settings(
        {"train": ("a", "b"), "vocab_size": 10_000, "batch_size": 64, "epochs": 10}
    )


@pytest.mark.parametrize("choice", [{"subwords": "pretrained"}, {"joint_vocabulary": False}])
def test_incompatible_built_in_settings_are_omitted(choice):
    config = new_config(choice)
    assert not config.text.joint_vocabulary
    assert config.model.tied_embeddings == "output"
    assert config.training.both_directions == 0
    assert config.text.vocab_size == 10_000


def settings_file(directory, content):
    path = directory / "settings.json"
    path.write_text(json.dumps(content))
    return path


def prepare(monkeypatch, *arguments, **named):
    """Call `train`, but stop before the first step."""

    def stop(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "train", stop)
        with pytest.raises(KeyboardInterrupt):
            train(*arguments, **named)


def test_a_settings_file_is_validated_together_with_other_settings(tmp_path, monkeypatch):
    """Validation pairs alone are invalid, and so are 6 heads with the default depth of 128."""
    validation = write_pairs(tmp_path / "validation.tsv", toy_pairs(12, seed=1))
    content = {"model": {"num_heads": 6}, "training": {"validation": [validation]}}
    settings = settings_for(tmp_path, epochs=1, d_model=12)
    del settings["num_heads"]
    file = settings_file(tmp_path, content)
    prepare(monkeypatch, settings, tmp_path / "run", config_file=file)
    config = Run.open(tmp_path / "run").config
    assert (config.model.num_heads, config.training.validation) == (6, (validation,))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"model": {"num_heads": 7}}, "d_model 192 is not divisible by num_heads 7"),
        ({"training": {"validation": ["a.tsv"]}}, "validation needs train: the built-in corpus"),
    ],
)
def test_settings_of_a_file_that_do_not_fit_the_corpus_are_an_error(tmp_path, content, message):
    with pytest.raises(UserError, match=f"^{message}") as error:
        train({}, tmp_path / "run", config_file=settings_file(tmp_path, content))
    assert "\n" not in str(error.value)


@pytest.fixture(scope="module")
def one_epoch(tmp_path_factory):
    """The settings and the directory of a run that was trained for an epoch."""
    home = tmp_path_factory.mktemp("one_epoch")
    settings = settings_for(home, epochs=1)
    assert train(settings, home / "run").finished
    return settings, home / "run"


@pytest.fixture
def trained(one_epoch, tmp_path):
    """Copies of these: a run that the test may change."""
    settings, directory = one_epoch
    return dict(settings), Path(shutil.copytree(directory, tmp_path / "run"))


NULLS = {"text": {"vocab_size": None}, "training": {"batch_size": None, "epochs": None}}


def test_null_in_a_settings_file_stands_for_the_tuned_value(tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "make_subwords", stop)
    for settings in ({}, {"epochs": None}):
        with pytest.raises(KeyboardInterrupt):
            train(settings, tmp_path / "run", config_file=settings_file(tmp_path, NULLS))
        config = Run.open(tmp_path / "run").config
        assert (config.text.vocab_size, config.training.epochs) == (5000, 5)
        assert config.training.batch_size == 64


def test_a_run_is_resumed_with_a_settings_file_that_contains_null(tmp_path):
    settings, file = settings_for(tmp_path, epochs=1), settings_file(tmp_path, NULLS)
    assert train(settings, tmp_path / "run", config_file=file).finished
    assert train({}, tmp_path / "run", config_file=file).was_finished
    config = Run.open(tmp_path / "run").config
    assert (config.training.batch_size, config.training.epochs) == (3, 1)


def test_each_share_of_a_batch_has_an_equal_part_of_the_cores(tmp_path, monkeypatch):
    """A batch has two shares."""
    found = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(tf.config.threading, "set_intra_op_parallelism_threads", found.append)
    with pytest.raises(UserError, match="unknown setting: speed"):
        train({"speed": 3}, tmp_path / "run")
    assert found == [4]


def test_fixed_batches_have_the_batch_size_of_the_tutorial():
    assert new_config({"batching": "fixed"}).training.batch_size == 64


def pairs_of(*sources):
    return [(source, "x") for source in sources]


def test_examples_are_the_shortest_sources_of_at_least_three_words():
    sources = ["Yes.", "We are very late.", "", "Sit down.", "I am  sad.", "I am sad.", "a b c"]
    long = [f"This is sentence number {n}." for n in (1, 2, 3)]
    found = example_sentences(pairs_of(*long, *sources))
    assert found == ["a b c", "I am sad.", "We are very late.", *long[:2]]


def test_the_last_example_has_at_least_eight_words():
    short = [f"I am {word}." for word in ("sad", "glad", "tired", "hungry", "thirsty")]
    long = ["One two three four five six seven eight nine.", "a b c d e f g h"]
    assert example_sentences(pairs_of(*long, *short)) == [*short[:4], long[1]]
    assert example_sentences(pairs_of(long[0])) == long[:1]


def test_without_sources_of_three_words_the_shortest_are_examples():
    assert example_sentences(pairs_of("今日は暑い。", "はい。", "\n")) == ["はい。", "今日は暑い。"]
    assert example_sentences([]) == []


def test_a_run_contains_examples_of_its_validation_pairs(small_run):
    examples = Run.open(small_run).examples()
    assert len(examples) == 5
    assert set(examples) <= {source for source, _ in toy_pairs(200)}
    assert len(examples[0].split()) == 3
    assert [len(example) for example in examples] == sorted(map(len, examples))


def test_a_run_may_have_no_examples(small_run, tmp_path):
    (tmp_path / "config.json").write_bytes((small_run / "config.json").read_bytes())
    run = Run.open(tmp_path)
    assert run.examples() == []
    run.save_examples(["Ä b c", "d e f"])
    assert (tmp_path / "examples.txt").read_text(encoding="utf-8") == "Ä b c\nd e f\n"
    assert run.examples() == ["Ä b c", "d e f"]


def test_training_pairs_are_augmented_and_validation_pairs_are_not(tmp_path, monkeypatch):
    validation = write_pairs(tmp_path / "validation.tsv", toy_pairs(12, seed=1))
    settings = settings_for(tmp_path, augment=1.0, validation=(validation,))
    seen = []

    def stop(trainer):
        seen.append((list(trainer.train_pairs.pairs), list(trainer.validation_pairs.pairs)))
        raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "train", stop)
    with pytest.raises(KeyboardInterrupt):
        train(settings, tmp_path / "run")
    [(pairs, held_out)] = seen
    plain = toy_pairs(60)
    assert len(pairs) == len(plain)
    capitals = [pair for pair in pairs if pair[0].isupper()]
    assert capitals
    assert set(capitals) <= {(source.upper(), target) for source, target in plain}
    assert held_out == toy_pairs(12, seed=1)
    assert Run.open(tmp_path / "run").config.training.augment == 1.0


def test_augmented_training_is_resumed(tmp_path):
    settings, directory = settings_for(tmp_path, augment=0.5), tmp_path / "run"
    assert train(settings, directory).finished
    assert not train({"epochs": 3}, directory).was_finished
    with pytest.raises(RunMismatch, match=r"was started with augment 0\.5, not 0\.6"):
        train({"augment": 0.6}, directory)


def test_training_is_resumed_and_reported(tmp_path, capsys):
    settings, directory = settings_for(tmp_path), tmp_path / "run"
    result = train(settings, directory)
    example = Run.open(directory).examples()[0]
    assert result == Result(directory, finished=True, was_finished=False, example=example)
    *_, finished, selected = capsys.readouterr().out.splitlines()
    assert "finished after step" in finished
    assert "best validation BLEU with length penalty" in selected
    assert (directory / "calibration.json").is_file()
    assert list((directory / "logs").iterdir())
    assert train(settings, directory) == Result(directory, True, True, example)
    assert "already finished, after epoch 2" in capsys.readouterr().out
    assert not train(settings | {"epochs": 3}, directory).was_finished
    out = capsys.readouterr().out
    assert "resuming after step" in out
    assert "in epoch 3/3" in out
    assert train({"epochs": 3}, directory).was_finished, "other settings are those of the run"


def test_early_stopping_is_reported(tmp_path, capsys, monkeypatch):
    """With a learning rate of almost 0, neither the BLEU nor the loss changes."""
    monkeypatch.setattr("keras_transformer.training.trainer.LEAST_STEPS", 0)
    settings = settings_for(tmp_path, epochs=9, patience=2, peak_learning_rate=1e-30)
    assert train(settings, tmp_path / "run").stopped_early
    out = capsys.readouterr().out
    assert "stopped early, after epoch 3 of 9: no better weights in 2 epochs" in out
    assert not train(settings | {"patience": 0, "epochs": 4}, tmp_path / "run").stopped_early


def test_a_new_training_does_not_stop_early_in_its_first_steps(tmp_path, monkeypatch):
    settings = settings_for(tmp_path, epochs=4, patience=1, peak_learning_rate=1e-30)
    assert not train(settings, tmp_path / "run").stopped_early
    monkeypatch.setattr("keras_transformer.training.trainer.LEAST_STEPS", 1)
    assert train(settings | {"epochs": 5}, tmp_path / "run").stopped_early


@pytest.mark.parametrize(("warmup_steps", "is_reported"), [(10_000, True), (2, False)])
def test_a_warmup_that_is_longer_than_the_training_is_reported(
    tmp_path, capsys, monkeypatch, warmup_steps, is_reported
):
    settings = settings_for(tmp_path, epochs=1, warmup_steps=warmup_steps)
    prepare(monkeypatch, settings, tmp_path / "run")
    text = "the learning rate rises for 10,000: more epochs or smaller batches are needed"
    assert (text in capsys.readouterr().out) == is_reported


def test_training_interrupted_at_the_very_end_is_finished_when_resumed(trained, monkeypatch):
    """What was fitted to the weights of the first epoch is replaced."""
    settings, directory = trained
    fitted = [directory / name for name in ("calibration.json", "decoding.json")]
    assert all(path.is_file() for path in fitted)

    def validate_and_interrupt(_):
        os.kill(os.getpid(), signal.SIGINT)
        return 50.0  # better than the first epoch

    with monkeypatch.context() as patch:
        patch.setattr(Validator, "sample_bleu", validate_and_interrupt)
        assert not train(settings | {"epochs": 2}, directory).finished
    assert not any(path.exists() for path in fitted)
    assert train(settings | {"epochs": 2}, directory).was_finished
    assert all(path.is_file() for path in fitted)


def test_a_finished_run_of_an_earlier_version_gets_a_decoding(trained, capsys):
    settings, directory = trained
    Run.open(directory).remove_decoding()
    assert train(settings, directory).was_finished
    run = Run.open(directory)
    decoding = Decoding.of(run)
    assert run.calibration() is not None
    assert (
        f"with length penalty {decoding.length_penalty:g}, or with reranking by the weights "
        f"length {decoding.length_weight:g}, lexicon {decoding.lexicon_weight:g}, "
        f"ngram {decoding.ngram_weight:g}\n"
    ) in capsys.readouterr().out
    run.save_decoding({"length_penalty": 0.25})
    assert train(settings, directory).was_finished
    assert Decoding.of(Run.open(directory)) == Decoding(0.25), "a saved one is kept"


def test_a_network_trained_in_both_directions_also_reconstructs(tmp_path, capsys):
    both = {"joint_vocabulary": True, "reversed_share": 0.5, "epochs": 1}
    assert train(settings_for(tmp_path, **both), tmp_path / "run").finished
    run = Run.open(tmp_path / "run")
    weight = Decoding.of(run).reconstruction_weight
    assert f"reconstruction {weight:g}\n" in capsys.readouterr().out
    reranker = Reranker.of(run, Translator.load(run.directory))
    assert list(reranker.features)[-2:] == ["ngram_weight", "reconstruction_weight"]
    assert "reconstruction_weight" not in Reranker.of(run).features, "it needs the network"


def test_a_calibration_without_a_temperature_is_replaced(trained):
    """Earlier versions saved none."""
    settings, directory = trained
    values = Run.open(directory).calibration()
    assert 0 < values["temperature"] < 100
    del values["temperature"]
    Run.open(directory).save_calibration(values | {"bias": 123.0})
    assert train(settings, directory).was_finished
    found = Run.open(directory).calibration()
    assert found["temperature"] > 0
    assert found["bias"] != 123.0
    Run.open(directory).save_calibration(found | {"bias": 123.0})
    assert train(settings, directory).was_finished
    assert Run.open(directory).calibration()["bias"] == 123.0, "a complete one is kept"


def test_a_run_of_another_shape_is_not_resumed(one_epoch):
    settings, directory = one_epoch
    with pytest.raises(RunMismatch, match="was started with d_model 16, not 32"):
        train(settings | {"d_model": 32}, directory)


def test_fresh_training_starts_over_and_keeps_the_old_run(trained, tmp_path, capsys):
    settings, directory = trained
    train(settings | {"d_model": 32}, directory, fresh=True)
    assert f"run is renamed to {tmp_path / 'run.1'}" in capsys.readouterr().out
    assert Run.open(tmp_path / "run").config.model.d_model == 32
    assert Run.open(tmp_path / "run.1").config.model.d_model == 16


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


def test_training_resumes_from_the_newest_intact_state(tmp_path, caplog):
    settings, directory = settings_for(tmp_path, save_every=2), tmp_path / "run"
    train(settings, directory)
    newest = saved_checkpoints(directory)[-1].with_suffix(".data-00000-of-00001")
    newest.write_bytes(newest.read_bytes()[:50])
    (directory / "checkpoint").write_text("rubbish")
    (directory / "ckpt-7_temp").mkdir()
    assert not train(settings, directory).was_finished
    assert "checkpoint: missing or damaged; ignored" in caplog.text
    assert f"{newest.stem}: damaged" in caplog.text
    assert not (directory / "ckpt-7_temp").exists()


def test_a_list_that_leads_to_another_run_is_rejected(trained, tmp_path):
    settings, directory = trained
    shutil.copytree(directory, tmp_path / "other")
    name = saved_checkpoints(directory)[-1].name
    (directory / "checkpoint").write_text(f'model_checkpoint_path: "../other/{name}"\n')
    with pytest.raises(UserError, match="run/checkpoint: leads out of its directory"):
        train(settings | {"epochs": 2}, directory)
    assert [path.name for path in saved_checkpoints(directory)] == [name]


def test_every_pair_is_encoded_once_for_all_epochs(tmp_path, monkeypatch):
    encode, counts = Encoding.encode, []

    def count_and_encode(encoding, pairs):
        counts.append(len(pairs))
        return encode(encoding, pairs)

    monkeypatch.setattr(Encoding, "encode", count_and_encode)
    settings, directory = settings_for(tmp_path, epochs=2), tmp_path / "run"
    assert train(settings, directory).finished
    assert sum(counts[:2]) == 60, "the training and the validation pairs"
    calibration = sum(counts[2:])
    assert calibration <= settings["bleu_sentences"], "the temperature is fitted to a sample"
    assert not train(settings | {"epochs": 4}, directory).was_finished
    assert sum(counts) == 60 + 2 * calibration, "the ids are read from the run directory"


def test_a_read_only_directory_is_an_error(tmp_path, monkeypatch):
    """The error is simulated, because some users may write everywhere."""

    def fail(path, *_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    settings = settings_for(tmp_path, epochs=1)
    monkeypatch.setattr(Path, "mkdir", fail)
    with pytest.raises(UserError, match="^.*run: cannot be written: Read-only file system$"):
        train(settings, tmp_path / "run")
    assert not (tmp_path / "run").exists()


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


def test_a_run_of_an_earlier_version_gets_a_manifest_when_it_is_resumed(trained):
    settings, directory = trained
    manifest = json.loads((directory / "manifest.json").read_text())
    make_earlier_version(directory)
    assert train(settings, directory).was_finished
    assert json.loads((directory / "manifest.json").read_text()) == manifest


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
    result = train(settings_for(tmp_path, epochs=1, seed=5), ".", fresh=True)
    assert result.finished
    assert not result.was_finished
    kept = tmp_path / "run.1"
    assert weights == [path.read_bytes() for path in sorted((kept / "best").glob("ckpt-*"))]
    assert Run.open(kept).config.training.seed != Run.open(directory).config.training.seed == 5


def test_only_one_process_trains_a_run(trained):
    settings, directory = trained
    with locked(directory):
        for fresh in (False, True):
            with pytest.raises(RunLocked, match=f"run is in use by process {os.getpid()} on "):
                train(settings, directory, fresh=fresh)
    assert train(settings, directory).was_finished


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_result_names_the_signal_that_interrupted_the_training(tmp_path, monkeypatch, number):
    validate = Validator.sample_bleu

    def validate_and_interrupt(validator):
        os.kill(os.getpid(), number)
        return validate(validator)

    monkeypatch.setattr(Validator, "sample_bleu", validate_and_interrupt)
    result = train(settings_for(tmp_path), tmp_path / "run")
    assert (result.finished, result.signal) == (False, number)
    assert saved_checkpoints(tmp_path / "run")


def test_diverging_training_gives_advice_and_keeps_the_good_states(trained):
    settings, directory = trained
    before = saved_checkpoints(directory)
    run = Run.open(directory)
    spoil = {"epochs": 2}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Validator, "totals", lambda _: Totals(loss=float("nan"), tokens=1))
        with pytest.raises(TrainingDiverged, match="nan: nothing was saved, .* clip_norm"):
            train(settings | spoil, directory)
    assert saved_checkpoints(directory) == before
    assert train(settings, directory).was_finished
    assert Run.open(directory).manifest.identity == run.manifest.identity


def test_pairs_that_are_all_too_long_are_an_error(tmp_path):
    with pytest.raises(UserError, match="all are empty or too long"):
        train(settings_for(tmp_path, max_source_length=3), tmp_path / "run")


def test_training_with_pretrained_subwords(tmp_path, monkeypatch, thousand):
    """The models are in the directory to which BPEmb would download them."""
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


def test_training_with_pre_norm_and_one_table_for_all_embeddings(tmp_path):
    more = {"norm_first": True, "joint_vocabulary": True, "tied_embeddings": "all", "epochs": 1}
    settings = settings_for(tmp_path, **more)
    assert train(settings, tmp_path / "run").finished
    assert train(settings | {"epochs": 2}, tmp_path / "run").finished
    resumed = train({"tied_embeddings": "all"}, tmp_path / "run")
    assert resumed.was_finished, "the run has the joint vocabulary"


def test_training_on_a_tfds_data_set(tmp_path):
    """TFDS mocks the data set, so that no download is needed."""
    name = "tfds:ted_hrlr_translate/pt_to_en"
    languages = {"source_lang": "pt", "target_lang": "en", "vocab_size": 80, "epochs": 1}
    with tfds.testing.mock_data(num_examples=60):
        assert train(SMALL | languages | {"train": (name,)}, tmp_path / "run").finished
    assert Run.open(tmp_path / "run").config.training.train == (name,)


def test_fresh_does_not_replace_other_files(tmp_path):
    with pytest.raises(PathTaken, match="is not a run directory"):
        train(settings_for(tmp_path), tmp_path, fresh=True)


def test_a_corpus_too_small_for_the_default_vocabulary_is_reported(tmp_path, capsys, monkeypatch):
    settings = settings_for(tmp_path, epochs=1)
    del settings["vocab_size"]
    prepare(monkeypatch, settings, tmp_path / "run")
    size = Run.open(tmp_path / "run").config.text.vocab_size
    assert size < 10_000
    out = capsys.readouterr().out
    assert f"too small for 10,000 subwords; the vocabulary has {size}" in out


def test_the_default_directory_is_named_after_corpus_and_languages():
    assert default_directory({}) == Path("checkpoints/phrasebook-en-de")
    settings = {"train": ["data/mine.train.tsv"], "target_lang": "fr", "epochs": 3}
    assert default_directory(settings) == Path("checkpoints/mine-en-fr")
    joint = {"tied_embeddings": "all"}  # alone, valid for the built-in corpus only
    assert default_directory(joint) == Path("checkpoints/phrasebook-en-de")


def test_a_time_budget_plans_the_settings(tmp_path, capsys, monkeypatch):
    """The toy languages share a script; their sentences are shorter than the shortest maximum."""
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    monkeypatch.setattr(Validator, "sample_bleu", lambda _: 0.0)
    settings = settings_for(tmp_path, epochs=1) | {"hours": 0.1}
    for name in ("vocab_size", "batch_size", "warmup_steps"):
        del settings[name]
    assert train(settings, tmp_path / "run").finished
    config = Run.open(tmp_path / "run").config
    assert config.text.joint_vocabulary
    assert config.model.tied_embeddings == "all"
    assert config.model.d_model == 16  # given by the user
    assert config.training.hours == 0.1
    assert (config.text.max_source_length, config.text.max_target_length) == (41, 42)
    output = capsys.readouterr().out
    for group in (
        "vocabulary: one for both",
        "lengths: up to",
        "batches:",
        "epochs:",
        "learning rate:",
    ):
        assert group in output
    assert train(settings, tmp_path / "run").was_finished


def test_a_dry_run_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    settings = settings_for(tmp_path, epochs=3)
    before = sorted(tmp_path.rglob("*"))
    config, preparation = dry_run(settings)
    assert sorted(tmp_path.rglob("*")) == before
    assert config.training.epochs == 3
    assert preparation.reasons == ()
    made = Run(tmp_path, config).config.model
    assert preparation.throughput.weights > made.d_model * config.text.vocab_size
    text = "\n".join(describe(preparation, config))
    assert "validation: 6 pairs, held out from the others" in text
    for part in ("corpus: ", "source: ", "dropped: ", "network: ", "time: about"):
        assert part in text
    assert "training has only about" in describe(preparation, config)[-1]
    long = config.with_settings({"warmup_steps": 1, "epochs": 10_000})
    assert describe(preparation, long)[-1].startswith("time: about")
    rising = config.with_settings({"warmup_steps": 1_000})
    assert "the learning rate rises for 1,000: more epochs" in describe(preparation, rising)[-1]


def test_a_budget_that_the_preparation_uses_up_is_an_error_and_leaves_nothing(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    monkeypatch.setattr("keras_transformer.training.budget.FINISH_SECONDS", 36.0)
    monkeypatch.setattr("keras_transformer.training.budget.LARGEST_RESERVE", 1.0)
    settings = settings_for(tmp_path, hours=0.01)  # 36 seconds: all of it is reserved
    with pytest.raises(UserError, match=r"hours must be more than 0\.01: no time is left"):
        train(settings, tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == [LOCK]


def test_the_plan_leaves_out_the_time_that_the_pairs_need_at_the_end(tmp_path, monkeypatch):
    """Two seconds for each of 54 pairs, besides 30 seconds: 222 of 360 are left at most."""
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    monkeypatch.setattr("keras_transformer.training.budget.FINISH_SECONDS_PER_PAIR", 2.0)
    seconds = []

    def plan(basis):
        seconds.append(basis.seconds)
        return Plan({})

    monkeypatch.setattr("keras_transformer.training.preparation.plan_training", plan)
    dry_run(settings_for(tmp_path, hours=0.1))
    assert 180 <= seconds[0] < 222  # at least half of the budget


def test_pairs_with_empty_sides_cannot_be_planned(tmp_path):
    pairs = tmp_path / "empty.tsv"
    pairs.write_text("a b\t\n\tc d\n" * 20, encoding="utf-8")
    with pytest.raises(UserError, match="no sentence pairs left: all are empty or too long"):
        dry_run({"train": (str(pairs),), "validation": (str(pairs),), "hours": 1.0})
