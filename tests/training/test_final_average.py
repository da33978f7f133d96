"""The average of the last epochs."""

import re

import pytest
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.runs.averaging import assign_average
from keras_transformer.runs.checkpoints import latest_checkpoint, named_variables, restore
from keras_transformer.runs.run import Run
from tests.training.toy_training import (
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


def test_interruptions_do_not_change_the_average(tmp_path):
    """States within an epoch are not averaged."""
    whole = new_trainer(tmp_path / "whole", epochs=3, average_last=2, keep_checkpoints=1)
    assert whole.train()
    part = new_trainer(
        tmp_path / "part", epochs=3, average_last=2, keep_checkpoints=2, save_every=1
    )
    for step in (2, whole.state.step - 1):
        assert not interrupt_at(part, step).train()
        part = reopened(part)
    assert part.train()
    averages = [values(whole.model), values(part.model)]
    for trainer, average in zip((whole, part), averages, strict=True):
        path = latest_checkpoint(trainer.run.directory / "average")
        restore(path, named_variables(trainer.model))
        average |= values(trainer.model)
    assert_equal(*averages)


@pytest.mark.parametrize(
    ("scores", "mean_is_best", "best_bleu"),
    [([9.0, 6.0, 5.0], True, 5), ([5.0, 6.0, 9.0], False, 6)],
)
def test_the_average_becomes_the_best_if_its_loss_is_lower(
    tmp_path, capsys, scores, mean_is_best, best_bleu
):
    """BLEU does not matter. The loss still falls, so that of the mean is between the epochs'."""
    trainer = new_trainer(tmp_path / "run", average_last=2)
    set_scores(trainer, scores)
    assert trainer.train()
    assert trainer.finished
    losses = re.findall(r"validation loss ([0-9.]+)", capsys.readouterr().out)
    first, last, mean = map(float, losses)
    assert first > mean > last
    newest = values(trainer.model)
    averaged = tf.train.latest_checkpoint(tmp_path / "run" / "average")
    restore(averaged, named_variables(trainer.model))
    assert_equal(best_values(trainer.run), values(trainer.model) if mean_is_best else newest)
    assert float(trainer.state.best_bleu) == best_bleu


def test_after_averaging_a_longer_training_resumes_from_the_newest_state(tmp_path):
    trainer = new_trainer(tmp_path / "run", average_last=2)
    set_scores(trainer, [9.0, 6.0, 8.0])
    assert trainer.train()
    state = values(trainer.model)

    other = reopened(trainer)
    assert other.finished
    assert_equal(values(other.model), state)
    assert float(other.state.best_bleu) == 8
    longer = make_trainer(
        Run.create(tmp_path / "run", other.run.config.with_settings({"epochs": 3}))
    )
    assert longer.state.restore()
    assert not longer.finished
    set_scores(longer, [7.0, 5.0])
    assert longer.train()
    assert int(longer.state.epochs_since_best) == 2, "7 is not better than the 8 of the average"


def test_a_training_that_is_shortened_within_an_epoch_is_averaged_once(tmp_path):
    """Its newest state is within the third of two epochs."""
    one = new_trainer(tmp_path / "one", epochs=1)
    assert one.train()
    part = new_trainer(tmp_path / "run", epochs=3, average_last=2)
    assert not interrupt_at(part, 2 * one.state.step + 1).train()
    shorter = make_trainer(
        Run.create(tmp_path / "run", part.run.config.with_settings({"epochs": 2}))
    )
    assert shorter.state.restore()
    assert shorter.train()
    assert shorter.finished
    assert int(shorter.state.batch) == 0
    assert reopened(shorter).finished, "the average is that of the step at which training ended"


def test_without_the_end_of_an_epoch_there_is_nothing_to_average(tmp_path):
    """Only states within the second epoch are kept, and then the run gets one epoch."""
    one = new_trainer(tmp_path / "one", epochs=1)
    assert one.train()
    part = new_trainer(tmp_path / "run", epochs=3, keep_checkpoints=1, save_every=1)
    assert not interrupt_at(part, one.state.step + 2).train()
    settings = {"epochs": 1, "average_last": 1}
    shorter = make_trainer(Run.create(tmp_path / "run", part.run.config.with_settings(settings)))
    assert shorter.state.restore()
    with pytest.raises(UserError, match="no intact state from the end of an epoch"):
        shorter.train()


def test_a_damaged_state_is_left_out_of_the_average(tmp_path, caplog):
    """Its progress can still be read. Without it, the run could never end."""
    trainer = new_trainer(tmp_path / "run", epochs=3, average_last=3)
    set_scores(trainer, [9.0, 6.0, 5.0])  # no score for the average
    with pytest.raises(StopIteration):
        trainer.train()
    first, *others = trainer.state.states_to_average()
    data = first.with_name(f"{first.name}.data-00000-of-00001")
    content = bytearray(data.read_bytes())
    content[-200:] = bytes(200)
    data.write_bytes(content)
    other, wanted = reopened(trainer), reopened(trainer).model
    assign_average(wanted, others)
    expected = values(wanted)
    assert other.train()
    assert f"{first.name}: damaged" in caplog.text
    average = latest_checkpoint(tmp_path / "run" / "average")
    restore(average, named_variables(other.model))
    assert_equal(values(other.model), expected)


def test_an_interrupted_averaging_is_repeated(tmp_path):
    trainer = new_trainer(tmp_path / "run", average_last=2)
    set_scores(trainer, [9.0, 6.0])  # no score for the average
    with pytest.raises(StopIteration):
        trainer.train()
    other = reopened(trainer)
    assert not other.finished
    assert other.train()
    assert other.finished
    assert (tmp_path / "run" / "average" / "checkpoint").exists()
