"""The fixture for tests that train."""

import pytest

from keras_transformer.training import trainer
from tests.training.reuse import Pool
from tests.training.toy_training import NoSamples

POOL = Pool()


@pytest.fixture
def reused_learners(monkeypatch):
    """Let trainers use learners that are traced already. No two trainers of a test share one."""
    monkeypatch.setattr(trainer, "make_learner", POOL.learner)
    monkeypatch.setattr(trainer, "Translator", POOL.translator)
    yield
    POOL.take_back()


@pytest.fixture
def no_samples(monkeypatch):
    """Let trainers write no samples for TensorBoard."""
    monkeypatch.setattr(trainer, "Samples", NoSamples)
