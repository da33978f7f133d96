"""The report of BLEU before and after fine-tuning."""

import shutil

import numpy as np
import pytest

from keras_transformer.training import finishing, session
from keras_transformer.training.session import train
from keras_transformer.training.validation import Validator
from keras_transformer.translation.translator import Translator
from tests.training.toy_training import best_weights

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples")


def test_the_report_compares_the_weights_before_and_after(
    small_run, tuning, tmp_path, monkeypatch, capsys
):
    """The score of a network stands for BLEU: the sum of its weights."""

    def total(validator, pairs):
        weights = validator.translator.model.weights
        return float(sum(np.abs(weight.numpy()).sum() for weight in weights))

    monkeypatch.setattr(Validator, "bleu", total)
    train(tuning, tmp_path / "tuned")
    before, after = (
        sum(float(np.abs(weight).sum()) for weight in best_weights(directory))
        for directory in (small_run, tmp_path / "tuned")
    )
    lines = [line for line in capsys.readouterr().out.splitlines() if "fine-tuning, of" in line]
    assert ["(new)" in line for line in lines] == [True, False]
    assert ["(old)" in line for line in lines] == [False, True]
    for line in lines:
        assert f"BLEU {before:.2f} before, {after:.2f} after fine-tuning" in line


def test_the_chief_reports_without_the_other_workers(tuning, tmp_path, monkeypatch, capsys):
    """They wait meanwhile, and do not take part in what workers do together."""
    finish = session.finish

    def finish_alone(trainer, corpus):
        trainer.workers.share = None
        finish(trainer, corpus)

    monkeypatch.setattr(session, "finish", finish_alone)
    assert train(tuning, tmp_path / "tuned").finished
    assert "after fine-tuning" in capsys.readouterr().out


def test_a_run_is_complete_even_if_the_one_that_it_started_from_is_gone(
    small_run, tuning, tmp_path, monkeypatch, capsys
):
    start = shutil.copytree(small_run, tmp_path / "start")
    report = finishing.report_gain

    def delete_and_report(trainer, corpus):
        shutil.rmtree(start)
        report(trainer, corpus)

    monkeypatch.setattr(finishing, "report_gain", delete_and_report)
    more = {"start_from": str(start), "mix": 0.0}
    assert train(tuning | more, tmp_path / "tuned").finished
    assert "tuned: no BLEU before fine-tuning: " in capsys.readouterr().out
    assert Translator.load(tmp_path / "tuned").search is not None


@pytest.mark.parametrize(("module", "name"), [(session, "finish"), (finishing, "report_gain")])
def test_the_gain_is_reported_if_finishing_was_interrupted(
    tuning, tmp_path, monkeypatch, capsys, module, name
):
    def interrupted(trainer, corpus):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(module, name, interrupted)
        train(tuning, tmp_path / "tuned")
    assert "after fine-tuning" not in capsys.readouterr().out
    assert train(tuning, tmp_path / "tuned").was_finished
    assert "after fine-tuning" in capsys.readouterr().out


def test_a_finished_run_reports_no_gain_again(tuning, tmp_path, monkeypatch, capsys):
    train(tuning, tmp_path / "tuned")
    assert "after fine-tuning" in capsys.readouterr().out
    monkeypatch.setattr(finishing, "report_gain", None)
    assert train(tuning, tmp_path / "tuned").was_finished
