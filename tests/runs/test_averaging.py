import json
import shutil

import numpy as np
import pytest

from keras_transformer.errors import UserError
from keras_transformer.runs.averaging import average
from keras_transformer.runs.checkpoints import (
    latest_checkpoint,
    named_variables,
    restore,
    saved_checkpoints,
)
from keras_transformer.runs.run import Run, newest_run
from keras_transformer.training.session import train
from keras_transformer.translation.translator import Translator
from tests.conftest import SMALL, toy_pairs, write_pairs


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of three epochs, with a checkpoint of each, whose mean was tried at the end."""
    home = tmp_path_factory.mktemp("averaging")
    pairs = write_pairs(home / "pairs.tsv", toy_pairs(60))
    assert train(SMALL | {"train": (pairs,), "epochs": 3, "average_last": 2}, home / "run")
    return Run.open(home / "run")


def weights(model, path):
    restore(path, named_variables(model))
    return [variable.numpy() for variable in model.trainable_variables]


def mean(run, paths):
    """The mean by NumPy."""
    model = run.build_model(*run.subwords())
    return [np.mean(each, axis=0) for each in zip(*(weights(model, p) for p in paths), strict=True)]


def assert_weights(directory, run, wanted):
    model = run.build_model(*run.subwords())
    found = weights(model, latest_checkpoint(directory))
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_training_ends_with_the_mean_of_the_newest(run):
    paths = saved_checkpoints(run.directory)
    assert len(paths) == 3, "keep_checkpoints is more than average_last"
    assert_weights(run.directory / "average", run, mean(run, paths[-2:]))


@pytest.mark.parametrize("last", [None, 1, 3])
def test_a_run_is_made_that_translates(run, tmp_path, last):
    paths = average(run.directory, tmp_path / "mean", last)
    assert paths == saved_checkpoints(run.directory)[-(last or 3) :]
    assert_weights(tmp_path / "mean" / "best", run, mean(run, paths))
    [[translation]] = Translator.load(tmp_path / "mean").translate(["ba be"])
    assert translation.ids
    made = Run.open(tmp_path / "mean")
    assert (made.examples(), made.calibration()) == (run.examples(), run.calibration())
    assert made.words() == run.words() is not None


def test_a_run_that_is_made_is_not_the_default(run, tmp_path):
    shutil.copytree(run.directory, tmp_path / "trained")
    paths = average(tmp_path / "trained", tmp_path / "mean", 2)
    assert newest_run(tmp_path) == tmp_path / "trained"
    origin = json.loads((tmp_path / "mean" / "config.json").read_text())["mean_of"]
    assert origin == {
        "run": str(tmp_path / "trained"),
        "checkpoints": [path.name for path in paths],
    }
    assert Run.open(tmp_path / "mean").config == run.config


def test_what_cannot_be_averaged(run, tmp_path):
    with pytest.raises(UserError, match="it has 3 checkpoints, so --last cannot be 4"):
        average(run.directory, tmp_path / "mean", 4)
    with pytest.raises(UserError, match="is there already"):
        average(run.directory, tmp_path)
    with pytest.raises(UserError, match="no run here"):
        average(tmp_path, tmp_path / "mean")
    Run.create(tmp_path / "empty", run.config)
    with pytest.raises(UserError, match="no checkpoints to average"):
        average(tmp_path / "empty", tmp_path / "mean")
