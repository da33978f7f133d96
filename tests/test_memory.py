"""The memory allocator, measured by the page faults of the process."""

import os
import subprocess
import sys

import pytest

from keras_transformer.memory import PARAMETERS, keep_freed_memory
from tests.programs import HOME

resource = pytest.importorskip("resource")  # not on Windows
SIZE = 80 * 2**20
# Other C libraries than glibc have no such parameters.
needs_glibc = pytest.mark.skipif(sys.platform != "linux", reason="needs glibc")

# Prints how many pages a process faults in when it frees and allocates the same memory again.
PROGRAM = """
import ctypes, sys
ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE: pages of the usual size
from tests.test_memory import faults_of_reused_memory
from keras_transformer.memory import keep_freed_memory
if "keep" in sys.argv:
    keep_freed_memory()
print(faults_of_reused_memory())
"""


def faults_of_reused_memory():
    """Return the page faults of making `SIZE` bytes ten times, each after freeing the last ones."""
    b"x" * SIZE
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        b"x" * SIZE
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def faults(*arguments, **variables):
    """Return the output of `PROGRAM` in a new process."""
    environment = {name: value for name, value in os.environ.items() if name not in PARAMETERS}
    program = [sys.executable, "-c", PROGRAM, *arguments]
    environment |= {"PYTHONPATH": str(HOME), **variables}
    found = subprocess.run(program, env=environment, capture_output=True, text=True, check=True)
    return int(found.stdout)


@needs_glibc
def test_memory_that_a_process_frees_is_reused():
    pages = 10 * SIZE // os.sysconf("SC_PAGE_SIZE")
    assert faults("keep") < pages / 20
    assert faults() > pages / 2  # what the function is for


@needs_glibc
def test_parameters_set_in_the_environment_are_left_alone():
    # Each value of more than a megabyte has a mapping of its own, as the user wants.
    assert faults("keep", MALLOC_MMAP_MAX_="1000", MALLOC_MMAP_THRESHOLD_="1000000") > 10_000


def test_without_glibc_nothing_happens(monkeypatch):
    monkeypatch.setattr("ctypes.CDLL", lambda _: object())
    keep_freed_memory()  # no error
