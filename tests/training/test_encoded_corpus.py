"""The pairs of a run, encoded before training."""

import pytest

from keras_transformer.errors import UserError
from keras_transformer.text.encoding import Encoding
from keras_transformer.training.session import train
from tests.training.toy_training import settings_for

pytestmark = pytest.mark.usefixtures("reused_learners", "no_samples", "no_finish")


def test_every_pair_is_encoded_once_for_all_epochs(tmp_path, monkeypatch):
    encode, counts = Encoding.encode, []

    def count_and_encode(encoding, pairs):
        counts.append(len(pairs))
        return encode(encoding, pairs)

    monkeypatch.setattr(Encoding, "encode", count_and_encode)
    settings, directory = settings_for(tmp_path, epochs=2), tmp_path / "run"
    assert train(settings, directory).finished
    assert sum(counts) == 60, "the training and the validation pairs"
    assert not train(settings | {"epochs": 4}, directory).was_finished
    assert sum(counts) == 60, "the ids are read from the run directory"


def test_pairs_that_are_all_too_long_are_an_error(tmp_path):
    with pytest.raises(UserError, match="all are empty or too long"):
        train(settings_for(tmp_path, max_source_length=3), tmp_path / "run")
