import json
import shutil

import numpy as np
import pytest

from keras_transformer.errors import NoRun, PathTaken, UserError
from keras_transformer.runs import averaging
from keras_transformer.runs.averaging import assign_average, average
from keras_transformer.runs.checkpoints import (
    epoch_ends,
    latest_checkpoint,
    named_variables,
    restore,
    saved_checkpoints,
)
from keras_transformer.runs.directories import newest_run
from keras_transformer.runs.run import Run
from keras_transformer.training import session
from keras_transformer.training.session import train
from tests.conftest import SMALL, toy_pairs, write_pairs
from tests.training.reuse import POOL


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of three epochs with a checkpoint of each, which were averaged at the end."""
    home = tmp_path_factory.mktemp("averaging")
    pairs = write_pairs(home / "pairs.tsv", toy_pairs(60))
    settings = SMALL | {"train": (pairs,), "epochs": 3, "average_last": 2}
    with POOL.lending():
        assert train(settings, home / "run").finished
    return Run.open(home / "run")


def weights(model, path):
    restore(path, named_variables(model))
    return [variable.numpy() for variable in model.trainable_variables]


def mean(run, paths):
    """Return the mean, computed by NumPy."""
    model = run.build_model(*run.subwords())
    return [np.mean(each, axis=0) for each in zip(*(weights(model, p) for p in paths), strict=True)]


def assert_weights(directory, run, wanted):
    model = run.build_model(*run.subwords())
    found = weights(model, latest_checkpoint(directory))
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_training_ends_with_the_average_of_the_newest_checkpoints(run):
    paths = saved_checkpoints(run.directory)
    assert len(paths) == 3, "keep_checkpoints is greater than average_last"
    assert_weights(run.directory / "average", run, mean(run, paths[-2:]))


@pytest.mark.parametrize("last", [None, 1, 3])
def test_an_average_has_the_files_of_its_run(run, tmp_path, last):
    paths = average(run.directory, tmp_path / "mean", last)
    assert paths == saved_checkpoints(run.directory)[-(last or 3) :]
    assert_weights(tmp_path / "mean" / "best", run, mean(run, paths))
    made = Run.open(tmp_path / "mean")
    assert (made.examples(), made.calibration()) == (run.examples(), run.calibration())
    assert made.decoding() == run.decoding() is not None
    assert made.words() == run.words() is not None


def test_a_training_may_remove_what_belongs_to_earlier_weights_meanwhile(
    run, tmp_path, monkeypatch
):
    def assign(*arguments):
        Run.open(tmp_path / "run").remove_decoding()
        assign_average(*arguments)

    shutil.copytree(run.directory, tmp_path / "run")
    monkeypatch.setattr(averaging, "assign_average", assign)
    average(tmp_path / "run", tmp_path / "mean")
    names = {path.name for path in Run.open(tmp_path / "mean").other_files()}
    assert "lexicon.npz" in names
    assert "decoding.json" not in names


def test_an_average_records_its_origin_and_is_never_the_newest_run(run, tmp_path):
    shutil.copytree(run.directory, tmp_path / "trained")
    paths = average(tmp_path / "trained", tmp_path / "mean", 2)
    assert newest_run(tmp_path) == tmp_path / "trained"
    origin = json.loads((tmp_path / "mean" / "config.json").read_text())["mean_of"]
    assert origin == {
        "run": str(tmp_path / "trained"),
        "checkpoints": [path.name for path in paths],
    }
    assert Run.open(tmp_path / "mean").config == run.config


def test_checkpoints_within_epochs_are_averaged_on_request(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "finish", lambda *_: None)
    pairs = write_pairs(tmp_path / "pairs.tsv", toy_pairs(60))
    settings = SMALL | {"train": (pairs,), "epochs": 1, "save_every": 2, "keep_checkpoints": 9}
    with POOL.lending():
        assert train(settings, tmp_path / "run").finished
    run = Run.open(tmp_path / "run")
    paths = average(run.directory, tmp_path / "mean", within_epochs=True)
    assert paths == saved_checkpoints(run.directory)
    assert len(epoch_ends(run.directory)) == 1 < len(paths)
    assert_weights(tmp_path / "mean" / "best", run, mean(run, paths))
    assert average(run.directory, tmp_path / "two", 2, within_epochs=True) == paths[-2:]


def test_errors_of_averaging(run, tmp_path):
    for number in (0, 4):
        with pytest.raises(
            UserError,
            match=f"has 3 checkpoints at the end of an epoch: .* from 1 to 3, not {number}",
        ):
            average(run.directory, tmp_path / "mean", number)
    with pytest.raises(UserError, match=r"/mean\[1\]: TensorFlow cannot read files in a directory"):
        average(run.directory, tmp_path / "mean[1]")
    with pytest.raises(PathTaken, match="already exists"):
        average(run.directory, tmp_path)
    with pytest.raises(NoRun, match="no run here"):
        average(tmp_path, tmp_path / "mean")
    Run.create(tmp_path / "empty", run.config)
    with pytest.raises(UserError, match="no checkpoints at the end of an epoch to average"):
        average(tmp_path / "empty", tmp_path / "mean")
    with pytest.raises(UserError, match="no checkpoints to average"):
        average(tmp_path / "empty", tmp_path / "mean", within_epochs=True)
