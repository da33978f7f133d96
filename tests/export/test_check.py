"""The process that calls an export, if it fails."""

import io
import json
import subprocess
import sys

import pytest

from keras_transformer.export.check import ask, main


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import os; os.kill(os.getpid(), 9)", "killed by signal 9"),
        ("import sys; sys.exit('a log\\n  the reason \\n\\n')", "the reason"),
        ("import os; os._exit(3)", "exit status 3"),
    ],
)
def test_the_end_of_the_process_is_described_in_one_line(monkeypatch, program, message):
    run = subprocess.run

    def run_program(command, **options):
        return run([sys.executable, "-c", program], **options)

    monkeypatch.setattr(subprocess, "run", run_program)
    with pytest.raises(RuntimeError) as error:
        ask("unused", [])
    assert str(error.value) == message


def test_an_error_has_no_traceback(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("[]"))
    main(str(tmp_path / "none"))
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["error"]
    assert str(tmp_path / "none") in found["error"]
    assert "Traceback" not in found["error"]
