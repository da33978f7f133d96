"""The dtype that layers compute in."""

import contextlib
import logging
import re
from pathlib import Path

import keras
import tensorflow as tf

logger = logging.getLogger(__name__)
CPU_INFO = Path("/proc/cpuinfo")  # on Linux


@contextlib.contextmanager
def dtype_policy(name):
    """Layers made within it have the named policy, such as "float32" or "mixed_bfloat16"."""
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(name)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(before)


def has_bfloat16():
    """Return whether the processor computes in bfloat16; None where that is not known."""
    if tf.config.list_physical_devices("GPU") or not CPU_INFO.is_file():
        return None
    return bool(re.search(r"\b(avx512_bf16|amx_bf16|bf16)\b", CPU_INFO.read_text()))


def warn_without_bfloat16():
    """Warn where bfloat16 would have to be emulated, at a third of the throughput of float32."""
    if has_bfloat16() is False:
        logger.warning("this processor has no bfloat16: --mixed-precision makes it slower")
