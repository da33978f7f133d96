"""A contestant: this project's training step."""

import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from contest import serve  # noqa: E402
from trainers import batches as files  # noqa: E402

from keras_transformer.quiet import quiet_stderr  # noqa: E402

with quiet_stderr():
    import tensorflow as tf

    from keras_transformer.config import Config
    from keras_transformer.runs.run import Run
    from keras_transformer.text.batches import Survey
    from keras_transformer.training.objective import SHARES
    from keras_transformer.training.trainer import Trainer
    from keras_transformer.translation.parallel import divide_cores


class Subwords:
    def __init__(self, size):
        self.size, self.start, self.end = size, size - 2, size - 1


class NoPairs(list):
    """In place of `EncodedPairs`: the batches are there already."""

    max_source_length, max_target_length = 41, 42

    def __init__(self, size):
        self.source_subwords = self.target_subwords = Subwords(size)

    def sample(self, most):
        return []


def main(directory, *flags):
    divide_cores(SHARES)
    settings = {"joint_vocabulary": True, "tied_embeddings": "all", "norm_first": True}
    settings |= files.SHAPE | {"mixed_precision": "--mixed-precision" in flags}
    config = Config().with_settings(settings).resolved()
    pairs = NoPairs(files.read_vocab_size(directory))
    batches = files.read(directory, "bucketed")
    tensors = [tuple(map(tf.constant, batch)) for batch in batches]
    with tempfile.TemporaryDirectory() as place:
        trainer = Trainer(Run.create(place, config), pairs, pairs, Survey(kept=1, widths=1))

        def work():
            for batch in tensors:
                sums = trainer.train_step(*batch)
            float(sums.loss)
            return files.real_tokens(batches)

        serve(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
