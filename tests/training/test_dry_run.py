"""Dry runs, and what they report."""

import pytest

from keras_transformer.errors import UserError
from keras_transformer.training.dry_run import dry_run
from keras_transformer.training.dry_run_report import describe
from keras_transformer.training.throughput import Throughput
from tests.training.toy_training import settings_for

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples")


def test_a_dry_run_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    settings = settings_for(tmp_path, epochs=3)
    before = sorted(tmp_path.rglob("*"))
    found = dry_run(settings)
    config = found.config
    assert sorted(tmp_path.rglob("*")) == before
    assert config.training.epochs == 3
    assert found.reasons == ()
    weights = found.measurement.throughput.weights
    assert weights > config.model.d_model * config.text.vocab_size
    text = "\n".join(describe(found))
    assert "validation: 6 pairs, held out from the others" in text
    for part in ("corpus: ", "source: ", "dropped: ", "network: ", "time: about"):
        assert part in text
    assert "training has only about" in describe(found)[-1]
    long = config.with_settings({"warmup_steps": 1, "epochs": 10_000})
    assert describe(found._replace(config=long))[-1].startswith("time: about")
    rising = config.with_settings({"warmup_steps": 1_000})
    last = describe(found._replace(config=rising))[-1]
    assert "the learning rate rises for 1,000: more epochs" in last


def test_the_report_counts_the_steps_of_the_planned_batches(tmp_path, monkeypatch):
    """54 pairs are one batch of 73, but three of 24: 900 steps in 300 epochs, which are enough."""
    monkeypatch.setattr("keras_transformer.training.throughput.SECONDS", 0.0)
    settings = settings_for(tmp_path, hours=10.0, epochs=300, batching="fixed")
    for name in ("batch_size", "warmup_steps"):
        settings.pop(name)
    found = dry_run(settings)
    assert found.config.training.batch_size == 24
    assert found.measurement.throughput.steps_per_epoch == 3
    assert not [line for line in describe(found) if "training has only about" in line]


def test_pairs_with_empty_sides_cannot_be_planned(tmp_path):
    pairs = tmp_path / "empty.tsv"
    pairs.write_text("a b\t\n\tc d\n" * 20, encoding="utf-8")
    with pytest.raises(UserError, match="no sentence pairs left: all are empty or too long"):
        dry_run({"train": (str(pairs),), "validation": (str(pairs),), "hours": 1.0})


def test_the_time_is_compared_with_what_the_preparation_and_the_end_leave(tmp_path, monkeypatch):
    """Ten epochs of 15 s take 150 of 180 s, of which at least 30 + 9 are kept for the end."""
    throughput = Throughput(100, 0.15, weights=1, memory=1)
    monkeypatch.setattr("keras_transformer.training.measurement.measure", lambda *_: throughput)
    lines = describe(dry_run(settings_for(tmp_path, hours=0.05, epochs=10)))
    assert not [line for line in lines if "training ends early" in line]
    assert lines[-1] == "time: 0.05 hours, before the limit of 10 epochs"
    lines = describe(dry_run(settings_for(tmp_path, hours=0.1, epochs=10)))
    assert [line for line in lines if "at most 10, so training ends early" in line]
    assert lines[-1].startswith("time: about 2.5 minutes for at most 10 epochs")
