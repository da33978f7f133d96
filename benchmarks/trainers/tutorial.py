"""A contestant: a Transformer built and trained like that of the TensorFlow tutorial.

It uses `keras.layers.MultiHeadAttention`, ids of the shapes (64, 41) and (64, 42), Keras's Adam and
`model.fit`, and computes logits and losses of padding too.
"""

import sys

from contest import serve
from trainers import batches as files

from keras_transformer.quiet import quiet_stderr

with quiet_stderr():
    import keras
    import numpy as np
    import tensorflow as tf

    from keras_transformer.model.positions import positional_encoding

DEPTH, HEADS, RATE = (files.SHAPE[name] for name in ("d_model", "num_heads", "rate"))


class Embedding(keras.layers.Layer):
    """Token embeddings plus positional encoding."""

    def __init__(self, vocab_size: int) -> None:
        super().__init__()
        self.embedding = keras.layers.Embedding(vocab_size, DEPTH, mask_zero=True)
        self.positions = positional_encoding(64, DEPTH)

    def compute_mask(self, ids: tf.Tensor, mask: tf.Tensor | None = None) -> tf.Tensor:
        return self.embedding.compute_mask(ids)

    def call(self, ids: tf.Tensor) -> tf.Tensor:
        return self.embedding(ids) * DEPTH**0.5 + self.positions[:, : ids.shape[1]]


class Attention(keras.layers.Layer):
    """Attention with its residual connection and normalization."""

    def __init__(self) -> None:
        super().__init__()
        self.supports_masking = True
        self.mha = keras.layers.MultiHeadAttention(HEADS, DEPTH // HEADS, dropout=RATE)
        self.add, self.layernorm = keras.layers.Add(), keras.layers.LayerNormalization()

    def call(self, x: tf.Tensor, context: tf.Tensor, causal: bool = False) -> tf.Tensor:
        attended = self.mha(x, context, use_causal_mask=causal)
        return self.layernorm(self.add([x, attended]))


class FeedForward(keras.layers.Layer):
    """Two dense layers with their residual connection and normalization."""

    def __init__(self) -> None:
        super().__init__()
        self.supports_masking = True
        self.inner = keras.layers.Dense(files.SHAPE["dff"], activation="relu")
        self.outer, self.dropout = keras.layers.Dense(DEPTH), keras.layers.Dropout(RATE)
        self.add, self.layernorm = keras.layers.Add(), keras.layers.LayerNormalization()

    def call(self, x: tf.Tensor) -> tf.Tensor:
        return self.layernorm(self.add([x, self.dropout(self.outer(self.inner(x)))]))


class Logits(keras.layers.Dense):
    """The output projection."""

    def compute_mask(self, inputs: tf.Tensor, mask: tf.Tensor | None = None) -> None:
        """Return no mask: the loss computes its own."""


def make_model(vocab_size: int) -> keras.Model:
    source = keras.Input((41,), dtype="int32")
    target = keras.Input((41,), dtype="int32")
    context = keras.layers.Dropout(RATE)(Embedding(vocab_size)(source))
    for _ in range(files.SHAPE["num_layers"]):
        context = FeedForward()(Attention()(context, context))
    x = keras.layers.Dropout(RATE)(Embedding(vocab_size)(target))
    for _ in range(files.SHAPE["num_layers"]):
        x = FeedForward()(Attention()(Attention()(x, x, causal=True), context))
    return keras.Model([source, target], Logits(vocab_size)(x))


def masked_loss(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    real = tf.cast(labels != 0, tf.float32)
    losses = keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)
    return tf.reduce_sum(losses * real) / tf.reduce_sum(real)


def masked_accuracy(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    real = tf.cast(labels != 0, tf.float32)
    right = tf.cast(
        tf.argmax(logits, axis=2, output_type=tf.int32) == tf.cast(labels, tf.int32), tf.float32
    )
    return tf.reduce_sum(right * real) / tf.reduce_sum(real)


def main(directory: str) -> None:
    batches = files.read(directory, "fixed")
    model = make_model(files.read_vocab_size(directory))
    optimizer = keras.optimizers.Adam(1e-4, beta_1=0.9, beta_2=0.98, epsilon=1e-9)
    model.compile(optimizer, masked_loss, metrics=[masked_accuracy])
    source, target = (np.concatenate(side) for side in zip(*batches, strict=True))
    data = tf.data.Dataset.from_tensor_slices(((source, target[:, :-1]), target[:, 1:])).batch(64)
    options = tf.data.Options()
    options.autotune.enabled = False
    data = data.with_options(options)

    def work() -> int:
        model.fit(data, shuffle=False, verbose=0)
        return files.real_tokens(batches)

    serve(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
