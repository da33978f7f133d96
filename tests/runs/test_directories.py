import json
import os

import pytest

from keras_transformer.config import Config
from keras_transformer.errors import NoRun, PathTaken, UserError
from keras_transformer.runs.directories import newest_run, set_aside
from keras_transformer.runs.run import Run


def test_the_newest_run_is_the_one_saved_last(tmp_path):
    with pytest.raises(NoRun, match="no run under"):
        newest_run(tmp_path)
    for age, name in enumerate(("newest", "older", "oldest")):
        run = Run.create(tmp_path / name, Config())
        (run.directory / "checkpoint").touch()
        os.utime(run.directory / "checkpoint", (1e9 - age, 1e9 - age))
    Run.create(tmp_path / "nothing saved yet", Config())
    assert newest_run(tmp_path).name == "newest"
    (tmp_path / "older" / "best").mkdir()
    (tmp_path / "older" / "best" / "checkpoint").touch()
    assert newest_run(tmp_path).name == "older"


def saved_run(directory, age, state="checkpoint", **origin):
    """Create a run directory whose checkpoint is `age` seconds old, relative to a fixed time."""
    path = Run.create(directory, Config(), **origin).directory / state
    path.parent.mkdir(exist_ok=True)
    path.touch()
    os.utime(path, (1e9 - age, 1e9 - age))


def test_an_average_is_never_the_newest_run(tmp_path):
    mean_of = {"run": "checkpoints/mine", "checkpoints": ["ckpt-1", "ckpt-2"]}
    saved_run(tmp_path / "mean", 0, "best/checkpoint", mean_of=mean_of)
    with pytest.raises(UserError, match="no run under"):
        newest_run(tmp_path)
    saved_run(tmp_path / "best", 60)  # a valid name of a run
    assert newest_run(tmp_path) == tmp_path / "best"
    content = json.loads((tmp_path / "mean" / "config.json").read_text())
    assert content["mean_of"] == mean_of
    assert Run.open(tmp_path / "mean").config == Config()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "config.json").write_text("{")
    (tmp_path / "damaged" / "checkpoint").touch()
    assert newest_run(tmp_path) == tmp_path / "damaged", "opening it reports the error"


def test_runs_are_renamed_to_a_free_name(tmp_path):
    for expected in ("run.1", "run.2"):
        Run.create(tmp_path / "run", Config())
        assert set_aside(tmp_path / "run").name == expected
    (tmp_path / "photos").mkdir()
    with pytest.raises(PathTaken, match="is not a run directory, so it is not renamed"):
        set_aside(tmp_path / "photos")
