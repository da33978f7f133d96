"""Throughput of a training step with the built-in settings, by optimizer and by shares of a batch.

    python benchmarks/steps.py

The script measures real target tokens per second with Muon, with Adam, with Keras's Muon (five and
four iterations in float32), with Muon on whole batches, where each operation uses all cores, and
with Muon if freed memory is returned to the system.
"""

import argparse
import functools
import sys
import tempfile

from contest import Contestant, compete, ratio
from prepared import open_corpus_of, write_batches
from trainers import ours

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import keras

    from keras_transformer.runs.run import Run
    from keras_transformer.training import objective, optimizers
    from keras_transformer.training.choices import new_config
    from keras_transformer.training.optimizers import make_muon

BATCHES = 40  # per round
# Name: the optimizer, the iterations of Keras's Muon or 0, the shares of a batch, and whether the
# process keeps the memory that it frees.
CONTESTANTS = {
    "ours": ("muon", 0, 2, "keep"),
    "Adam": ("adam", 0, 2, "keep"),
    "Keras's Muon, 5 iterations": ("muon", 5, 2, "keep"),
    "Keras's Muon, 4 iterations": ("muon", 4, 2, "keep"),
    "ours, whole batches": ("muon", 0, 1, "keep"),
    "ours, freed memory returned": ("muon", 0, 2, "return"),
}


def keras_muon(
    steps: int,
    schedule: keras.optimizers.schedules.LearningRateSchedule,
    clip_norm: float | None = None,
    product_dtype: str = "float32",
) -> keras.optimizers.Optimizer:
    """Return Keras's Muon with our settings, except for the iterations and their dtype."""
    settings = make_muon(schedule, clip_norm).get_config()
    settings.pop("product_dtype")
    return keras.optimizers.Muon(**settings | {"learning_rate": schedule, "ns_steps": steps})


def work(directory: str, optimizer: str, iterations: str, shares: str, freed_memory: str) -> None:
    """Train on the batches of a directory, as a contestant."""
    objective.SHARES = int(shares)
    if int(iterations):
        optimizers.make_muon = functools.partial(keras_muon, int(iterations))
    if freed_memory == "return":
        ours.keep_freed_memory = lambda: None
    ours.serve_steps(Run.open(directory).config.with_settings({"optimizer": optimizer}), directory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default 5)")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as directory:
        run = Run.create(directory, new_config({}))
        corpus = open_corpus_of(run)
        run.make_subwords(corpus.train.vocabulary(), exact=True)
        write_batches(run, corpus, directory, BATCHES)
        contestants = [
            Contestant(name, "steps", ["--work", directory, *arguments])
            for name, arguments in CONTESTANTS.items()
        ]
        compete(contestants, rounds)
    for each in contestants:
        times = ratio(contestants[0], each)
        print(f"{each.name:28} {each.median:8,.0f} target tokens/s; ours: {times}")


if __name__ == "__main__":
    work(*sys.argv[2:]) if sys.argv[1:2] == ["--work"] else main()
