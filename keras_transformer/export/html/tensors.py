"""Tensors as bytes, which the page's `engine/weights.js` reads. Numbers are little-endian."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keras_transformer.export.html.quantization import Quantized

ALIGNMENT = 4  # bytes: a `Float32Array` begins at a multiple of the size of its numbers
TYPES = {"int8": "<i1", "float16": "<f2", "float32": "<f4"}


def pack(tensors: Mapping[str, Quantized]) -> tuple[list[dict[str, Any]], bytes]:
    """Return descriptions of tensors, and the tensors as bytes.

    Args:
        tensors: {name: tensor}.

    Returns:
        For each tensor, a dictionary of its `name`, `kind` and `shape`, of the `offset` of its
        numbers in bytes, and, for int8, of that of its `scales`; and the bytes of all tensors.
    """
    content, entries = bytearray(), []
    for name, tensor in tensors.items():
        entry: dict[str, Any] = {"name": name, "kind": tensor.kind}
        entry["shape"] = list(tensor.values.shape)
        entry["offset"] = _append(content, tensor.kind, tensor.values)
        if tensor.scales is not None:
            entry["scales"] = _append(content, "float32", tensor.scales)
        entries.append(entry)
    return entries, bytes(content)


def _append(content: bytearray, kind: str, values: NDArray) -> int:
    """Append an array to bytes, and return its offset."""
    content.extend(bytes(-len(content) % ALIGNMENT))
    offset = len(content)
    content.extend(values.astype(TYPES[kind]).tobytes())
    return offset


def unpack(entries: Iterable[Mapping[str, Any]], content: bytes) -> dict[str, Quantized]:
    """Return {name: tensor}, the inverse of `pack`.

    Raises:
        ValueError: If the bytes do not contain a tensor.
    """
    return {entry["name"]: _tensor(entry, content) for entry in entries}


def _tensor(entry: Mapping[str, Any], content: bytes) -> Quantized:
    kind, shape, scales = entry["kind"], entry["shape"], None
    values = np.frombuffer(content, TYPES[kind], math.prod(shape), entry["offset"])
    if "scales" in entry:
        scales = np.frombuffer(content, TYPES["float32"], shape[0], entry["scales"])
    return Quantized(kind, values.reshape(shape), scales)
