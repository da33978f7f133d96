"""The warning that a corpus has too few pairs."""

import pytest

from keras_transformer.config import Config
from keras_transformer.training.few_pairs import few_pairs_lines
from tests.training.toy_training import prepare, settings_for

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples")


@pytest.mark.parametrize(
    ("settings", "pairs", "is_reported"),
    [
        ({}, 4, True),
        ({"hours": 0.5}, 99, True),
        ({}, 100, False),
        ({"start_from": "x", "train": ("a",)}, 4, False),
    ],
)
def test_few_pairs_suffice_only_for_fine_tuning(settings, pairs, is_reported):
    training = Config().with_settings(settings).training
    assert bool(few_pairs_lines(training, pairs)) == is_reported


def test_training_on_few_pairs_is_reported(tmp_path, capsys, monkeypatch):
    prepare(monkeypatch, settings_for(tmp_path, epochs=1), tmp_path / "run")
    assert "run: training has only 54 pairs: " in capsys.readouterr().out
