"""What all trainers share: batches of ids in NumPy files, and the shape of the network."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SHAPE = {"num_layers": 4, "d_model": 128, "num_heads": 4, "dff": 256, "rate": 0.3}

Batch = tuple[NDArray[np.int32], NDArray[np.int32]]  # source ids (B, S), target ids (B, T)


def write(directory: str | os.PathLike[str], name: str, batches: Sequence[Batch]) -> None:
    """Write batches to a file."""
    arrays = {
        f"{side}{i}": ids
        for i, pair in enumerate(batches)
        for side, ids in zip("st", pair, strict=True)
    }
    np.savez(Path(directory) / f"{name}.npz", **arrays)


def read(directory: str | os.PathLike[str], name: str) -> list[Batch]:
    """Return the batches of a file."""
    arrays = np.load(Path(directory) / f"{name}.npz")
    return [(arrays[f"s{i}"], arrays[f"t{i}"]) for i in range(len(arrays) // 2)]


def write_vocab_size(directory: str | os.PathLike[str], size: int) -> None:
    """Write the size of the joint vocabulary."""
    (Path(directory) / "vocab_size.json").write_text(json.dumps(size))


def read_vocab_size(directory: str | os.PathLike[str]) -> int:
    """Return the size of the joint vocabulary."""
    return json.loads((Path(directory) / "vocab_size.json").read_text())


def real_tokens(batches: Sequence[Batch]) -> int:
    """Return the number of target tokens that the network predicts: no start tokens, no padding."""
    return sum(int(np.count_nonzero(target[:, 1:])) for _, target in batches)
