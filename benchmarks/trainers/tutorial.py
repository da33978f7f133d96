"""A contestant: a Transformer as the TensorFlow tutorial makes and trains it.

`keras.layers.MultiHeadAttention`, batches of (64, 41) and (64, 42), Keras's Adam, logits and loss
for padding too, `model.fit`.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from contest import serve  # noqa: E402
from trainers import batches as files  # noqa: E402

from keras_transformer.quiet import quiet_stderr  # noqa: E402

with quiet_stderr():
    import keras
    import numpy as np
    import tensorflow as tf

    from keras_transformer.model.positions import positional_encoding

DEPTH, HEADS, RATE = (files.SHAPE[name] for name in ("d_model", "num_heads", "rate"))


class Embedding(keras.layers.Layer):
    def __init__(self, vocab_size):
        super().__init__()
        self.embedding = keras.layers.Embedding(vocab_size, DEPTH, mask_zero=True)
        self.positions = positional_encoding(64, DEPTH)

    def compute_mask(self, ids, mask=None):
        return self.embedding.compute_mask(ids)

    def call(self, ids):
        return self.embedding(ids) * DEPTH**0.5 + self.positions[:, : ids.shape[1]]


class Attention(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True
        self.mha = keras.layers.MultiHeadAttention(HEADS, DEPTH // HEADS, dropout=RATE)
        self.add, self.layernorm = keras.layers.Add(), keras.layers.LayerNormalization()

    def call(self, x, context, causal=False):
        attended = self.mha(x, context, use_causal_mask=causal)
        return self.layernorm(self.add([x, attended]))


class FeedForward(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True
        self.inner = keras.layers.Dense(files.SHAPE["dff"], activation="relu")
        self.outer, self.dropout = keras.layers.Dense(DEPTH), keras.layers.Dropout(RATE)
        self.add, self.layernorm = keras.layers.Add(), keras.layers.LayerNormalization()

    def call(self, x):
        return self.layernorm(self.add([x, self.dropout(self.outer(self.inner(x)))]))


class Logits(keras.layers.Dense):
    def compute_mask(self, inputs, mask=None):
        """None: the loss has a mask of its own."""


def make_model(vocab_size):
    source = keras.Input((41,), dtype="int32")
    target = keras.Input((41,), dtype="int32")
    context = keras.layers.Dropout(RATE)(Embedding(vocab_size)(source))
    for _ in range(files.SHAPE["num_layers"]):
        context = FeedForward()(Attention()(context, context))
    x = keras.layers.Dropout(RATE)(Embedding(vocab_size)(target))
    for _ in range(files.SHAPE["num_layers"]):
        x = FeedForward()(Attention()(Attention()(x, x, causal=True), context))
    return keras.Model([source, target], Logits(vocab_size)(x))


def masked_loss(labels, logits):
    real = tf.cast(labels != 0, tf.float32)
    losses = keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)
    return tf.reduce_sum(losses * real) / tf.reduce_sum(real)


def masked_accuracy(labels, logits):
    real = tf.cast(labels != 0, tf.float32)
    right = tf.cast(
        tf.argmax(logits, axis=2, output_type=tf.int32) == tf.cast(labels, tf.int32), tf.float32
    )
    return tf.reduce_sum(right * real) / tf.reduce_sum(real)


def main(directory):
    batches = files.read(directory, "fixed")
    model = make_model(files.read_vocab_size(directory))
    optimizer = keras.optimizers.Adam(1e-4, beta_1=0.9, beta_2=0.98, epsilon=1e-9)
    model.compile(optimizer, masked_loss, metrics=[masked_accuracy])
    source, target = (np.concatenate(side) for side in zip(*batches, strict=True))
    data = tf.data.Dataset.from_tensor_slices(((source, target[:, :-1]), target[:, 1:])).batch(64)
    options = tf.data.Options()
    options.autotune.enabled = False
    data = data.with_options(options)

    def work():
        model.fit(data, shuffle=False, verbose=0)
        return files.real_tokens(batches)

    serve(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
