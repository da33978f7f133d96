"""What is reported when training begins, resumes and ends."""

from dataclasses import replace

import pytest

from keras_transformer.errors import TrainingDiverged
from keras_transformer.runs.checkpoints import saved_checkpoints
from keras_transformer.runs.run import Run
from keras_transformer.training.objective import Totals
from keras_transformer.training.session import Result, train
from keras_transformer.training.validation import Validator
from tests.training.toy_training import settings_for

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples")


def test_training_is_resumed_and_reported(tmp_path, capsys):
    settings, directory = settings_for(tmp_path), tmp_path / "run"
    result = train(settings, directory)
    example = Run.open(directory).examples()[0]
    assert result == Result(directory, finished=True, example=example, epochs_were_up=True)
    *_, finished, selected = capsys.readouterr().out.splitlines()
    assert "finished after step" in finished
    assert "best validation BLEU with length penalty" in selected
    assert (directory / "calibration.json").is_file()
    assert list((directory / "logs").iterdir())
    assert train(settings, directory) == replace(result, was_finished=True)
    assert "already finished, after epoch 2" in capsys.readouterr().out
    assert not train(settings | {"epochs": 3}, directory).was_finished
    out = capsys.readouterr().out
    assert "resuming after step" in out
    assert "in epoch 3/3" in out
    assert train({"epochs": 3}, directory).was_finished, "other settings are those of the run"


@pytest.mark.usefixtures("no_finish")
def test_early_stopping_is_reported(tmp_path, capsys, monkeypatch):
    scores = iter([9.0, 8.0, 7.0, 6.0])
    monkeypatch.setattr(Validator, "sample_bleu", lambda _: next(scores))
    monkeypatch.setattr("keras_transformer.training.trainer.MIN_STEPS", 0)
    settings = settings_for(tmp_path, epochs=9, patience=2)
    assert train(settings, tmp_path / "run").stopped_early
    out = capsys.readouterr().out
    assert "stopped early, after epoch 3 of 9: no better weights in 2 epochs" in out
    assert not train(settings | {"patience": 0, "epochs": 4}, tmp_path / "run").stopped_early


def test_diverging_training_gives_advice_and_keeps_the_good_states(trained):
    settings, directory = trained
    before = saved_checkpoints(directory)
    run = Run.open(directory)
    spoil = {"epochs": 2}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Validator, "totals", lambda _: Totals(loss=float("nan"), tokens=1))
        with pytest.raises(TrainingDiverged, match="nan: nothing was saved, .* only skips steps"):
            train(settings | spoil, directory)
    assert saved_checkpoints(directory) == before
    assert train(settings, directory).was_finished
    assert Run.open(directory).manifest.identity == run.manifest.identity
