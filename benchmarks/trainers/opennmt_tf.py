"""A contestant: OpenNMT-tf's Transformer, its loss and its optimizer, on the same batches.

It needs its own environment: `pip install "OpenNMT-tf[tensorflow]==2.32.0"` on Python 3.11.
"""

import sys
from pathlib import Path

import numpy as np
import opennmt
import tensorflow as tf
from contest import serve
from numpy.typing import NDArray
from trainers import batches as files


def make_model(directory: str) -> opennmt.models.Transformer:
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
    special = ["<blank>", "<s>", "</s>"]  # OpenNMT-tf adds one more, for unknown words
    vocabulary.write_text("\n".join([*special, *map(str, range(size - 4))]) + "\n")
    data = {"source_vocabulary": str(vocabulary), "target_vocabulary": str(vocabulary)}
    model.initialize(data, params={"label_smoothing": 0.1})
    return model


def as_features(
    source: NDArray[np.int32], target: NDArray[np.int32]
) -> tuple[dict[str, tf.Tensor], dict[str, tf.Tensor]]:
    """Return the features and labels that OpenNMT-tf makes of a batch."""

    def lengths(ids: NDArray[np.int32]) -> tf.Tensor:
        return tf.constant(np.count_nonzero(ids, axis=1), tf.int32)

    read, wanted = target[:, :-1].copy(), target[:, 1:]
    read[wanted == 0] = 0  # the network does not read the end token
    return (
        {"ids": tf.constant(source, tf.int64), "length": lengths(source)},
        {
            "ids": tf.constant(read, tf.int64),
            "ids_out": tf.constant(wanted, tf.int64),
            "length": lengths(wanted),
        },
    )


def main(directory: str) -> None:
    batches = files.read(directory, "bucketed")
    tensors = [as_features(*batch) for batch in batches]
    model = make_model(directory)
    # The optimizer of the automatic configuration of a Transformer.
    optimizer = opennmt.optimizers.make_optimizer("LazyAdam", 1e-4, beta_1=0.9, beta_2=0.998)
    ids = tf.TensorSpec((None, None), tf.int64)
    lengths = tf.TensorSpec((None,), tf.int32)
    source = {"ids": ids, "length": lengths}

    @tf.function(input_signature=(source, source | {"ids_out": ids}))
    def step(source: dict[str, tf.Tensor], target: dict[str, tf.Tensor]) -> tf.Tensor:
        loss, count = model.compute_training_loss(source, target)
        gradients = optimizer.get_gradients(loss / count, model.trainable_variables)
        # AutoGraph does not support `strict`.
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # noqa: B905
        return loss

    model.create_variables(optimizer=optimizer)

    def work() -> int:
        for batch in tensors:
            loss = step(*batch)
        float(loss)
        return files.real_tokens(batches)

    serve(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
