"""Failures of the system and of TensorFlow, Ctrl-C and SIGTERM."""

import errno
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
import tensorflow as tf

from keras_transformer.commands import command_line
from keras_transformer.errors import UserError, reason, remarking
from tests.programs import HOME


@pytest.fixture
def end_of(capsys):
    """Run a program in this process; return its exit status and its standard error."""

    def end_of(main):
        with pytest.raises(SystemExit) as end:
            command_line.run(main)
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
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_a_signal_is_reported_with_what_was_kept(end_of, number, status, word):
    def main():
        with remarking("out.txt is unchanged"):
            signal.raise_signal(number)

    before = signal.getsignal(signal.SIGTERM)
    assert end_of(main) == (status, f"{word}; out.txt is unchanged\n")
    assert signal.getsignal(signal.SIGTERM) == before


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
        command_line.run(main)


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
        "from keras_transformer.commands.command_line import run\n"
        "def main():\n"
        "    print('lost'); print('lost', file=sys.stderr); sys.stdin.read()\n"
        "    with open(sys.argv[1], 'w') as file: file.write(str(file.fileno() > 2))\n"
        "run(main)\n"
    )
    shell = 'exec "$@" <&- >&- 2>&-'
    command = ["sh", "-c", shell, "sh", sys.executable, "-c", program, tmp_path / "out"]
    assert subprocess.run(command, cwd=HOME).returncode == 0
    assert (tmp_path / "out").read_text() == "True"
