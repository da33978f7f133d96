"""The command `translate --server` when a request fails."""

import subprocess
import sys

import pytest

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


DEFECTIVE = answering(["A", "", "Das Wetter wetter ist gut.", "A (b"], [0] * 4)
SOURCE = "a\nb\nc\nd\n"


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        (
            ["--warn-each-line"],
            "warning: the translation of line 2 is empty, although the line is not\n"
            "warning: the translation of line 3 repeats a word\n"
            "warning: the translation of line 4 has an unpaired quotation mark or parenthesis\n",
        ),
        (
            [],
            "warning: the translation of 1 of 4 lines is empty, although the line is not (line 2)\n"
            "warning: the translation of 1 of 4 lines repeats a word (line 3)\n"
            "warning: the translation of 1 of 4 lines has an unpaired quotation mark or "
            "parenthesis (line 4)\n",
        ),
        (["--quiet"], ""),
    ],
    ids=["each line", "summary", "quiet"],
)
def test_defective_translations_of_a_server_are_reported(call, tmp_path, flags, wanted):
    (tmp_path / "source.txt").write_text(SOURCE)
    with ScriptedServer(DEFECTIVE) as server:
        arguments = "--server", server.address, "--input", tmp_path / "source.txt", *flags
        status, out, err = call("translate", *arguments)
    assert (status, out) == (0, "A\n\nDas Wetter wetter ist gut.\nA (b\n")
    assert err == wanted
