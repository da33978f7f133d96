"""Fixtures for tests that train."""

import shutil
from pathlib import Path

import pytest

from keras_transformer.training import corpora, session, trainer
from keras_transformer.training.session import train
from keras_transformer.training.validation import Validator
from tests.conftest import toy_pairs, write_pairs
from tests.training.reuse import POOL
from tests.training.toy_training import NoSamples, settings_for


@pytest.fixture
def reused_learners():
    """Let trainers use learners that are traced already. No two trainers of a test share one."""
    with POOL.lending():
        yield


@pytest.fixture
def no_samples(monkeypatch):
    """Let trainers write no samples for TensorBoard."""
    monkeypatch.setattr(trainer, "Samples", NoSamples)


@pytest.fixture
def no_finish(monkeypatch):
    """Let `train` end after the last epoch, without what finishes a run and takes seconds.

    The decoding is not selected, the confidence not calibrated, and no gain reported. The BLEU of
    the validation pairs is 0 without a search.
    """
    monkeypatch.setattr(session, "finish", lambda *_: None)
    monkeypatch.setattr(Validator, "sample_bleu", lambda _: 0.0)


@pytest.fixture(scope="session")
def one_epoch(tmp_path_factory):
    """The settings and the directory of a run that was trained for an epoch."""
    home = tmp_path_factory.mktemp("one_epoch")
    settings = settings_for(home, epochs=1)
    with POOL.lending():
        assert train(settings, home / "run").finished
    return settings, home / "run"


@pytest.fixture
def trained(one_epoch, tmp_path):
    """Copies of these: a run that the test may change."""
    settings, directory = one_epoch
    return dict(settings), Path(shutil.copytree(directory, tmp_path / "run"))


@pytest.fixture
def mine(tmp_path):
    """A file of new pairs."""
    return write_pairs(tmp_path / "mine.tsv", toy_pairs(40, seed=9))


@pytest.fixture
def tuning(small_run, mine, monkeypatch):
    """Settings of a short fine-tuning, in which few pairs are not repeated."""
    monkeypatch.setattr(corpora, "MIN_NEW_PAIRS", 1)
    rates = {"warmup_steps": 1000, "decay_epochs": 0}
    return {"start_from": str(small_run), "train": (mine,), "epochs": 1} | rates
