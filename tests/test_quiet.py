"""Suppression of messages on standard error."""

import subprocess
import sys

from tests.programs import HOME


def test_names_are_imported_without_a_standard_error():
    program = "import sys; assert sys.stderr is None; import keras_transformer as kt; kt.Config"
    without_stderr = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-c", program]
    assert subprocess.run(without_stderr, cwd=HOME).returncode == 0
