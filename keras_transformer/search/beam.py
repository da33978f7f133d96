"""Beam search: the `beam_size` most probable prefixes at each position."""

from typing import NamedTuple

import tensorflow as tf

from keras_transformer.kernels.top_k import NEVER, take
from keras_transformer.search.settings import SearchSettings
from keras_transformer.search.strategy import (
    Hypotheses,
    StepFunction,
    Strategy,
    length_penalty,
    start_ids,
    write,
)
from keras_transformer.tensors import Nest, Tensor


class BeamState(NamedTuple):
    """The state of beam search after some positions, with k hypotheses for each source.

    The first id is the start token. Positions not reached yet are 0 in the ids, -1 in `lineage`.
    """

    rows: Tensor  # int32 (n,): indices of the sources in the batch
    ids: Tensor  # int32 (n, k, T + 1): live hypotheses
    scores: Tensor  # float32 (n, k): sums of log probabilities of `ids`, the best first
    lineage: Tensor  # int32 (n, k, T): slots of the ancestors of `ids`
    finished_ids: Tensor  # int32 (n, k, T + 1): hypotheses that have ended
    finished_scores: Tensor  # float32 (n, k): scores of `finished_ids`, with length penalty
    network: Nest


class BeamSearch(Strategy):
    """Keeps the `beam_size` most probable prefixes; the constructor is that of `Strategy`.

    A hypothesis ends when its continuation by the end token is among the `beam_size` best, but not
    at the first position: a translation has at least one other id. A source is done when
    `beam_size` hypotheses have ended, or when no live hypothesis can rank among the `n_best` any
    more. With a beam of 1, this is greedy search. The result of a source does not depend on the
    other sources of the batch. Hypotheses that do not end within the limit rank last.
    """

    @staticmethod
    def width(settings: SearchSettings) -> int:
        return settings.beam_size

    def initial_state(self, batch: Tensor, network: Nest) -> BeamState:
        beam_size = self.settings.beam_size
        empty = start_ids((batch, beam_size), self.target)
        # All hypotheses are equal at first, so all but one are excluded.
        first_only = tf.one_hot(0, beam_size, on_value=0.0, off_value=NEVER)
        scores = tf.tile(first_only[tf.newaxis], (batch, 1))
        lineage = tf.fill((batch, beam_size, self.target.max_length), -1)
        none = tf.fill((batch, beam_size), NEVER)
        return BeamState(tf.range(batch), empty, scores, lineage, empty, none, network)

    def extend(self, position: Tensor, state: BeamState, step: StepFunction) -> BeamState:
        beam_size = self.settings.beam_size
        lineage = write(state.lineage, position, tf.range(beam_size))
        logits, network = step(state.ids[:, :, position], position, lineage, state.network)
        best = self.execution.best_continuations(state.scores, logits, 2 * beam_size)
        scores, parents, ids = best  # each (n, 2 k)
        ended = ids == self.target.end
        scores = tf.where(ended & (position == 0), NEVER, scores)
        candidates = write(take(state.ids, parents), position + 1, ids)  # (n, 2 k, T + 1)
        penalty = length_penalty(position + 1, self.settings.length_penalty)
        finished = _finished(state, self.done(state), candidates, scores, ended, penalty)
        live = _live(candidates, lineage, scores, parents, ended, beam_size)
        return BeamState(state.rows, *live, *finished, network)

    def done(self, state: BeamState) -> Tensor:
        # The score of a live hypothesis only falls. Divided by the largest length penalty, it is
        # an upper bound on the final score of the hypothesis.
        largest = length_penalty(self.target.longest, self.settings.length_penalty)
        bound = state.scores[:, 0] / largest
        all_ended = tf.reduce_all(state.finished_scores > NEVER, axis=1)
        return all_ended | (state.finished_scores[:, self.settings.n_best - 1] >= bound)

    def rank(self, position: Tensor, state: BeamState) -> Hypotheses:
        n_best, beam_size = self.settings.n_best, self.settings.beam_size
        penalty = length_penalty(position, self.settings.length_penalty)
        has_ended = state.finished_scores > NEVER
        ended = tf.reduce_sum(tf.cast(has_ended, tf.int32), axis=1, keepdims=True)  # (n, 1)
        places = tf.range(n_best)[tf.newaxis]  # (1, n_best)
        # The hypotheses that have ended come first, then the live ones.
        indices = tf.where(places < ended, places, beam_size + places - ended)
        live_scores = tf.where(state.scores > NEVER / 2, state.scores / penalty, NEVER)
        scores = tf.concat([state.finished_scores, live_scores], axis=1)
        ids = tf.concat([state.finished_ids, state.ids], axis=1)
        return Hypotheses(take(ids, indices)[:, :, 1:], take(scores, indices), self.done(state))


def _finished(
    state: BeamState,
    done: Tensor,
    candidates: Tensor,
    scores: Tensor,
    ended: Tensor,
    penalty: Tensor,
) -> tuple[Tensor, Tensor]:
    """Return the k best hypotheses that have ended: ids (n, k, T + 1) and scores (n, k)."""
    beam_size = state.scores.shape[1]
    among_best = tf.range(2 * beam_size) < beam_size
    counts = ended & among_best & ~done[:, tf.newaxis] & (scores > NEVER / 2)
    new_scores = tf.where(counts, scores / penalty, NEVER)
    all_scores = tf.concat([state.finished_scores, new_scores], axis=1)  # (n, 3 k)
    best, indices = tf.math.top_k(all_scores, beam_size)
    return take(tf.concat([state.finished_ids, candidates], axis=1), indices), best


def _live(
    candidates: Tensor,
    lineage: Tensor,
    scores: Tensor,
    parents: Tensor,
    ended: Tensor,
    beam_size: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the k best live hypotheses: ids (n, k, T + 1), scores (n, k), lineage (n, k, T)."""
    best, indices = tf.math.top_k(tf.where(ended, NEVER, scores), beam_size)
    return take(candidates, indices), best, take(lineage, take(parents, indices))
