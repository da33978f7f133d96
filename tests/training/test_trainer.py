"""Epochs, validation and early stopping."""

import contextlib
import itertools
import os
import signal
from collections import Counter

import keras
import numpy as np
import pytest

from keras_transformer.errors import TrainingDiverged
from keras_transformer.runs.checkpoints import (
    named_variables,
    restore,
    saved_checkpoints,
)
from keras_transformer.runs.run import Run
from keras_transformer.training.workers import Workers
from tests.training.toy_training import (
    CORPUS,
    assert_equal,
    best_values,
    interrupt_at,
    make_trainer,
    new_trainer,
    reopened,
    set_scores,
    values,
)

pytestmark = pytest.mark.usefixtures("reused_learners")


def test_training_lowers_the_loss(tmp_path):
    trainer = new_trainer(tmp_path / "run", epochs=8, peak_learning_rate=0.01)
    before = trainer.validator.totals().mean_loss
    trainer.train()
    assert trainer.validator.totals().mean_loss < before - 0.5


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_mixed_precision_learns_with_weights_in_float32(tmp_path, dtype):
    trainer = new_trainer(
        tmp_path / "run", epochs=8, peak_learning_rate=0.01, mixed_precision=dtype, norm_first=True
    )
    assert trainer.model.decoder.compute_dtype == dtype
    before = trainer.validator.totals().mean_loss
    trainer.train()
    assert trainer.validator.totals().mean_loss < before - 0.5
    assert all(variable.dtype == "float32" for variable in trainer.model.trainable_variables)


def test_muon_updates_the_matrices_of_the_layers(tmp_path):
    """Adam, which has a velocity for each weight, updates the embeddings and the vectors."""
    trainer = new_trainer(tmp_path / "run", optimizer="muon", clip_norm=0.5)
    assert isinstance(trainer.optimizer, keras.optimizers.Muon)
    assert trainer.optimizer.global_clipnorm == 0.5
    velocities = [v.path for v in trainer.optimizer.variables if v.path.endswith("velocity")]
    for variable in trainer.model.trainable_variables:
        is_matrix = len(variable.shape) == 2 and "embedding" not in variable.path
        name = variable.path.replace("/", "_")
        assert any(name in path for path in velocities) != is_matrix, variable.path


def test_fixed_batches_have_the_widest_shape(tmp_path):
    trainer = new_trainer(tmp_path / "run", batching="fixed", batch_size=64, epochs=1)
    [(source, target)] = trainer.batches(trainer.train_pairs, seed=1)
    assert (source.shape, target.shape) == ((64, 41), (64, 42))
    assert trainer.train()
    assert trainer.state.step == 1


def spoil_steps(trainer, steps):
    """Set the loss of the given steps, counted from 0, to NaN; such a step changes nothing."""
    take, numbers = trainer.train_step, itertools.count()

    def step(*batch):
        if next(numbers) not in steps:
            return take(*batch)
        weight = trainer.model.trainable_variables[0]
        good = weight.numpy()
        weight.assign(np.full(weight.shape, np.nan))
        result = take(*batch)
        weight.assign(good)
        return result

    trainer.train_step = step


def test_a_loss_that_is_not_finite_ends_the_training_and_keeps_the_states(tmp_path):
    trainer = new_trainer(tmp_path / "run", save_every=1)
    spoil_steps(trainer, {2})
    message = "^step 3: the loss is nan, the norm of the gradient nan$"
    with pytest.raises(TrainingDiverged, match=message):
        trainer.train()
    saved = saved_checkpoints(trainer.run.directory)
    assert [path.name for path in saved] == ["ckpt-1", "ckpt-2"]
    other = reopened(trainer)
    for old, new in zip(trainer.model.weights, other.model.weights, strict=True):
        np.testing.assert_array_equal(old, new, err_msg=old.path)
    assert other.train()


def test_bad_steps_are_skipped_up_to_their_number(tmp_path, capsys):
    trainer = new_trainer(tmp_path / "run", skip_bad_steps=2)
    spoil_steps(trainer, {1, 3})
    assert trainer.train()
    assert int(trainer.state.skipped_steps) == 2
    assert (
        "step 2: the loss is nan, the norm of the gradient nan: skipped" in capsys.readouterr().out
    )
    one = new_trainer(tmp_path / "one", skip_bad_steps=1)
    spoil_steps(one, {1, 3})
    with pytest.raises(TrainingDiverged, match="step 3"):
        one.train()


def test_a_skipped_step_saves_nothing(tmp_path):
    trainer = new_trainer(tmp_path / "run", skip_bad_steps=3, save_every=2)
    spoil_steps(trainer, {0, 3, 4})
    saved, save = [], trainer.state.save

    def record():
        saved.append((trainer.state.step, int(trainer.state.batch)))
        save()

    trainer.state.save = record
    assert trainer.train()
    assert saved[0] == (2, 3)
    within = [step for step, batch in saved if batch]
    assert len(set(within)) == len(within)


def test_weights_that_are_not_finite_are_not_saved(tmp_path):
    """The loss of a step is computed before its update."""
    trainer = new_trainer(tmp_path / "run", save_every=2)
    take = trainer.train_step

    def step(*batch):
        result = take(*batch)
        if trainer.state.step == 4:
            weight = trainer.model.trainable_variables[3]
            weight.assign(np.full(weight.shape, np.inf))
        return result

    trainer.train_step = step
    with pytest.raises(
        TrainingDiverged, match="after step 4, the weight .* is not a finite number"
    ):
        trainer.train()
    assert [path.name for path in saved_checkpoints(trainer.run.directory)] == ["ckpt-2"]


def test_the_largest_learning_rate_saves_only_finite_weights(tmp_path):
    """It is the largest that the settings allow. The training may end with an error."""
    trainer = new_trainer(
        tmp_path / "run", peak_learning_rate=100.0, warmup_steps=1, save_every=1, epochs=1
    )
    with contextlib.suppress(TrainingDiverged):
        trainer.train()
    saved = saved_checkpoints(trainer.run.directory)
    assert saved
    for path in saved:
        restore(path, named_variables(trainer.model))
        assert all(np.all(np.isfinite(value)) for value in values(trainer.model).values())


def test_only_the_chief_writes(tmp_path, monkeypatch):
    """Another worker trains an epoch, finds better weights, and averages."""
    chief = new_trainer(tmp_path / "run", average_last=2)
    set_scores(chief, [9.0, 6.0, 8.0])
    assert chief.train()
    config = chief.run.config.with_settings({"epochs": 3, "save_every": 1})
    other = make_trainer(Run.create(tmp_path / "run", config), CORPUS)
    assert other.state.restore()
    set_scores(other, [50.0, 60.0])
    before = contents(tmp_path / "run")
    monkeypatch.setattr(Workers, "is_chief", False)
    assert other.train()
    assert contents(tmp_path / "run") == before


def contents(directory):
    return {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("interrupt", "saving", "expected"),
    [
        (lambda trainer: interrupt_at(trainer, 2), "save", (0, 2, False)),
        (lambda trainer: set_scores(trainer, [9.0, 6.0, 8.0], 0), "save", (1, 0, False)),
        (lambda trainer: set_scores(trainer, [9.0, 6.0, 8.0], 2), "save_average", (2, 0, True)),
    ],
    ids=["epoch", "validation", "average"],
)
def test_a_second_ctrl_c_waits_until_the_state_is_saved(tmp_path, interrupt, saving, expected):
    trainer = new_trainer(tmp_path / "run", average_last=2)
    interrupt(trainer)
    save = getattr(trainer.state, saving)

    def interrupt_and_save(*arguments):
        if trainer.interrupts.requested:
            os.kill(os.getpid(), signal.SIGINT)
        save(*arguments)

    setattr(trainer.state, saving, interrupt_and_save)
    with pytest.raises(KeyboardInterrupt):
        trainer.train()
    other = reopened(trainer)
    assert (int(other.state.epoch), int(other.state.batch), other.finished) == expected


def test_the_best_weights_are_those_of_the_best_epoch(tmp_path):
    trainer = new_trainer(tmp_path / "run", epochs=3)
    scores, kept = iter([5.0, 9.0, 7.0]), []

    def score():
        kept.append(values(trainer.model))
        return next(scores)

    trainer.validator.sample_bleu = score
    trainer.train()
    assert_equal(best_values(trainer.run), kept[1])
    assert float(trainer.state.best_bleu) == 9


def test_a_training_interrupted_while_validating_can_be_resumed(tmp_path):
    """The validations are those of the first epoch, of the last epoch and of the average."""
    trainer = new_trainer(tmp_path / "run", average_last=2)
    for score, epoch, finished in [(9.0, 1, False), (6.0, 2, False), (8.0, 2, True)]:
        set_scores(trainer, [score], 0)
        assert not trainer.train()
        assert (tmp_path / "run" / "average" / "checkpoint").exists() == finished
        trainer = reopened(trainer)
        assert (int(trainer.state.epoch), int(trainer.state.batch)) == (epoch, 0)
        assert trainer.finished == finished
    assert trainer.train()
    assert int(trainer.state.epoch) == 2


@pytest.mark.parametrize(("share", "second"), [(0.0, 60), (0.3, 78)])
def test_the_first_epochs_train_in_both_directions(tmp_path, share, second):
    trainer = new_trainer(
        tmp_path / "run", both_directions=1, reversed_share=share, joint_vocabulary=True
    )
    take, pairs = trainer.train_step, Counter()

    def count_pairs(*batch):
        result = take(*batch)
        pairs[int(trainer.state.epoch)] += int(result.totals.pairs)
        return result

    trainer.train_step = count_pairs
    assert trainer.train()
    assert pairs == {0: 120, 1: second}


def test_a_skipped_step_is_not_logged(tmp_path, monkeypatch):
    logged = []
    log = "keras_transformer.training.trainer.log_step"
    monkeypatch.setattr(log, lambda step, *_: logged.append(step))
    trainer = new_trainer(tmp_path / "run", skip_bad_steps=2)
    spoil_steps(trainer, {0, 3})
    assert trainer.train()
    assert logged == list(range(1, trainer.state.step + 1))
