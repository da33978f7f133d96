"""The best continuations of hypotheses, found block by block.

`tf.math.top_k` over a whole vocabulary is slow. The best continuations lie in the blocks with the
best maxima, so only that many blocks are searched.
"""

import tensorflow as tf

NEVER = -1e9  # log probability of an id or a hypothesis that must not be chosen
SMALLEST = 1.2e-38  # a probability below it is 0 in float32
BLOCK = 64  # ids in a block; a vocabulary that is a multiple of it is searched faster


def best_continuations(scores, logits, count, fixed=False):
    """The best continuations of each source's hypotheses.

    They are in the blocks of the best maxima, so only so many blocks are looked into.

    Args:
        scores: (n, k).
        logits: (n, k, V).
        count: how many continuations c are wanted.
        fixed: whether XLA compiles it. Without, a softmax is the fastest way to probabilities; XLA
            is faster without dividing, and with the maxima of the blocks for its sums.

    Returns:
        Their scores, the hypotheses they continue, and their last ids, each (n, c).
    """
    beam_size, vocab_size = logits.shape[1:]
    values, log = (logits, tf.identity) if fixed else (tf.nn.softmax(logits), _log)
    has_blocks = vocab_size % BLOCK == 0 and beam_size * vocab_size > count * BLOCK
    size = BLOCK if has_blocks else 1
    num_blocks = vocab_size // size
    blocks = tf.reshape(values, (-1, beam_size * num_blocks, size))
    maxima = tf.reshape(tf.reduce_max(blocks, axis=-1), (-1, beam_size, num_blocks))
    if fixed:
        scores -= _log_sums(logits, tf.reduce_max(maxima, axis=-1))
    _, chosen = _best(scores[..., tf.newaxis] + log(maxima), count)  # (n, c)
    scores = _take(scores, chosen // num_blocks)
    best, places = _best(scores[..., tf.newaxis] + log(_take(blocks, chosen)), count)
    chosen = _take(chosen, places // size)
    return best, chosen // num_blocks, chosen % num_blocks * size + places % size


def _log(probabilities):
    """The logarithm, finite also for 0."""
    return tf.math.log(tf.maximum(probabilities, SMALLEST))


def _log_sums(logits, highest):
    """log sum exp of logits (n, k, V), of which the highest are given (n, k) -> (n, k)."""
    return highest + tf.math.log(tf.reduce_sum(tf.exp(logits - highest[..., tf.newaxis]), axis=-1))


def _best(scores, count):
    """The `count` best of scores (n, m, ids), and their places in the rows of m * ids."""
    return tf.math.top_k(tf.reshape(scores, (-1, scores.shape[1] * scores.shape[2])), count)


def _take(tensor, indices):
    """tensor (n, m, ...) and indices (n, l) -> its rows at those indices (n, l, ...)."""
    return tf.gather(tensor, indices, batch_dims=1)
