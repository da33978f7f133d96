"""A contestant: this project's training step."""

import sys
import tempfile

from contest import serve
from trainers import batches as files

from keras_transformer.memory import keep_freed_memory
from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import tensorflow as tf

    from keras_transformer.config import Config
    from keras_transformer.runs.run import Run
    from keras_transformer.text.encoded_pairs import Survey
    from keras_transformer.text.encoding import Encoding
    from keras_transformer.threads import divide_cores
    from keras_transformer.training import objective
    from keras_transformer.training.trainer import Trainer


class Subwords:
    """The ids of a vocabulary, without its subwords."""

    def __init__(self, size: int) -> None:
        self.size, self.start, self.end = size, size - 2, size - 1


class NoPairs(list):
    """Stands in for `EncodedPairs`, because the batches exist already."""

    def __init__(self, size: int) -> None:
        self.encoding = Encoding(Subwords(size), Subwords(size), 41, 42)

    def sample(self, most: int) -> list[tuple[str, str]]:
        return []


def serve_steps(config: Config, directory: str) -> None:
    """Train with a `Config` on the batches of a directory, as a contestant."""
    keep_freed_memory()
    divide_cores(objective.SHARES)
    pairs = NoPairs(files.read_vocab_size(directory))
    batches = files.read(directory, "bucketed")
    tensors = [tuple(map(tf.constant, batch)) for batch in batches]
    with tempfile.TemporaryDirectory() as place:
        trainer = Trainer(Run.create(place, config), pairs, pairs, Survey(kept=1, widths=1))

        def work() -> int:
            for batch in tensors:
                sums = trainer.train_step(*batch).totals
            float(sums.loss)
            return files.real_tokens(batches)

        serve(work)


def main(directory: str, *flags: str) -> None:
    settings = {"joint_vocabulary": True, "tied_embeddings": "all", "norm_first": True}
    settings |= files.SHAPE | {"mixed_precision": "--mixed-precision" in flags}
    serve_steps(Config().with_settings(settings).resolved(), directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
