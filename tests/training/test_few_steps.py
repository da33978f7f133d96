"""The warning that a training has too few steps."""

import pytest

from keras_transformer.config import Config
from keras_transformer.training.few_steps import few_steps_lines
from tests.training.toy_training import prepare, settings_for

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples")


@pytest.mark.parametrize(("warmup_steps", "is_reported"), [(10_000, True), (2, False)])
def test_a_warmup_that_is_longer_than_the_training_is_reported(
    tmp_path, capsys, monkeypatch, warmup_steps, is_reported
):
    settings = settings_for(tmp_path, epochs=1, warmup_steps=warmup_steps)
    prepare(monkeypatch, settings, tmp_path / "run")
    text = f"the learning rate rises for {warmup_steps:,}: more epochs or smaller batches are"
    assert (text in capsys.readouterr().out) == is_reported


@pytest.mark.parametrize(
    ("settings", "steps", "time_is_short", "line"),
    [
        ({}, 500, False, None),
        (
            {},
            499,
            False,
            "training has only about 499 steps: more epochs or smaller batches are needed",
        ),
        (
            {"hours": 0.02},
            9,
            True,
            "training has only about 9 steps, and the learning rate rises for 10: more time is",
        ),
        (
            {"hours": 0.02},
            9,
            False,
            "training has only about 9 steps, and the learning rate rises for 10: more epochs or",
        ),
        ({"start_from": "x", "train": ("a",)}, 20, False, None),
        ({"warmup_steps": 500}, 500, False, "training has only about 500 steps, and the learning"),
    ],
)
def test_few_steps_suffice_only_for_fine_tuning(settings, steps, time_is_short, line):
    training = Config().with_settings({"warmup_steps": 10} | settings).training
    lines = few_steps_lines(training, steps, time_is_short)
    assert [found.startswith(line or "") for found in lines] == ([True] if line else [])
