"""Training throughput of bucketed against fixed batches, in real target tokens per second.

Model, training step and sentence pairs are the same; only the batches differ. Rounds of both
alternate, so that a machine that is busy for a while slows both down.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence

from contest import summary

from keras_transformer.commands import command_line, entry_point
from keras_transformer.config import Config
from keras_transformer.memory import keep_freed_memory
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import numpy as np
    import tensorflow as tf

    from keras_transformer.runs.run import Run
    from keras_transformer.text.batches import make_batches
    from keras_transformer.text.corpus import open_corpus
    from keras_transformer.training.encoded_corpus import EncodedCorpus
    from keras_transformer.training.trainer import Trainer

BATCHINGS = ("fixed", "bucketed")

Batch = tuple[tf.Tensor, tf.Tensor]  # source ids (B, S), target ids (B, T)


def main() -> int:
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("--train", nargs="+", default=(), metavar="FILE", help="as in train.py")
    parser.add_argument("--steps", type=int, default=20, help="steps per round (default 20)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds (default 7)")
    arguments = parser.parse_args()
    keep_freed_memory()
    with tempfile.TemporaryDirectory() as directory:
        speeds = measure(new_trainer(arguments.train, directory), arguments)
    for batching in BATCHINGS:
        print(f"{batching:9} {statistics.median(speeds[batching]):8,.0f} real target tokens/s")
    ratios = [b / f for f, b in zip(speeds["fixed"], speeds["bucketed"], strict=True)]
    print(f"bucketed : fixed {summary(ratios)}, median and quartiles of {arguments.rounds} rounds")
    return 0


def new_trainer(train: Sequence[str], directory: str) -> Trainer:
    """Return the trainer of a new run with the default settings."""
    config = Config().with_settings({"train": tuple(train)}).resolved()
    corpus = open_corpus(train, (), config.text.source_lang, config.text.target_lang)
    run = Run.create(directory, config)
    run.make_subwords(corpus.train)
    return Trainer(run, *EncodedCorpus.of(run, corpus))


def measure(trainer: Trainer, arguments: argparse.Namespace) -> dict[str, list[float]]:
    """Return {batching: target tokens per second of each round}, after a warm-up round."""
    speeds: dict[str, list[float]] = {batching: [] for batching in BATCHINGS}
    for number in range(arguments.rounds + 1):
        for batching in BATCHINGS:
            batches = some_batches(trainer, batching, arguments.steps, seed=number)
            speed = tokens_per_second(trainer, batches)
            if number:
                speeds[batching].append(speed)
    return speeds


def some_batches(trainer: Trainer, batching: str, steps: int, seed: int) -> list[Batch]:
    """Return the first batches of an epoch."""
    settings = trainer.settings
    dataset = make_batches(
        trainer.train_pairs, batching, settings.batch_size, settings.shuffle_buffer, seed
    )
    return list(dataset.take(steps))


def tokens_per_second(trainer: Trainer, batches: Sequence[Batch]) -> float:
    """Train on batches; return the real target tokens per second."""
    tokens = sum(np.count_nonzero(target[:, 1:]) for _, target in batches)
    begin = time.perf_counter()
    for batch in batches:
        sums = trainer.train_step(*batch).totals
    float(sums.loss)
    return tokens / (time.perf_counter() - begin)


if __name__ == "__main__":
    entry_point.run(main)
