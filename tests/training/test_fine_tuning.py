"""Runs that start from another run."""

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from keras_transformer.config import Config
from keras_transformer.errors import NoRun, PathTaken, StartMismatch, UserError
from keras_transformer.runs.layout import CONFIG, SUBWORD_MODELS
from keras_transformer.runs.run import Run
from keras_transformer.text.augmentation import AugmentedPairs
from keras_transformer.text.mixing import MixedPairs
from keras_transformer.training.choices import (
    all_chosen,
    changed_config,
    default_directory,
    new_config,
)
from keras_transformer.training.corpora import open_training_corpus, why_no_old_pairs
from keras_transformer.training.datastore_building import build_datastore
from keras_transformer.training.dry_run import dry_run
from keras_transformer.training.dry_run_report import describe
from keras_transformer.training.fine_tuning import SETTINGS
from keras_transformer.training.session import train
from keras_transformer.training.trainer import Trainer
from keras_transformer.training.validation import Validator
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL, toy_pairs, write_pairs
from tests.training.toy_training import best_weights

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples")


def test_settings_are_those_of_the_run_but_for_the_schedule_and_the_pairs(small_run, mine):
    config = new_config({"start_from": str(small_run), "train": (mine,), "rate": 0.3})
    old = Run.open(small_run).config
    assert config.text == old.text
    changed = {name for name, value in config.flat().items() if value != old.flat()[name]}
    assert changed <= {*SETTINGS, "rate"}
    assert config.model.rate == 0.3 != old.model.rate
    training = config.training
    assert (training.train, training.validation) == ((mine,), ())
    assert training.batch_size == old.training.batch_size == SMALL["batch_size"]
    assert training.epochs == SETTINGS["epochs"] != old.training.epochs
    assert training.mix == 0.5


def test_a_mix_of_none_is_the_default(small_run):
    """It is in the config of each run that does not start from another."""
    assert "mix" not in all_chosen({}, small_run / CONFIG)


@pytest.mark.parametrize("name", ["vocab_size", "num_layers", "max_source_length"])
def test_the_network_and_the_subwords_cannot_be_changed(small_run, mine, name):
    with pytest.raises(UserError, match=f"has {name} .*, not 30: a run keeps"):
        new_config({"start_from": str(small_run), "train": (mine,), name: 30})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"start_from": "x"}, "start_from needs train"),
        ({"start_from": "", "train": ("a",)}, "start_from must not be empty"),
        ({"mix": 0.5, "train": ("a",)}, "mix needs start_from"),
        ({"start_from": "x", "train": ("a",), "hours": 1.0}, "cannot be combined with .* hours"),
    ],
)
def test_settings_that_do_not_go_together(settings, message):
    with pytest.raises(UserError, match=message):
        Config().with_settings(settings)


def test_the_budget_is_named_that_fine_tuning_cannot_have(small_run, mine):
    """Fine-tuning has a decay of the learning rate, which the user has not chosen."""
    with pytest.raises(UserError, match="start_from cannot be combined with .* hours"):
        new_config({"start_from": str(small_run), "train": (mine,), "hours": 1.0})


def test_a_fine_tuned_run_is_not_resumed_with_a_budget(small_run, mine, tmp_path):
    settings = {"start_from": str(small_run), "train": (mine,), "decay_epochs": 1}
    run = Run.create(tmp_path / "tuned", new_config(settings))
    with pytest.raises(UserError, match="start_from cannot be combined with .* hours"):
        changed_config(run, {"hours": 1.0})


def test_without_a_run_to_start_from(tmp_path, mine):
    with pytest.raises(NoRun, match="nothing: no run here"):
        train({"start_from": str(tmp_path / "nothing"), "train": (mine,)}, tmp_path / "tuned")
    assert not (tmp_path / "tuned").exists()


def test_a_run_cannot_start_from_itself(small_run, mine):
    with pytest.raises(PathTaken, match="cannot start from itself"):
        train({"start_from": str(small_run), "train": (mine,)}, small_run)
    with pytest.raises(PathTaken, match="cannot start from itself"):
        train({"start_from": str(small_run), "train": (mine,)}, small_run, fresh=True)


def test_a_run_cannot_start_from_one_that_started_from_it(small_run, mine, tmp_path):
    """Otherwise the old pairs of each would be those of the other, without end."""
    tuned = tmp_path / "tuned"
    Run.create(tuned, new_config({"start_from": str(small_run), "train": (mine,)}))
    with pytest.raises(PathTaken, match="or from a run that started from it"):
        train({"start_from": str(tuned), "train": (mine,)}, small_run, fresh=True)


def test_the_default_directory_has_the_languages_of_the_run(tmp_path, mine):
    languages = {"source_lang": "fr", "target_lang": "es"}
    Run.create(tmp_path / "base", Config().with_settings(SMALL | languages))
    start = {"start_from": str(tmp_path / "base"), "train": (mine,)}
    assert default_directory(start).name == "mine-fr-es"


@pytest.mark.usefixtures("no_finish")
def test_training_starts_with_the_weights_and_subwords(small_run, tuning, tmp_path):
    """With a learning rate of zero, the weights of the run are those of the new run."""
    assert train(tuning | {"peak_learning_rate": 0.0}, tmp_path / "tuned").finished
    for name in SUBWORD_MODELS:
        assert (tmp_path / "tuned" / name).read_bytes() == (small_run / name).read_bytes()
    for new, old in zip(best_weights(tmp_path / "tuned"), best_weights(small_run), strict=True):
        np.testing.assert_array_equal(new, old)


@pytest.mark.usefixtures("no_finish")
def test_early_stopping_begins_at_once(tuning, tmp_path, monkeypatch):
    """A network that is fine-tuned translates from the first step."""
    scores = iter([9.0, 8.0])
    monkeypatch.setattr(Validator, "sample_bleu", lambda _: next(scores))
    assert train(tuning | {"patience": 1, "epochs": 9}, tmp_path / "tuned").stopped_early


def test_the_run_to_start_from_stays_as_it_is_and_is_no_longer_needed(small_run, tuning, tmp_path):
    base = shutil.copytree(small_run, tmp_path / "base")
    before = {path: path.read_bytes() for path in base.rglob("*") if path.is_file()}
    train(tuning | {"start_from": str(base)}, tmp_path / "tuned")
    assert {path: path.read_bytes() for path in base.rglob("*") if path.is_file()} == before
    shutil.rmtree(base)
    assert Translator.load(tmp_path / "tuned").translate(["ba be"])[0]


@pytest.mark.usefixtures("no_finish")
def test_an_interrupted_fine_tuning_is_resumed_exactly(tuning, tmp_path, monkeypatch):
    tuning |= {"epochs": 2}
    train(tuning, tmp_path / "whole")
    end_epoch = Trainer._end_epoch

    def interrupted(trainer):
        line = end_epoch(trainer)
        trainer.interrupts.signal = 2
        return line

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "_end_epoch", interrupted)
        assert not train(tuning, tmp_path / "parts").finished
    assert train(tuning, tmp_path / "parts").finished
    whole, parts = best_weights(tmp_path / "whole"), best_weights(tmp_path / "parts")
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.usefixtures("no_finish")
def test_a_fine_tuning_is_resumed_after_its_base_has_moved(small_run, tuning, tmp_path):
    base = tmp_path / "base"
    shutil.copytree(small_run, base)
    tuning |= {"start_from": str(base)}
    train(tuning, tmp_path / "tuned")
    base.rename(tmp_path / "moved")
    with pytest.raises(UserError, match="the old pairs.*if that run has moved, .* start_from"):
        train(tuning | {"epochs": 3}, tmp_path / "tuned")
    moved = tuning | {"epochs": 3, "start_from": str(tmp_path / "moved")}
    assert train(moved, tmp_path / "tuned").finished
    assert train({"epochs": 4}, tmp_path / "tuned").finished
    Translator.load(tmp_path / "tuned")


@pytest.mark.usefixtures("no_finish")
def test_a_run_that_replaces_the_one_that_it_started_from_needs_its_new_directory(
    small_run, tuning, tmp_path
):
    base, old, tuned = (tmp_path / name for name in ("base", "old", "tuned"))
    shutil.copytree(small_run, base)
    tuning |= {"start_from": str(base)}
    train(tuning, tuned)
    base.rename(old)
    tuned.rename(base)
    uses = (
        lambda: train({}, base),
        lambda: build_datastore(Run.open(base)),
        lambda: train(tuning, tmp_path / "new"),
        lambda: train(tuning | {"mix": 0.4}, tmp_path / "new"),
    )
    for use in uses:
        with pytest.raises(StartMismatch, match=f"^{base}: its settings say .* from itself, so"):
            use()
    assert not (tmp_path / "new").exists()
    assert train(tuning | {"mix": 0.0}, tmp_path / "new").finished
    assert train({"start_from": str(old)}, base).was_finished
    assert train({"epochs": 2}, base).finished
    assert new_config(tuning).training.mix == 0.5


def test_old_pairs_are_mixed_in(small_run, tuning):
    old = Run.open(small_run).config
    corpus = open_training_corpus(new_config(tuning))
    assert isinstance(corpus.train, MixedPairs)
    new = open_training_corpus(new_config(tuning | {"mix": 0.0})).train
    drawn = list(corpus.train.epoch(3))[len(list(new)) :]
    assert len(drawn) == len(list(new))
    assert set(drawn) <= set(open_training_corpus(old).train)


def test_new_validation_pairs_are_not_among_the_old_pairs(tuning, tmp_path):
    """Also if the other run was trained on all new pairs, some of which are held out now."""
    [new] = tuning["train"]
    both = Path(write_pairs(tmp_path / "both.tsv", toy_pairs(60)))
    both.write_text(both.read_text() + Path(new).read_text())
    validation = write_pairs(tmp_path / "validation.tsv", toy_pairs(12, seed=1))
    files = {"train": (str(both),), "validation": (validation,)}
    base = Config().with_settings(SMALL | files)
    Run.create(tmp_path / "base", base)
    corpus = open_training_corpus(new_config(tuning | {"start_from": str(tmp_path / "base")}))
    held_out = {source for source, _ in corpus.validation}
    assert held_out & {source for source, _ in open_training_corpus(base).train}
    for pairs in (corpus.train.vocabulary(), *map(corpus.train.epoch, range(3))):
        assert not held_out & {source for source, _ in pairs}


@pytest.fixture
def base(tmp_path, no_finish):
    """A run and the file of its pairs."""
    pairs = write_pairs(tmp_path / "pairs.tsv", toy_pairs(60))
    train(SMALL | {"train": (pairs,), "epochs": 1}, tmp_path / "base")
    return tmp_path / "base", Path(pairs)


def test_old_pairs_are_not_used_if_others_would_be_held_out_now(base, tuning, tmp_path):
    directory, pairs = base
    former = pairs.read_text()
    tuning |= {"start_from": str(directory)}
    tuned = train(tuning, tmp_path / "tuned").directory
    pairs.write_text(former + "ba lo\tlo ba\n")
    for more in ({}, {"mix": 0.5}):
        with pytest.raises(StartMismatch, match="^.*base: its validation .*pairs.tsv has changed"):
            train(tuning | more, tmp_path / "other")
    assert not (tmp_path / "other").exists()
    with pytest.raises(StartMismatch, match="^.*base: its validation pairs are no longer those"):
        train({}, tuned)
    assert why_no_old_pairs(new_config(tuning | {"mix": 0.0}))
    pairs.write_text(former)
    assert new_config(tuning).training.mix == 0.5
    assert train({}, tuned).was_finished


def test_the_training_pairs_may_change_beside_validation_pairs_in_a_file(base, tuning, tmp_path):
    validation = write_pairs(tmp_path / "validation.tsv", toy_pairs(12, seed=1))
    directory, pairs = tmp_path / "validated", base[1]
    train(SMALL | {"train": (str(pairs),), "validation": (validation,), "epochs": 1}, directory)
    write_pairs(pairs, toy_pairs(70))
    assert new_config(tuning | {"start_from": str(directory)}).training.mix == 0.5
    write_pairs(Path(validation), toy_pairs(13, seed=1))
    with pytest.raises(StartMismatch, match="because .*validation.tsv has changed: restore"):
        new_config(tuning | {"start_from": str(directory)})


def test_the_pairs_of_the_built_in_corpus_may_have_changed(tuning, tmp_path):
    run = Run.create(tmp_path / "base", new_config({}))
    run.seal({"train": "of another release", "validation": "of another release"})
    assert new_config(tuning | {"start_from": str(run.directory)}).training.mix == 0.5


def test_few_new_pairs_are_repeated_and_the_old_pairs_match_their_number(small_run, mine):
    """36 of 40 pairs remain for training: 14 times 36 is the first multiple above 500."""
    settings = {"start_from": str(small_run), "train": (mine,)}
    new = open_training_corpus(new_config(settings | {"mix": 0.0})).train
    counts = Counter(new.epoch(1))
    assert counts.total() == 504
    assert all(count % 14 == 0 for count in counts.values())
    corpus = open_training_corpus(new_config(settings))
    held_out = {source for source, _ in corpus.validation}
    old = open_training_corpus(Run.open(small_run).config).train
    wanted = Counter(pair for pair in old if pair[0] not in held_out)  # all, since 504 are wanted
    assert Counter(corpus.train.epoch(1)) - counts == wanted


def test_old_pairs_are_augmented_once(tuning):
    plain = open_training_corpus(new_config(tuning)).train
    augmented = open_training_corpus(new_config(tuning | {"augment": 0.5})).train
    assert isinstance(augmented, AugmentedPairs)
    assert augmented.pairs.fingerprint() == plain.fingerprint()


def test_a_run_may_start_from_a_fine_tuned_run(tuning, tmp_path):
    Run.create(tmp_path / "first", new_config(tuning))
    more = write_pairs(tmp_path / "more.tsv", toy_pairs(40, seed=11))
    config = new_config({"start_from": str(tmp_path / "first"), "train": (more,)})
    old = open_training_corpus(Run.open(tmp_path / "first").config).train
    assert open_training_corpus(config).train.old.pairs.fingerprint() == old.fingerprint()


@pytest.fixture
def base_without_pairs(small_run, tmp_path):
    """A run whose training pairs are no longer there."""
    run = Run.open(shutil.copytree(small_run, tmp_path / "base"))
    gone = str(tmp_path / "gone.tsv")
    return str(Run.create(run.directory, run.config.with_settings({"train": (gone,)})).directory)


def test_without_old_pairs_only_new_ones_are_used(base_without_pairs, tuning, tmp_path, capsys):
    tuning |= {"start_from": base_without_pairs}
    assert new_config(tuning).training.mix == 0.0
    train(tuning, tmp_path / "tuned")
    out = capsys.readouterr().out
    assert f"starts with the weights of {base_without_pairs}, without old pairs, because" in out
    assert "gone.tsv" in out
    assert "(old)" not in out
    with pytest.raises(UserError, match="the old pairs, of .* cannot be read: .*gone.tsv"):
        train(tuning | {"mix": 0.5}, tmp_path / "mixed")
    assert not (tmp_path / "mixed" / CONFIG).exists()


def test_a_run_to_start_from_is_not_trained_further_without_pairs(small_run):
    with pytest.raises(UserError, match="start_from needs train"):
        default_directory({"start_from": str(small_run)})


def test_a_dry_run_uses_the_subwords_of_the_run(tuning, monkeypatch):
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    found = dry_run(tuning)
    assert found.config == new_config(tuning)
    pairs = open_training_corpus(found.config).train
    assert found.measurement.text.pairs == len(list(pairs))


@pytest.fixture
def few(small_run, tmp_path):
    """Settings with 41 new pairs, one of them too long, and the old pairs that are mixed in."""
    pairs = write_pairs(tmp_path / "few.tsv", [("ba " * 60, "ba"), *toy_pairs(40, seed=9)])
    validation = toy_pairs(12, seed=1)
    names = {"train": (pairs,), "validation": (write_pairs(tmp_path / "held.tsv", validation),)}
    held_out = {source for source, _ in validation}
    old = open_training_corpus(Run.open(small_run).config).train
    settings = {"start_from": str(small_run), "warmup_steps": 1, "epochs": 1} | names
    return settings, [pair for pair in old if pair[0] not in held_out]


def test_a_dry_run_counts_repeated_pairs_once(few, monkeypatch):
    """13 times 41 is the first multiple above 500."""
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    settings, old = few
    found = dry_run(settings | {"batching": "fixed"})
    lines = describe(found)
    words = 60 + sum(len(source.split()) for source, _ in [*toy_pairs(40, seed=9), *old])
    assert lines[0].startswith(f"corpus: {41 + len(old)} pairs, {words:,} and ")
    assert lines[1] == "repeated: 41 new pairs, each 13 times in an epoch"
    assert "dropped: 1 too long, 0 with an empty side" in lines
    steps = -(-(13 * 40 + len(old)) // SMALL["batch_size"])
    assert found.measurement.throughput.steps_per_epoch == steps


@pytest.mark.usefixtures("no_finish")
def test_the_report_of_the_pairs_says_how_often_new_ones_are_repeated(few, tmp_path, capsys):
    settings, old = few
    train(settings, tmp_path / "tuned")
    line = next(line for line in capsys.readouterr().out.splitlines() if "training pairs" in line)
    assert f"tuned: {13 * 40 + len(old)} training pairs from " in line
    assert "few.tsv (each pair 13 times) mixed with " in line
    assert "; dropped: 1 longer than 41/42 subwords, 0 with" in line
