"""A contestant: this project's `Translator`; for a sentence alone, the search of an export."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from contest import serve  # noqa: E402
from translators.task import Task  # noqa: E402

from keras_transformer import command_line  # noqa: E402

with command_line.quiet_start():
    import tensorflow as tf

    from keras_transformer.serving.saved_model import SavedSearch
    from keras_transformer.serving.weights import OneVariable
    from keras_transformer.translation.parallel import one_thread_an_operation
    from keras_transformer.translation.translator import Translator


def in_batches(task):
    """What `translate.py` does with a file."""
    translator = Translator.load(task.checkpoint)
    search = {"beam_size": task.beam_size, "alpha": 0.0, "batch_size": task.batch_size}
    return lambda sentences: translator.translate(sentences, **search)


def one_by_one(task):
    """What a server does that was given `export.py --xla`."""
    translator = Translator.load(task.checkpoint)
    search = tf.function(
        SavedSearch(translator, OneVariable(translator), task.beam_size, alpha=0.0, xla=True),
        [tf.TensorSpec((None, None), tf.int32)],
        autograph=False,
    )

    def translate(sentences):
        for sentence in sentences:
            ids, _ = search(tf.constant([translator.source_subwords.encode(sentence)]))
            translator.target_subwords.decode(ids[0].numpy())

    return translate


def main(path):
    task = Task.read(path)
    one_thread_an_operation()
    serve(task.work(one_by_one(task) if task.batch_size == 1 else in_batches(task)))


if __name__ == "__main__":
    main(*sys.argv[1:])
