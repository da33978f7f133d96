"""The division of work among workers, and the end of a training that lost one of them."""

import os
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from numpy.typing import NDArray

from keras_transformer import __version__
from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.training import watch
from keras_transformer.training.cluster import Cluster, Worker
from keras_transformer.training.session import _make_trainer
from keras_transformer.training.strategies import make_strategy, rows_of_replicas
from keras_transformer.training.workers import Workers

WORKERS = tuple(Worker(number, "worker", number, f"host{number}:1") for number in range(3))


def test_each_worker_reads_its_own_rows_of_every_batch() -> None:
    """Two processes of two devices each read two batches, of five rows and of two."""

    def batches() -> tf.data.Dataset:
        numbers = tf.data.Dataset.from_tensor_slices(["0 1 2 3 4", "5 6"])
        batches = numbers.map(lambda text: tf.strings.to_number(tf.strings.split(text), tf.int32))
        return batches.map(lambda rows: (rows[:, tf.newaxis], 10 * rows[:, tf.newaxis]))

    found = []
    for process in range(2):
        context = tf.distribute.InputContext(2, process, num_replicas_in_sync=4)
        rows = list(rows_of_replicas(batches(), context).as_numpy_iterator())
        assert all((10 * source == target).all() for source, target in rows)
        found.append([source.ravel().tolist() for source, _ in rows])
    assert found == [[[0, 4], [1], [5], [6]], [[2], [3], [], []]]


@pytest.mark.parametrize("count", [0, 2, 10])
def test_workers_divide_the_sentences_of_a_validation(count: int) -> None:
    workers, parts = Workers(make_strategy(None)), []
    for number in range(3):
        workers.cluster = Cluster(WORKERS, number)
        parts.append(list(workers.part(range(count))))
    assert sorted(sum(parts, [])) == list(range(count))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize(("texts", "wanted"), [(["a", "a"], True), (["a", "b"], False)])
def test_workers_agree_if_they_have_the_same_text(
    monkeypatch: pytest.MonkeyPatch, texts: list[str], wanted: bool
) -> None:
    workers = Workers(tf.distribute.get_strategy())
    vectors: list[NDArray] = []

    def answers() -> list[bool]:
        found = []
        for number, text in enumerate(texts):
            workers.cluster = Cluster(WORKERS[:2], number)
            found.append(workers.agree(text))
        return found

    def collect(vector: NDArray) -> NDArray:
        vectors.append(vector)
        return vector

    monkeypatch.setattr(workers, "sum", collect)
    answers()
    total = np.sum(vectors, axis=0)
    monkeypatch.setattr(workers, "sum", lambda _: total)
    assert answers() == [wanted, wanted]


def test_workers_that_do_not_agree_train_no_run_together() -> None:
    run: Any = SimpleNamespace(directory="runs/x", identity="1", config=Config())
    texts: list[str] = []
    pairs: Any = SimpleNamespace(survey="the survey")
    workers: Any = SimpleNamespace(agree=texts.append)  # None, as if they did not agree
    with pytest.raises(UserError, match="^runs/x is not the same run at all workers"):
        _make_trainer(run, pairs, workers)
    assert all(part in texts[0] for part in ("'1'", __version__, "the survey", "num_layers"))


def test_a_lost_worker_ends_the_process_within_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The checks fail at once, and the seconds that they may take are added up."""
    checks: list[Worker] = []
    aborted: list[tuple[object, ...]] = []
    statuses: list[int] = []
    context = SimpleNamespace(abort_collective_ops=lambda *reason: aborted.append(reason))
    longest_check, grace = watch.INTERVAL + watch.TIMEOUT, watch.GRACE
    monkeypatch.setattr(watch, "eager", SimpleNamespace(context=lambda: context))
    monkeypatch.setattr(watch, "responds", lambda worker, timeout: checks.append(worker))
    monkeypatch.setattr(watch, "INTERVAL", 0)
    monkeypatch.setattr(watch, "GRACE", 0)
    monkeypatch.setattr(os, "_exit", statuses.append)
    thread = watch.Watch(WORKERS[1:2])
    thread.run()
    assert thread.lost == WORKERS[1]
    assert len(checks) * longest_check + grace <= 60
    assert len(aborted) == 1
    assert statuses == [2]
    assert capsys.readouterr().err.startswith("error: worker 1 (host1:1) no longer responds; ")


def test_only_the_chief_assigns(monkeypatch: pytest.MonkeyPatch) -> None:
    workers, calls = Workers(tf.distribute.get_strategy()), []
    variable = tf.Variable(1.0)
    workers.assign([variable], lambda: calls.append(variable.assign(2.0)))
    assert float(variable) == 2
    monkeypatch.setattr(Workers, "is_chief", False)
    workers.assign([variable], lambda: calls.append(variable.assign(3.0)))
    assert len(calls) == 1
