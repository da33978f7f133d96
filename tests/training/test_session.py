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

from keras_transformer.commands.train import ADVICE
from keras_transformer.config import Config
from keras_transformer.errors import RunLocked, RunMismatch, UserError
from keras_transformer.runs.checkpoints import saved_checkpoints
from keras_transformer.runs.lock import locked
from keras_transformer.runs.run import Run
from keras_transformer.text.examples import example_sentences
from keras_transformer.training.choices import (
    all_chosen,
    built_in_settings,
    default_directory,
    new_config,
)
from keras_transformer.training.session import train
from keras_transformer.training.trainer import Trainer
from keras_transformer.training.validation import Validator
from keras_transformer.training.workers import Workers
from keras_transformer.translation.decoding import Decoding
from keras_transformer.translation.reranking import Reranker
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL, toy_pairs, write_pairs
from tests.training.toy_training import prepare, settings_for

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


def test_workers_that_disagree_are_not_advised_to_start_over(tmp_path, monkeypatch):
    """The advice of the command for a `RunMismatch` would set a good run aside."""
    monkeypatch.setattr(Workers, "agree", lambda *_: False)
    with pytest.raises(UserError, match="is not the same run at all workers") as error:
        train(settings_for(tmp_path), tmp_path / "run")
    assert error.type not in ADVICE


@pytest.mark.usefixtures("no_finish")
def test_a_worker_with_other_files_is_not_advised_to_start_over(tmp_path, monkeypatch):
    settings = settings_for(tmp_path)
    train(settings, tmp_path / "run")
    write_pairs(Path(settings["train"][0]), toy_pairs(99, seed=7))
    monkeypatch.setattr(Workers, "is_chief", False)
    with pytest.raises(
        UserError, match="other sentence pairs .*; every worker needs the sam"
    ) as error:
        train({}, tmp_path / "run")
    assert error.type not in ADVICE


NULLS = {"text": {"vocab_size": None}, "training": {"batch_size": None, "epochs": None}}


def test_null_in_a_settings_file_stands_for_the_tuned_value(tmp_path):
    for settings in ({}, {"epochs": None}):
        config = new_config(all_chosen(settings, settings_file(tmp_path, NULLS)))
        assert (config.text.vocab_size, config.training.epochs) == (5000, 5)
        assert config.training.batch_size == 32


@pytest.mark.usefixtures("no_finish")
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


@pytest.mark.usefixtures("no_finish")
def test_augmented_training_is_resumed(tmp_path):
    settings, directory = settings_for(tmp_path, augment=0.5), tmp_path / "run"
    assert train(settings, directory).finished
    assert not train({"epochs": 3}, directory).was_finished
    with pytest.raises(RunMismatch, match=r"was started with augment 0\.5, not 0\.6"):
        train({"augment": 0.6}, directory)


@pytest.mark.usefixtures("no_finish")
def test_a_new_training_does_not_stop_early_in_its_first_steps(tmp_path, monkeypatch):
    scores = iter([9.0, 8.0, 7.0, 6.0])
    monkeypatch.setattr(Validator, "sample_bleu", lambda _: next(scores))
    settings = settings_for(tmp_path, epochs=4, patience=1)
    assert not train(settings, tmp_path / "run").stopped_early
    monkeypatch.setattr("keras_transformer.training.trainer.MIN_STEPS", 1)
    assert train(settings | {"epochs": 5}, tmp_path / "run").stopped_early


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


@pytest.mark.usefixtures("no_finish")
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


def test_a_read_only_directory_is_an_error(tmp_path, monkeypatch):
    """The error is simulated, because some users may write everywhere."""

    def fail(path, *_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    settings = settings_for(tmp_path, epochs=1)
    monkeypatch.setattr(Path, "mkdir", fail)
    with pytest.raises(UserError, match="^.*run: cannot be written: Read-only file system$"):
        train(settings, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_that_cannot_be_replaced_keeps_its_name(trained, tmp_path):
    settings, directory = trained
    copy = shutil.copytree(directory, tmp_path / "project[1]" / "run")
    with pytest.raises(UserError, match=r"TensorFlow cannot read files in a directory with \["):
        train(settings, copy, fresh=True)
    assert [path.name for path in copy.parent.iterdir()] == ["run"]


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


@pytest.mark.usefixtures("no_finish")
def test_training_with_pre_norm_and_one_table_for_all_embeddings(tmp_path):
    more = {"norm_first": True, "joint_vocabulary": True, "tied_embeddings": "all", "epochs": 1}
    settings = settings_for(tmp_path, **more)
    assert train(settings, tmp_path / "run").finished
    assert train(settings | {"epochs": 2}, tmp_path / "run").finished
    resumed = train({"tied_embeddings": "all"}, tmp_path / "run")
    assert resumed.was_finished, "the run has the joint vocabulary"


@pytest.mark.usefixtures("no_finish")
def test_training_on_a_tfds_data_set(tmp_path):
    """TFDS mocks the data set, so that no download is needed."""
    name = "tfds:ted_hrlr_translate/pt_to_en"
    languages = {"source_lang": "pt", "target_lang": "en", "vocab_size": 80, "epochs": 1}
    with tfds.testing.mock_data(num_examples=60):
        assert train(SMALL | languages | {"train": (name,)}, tmp_path / "run").finished
    assert Run.open(tmp_path / "run").config.training.train == (name,)


def test_the_default_directory_is_named_after_corpus_and_languages():
    assert default_directory({}) == Path("checkpoints/phrasebook-en-de")
    settings = {"train": ["data/mine.train.tsv"], "target_lang": "fr", "epochs": 3}
    assert default_directory(settings) == Path("checkpoints/mine-en-fr")
    joint = {"tied_embeddings": "all"}  # alone, valid for the built-in corpus only
    assert default_directory(joint) == Path("checkpoints/phrasebook-en-de")
