"""A training that is interrupted and resumed ends like one that is not."""

import errno
import shutil

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import RunMismatch, UserError
from keras_transformer.runs.checkpoints import named_variables, saved_checkpoints
from keras_transformer.runs.run import Run
from keras_transformer.runs.saving import Checkpoints
from keras_transformer.training.run_setup import existing_run
from tests.listed_pairs import ListedPairs
from tests.training.reuse import POOL
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

reuses_learners = pytest.mark.usefixtures("reused_learners")


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    with POOL.lending():
        trainer = new_trainer(tmp_path_factory.mktemp("runs") / "whole")
        assert trainer.train()
    assert trainer.state.step > 8, "too few steps: the interruptions below would coincide"
    return values(trainer.model), trainer.state.step


@reuses_learners
def test_interrupted_training_ends_with_the_same_weights(tmp_path, uninterrupted):
    wanted, steps = uninterrupted
    trainer = new_trainer(tmp_path / "run")
    at = {"first": 1, "within an epoch": steps // 4, "end of an epoch": steps // 2, "late": 8}
    for step in at.values():
        assert not interrupt_at(trainer, step).train()
        assert trainer.state.step == step < steps
        trainer = reopened(trainer)
        assert trainer.state.step == step
    assert trainer.train()
    assert trainer.state.step == steps
    assert_equal(values(trainer.model), wanted)


@reuses_learners
def test_a_killed_training_resumes_from_its_last_checkpoint(tmp_path, uninterrupted):
    wanted, steps = uninterrupted
    trainer = new_trainer(tmp_path / "run", save_every=2)
    take = trainer.train_step

    def step_or_die(*batch):
        if trainer.state.step == 3:
            raise MemoryError
        return take(*batch)

    trainer.train_step = step_or_die
    with pytest.raises(MemoryError):
        trainer.train()
    trainer = reopened(trainer)
    assert trainer.state.step == 2
    assert trainer.train()
    assert trainer.state.step == steps
    assert_equal(values(trainer.model), wanted)


@reuses_learners
@pytest.mark.parametrize("both", [{"both_directions": 1}, {"reversed_share": 0.5}])
def test_training_in_both_directions_resumes_too(tmp_path, both):
    both |= {"joint_vocabulary": True}
    whole = new_trainer(tmp_path / "whole", **both)
    assert whole.train()
    part = interrupt_at(new_trainer(tmp_path / "part", **both), 3)
    assert not part.train()
    part = reopened(part)
    assert part.train()
    assert_equal(values(part.model), values(whole.model))


@reuses_learners
def test_totals_of_an_epoch_are_restored(tmp_path):
    trainer = interrupt_at(new_trainer(tmp_path / "run"), 3)
    trainer.train()
    totals = reopened(trainer).state.epoch_totals
    assert totals == trainer.state.epoch_totals
    assert totals.tokens > 0


@reuses_learners
def test_a_checkpoint_has_the_documented_content(tmp_path):
    """Weights, random states, optimizer and progress, under names that never change."""
    trainer = interrupt_at(new_trainer(tmp_path / "run"), 1)
    trainer.train()
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(tmp_path / "run"))
    names = {name.split("/.ATTRIBUTES")[0] for name in reader.get_variable_to_shape_map()}
    progress = {"epoch", "batch", "totals", "corpus_size", "epochs_since_best"}
    progress |= {"best_bleu", "best_loss", "skipped_steps", "elapsed", "fraction", "used_up"}
    expected = {*named_variables(trainer.model), *(f"progress/{name}" for name in progress)}
    expected |= {variable.path for variable in trainer.optimizer.variables}
    expected = {f"variables/{name.replace('/', '.S')}" for name in expected}
    assert names - {"_CHECKPOINTABLE_OBJECT_GRAPH"} == expected
    assert reader.get_tensor("variables/progress.Scorpus_size/.ATTRIBUTES/VARIABLE_VALUE") == 60


@reuses_learners
def test_another_corpus_does_not_resume(tmp_path):
    interrupt_at(new_trainer(tmp_path / "run"), 3).train()
    other_corpus = CORPUS._replace(train=ListedPairs(CORPUS.train.pairs[:50]))
    other = make_trainer(Run.open(tmp_path / "run"), other_corpus)
    message = "started with 60 training pairs, but there are 50 now"
    with pytest.raises(RunMismatch, match=message):
        other.state.restore()


@reuses_learners
def test_a_new_run_has_nothing_to_restore(tmp_path):
    assert not new_trainer(tmp_path / "run").state.restore()


@reuses_learners
def test_old_checkpoints_are_removed(tmp_path):
    trainer = new_trainer(tmp_path / "run", epochs=5, keep_checkpoints=2, patience=0)
    trainer.train()
    directory = trainer.run.directory
    assert len(list(directory.glob("ckpt-*.index"))) == 2
    assert len(list((directory / "best").glob("ckpt-*.index"))) == 1


def set_weights(trainer, value):
    for variable in trainer.model.trainable_variables:
        variable.assign(np.full(variable.shape, value))


@reuses_learners
def test_only_better_scores_save_the_best_weights(tmp_path):
    """BLEU decides, and between equal BLEUs the loss. A BLEU below 1 is due to chance."""
    trainer = new_trainer(tmp_path / "run")
    state, best = trainer.state, None
    scores = [(0.0, 4.0), (0.0, 3.5), (0.9, 3.6), (0.9, 3.5), (0.3, 3.4), (6.0, 9.0), (5.9, 1.0)]
    since_best = []
    for number, (bleu, loss) in enumerate(scores):
        set_weights(trainer, number)
        state.end_validation(bleu, loss)
        since_best.append(int(state.epochs_since_best))
        best = values(trainer.model) if number in (0, 1, 4, 5) else best
        assert_equal(best_values(trainer.run), best)
    assert since_best == [0, 0, 1, 2, 0, 0, 1]
    assert (float(state.best_bleu), float(state.best_loss)) == (6, 9)


@pytest.fixture
def validated(tmp_path, reused_learners):
    """A run with a training state of weights 2, and with best weights 1."""
    trainer = new_trainer(tmp_path / "run")
    set_weights(trainer, 1)
    trainer.state.end_validation(7.0, 3.0)
    set_weights(trainer, 2)
    trainer.state.save()
    return trainer


@reuses_learners
def test_the_first_best_weights_are_restored_if_only_the_state_was_saved(tmp_path, monkeypatch):
    """The disk is full, or the process is killed, between the two saves."""
    trainer = new_trainer(tmp_path / "run")
    with monkeypatch.context() as patch:
        patch.setattr(trainer.state._best, "_write", fill_disk)
        with pytest.raises(UserError, match="best/ckpt-.* No space left on device; ckpt-"):
            trainer.train()
    assert existing_run(tmp_path / "run"), "it can be resumed"
    assert_equal(best_values(trainer.run), values(trainer.model))
    other = reopened(trainer)
    assert_equal(best_values(trainer.run), values(trainer.model))
    assert float(other.state.best_loss) == float(trainer.state.best_loss) < np.inf
    assert saved_checkpoints(tmp_path / "run" / "best")


def fill_disk(_):
    raise OSError(errno.ENOSPC, "No space left on device")


@reuses_learners
def test_a_run_whose_first_state_cannot_be_saved_starts_again(tmp_path, monkeypatch):
    trainer = new_trainer(tmp_path / "run")
    monkeypatch.setattr(trainer.state._newest, "_write", fill_disk)
    with pytest.raises(UserError, match="No space left on device; no state was saved before"):
        trainer.train()
    assert existing_run(tmp_path / "run") is None


@reuses_learners
def test_later_best_weights_are_saved_before_the_state(tmp_path, monkeypatch):
    """A state must not contain a score whose weights are not saved."""
    trainer = new_trainer(tmp_path / "run")
    set_scores(trainer, [5.0, 9.0])

    def save_once(path):
        if int(trainer.state.epoch) == 2:
            fill_disk(path)
        Checkpoints._write(trainer.state._best, path)

    monkeypatch.setattr(trainer.state._best, "_write", save_once)
    with pytest.raises(UserError, match="best/ckpt-.*: cannot be saved"):
        trainer.train()
    other = reopened(trainer)
    assert (int(other.state.epoch), float(other.state.best_bleu)) == (1, 5)


def test_a_run_with_damaged_best_weights_does_not_resume(validated):
    """It could end without a better epoch, and translate.py would have no weights."""
    best = validated.run.directory / "best"
    [data] = best.glob("*.data-*")
    data.write_bytes(data.read_bytes()[:500])
    with pytest.raises(UserError, match=f"damaged, or .*; delete {best} to use the newest"):
        validated.state.restore()
    for file in best.iterdir():
        file.unlink()
    with pytest.raises(UserError, match="damaged: there is no checkpoint; delete"):
        validated.state.restore()


def test_the_newest_weights_replace_deleted_best_weights(validated, caplog):
    shutil.rmtree(validated.run.directory / "best")
    assert validated.state.restore()
    assert "best: missing; using the weights of step 0 instead" in caplog.text
    assert np.all(validated.model.trainable_variables[0].numpy() == 2)
    assert_equal(best_values(validated.run), values(validated.model))
    again = new_trainer(validated.run.directory)
    assert again.state.restore()
    assert float(again.state.best_bleu) == -1, "the score of the deleted weights was saved"
    validated.state.end_validation(0.0, 9.0)
    assert float(validated.state.best_bleu) == 0
