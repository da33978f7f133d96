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


def warn_without_bfloat16():
    """Warns where bfloat16 would have to be imitated, at a third of the speed of float32."""
    if tf.config.list_physical_devices("GPU") or not CPU_INFO.is_file():
        return
    if not re.search(r"\b(avx512_bf16|amx_bf16|bf16)\b", CPU_INFO.read_text()):
        logger.warning("this processor has no bfloat16: --mixed-precision makes it slower")
