"""A contestant: our network searched as the TensorFlow tutorial does.

One sentence at a time, greedily; for each further id, source and prefix pass the network anew.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from contest import serve  # noqa: E402
from translators.task import Task  # noqa: E402

from keras_transformer.quiet import quiet_stderr  # noqa: E402

with quiet_stderr():
    import tensorflow as tf

    from keras_transformer.translation.translator import Translator


def main(path):
    task = Task.read(path)
    translator = Translator.load(task.checkpoint)
    source_subwords, target_subwords = translator.source_subwords, translator.target_subwords

    @tf.function(input_signature=[tf.TensorSpec((1, None), tf.int32)], autograph=False)
    def search(source):
        def going_on(target):
            return (tf.shape(target)[1] <= task.longest) & (target[0, -1] != target_subwords.end)

        def extend(target):
            logits = translator.model((source, target), training=False)
            best = tf.argmax(logits[:, -1:], axis=-1, output_type=tf.int32)
            return (tf.concat([target, best], axis=1),)

        start = tf.constant([[target_subwords.start]])
        invariants = [tf.TensorShape((1, None))]
        return tf.while_loop(going_on, extend, [start], shape_invariants=invariants)[0]

    def translate(sentences):
        for sentence in sentences:
            found = search(tf.constant([source_subwords.encode(sentence)]))
            target_subwords.decode(found[0].numpy())

    serve(task.work(translate))


if __name__ == "__main__":
    main(*sys.argv[1:])
