"""The best continuations of hypotheses, found block by block.

Replaces `tf.math.top_k` over `tf.nn.log_softmax`. `top_k` over a whole vocabulary is slow, except
for the best id of a single hypothesis, and a softmax is faster than a log-softmax. The `count` best
ids lie in the `count` blocks with the largest maxima, so only these blocks are searched, and only
they and the maxima need a logarithm.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import tensorflow as tf

from keras_transformer.kernels.dense import size
from keras_transformer.tensors import Tensor

NEVER = -1e9  # log probability of an id or a hypothesis that must not be chosen
BLOCK = 64  # ids in a block; the search is faster if it divides the vocabulary size


def best_by_probability(
    scores: Tensor, logits: Tensor, count: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the best continuations of each source's hypotheses, the best first.

    The probabilities are computed by a softmax, for which TensorFlow has a fast kernel. An id whose
    probability underflows to 0 has a log probability of `NEVER`, like an id that is suppressed.

    Args:
        scores: float32 (n, k), the log probabilities of the hypotheses.
        logits: float32 (n, k, V), for the next id of each hypothesis.
        count: number of continuations c.

    Returns:
        The log probabilities of the continuations, the indices of the hypotheses that they extend,
        and their last ids, each (n, c).
    """
    probabilities = tf.nn.softmax(logits)
    if count == 1 == logits.shape[1]:  # TensorFlow has a fast kernel for the best one of a row
        best, ids = tf.math.top_k(probabilities[:, 0], 1)
        return scores + tf.math.log(best), tf.zeros_like(ids), ids
    return best_in_blocks(scores, in_blocks(probabilities, count), count, bounded_log)


def best_by_logit(scores: Tensor, logits: Tensor, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return the best continuations, as `best_by_probability` does, by operations that suit XLA.

    XLA is faster without the division of a softmax, and when the maximum of a row is taken from
    the maxima of its blocks.
    """
    blocks = in_blocks(logits, count)
    scores -= _log_sums(logits, tf.reduce_max(blocks.maxima, axis=-1))
    return best_in_blocks(scores, blocks, count)


class Blocks(NamedTuple):
    """A tensor (n, k, V) as `blocks` (n, k * V / size, size) with `maxima` (n, k, V / size)."""

    blocks: Tensor
    maxima: Tensor


def in_blocks(values: Tensor, count: int) -> Blocks:
    """Return values (n, k, V) as `Blocks` of `BLOCK` ids.

    If V is not a multiple of `BLOCK`, or if `count` blocks would include all ids, each block has a
    single id. V may be unknown when the function is traced.
    """
    beam_size, vocab_size = values.shape[1], size(values, 2)
    width = block_width(beam_size, vocab_size, count)
    num_blocks = vocab_size // width
    blocks = tf.reshape(values, (-1, beam_size * num_blocks, width))
    return Blocks(blocks, tf.reshape(tf.reduce_max(blocks, axis=-1), (-1, beam_size, num_blocks)))


def block_width(beam_size: int, vocab_size: Any, count: int) -> Any:
    """Return the number of ids of a block of `in_blocks`; for a known V, an integer."""
    has_blocks = (vocab_size % BLOCK == 0) & (beam_size * vocab_size > count * BLOCK)
    if isinstance(has_blocks, bool):
        return BLOCK if has_blocks else 1
    return tf.where(has_blocks, BLOCK, 1)


def best_in_blocks(
    scores: Tensor, values: Blocks, count: int, log: Callable[[Tensor], Tensor] = tf.identity
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the `count` best of scores (n, k) + log(values), as `best_by_probability` does."""
    blocks, maxima = values
    num_blocks, width = size(maxima, 2), size(blocks, 2)
    _, chosen = _best(scores[..., tf.newaxis] + log(maxima), count)  # (n, c)
    scores = take(scores, chosen // num_blocks)
    best, places = _best(scores[..., tf.newaxis] + log(take(blocks, chosen)), count)
    chosen = take(chosen, places // width)
    return best, chosen // num_blocks, chosen % num_blocks * width + places % width


def bounded_log(probabilities: Tensor) -> Tensor:
    """Return the logarithm of probabilities, and `NEVER` for those that underflow to 0."""
    # The gradient at 0 is NaN, but no search needs it. A comparison with 0 would take longer.
    return tf.maximum(tf.math.log(probabilities), NEVER)


def _log_sums(logits: Tensor, highest: Tensor) -> Tensor:
    """Return log(sum(exp(logits))) (n, k) of logits (n, k, V) with maxima `highest` (n, k)."""
    return highest + tf.math.log(tf.reduce_sum(tf.exp(logits - highest[..., tf.newaxis]), axis=-1))


def _best(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return the `count` best of scores (n, m, ids), and their places in rows of m * ids."""
    return tf.math.top_k(tf.reshape(scores, (-1, size(scores, 1) * size(scores, 2))), count)


def take(tensor: Tensor, indices: Tensor) -> Tensor:
    """Return the rows of a tensor (n, m, ...) at indices (n, l), as (n, l, ...)."""
    return tf.gather(tensor, indices, batch_dims=1)
