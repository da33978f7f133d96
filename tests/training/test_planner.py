"""New runs with a time budget."""

import pytest

from keras_transformer.errors import UserError
from keras_transformer.runs.layout import LOCK
from keras_transformer.runs.run import Run
from keras_transformer.training.dry_run import dry_run
from keras_transformer.training.planning import Plan
from keras_transformer.training.session import train
from keras_transformer.training.validation import Validator
from tests.training.toy_training import settings_for

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples", "no_finish")


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


def test_a_budget_for_few_steps_is_reported(tmp_path, capsys, monkeypatch):
    """The epochs of the toy corpus have two steps."""
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    monkeypatch.setattr(Validator, "sample_bleu", lambda _: 0.0)
    settings = settings_for(tmp_path, epochs=1, hours=0.1, warmup_steps=100_000)
    train(settings, tmp_path / "run")
    output = capsys.readouterr().out
    assert output.count("the learning rate rises for 100,000") == 1
    assert "rises for 100,000: more epochs or smaller batches are needed" in output


def test_a_limit_of_epochs_is_not_reported_as_a_lack_of_time(tmp_path, monkeypatch):
    """Ten hours are enough for two epochs of a few steps."""
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    reasons = dry_run(settings_for(tmp_path, epochs=2, hours=10.0)).reasons
    assert any("at most 2, so training ends early" in line for line in reasons)
    assert reasons[-1].endswith("more epochs or smaller batches are needed")


def test_a_budget_that_the_preparation_uses_up_is_an_error_and_leaves_nothing(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    monkeypatch.setattr("keras_transformer.training.budget.FINISH_SECONDS", 36.0)
    monkeypatch.setattr("keras_transformer.training.budget.MAX_RESERVE", 1.0)
    settings = settings_for(tmp_path, hours=0.01)  # 36 seconds: all of it is reserved
    with pytest.raises(UserError, match=r"hours must be more than 0\.01: no time is left"):
        train(settings, tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == [LOCK]


def test_the_plan_leaves_out_the_time_that_the_pairs_need_at_the_end(tmp_path, monkeypatch):
    """200 seconds for each of 54 pairs, besides 30 seconds: 25,170 of 36,000 are left at most."""
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    monkeypatch.setattr("keras_transformer.training.budget.FINISH_SECONDS_PER_PAIR", 200.0)
    seconds = []

    def plan(basis):
        seconds.append(basis.seconds)
        return Plan({})

    monkeypatch.setattr("keras_transformer.training.planner.plan_training", plan)
    dry_run(settings_for(tmp_path, hours=10.0))
    assert 18_000 <= seconds[0] < 25_170  # at least half of the budget
