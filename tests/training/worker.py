"""A worker process of test_distributed.py: TASK ... DIRECTORY, with TF_CONFIG.

Each finished training is reported as a line on standard output.
"""

import json
import sys
from pathlib import Path

import numpy as np

from keras_transformer.commands import entry_point
from keras_transformer.training.cluster import read_cluster
from keras_transformer.training.session import train
from keras_transformer.training.strategies import make_strategy
from tests.conftest import SMALL
from tests.training.fifty_steps import train_fifty_steps


def compare(directory: Path) -> None:
    """Train fifty steps, and save the gradients."""
    number = read_cluster().number
    found = train_fifty_steps(directory / f"steps{number}", make_strategy("multiworker"))
    np.savez(directory / f"steps{number}.npz", **found)


def train_run(directory: Path, epochs: int) -> None:
    """Train a run on the pairs that the test has written."""
    pairs = {"train": (str(directory / "pairs.tsv"),)}
    settings = SMALL | pairs | {"epochs": epochs, "patience": 0, "save_every": 2}
    result = train(settings, directory / "run", strategy="multiworker")
    print(json.dumps({"finished": result.finished, "signal": result.signal}), flush=True)


TASKS = {
    "compare": compare,
    "short": lambda directory: train_run(directory, 1),
    "long": lambda directory: train_run(directory, 100_000),
}


def main() -> int:
    *tasks, directory = sys.argv[1:]
    for task in tasks:
        TASKS[task](Path(directory))
    return 0


if __name__ == "__main__":
    entry_point.run(main)
