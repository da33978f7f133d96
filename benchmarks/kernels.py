"""Ablation of the kernels: each is swapped for the built-in that it replaces.

    python benchmarks/kernels.py
    python benchmarks/kernels.py --only dense top-k --checkpoint checkpoints/phrasebook-en-de

A row is one kernel in a complete training step or search. A program with the kernel and one with
the built-in alternate; the row has the median and the quartiles of the rounds' ratios, time without
the kernel / time with the kernel. More than 1 means that the kernel is faster. Without a
checkpoint, the script first trains the built-in corpus for one epoch.
"""

import argparse
import itertools
import tempfile
from pathlib import Path
from typing import NamedTuple

from contest import Contestant, compete, ratio
from prepared import open_corpus_of, write_batches
from translators.task import Task

from keras_transformer.commands import command_line, entry_point
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    from keras_transformer.runs.run import Run
    from keras_transformer.training.session import train

STEPS = 20  # batches per round
# Sentences per round, of a search: (beam size, batch size, sentences).
SEARCHES = {
    "greedy search, batches of 64": (1, 64, 512),
    "beam search, batches of 64": (4, 64, 512),
    "greedy search, one sentence, XLA": (1, 1, 200),
    "beam search, one sentence, XLA": (4, 1, 200),
}
GREEDY, BEAM, GREEDY_XLA, BEAM_XLA = SEARCHES


class Row(NamedTuple):
    """A kernel, the swap of `ablation.swaps` that takes its place, and the task they compute."""

    kernel: str
    swap: str
    task: str


ROWS = [
    *(Row("dense", "keras.layers.Dense", task) for task in ("training step", *SEARCHES)),
    Row("dropout", "keras.layers.Dropout", "training step, dropout 0.1"),
    # Searches fold the normalizations, and greedy ones in batches use `tf.math.top_k`.
    Row("layer normalization", "keras.layers.LayerNormalization", "training step"),
    Row("Adam", "keras.optimizers.Adam", "training step, Adam"),
    Row("Muon", "keras.optimizers.Muon", "training step, Muon"),
    Row("linear cross-entropy", "Dense, CategoricalCrossentropy", "training step"),
    Row("two shares of a batch", "whole batches", "training step"),
    *(Row("blockwise top-k", "tf.math.top_k", task) for task in (BEAM, GREEDY_XLA, BEAM_XLA)),
    *(Row("softmax scoring", "tf.nn.log_softmax", task) for task in SEARCHES),
    *(
        Row(f"projection {kernel}", swap, task)
        for task, (kernel, *others) in {
            GREEDY: ("by_kernel", "by_table", "by_blocks"),
            BEAM: ("by_kernel", "by_table", "by_blocks"),
            GREEDY_XLA: ("by_blocks", "by_table", "by_kernel"),
            BEAM_XLA: ("by_blocks", "by_table", "by_kernel"),
        }.items()
        for swap in others
    ),
]


def make_parser() -> argparse.ArgumentParser:
    parser = command_line.Parser(description=__doc__)
    add = parser.add_argument
    add("--checkpoint", metavar="DIR", help="run directory (default: train one epoch)")
    add("--rounds", type=int, default=9, metavar="N", help="rounds (default 9)")
    text = "measure only rows that contain one of these words"
    add("--only", nargs="+", default=[""], metavar="WORD", help=text)
    return parser


def main() -> int:
    arguments = make_parser().parse_args()
    with tempfile.TemporaryDirectory() as directory:
        checkpoint = Path(arguments.checkpoint or trained_run(directory)).resolve()
        prepare(Run.open(checkpoint), directory)
        print("| kernel | replaced by | in | time without / with the kernel |")
        print("| --- | --- | --- | --- |")
        for row in ROWS:
            if any(word in " ".join(row) for word in arguments.only):
                times = measure(row, checkpoint, directory, arguments.rounds)
                print(f"| {row.kernel} | `{row.swap}` | {row.task} | {times} |", flush=True)
    return 0


def trained_run(directory: str) -> Path:
    """Train the built-in corpus for one epoch; return the run directory."""
    run = Path(directory) / "run"
    train({"epochs": 1}, run)
    return run


def prepare(run: Run, directory: str) -> None:
    """Write the batches and the tasks that all contestants read."""
    corpus = open_corpus_of(run)
    write_batches(run, corpus, directory, STEPS)
    longest = run.config.text.max_target_length - 1
    for name, (beam_size, batch_size, number) in SEARCHES.items():
        sentences = [source for source, _ in itertools.islice(corpus.train, number)]
        task = Task(sentences, str(run.directory), "", beam_size, batch_size, longest)
        task.write(task_file(directory, name))


def task_file(directory: str, name: str) -> Path:
    """Return the path of a search's `Task`."""
    return Path(directory) / f"{name}.json"


def measure(row: Row, checkpoint: Path, directory: str, rounds: int) -> str:
    """Return how many times as long a row's task takes without the kernel."""
    search = [task_file(directory, row.task)]
    inputs = search if row.task in SEARCHES else [checkpoint, directory]
    kernel, builtin = (
        Contestant(name, "ablation.contestant", [swap, row.task, *inputs])
        for name, swap in ((row.kernel, "none"), (row.swap, row.swap))
    )
    compete([kernel, builtin], rounds)
    return ratio(kernel, builtin)


if __name__ == "__main__":
    entry_point.run(main)
