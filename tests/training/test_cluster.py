"""TF_CONFIG."""

import json

import pytest

from keras_transformer.errors import UserError
from keras_transformer.training.cluster import read_cluster


def read(cluster: object, job: str, index: object):
    task = {"type": job, "index": index}
    return read_cluster({"TF_CONFIG": json.dumps({"cluster": cluster, "task": task})})


def test_the_first_worker_is_the_chief() -> None:
    cluster = read({"worker": ["a:1", "b:2"]}, "worker", 0)
    assert cluster.number == 0
    assert [str(worker) for worker in cluster.workers] == ["worker 0 (a:1)", "worker 1 (b:2)"]
    [other] = cluster.others
    assert other.task == "/job:worker/replica:0/task:1"


def test_a_chief_comes_before_the_workers() -> None:
    cluster = read({"worker": ["b:2", "c:3"], "chief": ["a:1"]}, "worker", "1")
    assert cluster.number == 2
    assert [str(other) for other in cluster.others] == ["worker 0 (a:1)", "worker 1 (b:2)"]
    assert cluster.others[0].task == "/job:chief/replica:0/task:0"


@pytest.mark.parametrize(
    ("cluster", "job", "index"),
    [
        ({"worker": ["a:1"]}, "worker", 1),
        ({"worker": ["a:1"]}, "chief", 0),
        ({"worker": ["a:1"]}, "worker", None),
        ({"worker": ["a:1"], "ps": ["b:2"]}, "worker", 0),
        ({"worker": 3}, "worker", 0),
        ({"worker": "a:1"}, "worker", 0),
        ({"worker": [2222, 2223]}, "worker", 0),
        ({"worker": ["a:1", None]}, "worker", 0),
        ({"chief": ["a:1", "b:2"], "worker": ["c:3"]}, "chief", 0),
        ([], "worker", 0),
        ({}, "worker", 0),
    ],
)
def test_an_invalid_cluster_is_an_error_of_one_line(cluster: object, job: str, index: object):
    with pytest.raises(UserError, match="TF_CONFIG is invalid; it must be like") as error:
        read(cluster, job, index)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "3", "null", '{"cluster": {}}', "[" * 10_000])
def test_a_text_that_is_no_cluster_is_an_error(text: str) -> None:
    with pytest.raises(UserError, match="TF_CONFIG"):
        read_cluster({"TF_CONFIG": text})


def test_a_missing_variable_is_an_error() -> None:
    with pytest.raises(UserError, match="TF_CONFIG is not set"):
        read_cluster({})
