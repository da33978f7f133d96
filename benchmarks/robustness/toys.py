"""Small runs that train in seconds, and the commands that use them."""

import json
import random
import shutil
from pathlib import Path

import forks
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


def files(directory: Path) -> dict[str, bytes]:
    """Return {relative path: content} of the files in a directory that equal runs share."""
    found = (path for path in sorted(directory.rglob("*")) if path.is_file())
    names = {path: path.relative_to(directory) for path in found}
    return {
        str(name): path.read_bytes()
        for path, name in names.items()
        if not {name.name, name.parts[0]} & set(VARYING)
    }


def report(finished: Finished) -> dict[str, object]:
    """Return the figures that `evaluate` printed, without those of time."""
    return {k: v for k, v in json.loads(finished.stdout).items() if k not in TIMES}
