"""Two worker processes against a single device."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from keras_transformer.inspection.history.logs import read_history
from keras_transformer.runs.checkpoints import checkpoint_number, progress, saved_checkpoints
from keras_transformer.training.session import train
from keras_transformer.training.strategies import make_strategy
from tests.conftest import toy_pairs, write_pairs
from tests.programs import HOME
from tests.training.fifty_steps import STEPS, train_fifty_steps
from tests.training.toy_training import settings_for

PATIENCE = 300  # seconds that a step of the test may take on a busy machine
STOPPED = {"finished": False, "signal": int(signal.SIGTERM)}  # a report


def free_ports(count):
    """Return ports that are free now.

    Workers bind them seconds later. Meanwhile, other sockets do not take them, because systems
    assign larger numbers.
    """
    draw, found = random.SystemRandom(), set()
    while len(found) < count:
        port = draw.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.socket() as tried:
            tried.bind(("127.0.0.1", port))
            found.add(port)
    return sorted(found)


@contextlib.contextmanager
def worker_processes(directory, *tasks, count=2):
    """Start worker processes, and kill them in the end."""
    addresses = [f"127.0.0.1:{port}" for port in free_ports(count)]
    processes = []
    for index in range(count):
        task = {"type": "worker", "index": index}
        config = json.dumps({"cluster": {"worker": addresses}, "task": task})
        environment = os.environ | {"TF_CONFIG": config}
        command = [sys.executable, "-m", "tests.training.worker", *tasks, directory]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        processes.append(subprocess.Popen(command, cwd=HOME, env=environment, **pipes))
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def reports(process, count):
    """Return the next reports of finished trainings from a worker, which is killed if it hangs."""
    found = []
    with killed_after(PATIENCE, process):
        while len(found) < count:
            line = process.stdout.readline()
            assert line, process.stderr.read().decode()
            if line.startswith(b"{"):
                found.append(json.loads(line))
    return found


@contextlib.contextmanager
def killed_after(seconds, process):
    """Kill a process if the context takes longer: reading its output would block forever."""
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def test_a_worker_that_hangs_is_an_error(monkeypatch):
    monkeypatch.setattr(f"{__name__}.PATIENCE", 1)
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process, pytest.raises(AssertionError):
        reports(process, 1)
    assert process.returncode == -signal.SIGKILL


def wait_for_state(run, processes, after=-1):
    """Wait until a checkpoint with a larger number than `after` is saved; return its number."""
    for _ in range(10 * PATIENCE):
        saved = saved_checkpoints(run)
        if saved and checkpoint_number(saved[-1]) > after:
            return checkpoint_number(saved[-1])
        assert all(process.poll() is None for process in processes)
        time.sleep(0.1)
    raise TimeoutError


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("distributed")


@pytest.fixture(scope="module")
def outcome(home):
    """What two workers did that trained, were interrupted, resumed, and lost one of them."""
    run, found = home / "run", {}
    write_pairs(home / "pairs.tsv", toy_pairs(60))
    with worker_processes(home, "compare", "short", "long", "long") as processes:
        found["short"] = [reports(process, 1) for process in processes]
        found["files"] = {path.name for path in run.iterdir()}
        found["attention"] = read_history(run).attention
        found["short steps"] = wait_for_state(run, processes)
        wait_for_state(run, processes, found["short steps"])
        processes[1].send_signal(signal.SIGTERM)
        found["interrupted"] = [reports(process, 1) for process in processes]
        found["interrupted steps"] = wait_for_state(run, processes)
        wait_for_state(run, processes, found["interrupted steps"])
        processes[1].kill()
        _, error = processes[0].communicate(timeout=PATIENCE)
        found["chief"] = processes[0].returncode, error.decode()
    return found


@pytest.fixture(scope="module")
def single_device(home):
    return train_fifty_steps(home / "single", make_strategy(None))


def assert_equal_training(found, wanted):
    assert len(found["gradients"]) == STEPS
    difference = np.linalg.norm(found["gradients"] - wanted["gradients"], axis=1)
    assert np.all(difference <= 1e-5 * np.linalg.norm(wanted["gradients"], axis=1))
    np.testing.assert_allclose(found["losses"], wanted["losses"], rtol=1e-4)
    np.testing.assert_allclose(found["validation"], wanted["validation"], rtol=1e-4)


@pytest.mark.parametrize("number", [0, 1])
def test_two_workers_compute_the_gradients_of_one_device(home, outcome, single_device, number):
    assert_equal_training(np.load(home / f"steps{number}.npz"), single_device)


def test_two_workers_finish_a_run(outcome):
    assert outcome["short"] == [[{"finished": True, "signal": None}]] * 2
    assert {"config.json", "best", "calibration.json", "logs"} <= outcome["files"]
    assert [each.epoch for each in outcome["attention"]][:2] == [0, 1]


def test_a_signal_to_one_worker_stops_all_at_the_same_step(outcome):
    assert outcome["interrupted"] == [[STOPPED]] * 2
    assert outcome["interrupted steps"] > outcome["short steps"]


def test_the_chief_names_a_worker_that_was_killed(outcome):
    status, error = outcome["chief"]
    assert status == 2
    [line] = [line for line in error.splitlines() if line.startswith("error:")]
    assert "worker 1 (127.0.0.1:" in line
    assert "Traceback" not in error


@pytest.mark.usefixtures("no_finish", "no_samples")
def test_a_run_of_two_workers_resumes_with_any_strategy(home, outcome, capsys):
    """On one device, on two, in one process, then in two, of which the chief is killed."""
    run = home / "run"
    for strategy in (None, "mirrored"):
        epochs = int(progress(saved_checkpoints(run)[-1])["epoch"]) + 1
        settings = settings_for(home, epochs=epochs, patience=0, save_every=2)
        assert train(settings, run, strategy=strategy).finished
        assert "resuming after step" in capsys.readouterr().out
        assert progress(saved_checkpoints(run)[-1])["epoch"] == epochs
    with worker_processes(home, "long", count=1) as processes:
        wait_for_state(run, processes, checkpoint_number(saved_checkpoints(run)[-1]))
        processes[0].send_signal(signal.SIGTERM)
        assert reports(processes[0], 1) == [STOPPED]
    assert progress(saved_checkpoints(run)[-1])["epoch"] >= epochs
    with worker_processes(home, "long") as processes:
        wait_for_state(run, processes, checkpoint_number(saved_checkpoints(run)[-1]))
        processes[0].kill()
        _, error = processes[1].communicate(timeout=PATIENCE)
        assert processes[1].returncode == 2
        assert "error: worker 0 (127.0.0.1:" in error.decode()
