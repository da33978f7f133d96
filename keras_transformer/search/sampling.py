"""Sampling: ids drawn from the distribution that the network predicts.

The distribution can be sharpened by a temperature, and restricted to the most probable ids by
top-k (Fan et al. 2018) and top-p (Holtzman et al. 2020, section 3.1).
"""

from typing import ClassVar, NamedTuple

import tensorflow as tf

from keras_transformer.kernels.dense import size
from keras_transformer.kernels.top_k import NEVER, take
from keras_transformer.search.settings import SearchSettings
from keras_transformer.search.strategy import (
    Hypotheses,
    StepFunction,
    Strategy,
    length_penalty,
    own_lineage,
    start_ids,
    write,
)
from keras_transformer.tensors import Nest, Tensor


class SamplingState(NamedTuple):
    """The state of sampling after some positions, with k independent samples for each source."""

    rows: Tensor  # int32 (n,): indices of the sources in the batch
    ids: Tensor  # int32 (n, k, T + 1): the start token first, 0 at later positions
    scores: Tensor  # float32 (n, k): sums of log probabilities, without temperature
    lengths: Tensor  # int32 (n, k)
    ended: Tensor  # bool (n, k): whether the end token has been drawn
    uniform: Tensor  # float32 (n, k, T): random numbers in [0, 1), one for each position
    network: Nest


class Sampling(Strategy):
    """Draws `n_best` samples for each source, and ranks them by their scores.

    The first id is not the end token: a translation has at least one other id.
    The random numbers of a source depend on the seed and on its row in the batch, not on when the
    other sources finish. The constructor is that of `Strategy`.
    """

    deterministic: ClassVar[bool] = False

    def initial_state(self, batch: Tensor, network: Nest) -> SamplingState:
        shape = (batch, self.settings.n_best)
        return SamplingState(
            tf.range(batch),
            start_ids(shape, self.target),
            tf.zeros(shape),
            tf.zeros(shape, tf.int32),
            tf.zeros(shape, tf.bool),
            _uniform((*shape, self.target.max_length), self.settings.seed),
            network,
        )

    def extend(self, position: Tensor, state: SamplingState, step: StepFunction) -> SamplingState:
        shape = tf.shape(state.scores)[0], self.settings.n_best
        lineage = own_lineage(position, *shape, self.target.max_length)
        logits, network = step(state.ids[:, :, position], position, lineage, state.network)
        is_end = tf.range(size(logits, 2)) == self.target.end
        allowed = tf.where(is_end & (position == 0), NEVER, logits)
        drawn = draw(allowed, state.uniform[:, :, position], self.settings)
        log_probability = tf.gather(tf.nn.log_softmax(logits), drawn, batch_dims=2)
        ids = tf.where(state.ended, 0, drawn)
        return SamplingState(
            state.rows,
            write(state.ids, position + 1, ids),
            state.scores + tf.where(state.ended, 0.0, log_probability),
            state.lengths + tf.where(state.ended, 0, 1),
            state.ended | (ids == self.target.end),
            state.uniform,
            network,
        )

    def done(self, state: SamplingState) -> Tensor:
        return tf.reduce_all(state.ended, axis=1)

    def rank(self, position: Tensor, state: SamplingState) -> Hypotheses:
        scores = state.scores / length_penalty(state.lengths, self.settings.length_penalty)
        best, order = tf.math.top_k(scores, self.settings.n_best)
        return Hypotheses(take(state.ids, order)[:, :, 1:], best, self.done(state))


LOWEST = 1e-30  # temperature. Lower ones may become 0 in float32.


def draw(logits: Tensor, uniform: Tensor, settings: SearchSettings) -> Tensor:
    """Draw an id from each distribution, by inverting its cumulative distribution function.

    Args:
        logits: (n, k, V).
        uniform: random numbers (n, k) in [0, 1).
        settings: `temperature`, `top_k` and `top_p`, which are applied in this order.

    Returns:
        Ids (n, k), int32.
    """
    vocab_size = size(logits, 2)
    count = tf.minimum(settings.top_k, vocab_size) if settings.top_k else vocab_size
    best, ids = tf.math.top_k(_divided(logits, settings.temperature), count)  # (n, k, count)
    probabilities = tf.nn.softmax(best)
    before = tf.cumsum(probabilities, axis=-1, exclusive=True)
    allowed = before < settings.top_p  # not even the best id if top_p is 0 in float32
    cumulative = tf.cumsum(tf.where(allowed, probabilities, 0.0), axis=-1)
    threshold = uniform[..., tf.newaxis] * cumulative[..., -1:]
    place = tf.reduce_sum(tf.cast(cumulative <= threshold, tf.int32), axis=-1)  # (n, k)
    last = tf.maximum(tf.reduce_sum(tf.cast(allowed, tf.int32), axis=-1) - 1, 0)
    return tf.gather(ids, tf.minimum(place, last), batch_dims=2)


def _divided(logits: Tensor, temperature: float) -> Tensor:
    """Return logits (n, k, V) divided by a temperature of any size.

    The largest one becomes 0, because others could exceed the numbers of their type. Those of ids
    that must not be drawn stay `NEVER`: a high temperature would make them likely.
    """
    divisor = max(temperature, LOWEST)
    divided = (logits - tf.reduce_max(logits, axis=-1, keepdims=True)) / divisor
    return tf.where(logits > NEVER / 2, divided, NEVER)


def _uniform(shape: tuple, seed: int | None) -> Tensor:
    """Return random numbers in [0, 1): equal for equal seeds, new in each call without a seed."""
    if seed is None:
        return tf.random.uniform(shape)
    # XLA has another default algorithm, which would draw other samples.
    return tf.random.stateless_uniform(shape, (seed, 0), alg="philox")
