"""The flags of XLA."""

import os
import subprocess
import sys

import pytest

from keras_transformer.xla import FLAGS, compile_for_one_thread
from tests.programs import HOME

SCHEDULER, PASSES = FLAGS

# Prints the kernels that compute the sum of a row of 128 numbers.
PROGRAM = """
import tensorflow as tf
from keras_transformer.xla import compile_for_one_thread
compile_for_one_thread()
function = tf.function(lambda x: tf.reduce_sum(x, axis=-1), jit_compile=True)
print(function.experimental_get_compiler_ir(tf.ones((5, 128)))(stage="optimized_hlo"))
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, [SCHEDULER, PASSES]),
        ("", [SCHEDULER, PASSES]),
        ("--xla_dump_to=x", ["--xla_dump_to=x", SCHEDULER, PASSES]),
        (f"{PASSES},dce --xla_dump_to=x", [f"{PASSES},dce", "--xla_dump_to=x", SCHEDULER]),
    ],
)
def test_flags_of_the_user_are_kept_and_take_precedence(monkeypatch, given, expected):
    monkeypatch.delenv("XLA_FLAGS", raising=False)
    if given is not None:
        monkeypatch.setenv("XLA_FLAGS", given)
    for _ in range(2):  # the second call adds nothing
        compile_for_one_thread()
        assert os.environ["XLA_FLAGS"].split() == expected


def test_the_name_of_a_file_with_flags_is_kept(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "flags.txt")
    compile_for_one_thread()
    assert os.environ["XLA_FLAGS"] == "flags.txt"


def test_xla_knows_the_flags_and_computes_a_sum_in_one_kernel():
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    program = [sys.executable, "-c", PROGRAM]
    options = {"cwd": HOME, "env": environment, "capture_output": True, "text": True}
    completed = subprocess.run(program, **options)
    assert completed.returncode == 0, completed.stderr
    assert "reduce(" in completed.stdout
    assert "reduce-window" not in completed.stdout  # the first of two kernels
