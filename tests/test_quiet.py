"""Suppression of messages on standard error."""

import os
import subprocess
import sys

from keras_transformer.quiet import quiet_stderr
from tests.programs import HOME


def test_names_are_imported_without_a_standard_error():
    program = "import sys; assert sys.stderr is None; import keras_transformer as kt; kt.Config"
    without_stderr = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-c", program]
    assert subprocess.run(without_stderr, cwd=HOME).returncode == 0


def test_quiet_stderr_discards_messages_only_inside_the_context(capfd):
    with quiet_stderr():
        os.write(2, b"inside")
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"
