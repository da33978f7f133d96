"""Failures of the system and of TensorFlow, Ctrl-C, SIGTERM and SIGHUP."""

import contextlib
import errno
import importlib
import os
import pty
import shutil
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
import tensorflow as tf

from keras_transformer.commands import entry_point, start
from keras_transformer.errors import UserError, reason, remarking
from keras_transformer.files import atomic_open
from keras_transformer.workspace import workspace
from tests.programs import HOME


@pytest.fixture
def end_of(capsys):
    """Run a program in this process; return its exit status and its standard error."""

    def end_of(main):
        with pytest.raises(SystemExit) as end:
            entry_point.run(main)
        return end.value.code, capsys.readouterr().err

    return end_of


def read_missing_file():
    tf.io.read_file("/no/such/file")


def exhaust_memory():
    raise tf.errors.ResourceExhaustedError(None, None, "OOM when allocating tensor of shape[9]")


def fail_in_data_set(error):
    def generate():
        yield 1
        raise error

    signature = tf.TensorSpec([], tf.int32)
    list(tf.data.Dataset.from_generator(generate, output_signature=signature))


def raise_error(error):
    raise error


@pytest.mark.parametrize(
    ("main", "line"),
    [
        (read_missing_file, "/no/such/file: No such file or directory"),
        (lambda: tf.function(tf.gather)(tf.zeros(3), [5]), "indices[0] = 5 is not in [0, 3)"),
        (lambda: tf.io.gfile.makedirs("/dev/null/x"), "/dev/null is not a directory"),
        (exhaust_memory, "out of memory"),
        (lambda: fail_in_data_set(UserError("a.tsv: damaged")), "a.tsv: damaged"),
        (lambda: fail_in_data_set(MemoryError()), "out of memory"),
        (lambda: raise_error(MemoryError()), "out of memory"),
        (lambda: os.mkdir("/dev/null/x"), "/dev/null/x: Not a directory"),
        (lambda: os.rename("/no/a", "/no/b"), "/no/b: No such file or directory"),
        (lambda: raise_error(OSError(errno.EIO, "Input/output error")), "Input/output error"),
    ],
)
def test_failures_are_one_line_with_status_2(end_of, main, line):
    assert end_of(main) == (2, f"error: {line}\n")


def test_reasons_have_no_names_of_nodes_and_no_tracebacks():
    """The messages have the forms that TensorFlow 2.21 gives them."""
    text = (
        "Graph execution error:\n\nDetected at node a/b defined at (most recent call last):\n"
        '  File "x.py", line 1, in <module>\n\n'
        "2 root error(s) found.\n"
        "  (0) DATA_LOSS:  a/ckpt-1.index; Checksum does not match\n\t [[{{node a/b}}]]\n"
        "  (1) CANCELLED:  other\n [Op:__inference_g_16]"
    )
    assert reason(Exception(text)) == "a/ckpt-1.index: Checksum does not match"
    assert reason(Exception("{{function_node f}} a; B c [Op:SaveV2] name: ")) == "a: B c"
    assert reason(KeyError()) == "KeyError"


@pytest.mark.parametrize(
    ("number", "status", "word"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "terminated"),
        (signal.SIGHUP, 129, "terminated"),
    ],
)
@pytest.mark.usefixtures("hangups")
def test_a_signal_is_reported_with_what_was_kept(end_of, number, status, word):
    def main():
        with remarking("out.txt is unchanged"):
            signal.raise_signal(number)

    before = signal.getsignal(number)
    assert end_of(main) == (status, f"{word}; out.txt is unchanged\n")
    assert signal.getsignal(number) == before


def discard_in_python_code():
    """Discard the exception of a signal, as TensorFlow does where it traces functions."""
    with contextlib.suppress(BaseException):
        signal.raise_signal(signal.SIGTERM)


def discard_in_the_deletion_of_an_object():
    class Graph:
        def __del__(self):
            signal.raise_signal(signal.SIGTERM)

    Graph()


def replace_by_another_error():
    """Raise what Python raises if a compiled module cannot be initialized."""
    try:
        signal.raise_signal(signal.SIGTERM)
    except BaseException as error:
        raise SystemError("initialization of module raised unreported exception") from error


@pytest.mark.parametrize(
    "main",
    [discard_in_python_code, discard_in_the_deletion_of_an_object, replace_by_another_error],
)
def test_a_signal_that_a_library_discards_is_reported(end_of, main):
    assert end_of(main) == (143, "terminated\n")


def test_after_a_signal_that_a_library_discards_no_file_is_replaced(end_of, tmp_path):
    def main():
        with remarking("out.txt is unchanged"), atomic_open(tmp_path / "out.txt"):
            discard_in_python_code()

    assert end_of(main) == (143, "terminated; out.txt is unchanged\n")
    assert not list(tmp_path.iterdir())


def test_a_second_signal_does_not_prevent_the_removal_of_files(end_of, tmp_path, monkeypatch):
    def remove(*arguments, remove=shutil.rmtree, **options):
        signal.raise_signal(signal.SIGTERM)
        remove(*arguments, **options)

    def main():
        with workspace(tmp_path):
            monkeypatch.setattr(shutil, "rmtree", remove)
            signal.raise_signal(signal.SIGTERM)

    assert end_of(main) == (143, "terminated\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_during_the_first_imports_is_one_line(capsys, monkeypatch, number):
    imported = []

    def import_slowly(name):
        signal.raise_signal(number)
        imported.append(name)
        return SimpleNamespace(main=lambda: print("not interrupted"))

    monkeypatch.setattr(importlib, "import_module", import_slowly)
    with pytest.raises(SystemExit) as end:
        start.run("translate")
    assert imported == ["keras_transformer.commands.translate"]
    line = {signal.SIGINT: "interrupted\n", signal.SIGTERM: "terminated\n"}[number]
    assert (end.value.code, *capsys.readouterr()) == (128 + number, "", line)


# Prints something as soon as it has a terminal, and at its end.
UNTIL_HANGUP = """
import fcntl, sys, termios, time
from keras_transformer.commands import entry_point

def main():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    try:
        print("ready", flush=True)
        while True:  # one long wait could begin just after the signal
            time.sleep(0.1)
    finally:
        print("cleaning up", flush=True)
        print("cleaning up", file=sys.stderr, flush=True)
        open("clean", "w").close()

entry_point.run(main)
"""


@pytest.mark.usefixtures("hangups")
def test_a_program_whose_terminal_is_closed_can_clean_up(tmp_path):
    """A write to a closed terminal is an error."""
    keyboard, terminal = pty.openpty()
    streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
    path = {"PYTHONPATH": str(HOME)}
    process = subprocess.Popen(
        [sys.executable, "-c", UNTIL_HANGUP],
        start_new_session=True,
        cwd=tmp_path,
        env=os.environ | path,
        **streams,
    )
    os.close(terminal)
    try:
        with open(keyboard, "rb") as screen:
            assert screen.readline() == b"ready\r\n"
        assert process.wait(timeout=60) == 129
    finally:
        process.kill()
        process.wait()
    assert (tmp_path / "clean").exists()


def test_signals_that_the_parent_process_ignores_are_ignored(end_of):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert end_of(lambda: signal.raise_signal(signal.SIGINT)) == (None, "")
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("error", [UserError("disk full"), OSError(28, "disk full")])
def test_errors_are_reported_with_what_was_kept(end_of, error):
    def main():
        with remarking("a is unchanged"), remarking("b is kept"):
            raise error

    assert end_of(main) == (2, "error: disk full; b is kept; a is unchanged\n")


def test_bugs_are_not_hidden():
    def main():
        raise KeyError("bug")

    with pytest.raises(KeyError, match="bug"):
        entry_point.run(main)


def test_the_development_mode_shows_a_traceback(end_of, monkeypatch):
    monkeypatch.setattr(sys, "flags", SimpleNamespace(dev_mode=True))
    status, err = end_of(read_missing_file)
    assert status == 2
    assert err.startswith("Traceback (most recent call last):\n")
    assert "in read_missing_file" in err
    assert err.endswith("\nerror: /no/such/file: No such file or directory\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_reported_if_standard_output_is_a_file():
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "keras_transformer", "--version"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=HOME,
            env=environment,
        )
    line = b"error: standard output: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, line)


def test_closed_standard_streams_are_no_error(tmp_path):
    """A file that is opened later does not get the number of a standard stream."""
    program = (
        "import sys\n"
        "from keras_transformer.commands.entry_point import run\n"
        "def main():\n"
        "    print('lost'); print('lost', file=sys.stderr); sys.stdin.read()\n"
        "    with open(sys.argv[1], 'w') as file: file.write(str(file.fileno() > 2))\n"
        "run(main)\n"
    )
    shell = 'exec "$@" <&- >&- 2>&-'
    command = ["sh", "-c", shell, "sh", sys.executable, "-c", program, tmp_path / "out"]
    assert subprocess.run(command, cwd=HOME).returncode == 0
    assert (tmp_path / "out").read_text() == "True"
