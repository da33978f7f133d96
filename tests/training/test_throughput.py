"""The memory that the dry run reports."""

import re
from pathlib import Path

import pytest

from keras_transformer.training.throughput import peak_memory

STATUS = Path("/proc/self/status")


@pytest.mark.skipif(not STATUS.exists(), reason="no /proc")
def test_peak_memory_is_that_of_linux():
    """VmHWM is the "high water mark" of the memory, in units of 1024 bytes."""
    found, status = peak_memory(), STATUS.read_text(encoding="utf-8")
    [kilobytes] = re.findall(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
    assert found == pytest.approx(1024 * int(kilobytes), rel=0.01)
