"""The batches that all trainers are given: ids in NumPy files, and the shape of the network."""

import json
from pathlib import Path

import numpy as np

SHAPE = {"num_layers": 4, "d_model": 128, "num_heads": 4, "dff": 256, "rate": 0.3}


def write(directory, name, batches):
    """Writes a list of (source, target) arrays."""
    arrays = {
        f"{side}{i}": ids
        for i, pair in enumerate(batches)
        for side, ids in zip("st", pair, strict=True)
    }
    np.savez(Path(directory) / f"{name}.npz", **arrays)


def read(directory, name):
    """The list of (source, target) arrays."""
    arrays = np.load(Path(directory) / f"{name}.npz")
    return [(arrays[f"s{i}"], arrays[f"t{i}"]) for i in range(len(arrays) // 2)]


def write_vocab_size(directory, size):
    (Path(directory) / "vocab_size.json").write_text(json.dumps(size))


def read_vocab_size(directory):
    return json.loads((Path(directory) / "vocab_size.json").read_text())


def real_tokens(batches):
    """Tokens of the targets that the network is taught: all but the start and padding."""
    return sum(int(np.count_nonzero(target[:, 1:])) for _, target in batches)
