"""Training by the clock."""

import pytest

from keras_transformer.runs.run import Run
from keras_transformer.training import budget
from keras_transformer.training.budget import Budget
from tests.training.toy_training import interrupt_at, new_trainer, reopened

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples")
# Of 790 s, 230 s are reserved for the end: 30 s and 10 steps of 20 s. 560 s are left: 28 steps.
BUDGET = {"hours": 790 / 3600, "epochs": 1000, "patience": 0}


@pytest.fixture(autouse=True)
def ten_steps_at_the_end(monkeypatch):
    """Reserve the time of ten steps, so that a training with few steps has time left."""
    monkeypatch.setattr(budget, "FINISH_STEPS", 10)


class Clock:
    """A clock that stands still, except that each training step takes a fixed time.

    Args:
        trainer: a `Trainer`.
        duration: seconds that a step takes.

    Attributes:
        seconds: the time.
        rates: the learning rate of each step.
    """

    def __init__(self, trainer, duration=20):
        self.seconds = 0.0
        self.rates = []
        trainer.pace.budget.clock = lambda: self.seconds
        trainer.pace.budget.begin = 0.0
        take = trainer.train_step

        def step(*batch):
            self.seconds += duration
            self.rates.append(float(trainer.optimizer.learning_rate))
            return take(*batch)

        trainer.train_step = step


def factors(trainer, clock):
    """Return the factors by which the clock changed the learning rate of each step."""
    schedule = trainer.pace._schedule.schedule
    return [rate / float(schedule(step)) for step, rate in enumerate(clock.rates)]


def test_training_ends_with_the_time_until_the_budget_is_larger(tmp_path):
    """The learning rate falls after 70 % of the time, and would be 0 at the end."""
    trainer = new_trainer(tmp_path / "run", **BUDGET)
    clock = Clock(trainer)
    assert trainer.train()
    assert trainer.finished
    assert len(clock.rates) in {28, 29}
    assert trainer.state.step == len(clock.rates)
    assert float(trainer.state.elapsed) == clock.seconds
    found = factors(trainer, clock)
    assert found[:20] == pytest.approx([1.0] * 20)
    for step in (20, 24, 27):
        assert found[step] == pytest.approx((1 - 20 * step / 560) / 0.3, abs=0.01)

    again = reopened(trainer)
    assert again.restore()
    assert again.finished

    Run.create(tmp_path / "run", trainer.run.config.with_settings({"hours": 1150 / 3600}))
    again = reopened(trainer)
    assert again.restore()
    assert not again.finished
    second = Clock(again)
    assert again.train()
    assert 46 <= len(clock.rates) + len(second.rates) <= 48  # 920 s


def resumed_after(steps, directory):
    """Return a training that was interrupted after some steps and is restored, and its clock."""
    trainer = new_trainer(directory, **BUDGET)
    Clock(trainer)
    assert not interrupt_at(trainer, steps).train()
    again = reopened(trainer)
    assert again.restore()
    return again, Clock(again)


def test_an_interrupted_run_keeps_the_time_that_it_used(tmp_path):
    again, clock = resumed_after(8, tmp_path / "run")
    assert again.train()
    assert len(clock.rates) in {20, 21}


def test_the_step_that_is_compiled_does_not_end_a_resumed_training(tmp_path):
    """It takes 60 s instead of 20. After 360 + 60 of 560 s, there is time for 7 more steps."""
    again, clock = resumed_after(18, tmp_path / "run")
    take = again.train_step

    def compile_first(*batch):
        clock.seconds += 0 if clock.rates else 40
        return take(*batch)

    again.train_step = compile_first
    assert again.train()
    assert len(clock.rates) in {8, 9}


def test_reversed_pairs_belong_to_the_first_60_percent_of_the_time(tmp_path):
    settings = {"joint_vocabulary": True, "both_directions": 1000}
    trainer = new_trainer(tmp_path / "run", **BUDGET | {"hours": 650 / 3600}, **settings)
    clock = Clock(trainer, duration=6)  # 560 s are left for training, as with the steps above
    epochs = []
    begin = trainer.pace.begin_epoch

    def begin_epoch():
        begin()
        epochs.append((clock.seconds / 560, trainer._pairs_of_epoch))

    trainer.pace.begin_epoch = begin_epoch
    trainer.train()
    assert {pairs for fraction, pairs in epochs if fraction < 0.58} == {120}
    assert {pairs for fraction, pairs in epochs if fraction > 0.62} == {60}


def test_the_epochs_limit_the_training_too(tmp_path):
    trainer = new_trainer(tmp_path / "run", hours=1.0, epochs=1, patience=0)
    trainer.pace.budget = Budget(1.0, clock=lambda: 0.0)
    assert trainer.train()
    assert int(trainer.state.epoch) == 1
    assert trainer.finished


def test_more_epochs_continue_a_run_whose_epochs_ended_before_its_time(tmp_path):
    trainer = new_trainer(tmp_path / "run", hours=1.0, epochs=1, patience=0)
    Clock(trainer)
    trainer.train()
    Run.create(tmp_path / "run", trainer.run.config.with_settings({"epochs": 2}))
    again = reopened(trainer)
    assert again.restore()
    assert not again.finished
    Clock(again)
    assert again.train()
    assert int(again.state.epoch) == 2
    assert not again.time_is_up


def test_the_last_of_many_epochs_is_trained(tmp_path):
    """After 249 of 250 epochs, 99.6 % of the epochs are complete, but not of the time."""
    trainer = new_trainer(tmp_path / "run", hours=1.0, epochs=250, patience=0)
    trainer.pace.budget = Budget(1.0, clock=lambda: 0.0)
    trainer.state.epoch.assign(249)
    trainer.pace.end_epoch()
    assert not trainer.finished


def test_the_only_step_of_each_epoch_is_measured(tmp_path):
    trainer = new_trainer(tmp_path / "run", **BUDGET, batch_size=1000)
    clock = Clock(trainer)
    assert trainer.train()
    assert int(trainer.state.epoch) == len(clock.rates)
    assert trainer.pace.budget.step_seconds == 20
