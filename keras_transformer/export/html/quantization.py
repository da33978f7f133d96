"""Weights in fewer bits: 8-bit integers with one scale per row, or float16."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import CheckError

KINDS = "int8", "float16"
LARGEST = 127  # the range is symmetric, so -128 is not used


class Quantized(NamedTuple):
    """A tensor as a page stores it.

    Attributes:
        kind: "int8", "float16" or "float32".
        values: a vector, or a matrix with a row for each output.
        scales: for int8, the factor of each row, in float32; otherwise None.
    """

    kind: str
    values: NDArray
    scales: NDArray[np.float32] | None = None

    def dequantized(self) -> NDArray[np.float32]:
        """Return the numbers with which the page computes."""
        values = self.values.astype(np.float32)
        return values if self.scales is None else values * self.scales[:, np.newaxis]


def quantize(weight: NDArray[np.float32], kind: str) -> Quantized:
    """Return a matrix in fewer bits, or a vector, which has few numbers, in float32.

    Args:
        weight: a vector, or a matrix with a row for each output.
        kind: "int8" or "float16".

    Raises:
        CheckError: If a number is not finite, or too large for float16.
    """
    if not np.isfinite(weight).all():
        raise CheckError("a weight is not a finite number")
    if weight.ndim == 1:
        return Quantized("float32", weight.astype(np.float32))
    return _as_int8(weight) if kind == "int8" else _as_float16(weight)


def _as_int8(weight: NDArray[np.float32]) -> Quantized:
    """Return a matrix as integers, with scales by which the largest of each row is 127 or -127."""
    scales = (np.abs(weight).max(axis=1) / LARGEST).astype(np.float32)
    # A row of zeros, or of numbers so small that the scale is rounded to zero, becomes zeros.
    divisors = np.where(scales > 0, scales, np.inf)[:, np.newaxis]
    integers = np.rint(weight / divisors).clip(-LARGEST, LARGEST)
    return Quantized("int8", integers.astype(np.int8), scales)


def _as_float16(weight: NDArray[np.float32]) -> Quantized:
    """Return a matrix in float16."""
    with np.errstate(over="ignore"):
        values = weight.astype(np.float16)
    if not np.isfinite(values).all():
        raise CheckError(f"a weight of {np.abs(weight).max():g} is too large for float16")
    return Quantized("float16", values)
