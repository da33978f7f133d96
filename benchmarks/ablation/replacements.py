"""The built-ins of Keras and TensorFlow, with the signatures of the kernels that replace them."""

from collections.abc import Callable

import keras
import tensorflow as tf

from keras_transformer.kernels.top_k import best_in_blocks, bounded_log, in_blocks
from keras_transformer.kernels.vocabulary_projection import Projection
from keras_transformer.tensors import Tensor


def dense(
    x: Tensor,
    kernel: Tensor,
    bias: Tensor | None,
    activation: Callable[[Tensor], Tensor] | None = None,
    transpose_b: bool = False,
) -> Tensor:
    """Return what `keras.layers.Dense` computes."""
    kernel = tf.cast(kernel, x.dtype)
    y = keras.ops.matmul(x, keras.ops.transpose(kernel) if transpose_b else kernel)
    if bias is not None:
        y = keras.ops.add(y, tf.cast(bias, x.dtype))
    return activation(y) if activation else y


def projected_crossentropy(
    features: Tensor, table: Tensor, bias: Tensor, targets: Tensor, label_smoothing: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Return Keras's loss of all logits at once, and the number of correct tokens."""
    logits = tf.cast(dense(features, table, bias, transpose_b=True), tf.float32)
    loss = keras.losses.CategoricalCrossentropy(
        from_logits=True, label_smoothing=label_smoothing, reduction="sum"
    )
    is_best = tf.argmax(logits, axis=-1, output_type=targets.dtype) == targets
    wanted = tf.one_hot(targets, logits.shape[-1])
    return loss(wanted, logits), tf.reduce_sum(tf.cast(is_best, tf.float32))


def by_table(table: Tensor, bias: Tensor) -> Projection:
    """Return a projection by the table of an embedding, in its own layout."""
    return lambda features: tf.cast(dense(features, table, bias, transpose_b=True), tf.float32)


def muon(
    learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
    product_dtype: str = "float32",
    **kwargs: object,
) -> keras.optimizers.Muon:
    """Return Keras's Muon, whose products are always float32."""
    return keras.optimizers.Muon(learning_rate, **kwargs)


def top_k_of_vocabulary(
    scores: Tensor, logits: Tensor, count: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the best continuations by `tf.math.top_k` over the vocabulary, scored as before."""
    beam_size, vocab_size = logits.shape[1:]
    logs = bounded_log(tf.nn.softmax(logits))
    totals = tf.reshape(scores[..., tf.newaxis] + logs, (-1, beam_size * vocab_size))
    best, places = tf.math.top_k(totals, count)
    return best, places // vocab_size, places % vocab_size


def blocks_of_log_softmax(
    scores: Tensor, logits: Tensor, count: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the best continuations block by block, scored by `tf.nn.log_softmax`."""
    return best_in_blocks(scores, in_blocks(tf.nn.log_softmax(logits), count), count)
