"""The dtype in which layers compute."""

import contextlib
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import keras
import tensorflow as tf

logger = logging.getLogger(__name__)
# {value of the setting mixed_precision: Keras policy}
POLICIES = {"float32": "float32", "bfloat16": "mixed_bfloat16", "float16": "mixed_float16"}
CPU_INFO = Path("/proc/cpuinfo")  # exists on Linux only


@contextlib.contextmanager
def dtype_policy(name: str) -> Iterator[None]:
    """Set the dtype policy of the layers created inside the context.

    Args:
        name: a Keras policy, such as "float32" or "mixed_bfloat16".
    """
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(name)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(before)


def has_bfloat16() -> bool | None:
    """Return whether the CPU has bfloat16 instructions, or None if that is unknown."""
    if tf.config.list_physical_devices("GPU") or not CPU_INFO.is_file():
        return None
    return bool(re.search(r"\b(avx512_bf16|amx_bf16|bf16)\b", CPU_INFO.read_text()))


def fast_dtype() -> dict[str, object]:
    """Return the setting of the dtype that is fast on this CPU, as {name: value}."""
    return {"mixed_precision": has_bfloat16() is True}


def warn_if_emulated(precision: str) -> None:
    """Warn if a CPU would emulate a dtype, which is slower than computing in float32.

    Args:
        precision: a key of `POLICIES`.
    """
    is_slow = {
        "float32": False,
        "bfloat16": has_bfloat16() is False,
        "float16": not tf.config.list_physical_devices("GPU"),
    }
    if is_slow[precision]:
        logger.warning(
            f"this CPU has no {precision} instructions: mixed_precision slows training down"
        )
