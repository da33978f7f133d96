"""Suppression of messages on standard error."""

import os
import subprocess
import sys
import threading

from keras_transformer.quiet import quiet_stderr
from tests.programs import HOME


def test_names_are_imported_without_a_standard_error():
    program = "import sys; assert sys.stderr is None; import keras_transformer as kt; kt.Config"
    without_stderr = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-c", program]
    assert subprocess.run(without_stderr, cwd=HOME).returncode == 0


def test_threads_that_import_at_the_same_time_keep_standard_error(capfd):
    """The second one must not restore what the first one has set."""
    first_is_inside, second_is_inside, first_has_left = (threading.Event() for _ in range(3))

    def first():
        with quiet_stderr():
            first_is_inside.set()
            second_is_inside.wait(0.5)  # in vain
        first_has_left.set()

    def second():
        first_is_inside.wait(10)
        with quiet_stderr():
            second_is_inside.set()
            first_has_left.wait(10)

    threads = [threading.Thread(target=each) for each in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"


def test_quiet_stderr_discards_messages_only_inside_the_context(capfd):
    with quiet_stderr():
        os.write(2, b"inside")
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"
