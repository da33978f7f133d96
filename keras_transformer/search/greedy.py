"""Greedy search: the most probable id at each position."""

from typing import Any, NamedTuple

import tensorflow as tf

from keras_transformer.kernels.top_k import take
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


class GreedyState(NamedTuple):
    """The state of greedy search after some positions, with one hypothesis for each source."""

    rows: Tensor  # int32 (n,): indices of the sources in the batch
    ids: Tensor  # int32 (n, T + 1): the start token first, 0 at later positions
    scores: Tensor  # float32 (n,): sums of log probabilities
    lengths: Tensor  # int32 (n,)
    ended: Tensor  # bool (n,): whether the end token has been chosen
    network: Nest


class GreedySearch(Strategy):
    """Takes the most probable id at each position; the constructor is that of `Strategy`.

    The first id is not the end token: a translation has at least one other id.
    """

    @staticmethod
    def width(settings: SearchSettings) -> int:
        return 1

    def initial_state(self, batch: Tensor, network: Nest) -> GreedyState:
        return GreedyState(
            tf.range(batch),
            start_ids((batch,), self.target),
            tf.zeros((batch,)),
            tf.zeros((batch,), tf.int32),
            tf.zeros((batch,), tf.bool),
            network,
        )

    def extend(self, position: Tensor, state: GreedyState, step: StepFunction) -> GreedyState:
        lineage = own_lineage(position, tf.shape(state.ids)[0], 1, self.target.max_length)
        ids = state.ids[:, position, tf.newaxis]  # (n, 1)
        logits, network = step(ids, position, lineage, state.network)
        scores, ids = self._continued(position, state.scores[:, tf.newaxis], logits)
        ids = tf.where(state.ended, 0, ids)
        return GreedyState(
            state.rows,
            write(state.ids, position + 1, ids),
            tf.where(state.ended, state.scores, scores),
            state.lengths + tf.where(state.ended, 0, 1),
            state.ended | (ids == self.target.end),
            network,
        )

    def _continued(self, position: Tensor, scores: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores of the hypotheses with their next ids, and these ids, each (n,)."""

        def most_probable() -> tuple[Tensor, Tensor]:
            totals, _, ids = self.execution.best_continuations(scores, logits, 1)
            return totals[:, 0], ids[:, 0]

        def most_probable_but_end() -> tuple[Tensor, Tensor]:
            totals, _, ids = self.execution.best_continuations(scores, logits, 2)
            place = tf.cast(ids[:, :1] == self.target.end, tf.int32)  # 1 if the end comes first
            return take(totals, place)[:, 0], take(ids, place)[:, 0]

        return tf.cond(position == 0, most_probable_but_end, most_probable)

    def done(self, state: GreedyState) -> Tensor:
        return state.ended

    def rank(self, position: Any, state: GreedyState) -> Hypotheses:
        scores = state.scores / length_penalty(state.lengths, self.settings.length_penalty)
        return Hypotheses(state.ids[:, tf.newaxis, 1:], scores[:, tf.newaxis], state.ended)
