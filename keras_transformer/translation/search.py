"""Searching for the target that a model finds most probable.

The search knows no model. It is given a function that looks one position ahead,

    step(ids (N,), position, state) -> logits (N, V), state

where `state` is any nest of tensors whose first axis is N: what the model remembers of the ids
before. It may grow from step to step, along any axis between the first and the last. The searches
are TensorFlow code, for use inside a `tf.function`.

A score is the sum of the log probabilities of the ids, divided by the length penalty of Wu et al.
(2016, section 7), ((5 + length) / 6) ** alpha, where the length counts the end token.
"""

from typing import NamedTuple

import tensorflow as tf

NEVER = -1e9  # the log probability of what is not to be chosen


class Hypotheses(NamedTuple):
    """The n best hypotheses of each source, the best first.

    `ids` (B, n, T), int32: without the start token; after the end token, which is there if the
    hypothesis was finished within the limit T, zeros. `scores` (B, n), float32; NEVER where there
    are fewer than n hypotheses.
    """

    ids: tf.Tensor
    scores: tf.Tensor


def length_penalty(length, alpha):
    """What the log probability of `length` ids is divided by; 1 where alpha is 0."""
    return tf.pow((5.0 + tf.cast(length, tf.float32)) / 6.0, alpha)


def greedy_search(step, state, batch, start, end, max_length, alpha=0.0):
    """Takes the most probable id at each position.

    Args:
        step: looks one position ahead, for N = `batch` hypotheses.
        state: what it remembers before the first position.
        batch: number of sources B.
        start: id of the start token.
        end: id of the end token.
        max_length: most ids of a hypothesis, the end token included.
        alpha: length penalty.

    Returns:
        `Hypotheses` with n = 1.
    """

    def going_on(position, ids, scores, lengths, done, *_):
        return (position < max_length) & ~tf.reduce_all(done)

    def extend(position, ids, scores, lengths, done, state):
        logits, state = step(ids[:, position], position, state)
        best = tf.argmax(logits, axis=-1, output_type=tf.int32)  # (B,)
        log_probability = tf.reduce_max(tf.nn.log_softmax(logits), axis=-1)
        scores += tf.where(done, 0.0, log_probability)
        lengths += tf.where(done, 0, 1)
        best = tf.where(done, 0, best)
        ids = _write(ids, position + 1, best)
        return position + 1, ids, scores, lengths, done | (best == end), state

    first = (
        0,
        _start_ids((batch,), start, max_length),
        tf.zeros((batch,)),
        tf.zeros((batch,), tf.int32),
        tf.zeros((batch,), tf.bool),
        state,
    )
    _, ids, scores, lengths, *_ = _loop(going_on, extend, first)
    scores /= length_penalty(lengths, alpha)
    return Hypotheses(ids[:, tf.newaxis, 1:], scores[:, tf.newaxis])


class Beam(NamedTuple):
    """What the beam search knows after some positions, of k hypotheses a source.

    `ids` (B, k, T + 1) and `scores` (B, k), sums of log probabilities, of those that go on;
    `parents` (B, k), the hypotheses of the position before that they continue;
    `finished_ids` (B, k, T + 1) and `finished_scores` (B, k), penalized, of those that have ended;
    `state`, what the step function remembers of the parents, first axis B * k. The first id is the
    start token; positions to come are 0.
    """

    ids: tf.Tensor
    scores: tf.Tensor
    parents: tf.Tensor
    finished_ids: tf.Tensor
    finished_scores: tf.Tensor
    state: object


def beam_search(step, state, batch, start, end, max_length, beam_size, alpha=0.0):
    """Keeps the `beam_size` most probable beginnings at each position.

    A hypothesis has ended when it is among the `beam_size` best with the end token. A source is
    done when so many have ended: with a beam of 1 this is the greedy search. What other sources
    of the batch still do changes nothing for it.

    Args:
        step: looks one position ahead, for N = `batch` * `beam_size` hypotheses.
        state: what it remembers before the first position.
        batch: number of sources B.
        start: id of the start token.
        end: id of the end token.
        max_length: most ids of a hypothesis, the end token included.
        beam_size: hypotheses k that are kept.
        alpha: length penalty.

    Returns:
        `Hypotheses` with n = k; those that did not end within the limit come after all others.
    """

    def going_on(position, beam):
        return (position < max_length) & ~tf.reduce_all(_is_done(beam))

    def extend(position, beam):
        last = tf.reshape(beam.ids[:, :, position], (-1,))  # (B * k,)
        logits, state = step(last, position, _inherit(beam.state, beam.parents))
        scores, parents, ids = _candidates(beam.scores, logits)  # (B, 2 k) each
        candidates = _write(_take(beam.ids, parents), position + 1, ids)  # (B, 2 k, T + 1)
        ended = ids == end
        finished = _finish(beam, candidates, scores, ended, length_penalty(position + 1, alpha))
        going = _go_on(candidates, scores, parents, ended, beam_size)
        return position + 1, Beam(*going, *finished, state)

    nothing = _start_ids((batch, beam_size), start, max_length)
    # All hypotheses begin alike, so at first only one of them counts.
    alone = tf.one_hot(0, beam_size, on_value=0.0, off_value=NEVER)
    none = tf.fill((batch, beam_size), NEVER)
    parents = tf.tile(tf.range(beam_size)[tf.newaxis], (batch, 1))
    first = Beam(nothing, tf.tile(alone[tf.newaxis], (batch, 1)), parents, nothing, none, state)
    position, beam = _loop(going_on, extend, (0, first))
    return _rank(beam, length_penalty(position, alpha))


def _loop(going_on, extend, first):
    """`tf.while_loop` that lets the state grow along its inner axes."""

    def growing(tensor):
        tensor = tf.convert_to_tensor(tensor)
        shape = [None] * tensor.shape.rank
        if len(shape) > 1:
            shape[-1] = tensor.shape[-1]
        return tf.TensorShape(shape)

    shapes = tf.nest.map_structure(growing, first)
    return tf.while_loop(going_on, extend, first, shape_invariants=shapes)


def _is_done(beam):
    """(B,): whether as many hypotheses have ended as are kept."""
    return tf.reduce_all(beam.finished_scores > NEVER, axis=1)


def _start_ids(shape, start, max_length):
    """Ids (..., T + 1) of hypotheses of the given shape: the start token, then nothing yet."""
    return tf.concat([tf.fill((*shape, 1), start), tf.zeros((*shape, max_length), tf.int32)], -1)


def _write(ids, position, new):
    """ids (..., T + 1) with `new` (...) at a position."""
    here = tf.range(tf.shape(ids)[-1]) == position
    return tf.where(here, new[..., tf.newaxis], ids)


def _candidates(scores, logits):
    """The best 2 k continuations: enough for k that go on, even if k of them end.

    Args:
        scores: (B, k).
        logits: (B * k, V).

    Returns:
        Their scores, the hypotheses they continue, and their last ids, each (B, 2 k).
    """
    beam_size, vocab_size = scores.shape[1], logits.shape[-1]
    log_probabilities = tf.reshape(tf.nn.log_softmax(logits), (-1, beam_size, vocab_size))
    totals = tf.reshape(scores[..., tf.newaxis] + log_probabilities, (-1, beam_size * vocab_size))
    best, indices = tf.math.top_k(totals, 2 * beam_size)
    return best, indices // vocab_size, indices % vocab_size


def _finish(beam, candidates, scores, ended, penalty):
    """The k best hypotheses that have ended so far: ids (B, k, T + 1) and scores (B, k)."""
    beam_size = beam.scores.shape[1]
    among_best = tf.range(2 * beam_size) < beam_size
    counts = ended & among_best & ~_is_done(beam)[:, tf.newaxis] & (scores > NEVER / 2)
    new_scores = tf.where(counts, scores / penalty, NEVER)
    all_scores = tf.concat([beam.finished_scores, new_scores], axis=1)  # (B, 3 k)
    best, indices = tf.math.top_k(all_scores, beam_size)
    return _take(tf.concat([beam.finished_ids, candidates], axis=1), indices), best


def _go_on(candidates, scores, parents, ended, beam_size):
    """The k best hypotheses that have not ended: ids (B, k, T + 1), scores and parents (B, k)."""
    best, indices = tf.math.top_k(tf.where(ended, NEVER, scores), beam_size)
    return _take(candidates, indices), best, _take(parents, indices)


def _inherit(state, parents):
    """The state of hypotheses: that of their parents (B, k)."""
    batch, beam_size = tf.shape(parents)[0], parents.shape[1]
    rows = tf.reshape(parents + beam_size * tf.range(batch)[:, tf.newaxis], (-1,))  # (B * k,)
    return tf.nest.map_structure(lambda tensor: tf.gather(tensor, rows), state)


def _rank(beam, penalty):
    """The k best of all: those that have ended, then those that have not."""
    beam_size = beam.scores.shape[1]
    has_ended = beam.finished_scores > NEVER
    ended = tf.reduce_sum(tf.cast(has_ended, tf.int32), axis=1, keepdims=True)  # (B, 1)
    places = tf.range(beam_size)[tf.newaxis]  # (1, k): place p is an ended one, or unfinished p - e
    indices = tf.where(places < ended, places, beam_size + places - ended)
    unfinished_scores = tf.where(beam.scores > NEVER / 2, beam.scores / penalty, NEVER)
    scores = tf.concat([beam.finished_scores, unfinished_scores], axis=1)
    ids = tf.concat([beam.finished_ids, beam.ids], axis=1)
    return Hypotheses(_take(ids, indices)[:, :, 1:], _take(scores, indices))


def _take(tensor, indices):
    """tensor (B, n, ...) and indices (B, m) -> its rows at those indices (B, m, ...)."""
    return tf.gather(tensor, indices, batch_dims=1)
