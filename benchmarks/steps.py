"""How fast a training step of the built-in run is, by optimizer and by shares of a batch.

    python benchmarks/steps.py

Sentence pairs a second of Adam, of Keras's Muon as it is (five and four iterations in float32), and
of ours; and of ours with whole batches, each operation on all cores.
"""

import contextlib
import functools
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).parents[1]
sys.path[:0] = [str(HOME)]

from contest import Contestant, compete, ratio, serve  # noqa: E402

from keras_transformer.quiet import quiet_stderr  # noqa: E402

with quiet_stderr():
    import keras

    from keras_transformer.runs.run import Run
    from keras_transformer.text.batches import make_batches
    from keras_transformer.text.corpus import open_corpus
    from keras_transformer.training import objective, optimizers, session
    from keras_transformer.translation.parallel import divide_cores

BATCHES = 40  # a round
# Name: the optimizer, and the shares of a batch.
CONTESTANTS = {
    "ours": ("muon", 2),
    "Adam": ("adam", 2),
    "Keras's Muon, 5 iterations": ("keras-5", 2),
    "Keras's Muon, 4 iterations": ("keras-4", 2),
    "ours, whole batches": ("muon", 1),
}


def keras_muon(steps, schedule, clip_norm=None):
    """Return Keras's Muon with the settings of ours but for the iterations and their dtype."""
    settings = optimizers.make_muon(schedule, clip_norm).get_config()
    settings.pop("product_dtype")
    return keras.optimizers.Muon(**settings | {"learning_rate": schedule, "ns_steps": steps})


def work(name, shares):
    """Train on the same batches again and again, as a contestant."""
    objective.SHARES = int(shares)
    divide_cores(objective.SHARES)
    for steps in (4, 5):
        optimizers.OPTIMIZERS[f"keras-{steps}"] = functools.partial(keras_muon, steps)
    config = session.new_config({})
    object.__setattr__(config.training, "optimizer", name)
    corpus = open_corpus(None, None, config.text.source_lang, config.text.target_lang)
    with tempfile.TemporaryDirectory() as place:
        with contextlib.redirect_stdout(sys.stderr):  # standard output is for the answers
            run = Run.create(place, config)
            run.make_subwords(corpus.train.vocabulary(), exact=True)
            trainer = session.make_trainer(run, corpus)
        settings = config.training.batching, config.training.batch_size
        dataset = make_batches(trainer.train_pairs, *settings, shuffle_buffer=100_000, seed=1)
        batches = list(dataset.take(BATCHES))
        pairs = sum(len(source) for source, _ in batches)

        def train():
            for batch in batches:
                float(trainer.train_step(*batch).loss)
            return pairs

        serve(train)


def main():
    contestants = [
        Contestant(name, [sys.executable, __file__, *arguments])
        for name, arguments in CONTESTANTS.items()
    ]
    compete(contestants, rounds=5)
    for each in contestants:
        print(f"{each.name:28} {each.median:6.0f} pairs/s; ours: {ratio(contestants[0], each):.2f}")


if __name__ == "__main__":
    work(*sys.argv[1:]) if sys.argv[1:] else main()
