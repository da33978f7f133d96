"""deploy/tf_config.py, which sets TF_CONFIG in the pods of a Job."""

import json
import os
import re
import socket

import pytest
import tensorflow as tf

from tests.programs import HOME, load_script

tf_config = load_script("deploy/tf_config")

# Names that Kubernetes gives to the pods of an Indexed Job, and to those of a JobSet.
INDEXED_JOB = "train-en-de-{}.train-en-de.default.svc.cluster.local"
JOB_SET = "train-en-de-node-0-{}.train-en-de.default.svc.cluster.local"


@pytest.fixture
def pod(monkeypatch):
    """A function that makes this process a pod: it returns the command that main() executes."""

    def enter(host, **environment):
        executed = []
        monkeypatch.setattr(socket, "getfqdn", lambda: host)
        monkeypatch.setattr(os, "execvp", lambda *arguments: executed.append(arguments))
        monkeypatch.setattr(os, "environ", dict(environment))
        return executed

    return enter


@pytest.mark.parametrize("names", [INDEXED_JOB, JOB_SET])
@pytest.mark.parametrize("index", [0, 1, 2])
def test_tensorflow_reads_the_same_cluster_on_every_worker(monkeypatch, names, index):
    text = tf_config.tf_config(names.format(index), index, 3)
    monkeypatch.setenv("TF_CONFIG", text)
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    addresses = [f"{names.format(number)}:2222" for number in range(3)]
    assert resolver.cluster_spec().as_dict() == {"worker": addresses}
    assert (resolver.task_type, resolver.task_id) == ("worker", index)


def test_the_example_in_the_manual_is_that_of_the_second_of_four_workers():
    page = (HOME / "docs/kubernetes.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    text = tf_config.tf_config(INDEXED_JOB.format(1), 1, 4)
    assert json.loads(example) == json.loads(text)


def test_a_number_within_the_name_is_kept():
    first = tf_config.worker_addresses("run-1-1.service", 1, 2)[0]
    assert first == "run-1-0.service:2222"


@pytest.mark.parametrize(
    ("host", "index", "workers", "message"),
    [
        ("train-2.train", 2, 2, "worker 2 does not exist: the number of workers is 2"),
        ("train-1.train", 0, 2, "the name of worker 0 must end in -0, but is train-1"),
        ("train-0", 0, 2, "train-0 has no domain: is its subdomain that of a headless service?"),
    ],
)
def test_a_pod_that_is_not_such_a_worker_is_rejected(host, index, workers, message):
    with pytest.raises(ValueError) as error:
        tf_config.worker_addresses(host, index, workers)
    assert str(error.value) == message


def test_the_command_replaces_the_process_and_finds_tf_config(pod):
    executed = pod(INDEXED_JOB.format(1), JOB_COMPLETION_INDEX="1", WORKERS="2")
    tf_config.main(["keras-transformer", "train"])
    assert executed == [("keras-transformer", ["keras-transformer", "train"])]
    assert json.loads(os.environ["TF_CONFIG"])["task"] == {"type": "worker", "index": 1}


def test_an_unknown_command_is_an_error(pod, monkeypatch):
    pod(INDEXED_JOB.format(1), JOB_COMPLETION_INDEX="1", WORKERS="2")

    def missing(*_):
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(os, "execvp", missing)
    with pytest.raises(SystemExit) as stop:
        tf_config.main(["keras-transformr"])
    assert stop.value.code == "error: keras-transformr: No such file or directory"


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"JOB_COMPLETION_INDEX": "0"}, "error: the environment variable 'WORKERS' is not set"),
        (
            {"WORKERS": "2"},
            "error: the environment variable 'JOB_COMPLETION_INDEX' is not set",
        ),
        (
            {"JOB_COMPLETION_INDEX": "3", "WORKERS": "2"},
            "error: worker 3 does not exist: the number of workers is 2",
        ),
    ],
)
def test_an_error_is_one_line(pod, environment, message):
    executed = pod(INDEXED_JOB.format(0), **environment)
    with pytest.raises(SystemExit) as stop:
        tf_config.main(["true"])
    assert stop.value.code == message
    assert not executed
