"""The command `translate --server` when a request fails."""

import subprocess
import sys

from tests.programs import HOME
from tests.rest.scripted_server import ScriptedServer, answering, http_reply


def run_translate(server, source, *flags):
    """Run `translate --server` in a process: (exit status, standard output and error together)."""
    command = [sys.executable, "translate.py", "--server", server.address, "--batch-size", "2"]
    done = subprocess.run(
        [*command, *flags],
        cwd=HOME,
        input=source.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.returncode, done.stdout.decode()


def test_finished_translations_are_printed_before_an_error():
    """The third line has two sentences. Only the first of them is in the last good answer."""
    replies = (
        answering(["A", "B"], [0, 0]),
        answering(["D", "E"], [0, 0]),
        http_reply({}, "404 Not Found"),
    )
    source = "a\n\nd\nIt is one. It is two.\nf\n"
    with ScriptedServer(*replies) as server:
        status, output = run_translate(server, source)
    error = f"error: {server.address}: status 404, not from TensorFlow Serving\n"
    assert (status, output) == (2, "A\nB\nD\n" + error)


def test_an_error_leaves_the_output_file_unchanged(tmp_path):
    target = tmp_path / "target.txt"
    target.write_text("old")
    with ScriptedServer(answering(["A", "B"], [0, 0]), http_reply({}, "404 Not Found")) as server:
        status, output = run_translate(server, "a\nb\nc\n", "--output", target)
    assert status == 2
    fault = f"{server.address}: status 404, not from TensorFlow Serving"
    assert output == f"error: {fault}; {target} is unchanged\n"
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
