"""A contestant: our network with the greedy search of the TensorFlow tutorial.

It translates one sentence at a time, and runs the whole network on source and prefix for each id.
"""

import sys
from collections.abc import Sequence

from contest import serve
from translators.task import Task

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import tensorflow as tf

    from keras_transformer.translation.translator import Translator


def main(path: str) -> None:
    task = Task.read(path)
    translator = Translator.load(task.checkpoint)
    source_subwords, target_subwords = translator.source_subwords, translator.target_subwords

    @tf.function(input_signature=[tf.TensorSpec((1, None), tf.int32)], autograph=False)
    def search(source: tf.Tensor) -> tf.Tensor:
        def is_unfinished(target: tf.Tensor) -> tf.Tensor:
            return (tf.shape(target)[1] <= task.longest) & (target[0, -1] != target_subwords.end)

        def extend(target: tf.Tensor) -> tuple[tf.Tensor]:
            logits = translator.model((source, target), training=False)
            best = tf.argmax(logits[:, -1:], axis=-1, output_type=tf.int32)
            return (tf.concat([target, best], axis=1),)

        start = tf.constant([[target_subwords.start]])
        invariants = [tf.TensorShape((1, None))]
        return tf.while_loop(is_unfinished, extend, [start], shape_invariants=invariants)[0]

    def translate(sentences: Sequence[str]) -> None:
        for sentence in sentences:
            found = search(tf.constant([source_subwords.encode(sentence)]))
            target_subwords.decode(found[0].numpy())

    serve(task.work(translate))


if __name__ == "__main__":
    main(*sys.argv[1:])
