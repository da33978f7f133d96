"""A contestant: OpenNMT-tf's Transformer, its loss and its optimizer, on the same batches.

For an environment of its own: `pip install "OpenNMT-tf[tensorflow]==2.32.0"` on Python 3.11.
"""

import os
import sys
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
sys.path[:0] = [str(Path(__file__).parents[1])]

import numpy as np  # noqa: E402
import opennmt  # noqa: E402
import tensorflow as tf  # noqa: E402
from contest import serve  # noqa: E402
from trainers import batches as files  # noqa: E402


def make_model(directory):
    shape, size = files.SHAPE, files.read_vocab_size(directory)
    depth = shape["d_model"]
    model = opennmt.models.Transformer(
        opennmt.inputters.WordEmbedder(embedding_size=depth),
        opennmt.inputters.WordEmbedder(embedding_size=depth),
        num_layers=shape["num_layers"],
        num_units=depth,
        num_heads=shape["num_heads"],
        ffn_inner_dim=shape["dff"],
        dropout=shape["rate"],
        attention_dropout=0,
        ffn_dropout=0,
        share_embeddings=opennmt.models.EmbeddingsSharingLevel.ALL,
    )
    vocabulary = Path(directory) / "vocabulary.txt"
    special = ["<blank>", "<s>", "</s>"]  # and one more that it adds for the unknown
    vocabulary.write_text("\n".join([*special, *map(str, range(size - 4))]) + "\n")
    data = {"source_vocabulary": str(vocabulary), "target_vocabulary": str(vocabulary)}
    model.initialize(data, params={"label_smoothing": 0.1})
    return model


def as_features(source, target):
    def lengths(ids):
        return tf.constant(np.count_nonzero(ids, axis=1), tf.int32)

    read, wanted = target[:, :-1].copy(), target[:, 1:]
    read[wanted == 0] = 0  # the end token is not read
    return (
        {"ids": tf.constant(source, tf.int64), "length": lengths(source)},
        {
            "ids": tf.constant(read, tf.int64),
            "ids_out": tf.constant(wanted, tf.int64),
            "length": lengths(wanted),
        },
    )


def main(directory):
    batches = files.read(directory, "bucketed")
    tensors = [as_features(*batch) for batch in batches]
    model = make_model(directory)
    # What its automatic configuration of a Transformer takes.
    optimizer = opennmt.optimizers.make_optimizer("LazyAdam", 1e-4, beta_1=0.9, beta_2=0.998)
    ids = tf.TensorSpec((None, None), tf.int64)
    lengths = tf.TensorSpec((None,), tf.int32)
    source = {"ids": ids, "length": lengths}

    @tf.function(input_signature=(source, source | {"ids_out": ids}))
    def step(source, target):
        loss, count = model.compute_training_loss(source, target)
        gradients = optimizer.get_gradients(loss / count, model.trainable_variables)
        # AutoGraph does not know `strict`.
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # noqa: B905
        return loss

    model.create_variables(optimizer=optimizer)

    def work():
        for batch in tensors:
            loss = step(*batch)
        float(loss)
        return files.real_tokens(batches)

    serve(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
