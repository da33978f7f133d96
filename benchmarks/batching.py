"""Training speed of bucketed batches against fixed ones, in real target tokens a second.

One model, one training step, the same pairs: only the batches differ. Rounds of both alternate,
so that a machine that is busy for a while is busy for both.
"""

import statistics
import tempfile
import time

from keras_transformer.commands import command_line
from keras_transformer.config import Config
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import numpy as np

    from keras_transformer.runs.run import Run
    from keras_transformer.text.batches import make_batches
    from keras_transformer.text.corpus import open_corpus
    from keras_transformer.training.session import make_trainer

BATCHINGS = ("fixed", "bucketed")


def main():
    parser = command_line.Parser(description=__doc__)
    parser.add_argument("--train", nargs="+", default=(), metavar="FILE", help="as in train.py")
    parser.add_argument("--steps", type=int, default=20, help="steps a round (default 20)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds (default 7)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        speeds = measure(new_trainer(arguments.train, directory), arguments)
    for batching in BATCHINGS:
        print(f"{batching:9} {statistics.median(speeds[batching]):8,.0f} real target tokens/s")
    ratios = [b / f for f, b in zip(speeds["fixed"], speeds["bucketed"], strict=True)]
    print(f"bucketed : fixed {statistics.median(ratios):.2f} (median of {arguments.rounds} rounds)")
    return 0


def new_trainer(train, directory):
    config = Config().with_settings({"train": tuple(train)}).resolved()
    corpus = open_corpus(train, (), config.text.source_lang, config.text.target_lang)
    run = Run.create(directory, config)
    run.make_subwords(corpus.train)
    return make_trainer(run, corpus)


def measure(trainer, arguments):
    """{batching: target tokens a second in each round}; a round before them is not counted."""
    speeds = {batching: [] for batching in BATCHINGS}
    for number in range(arguments.rounds + 1):
        for batching in BATCHINGS:
            batches = some_batches(trainer, batching, arguments.steps, seed=number)
            speed = tokens_per_second(trainer, batches)
            if number:
                speeds[batching].append(speed)
    return speeds


def some_batches(trainer, batching, steps, seed):
    settings = trainer.settings
    dataset = make_batches(
        trainer.train_pairs, batching, settings.batch_size, settings.shuffle_buffer, seed
    )
    return list(dataset.take(steps))


def tokens_per_second(trainer, batches):
    tokens = sum(np.count_nonzero(target[:, 1:]) for _, target in batches)
    begin = time.perf_counter()
    for batch in batches:
        sums = trainer.train_step(*batch)
    float(sums.loss)
    return tokens / (time.perf_counter() - begin)


if __name__ == "__main__":
    command_line.run(main)
