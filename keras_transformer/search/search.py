"""Searching for the target that a model finds most probable.

The search knows no model. It is given a function that looks one position ahead, for k hypotheses
of each source side by side,

    step(ids (B, k), position, lineage (B, k, T), state) -> logits (B, k, V), state

where `ids` are the last ones of the hypotheses, and `state` is any nest of tensors: what the model
knows of the sources, and remembers of the hypotheses. Their first axis is B, unless all sources
stay to the end (`fixed`). It may grow from step to step, along axes that are empty at first. It is
not reordered when one hypothesis is dropped and another continued twice: what a step remembers of
hypothesis j of a position stays in slot j, and `lineage` tells for each hypothesis the slots of its
ancestors, its own at `position`, and -1 for positions to come. The searches are TensorFlow code,
for use inside a `tf.function`.

A score is the sum of the log probabilities of the ids, divided by the length penalty of Wu et al.
(2016, section 7), ((5 + length) / 6) ** alpha, where the length counts the end token.
"""

from typing import NamedTuple

import tensorflow as tf

from keras_transformer.kernels.top_k import NEVER, best_continuations

MOST_LIVE = 0.5  # of a batch: with fewer sources still searched for, the others leave it


class Hypotheses(NamedTuple):
    """The n best hypotheses of each source, the best first.

    `ids` (B, n, T), int32: without the start token; after the end token, which is there if the
    hypothesis was finished within the limit T, zeros. `scores` (B, n), float32; NEVER where there
    are fewer than n hypotheses. `done` (B,): whether more than T positions would change nothing.
    """

    ids: tf.Tensor
    scores: tf.Tensor
    done: tf.Tensor


def length_penalty(length, alpha):
    """What the log probability of `length` ids is divided by; 1 where alpha is 0."""
    return tf.pow((5.0 + tf.cast(length, tf.float32)) / 6.0, alpha)


class Path(NamedTuple):
    """What the greedy search knows after some positions, of the one hypothesis of a source.

    `rows` (n,), the numbers of the sources that are still searched for; `ids` (n, T + 1), the start
    token first, 0 for positions to come; `scores` (n,), sums of log probabilities; `lengths` (n,);
    `done` (n,), whether the end token is there; `state` of the step function.
    """

    rows: tf.Tensor
    ids: tf.Tensor
    scores: tf.Tensor
    lengths: tf.Tensor
    done: tf.Tensor
    state: object


def greedy_search(step, state, batch, start, end, max_length, alpha=0.0, fixed=False):
    """Takes the most probable id at each position.

    Args:
        step: looks one position ahead, with k = 1.
        state: what it knows before the first position.
        batch: number of sources B.
        start: id of the start token.
        end: id of the end token.
        max_length: most ids of a hypothesis, the end token included.
        alpha: length penalty.
        fixed: whether sources that are done stay in the batch, so that no shape changes.

    Returns:
        `Hypotheses` with n = 1.
    """

    def extend(position, path):
        slots = tf.where(tf.range(max_length) > position, -1, 0)
        lineage = tf.tile(slots[tf.newaxis, tf.newaxis], (tf.shape(path.ids)[0], 1, 1))
        logits, state = step(path.ids[:, position, tf.newaxis], position, lineage, path.state)
        scores, _, best = best_continuations(path.scores[:, tf.newaxis], logits, 1, fixed)  # (n, 1)
        best = tf.where(path.done, 0, best[:, 0])
        return Path(
            path.rows,
            _write(path.ids, position + 1, best),
            tf.where(path.done, path.scores, scores[:, 0]),
            path.lengths + tf.where(path.done, 0, 1),
            path.done | (best == end),
            state,
        )

    def rank(position, path):
        scores = path.scores / length_penalty(path.lengths, alpha)
        return Hypotheses(path.ids[:, tf.newaxis, 1:], scores[:, tf.newaxis], path.done)

    first = Path(
        tf.range(batch),
        _start_ids((batch,), start, max_length),
        tf.zeros((batch,)),
        tf.zeros((batch,), tf.int32),
        tf.zeros((batch,), tf.bool),
        state,
    )
    return _search(extend, lambda path: path.done, rank, first, max_length, 1, fixed)


class Beam(NamedTuple):
    """What the beam search knows after some positions, of k hypotheses a source.

    `rows` (n,), the numbers of the sources that are still searched for; `ids` (n, k, T + 1) and
    `scores` (n, k), sums of log probabilities, of the hypotheses that go on; `lineage` (n, k, T),
    the slots of their ancestors; `finished_ids` (n, k, T + 1) and `finished_scores` (n, k),
    penalized, of those that have ended; `state` of the step function. The first id is the start
    token; positions to come are 0, and -1 in `lineage`.
    """

    rows: tf.Tensor
    ids: tf.Tensor
    scores: tf.Tensor
    lineage: tf.Tensor
    finished_ids: tf.Tensor
    finished_scores: tf.Tensor
    state: object


def beam_search(
    step,
    state,
    batch,
    start,
    end,
    max_length,
    beam_size,
    alpha=0.0,
    n_best=None,
    fixed=False,
    longest=None,
):
    """Keeps the `beam_size` most probable beginnings at each position.

    A hypothesis has ended when it is among the `beam_size` best with the end token. A source is
    done when so many have ended, or when none that goes on can come among the `n_best`: with a beam
    of 1 this is the greedy search. What other sources of the batch still do changes nothing for it.

    Args:
        step: looks one position ahead, with k = `beam_size`.
        state: what it knows before the first position.
        batch: number of sources B.
        start: id of the start token.
        end: id of the end token.
        max_length: most ids of a hypothesis, the end token included.
        beam_size: hypotheses k that are kept.
        alpha: length penalty.
        n_best: hypotheses n that are wanted of each source; k by default.
        fixed: whether sources that are done stay in the batch, so that no shape changes.
        longest: most ids that a hypothesis could have if there were more positions than
            `max_length`, which it is by default.

    Returns:
        `Hypotheses`; those that did not end within the limit come after all others.
    """
    n_best = n_best or beam_size

    def is_done(beam):
        # Scores fall, so the best that a hypothesis can come to is its score, as long as can be.
        hope = beam.scores[:, 0] / length_penalty(longest or max_length, alpha)
        return _has_all(beam) | (beam.finished_scores[:, n_best - 1] >= hope)

    def extend(position, beam):
        lineage = _write(beam.lineage, position, tf.range(beam_size))
        logits, state = step(beam.ids[:, :, position], position, lineage, beam.state)
        scores, parents, ids = best_continuations(
            beam.scores, logits, 2 * beam_size, fixed
        )  # (n, 2 k)
        candidates = _write(_take(beam.ids, parents), position + 1, ids)  # (n, 2 k, T + 1)
        ended = ids == end
        penalty = length_penalty(position + 1, alpha)
        finished = _finish(beam, is_done(beam), candidates, scores, ended, penalty)
        going = _go_on(candidates, lineage, scores, parents, ended, beam_size)
        return Beam(beam.rows, *going, *finished, state)

    def rank(position, beam):
        return _rank(beam, is_done(beam), length_penalty(position, alpha), n_best)

    nothing = _start_ids((batch, beam_size), start, max_length)
    # All hypotheses begin alike, so at first only one of them counts.
    alone = tf.one_hot(0, beam_size, on_value=0.0, off_value=NEVER)
    scores = tf.tile(alone[tf.newaxis], (batch, 1))
    lineage = tf.fill((batch, beam_size, max_length), -1)
    none = tf.fill((batch, beam_size), NEVER)
    first = Beam(tf.range(batch), nothing, scores, lineage, nothing, none, state)
    return _search(extend, is_done, rank, first, max_length, n_best, fixed)


def _search(extend, is_done, rank, first, max_length, n_best, fixed):
    """The loop of both searches.

    Args:
        extend: (position, hypotheses) -> the hypotheses after one position more; they are a nest of
            tensors whose first axis is that of the sources, with a field `rows`.
        is_done: hypotheses -> (n,), which sources need no more.
        rank: (position, hypotheses) -> their `Hypotheses`.
        first: the hypotheses before the first position.
        max_length: positions T.
        n_best: hypotheses n of each source.
        fixed: whether sources that are done stay.

    Returns:
        The `Hypotheses` of all sources, in their order.
    """
    batch = tf.shape(first.rows)[0]
    found = Hypotheses(
        tf.zeros((batch, n_best, max_length), tf.int32),
        tf.zeros((batch, n_best), tf.float32),
        tf.zeros((batch,), tf.bool),
    )

    def going_on(position, hypotheses, _):
        return (position < max_length) & ~tf.reduce_all(is_done(hypotheses))

    def one_more(position, hypotheses, found):
        hypotheses = extend(position, hypotheses)
        if not fixed:
            live = ~is_done(hypotheses)
            share = tf.reduce_mean(tf.cast(live, tf.float32))
            hypotheses, found = tf.cond(
                share < MOST_LIVE,
                lambda: _leave(position + 1, hypotheses, found, live),
                lambda: (hypotheses, found),
            )
        return position + 1, hypotheses, found

    def _leave(position, hypotheses, found, live):
        found = _note(found, hypotheses.rows, rank(position, hypotheses))
        rows = tf.where(live)[:, 0]
        return tf.nest.map_structure(lambda tensor: tf.gather(tensor, rows), hypotheses), found

    position, hypotheses, found = _loop(going_on, one_more, (0, first, found))
    ranked = rank(position, hypotheses)
    return ranked if fixed else _note(found, hypotheses.rows, ranked)


def _note(found, rows, hypotheses):
    """`found` with the hypotheses of some of the sources."""
    rows = rows[:, tf.newaxis]
    return Hypotheses(
        *(
            tf.tensor_scatter_nd_update(all_, rows, some)
            for all_, some in zip(found, hypotheses, strict=True)
        )
    )


def _loop(going_on, extend, first):
    """`tf.while_loop` that lets sources leave, and the state grow where it is empty at first."""

    def leaving(tensor):
        return tf.TensorShape([None, *tensor.shape[1:]])

    def growing(tensor):
        return tf.TensorShape([None, *(size or None for size in tensor.shape[1:])])

    position, hypotheses, found = first
    shapes = tf.nest.map_structure(leaving, hypotheses._replace(state=()))
    shapes = shapes._replace(state=tf.nest.map_structure(growing, hypotheses.state))
    found_shapes = tf.nest.map_structure(leaving, found)
    shapes = (tf.TensorShape([]), shapes, found_shapes)
    return tf.while_loop(going_on, extend, first, shape_invariants=shapes)


def _has_all(beam):
    """(n,): whether as many hypotheses have ended as are kept."""
    return tf.reduce_all(beam.finished_scores > NEVER, axis=1)


def _start_ids(shape, start, max_length):
    """Ids (..., T + 1) of hypotheses of the given shape: the start token, then nothing yet."""
    return tf.concat([tf.fill((*shape, 1), start), tf.zeros((*shape, max_length), tf.int32)], -1)


def _write(ids, position, new):
    """ids (..., T) with `new` (...) at a position."""
    here = tf.range(tf.shape(ids)[-1]) == position
    return tf.where(here, new[..., tf.newaxis], ids)


def _finish(beam, done, candidates, scores, ended, penalty):
    """The k best hypotheses that have ended so far: ids (n, k, T + 1) and scores (n, k)."""
    beam_size = beam.scores.shape[1]
    among_best = tf.range(2 * beam_size) < beam_size
    counts = ended & among_best & ~done[:, tf.newaxis] & (scores > NEVER / 2)
    new_scores = tf.where(counts, scores / penalty, NEVER)
    all_scores = tf.concat([beam.finished_scores, new_scores], axis=1)  # (n, 3 k)
    best, indices = tf.math.top_k(all_scores, beam_size)
    return _take(tf.concat([beam.finished_ids, candidates], axis=1), indices), best


def _go_on(candidates, lineage, scores, parents, ended, beam_size):
    """The k best hypotheses that have not ended: ids (n, k, T + 1), scores (n, k), lineage."""
    best, indices = tf.math.top_k(tf.where(ended, NEVER, scores), beam_size)
    return _take(candidates, indices), best, _take(lineage, _take(parents, indices))


def _rank(beam, done, penalty, n_best):
    """The n best of all: those that have ended, then those that have not."""
    beam_size = beam.scores.shape[1]
    has_ended = beam.finished_scores > NEVER
    ended = tf.reduce_sum(tf.cast(has_ended, tf.int32), axis=1, keepdims=True)  # (n, 1)
    places = tf.range(n_best)[tf.newaxis]  # (1, n): place p is an ended one, or unfinished p - e
    indices = tf.where(places < ended, places, beam_size + places - ended)
    unfinished_scores = tf.where(beam.scores > NEVER / 2, beam.scores / penalty, NEVER)
    scores = tf.concat([beam.finished_scores, unfinished_scores], axis=1)
    ids = tf.concat([beam.finished_ids, beam.ids], axis=1)
    return Hypotheses(_take(ids, indices)[:, :, 1:], _take(scores, indices), done)


def _take(tensor, indices):
    """tensor (n, m, ...) and indices (n, l) -> its rows at those indices (n, l, ...)."""
    return tf.gather(tensor, indices, batch_dims=1)
