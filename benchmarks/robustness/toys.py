"""Small runs that train in seconds, and the commands that use them."""

import json
import random
import re
import shutil
from pathlib import Path

import forks
import numpy as np
import tensorflow as tf
from forks import Finished

WORDS = [f"{a}{b}" for a in "bdfgklmn" for b in "aeiou"]
SENTENCES = ("ba lo", "mi nu ka be", "du go fi")
PAIRS, RUN = "pairs.tsv", "run"
TRAIN = (
    f"--train {PAIRS} --checkpoint {RUN} --num-layers 1 --d-model 16 --num-heads 2 --dff 32 "
    "--vocab-size 60 --batch-size 3 --warmup-steps 20 --peak-learning-rate 0.02 "
    "--bleu-sentences 10 --save-every 5 --keep-checkpoints 4 --average-last 2 --shuffle-buffer 90"
).split()
TRANSLATE = ["--checkpoint", RUN, "--scores", *SENTENCES]
EVALUATE = ["--checkpoint", RUN, "--test", PAIRS, "--json", "--beam-size", "1"]
# Entries of a report that differ from run to run.
TIMES = ("seconds", "sentences_per_second", "tokens_per_second")
# Files that differ between two equal runs.
VARYING = ("checkpoint", "logs", "lock")


def write_pairs(path: Path, seed: int = 0, count: int = 160) -> None:
    """Write sentences of invented words, whose translations consist of the same letters."""
    draw = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            sentence = " ".join(draw.choices(WORDS, k=draw.randint(2, 6)))
            file.write(f"{sentence}\t{sentence[::-1]}\n")


def make_home(home: Path, seed: int = 0) -> Path:
    """Create an empty directory with sentence pairs."""
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    write_pairs(home / PAIRS, seed)
    return home


def train(home: Path, epochs: int) -> Finished:
    """Train or resume the run in a directory to its end."""
    return forks.run("train", [*TRAIN, "--epochs", epochs], home)


def resume(home: Path, epochs: int) -> Finished:
    """Resume the run in a directory, with the settings in its config.json."""
    return forks.run("train", ["--checkpoint", RUN, "--epochs", epochs], home)


def contents(directory: Path) -> dict[str, bytes]:
    """Return {name: content} of what two equal runs have in common.

    A name is that of a file, relative to the directory, or of a variable in the newest checkpoint
    there, in best/ or in average/. An interrupted run may keep more checkpoints.
    """
    found: dict[str, bytes] = {}
    for path in sorted(path for path in directory.rglob("*") if path.is_file()):
        name = path.relative_to(directory)
        is_checkpoint = re.fullmatch(r"ckpt-\d+\.(index|data-\d+-of-\d+)", path.name)
        if not is_checkpoint and not {name.name, name.parts[0]} & set(VARYING):
            found[str(name)] = path.read_bytes()
    for part in (".", "best", "average"):
        newest = newest_state(directory / part)
        found |= {f"{part}, newest state: {key}": value for key, value in newest.items()}
    return found


def newest_state(directory: Path) -> dict[str, bytes]:
    """Return {name: value} of the newest checkpoint in a directory."""
    numbers = [int(path.stem[5:]) for path in directory.glob("ckpt-*.index")]
    return variables(directory / f"ckpt-{max(numbers)}.index") if numbers else {}


def variables(index: Path) -> dict[str, bytes]:
    """Return {name: value} of the variables in a checkpoint.

    TensorFlow's counter of saves is not among them: it counts those of a process.
    """
    try:
        reader = tf.train.load_checkpoint(str(index.with_suffix("")))
        names = [
            name
            for name in reader.get_variable_to_shape_map()
            if not re.match("save_counter|_", name)
        ]
        return {name: np.asarray(reader.get_tensor(name)).tobytes() for name in names}
    except Exception as error:  # TensorFlow raises exceptions of many classes
        return {"unreadable": str(error).encode()}


def report(finished: Finished) -> dict[str, object]:
    """Return the figures that `evaluate` printed, without those of time."""
    return {k: v for k, v in json.loads(finished.stdout).items() if k not in TIMES}
