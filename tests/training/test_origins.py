"""The runs from which a run descends."""

import pytest

from keras_transformer.config import Config
from keras_transformer.errors import PathTaken, StartMismatch
from keras_transformer.runs.run import Run
from keras_transformer.training.origins import check_origins, check_start, origins


@pytest.fixture
def create(tmp_path, monkeypatch):
    """A function that creates a run with the name of the run that it starts from, if any."""
    monkeypatch.chdir(tmp_path)

    def create_run(name, start=None):
        Run.create(name, Config().with_settings({"train": ("a", "b"), "start_from": start}))

    return create_run


def names(start):
    return [str(each) for each in origins(start)]


def test_the_origins_are_followed_to_the_first_run(create):
    create("a")
    create("b", "a")
    create("c", "b")
    assert names("c") == ["c", "b", "a"]
    assert names("gone") == ["gone"]
    assert names(None) == []
    check_origins("c")


def test_a_run_that_started_from_itself_is_named(create):
    create("a", "a")
    create("b", "a")
    assert names("b") == ["b", "a", "a"]
    for start in ("a", "b"):
        with pytest.raises(StartMismatch, match="^a: its settings .* started from itself, so its"):
            check_origins(start)


def test_runs_that_started_from_each_other_are_named(create):
    create("a", "b")
    create("b", "c")
    create("c", "./a")
    create("d", "b")
    with pytest.raises(StartMismatch, match="^a: .* started from itself by way of b, c, so its"):
        check_origins("a")
    with pytest.raises(StartMismatch, match=r"^b: .* by way of c, a, so"):
        check_origins("d")


def test_only_a_run_that_would_start_from_itself_is_in_the_way(create, tmp_path):
    create("a", "a")
    create("b", "a")
    check_start(tmp_path / "new", {"start_from": "b"})
    check_start(tmp_path / "new", {})
    for name in ("a", "b"):
        with pytest.raises(PathTaken, match=f"{name} cannot start from itself, or from a run that"):
            check_start(tmp_path / name, {"start_from": "b"})
