import errno
import fcntl
import os
import socket
import subprocess
import sys

import pytest

from keras_transformer.errors import RunLocked, UserError
from keras_transformer.runs.lock import locked

# Holds the lock until its standard input is closed.
HOLDER = """
import sys
from pathlib import Path
from keras_transformer.runs.lock import locked
with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock of tmp_path/run."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path / "run"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout.readline() == b"locked\n"
    yield process
    process.kill()
    process.communicate()


def test_the_process_and_host_that_hold_a_lock_are_named(tmp_path, holder):
    message = f"run is in use by process {holder.pid} on {socket.gethostname()}"
    with pytest.raises(RunLocked, match=message), locked(tmp_path / "run"):
        pass


def test_a_killed_process_releases_its_lock(tmp_path, holder):
    holder.kill()
    holder.wait()
    with locked(tmp_path / "run"):
        assert str(os.getpid()) in (tmp_path / "run" / "lock").read_text()


def test_a_process_cannot_lock_a_run_twice(tmp_path):
    with locked(tmp_path):
        with pytest.raises(RunLocked, match=f"process {os.getpid()}"), locked(tmp_path):
            pass
        (tmp_path / "lock").write_text("rubbish")
        with pytest.raises(RunLocked, match="in use by another process"), locked(tmp_path):
            pass
    with locked(tmp_path):
        pass


def test_a_locked_directory_can_be_renamed(tmp_path):
    with locked(tmp_path / "run"):
        (tmp_path / "run").rename(tmp_path / "run.1")
        with locked(tmp_path / "run"):
            pass
        with pytest.raises(RunLocked), locked(tmp_path / "run.1"):
            pass
    with locked(tmp_path / "run.1"):
        pass


def test_a_link_to_a_directory_that_was_renamed_can_be_locked(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "run")
    with locked(tmp_path / "link"):
        assert (tmp_path / "run" / "lock").is_file()


def test_a_file_system_without_locks_is_an_error(tmp_path, monkeypatch):
    def flock(*_):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", flock)
    with (
        pytest.raises(UserError, match="lock: cannot be written: Function not implemented"),
        locked(tmp_path / "run"),
    ):
        pass


def test_an_error_names_the_directory_that_cannot_be_created(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="file: cannot be written"), locked(tmp_path / "file"):
        pass
