"""The searches against brute force and a search written in plain Python."""

import itertools

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.translation.search import beam_search, greedy_search, length_penalty

VOCAB, START, END, LONGEST = 4, 2, 3, 4


def random_model(seed, sharpness=2.0):
    """Logits for every prefix: a table (source, prefix) -> (V,)."""
    draw = np.random.default_rng(seed)
    prefixes = [
        prefix for n in range(LONGEST) for prefix in itertools.product(range(VOCAB), repeat=n)
    ]
    return {
        (source, prefix): draw.normal(size=VOCAB) * sharpness
        for source in range(3)
        for prefix in prefixes
    }


def log_softmax(logits):
    return logits - np.log(np.exp(logits).sum())


def step_function(table):
    """The table as a step: the state of a hypothesis is its source and its prefix, as a number."""
    numbers = {key: i for i, key in enumerate(table)}
    logits = np.array([table[key] for key in table], np.float32)
    following = np.zeros((len(table), VOCAB), np.int32)
    for (source, prefix), number in numbers.items():
        for i in range(VOCAB):
            following[number, i] = numbers.get((source, (*prefix, i)), 0)

    def step(ids, position, state):
        state = tf.where(position == 0, state, tf.gather_nd(following, tf.stack([state, ids], 1)))
        return tf.gather(logits, state), state

    return step, [numbers[source, ()] for source in range(3)]


def penalty(length, alpha):
    return ((5 + length) / 6) ** alpha


def brute_force(table, source, alpha):
    """Every hypothesis that ends within the limit, the best first: (score, ids)."""
    found = []
    others = [i for i in range(VOCAB) if i != END]
    for length in range(1, LONGEST + 1):
        for beginning in itertools.product(others, repeat=length - 1):
            ids = (*beginning, END)
            total = sum(log_softmax(table[source, ids[:n]])[ids[n]] for n in range(length))
            found.append((total / penalty(length, alpha), ids))
    return sorted(found, reverse=True)


def plain_beam_search(table, source, beam_size, alpha):
    """The same search, hypothesis by hypothesis."""
    going, ended = [(0.0, ())], []
    for length in range(1, LONGEST + 1):
        candidates = sorted(
            (
                (score + log_softmax(table[source, ids])[i], (*ids, i))
                for score, ids in going
                for i in range(VOCAB)
            ),
            reverse=True,
        )[: 2 * beam_size]
        ended += [
            (score / penalty(length, alpha), ids)
            for score, ids in candidates[:beam_size]
            if ids[-1] == END
        ]
        going = [each for each in candidates if each[1][-1] != END][:beam_size]
        if len(ended) >= beam_size:
            break
    unfinished = [(score / penalty(length, alpha), ids) for score, ids in going]
    return (sorted(ended, reverse=True) + unfinished)[:beam_size]


def found_by(hypotheses, source):
    return [
        (float(score), tuple(int(i) for i in ids))
        for score, ids in zip(hypotheses.scores[source], hypotheses.ids[source], strict=True)
    ]


def trimmed(ids):
    """Ids up to the end token: what follows must be padding."""
    if END not in ids:
        return ids
    end = ids.index(END) + 1
    assert not any(ids[end:])
    return ids[:end]


def assert_same(found, wanted):
    assert [trimmed(ids) for _, ids in found] == [ids for _, ids in wanted]
    np.testing.assert_allclose([s for s, _ in found], [s for s, _ in wanted], rtol=1e-4)


def run_beam(table, beam_size, alpha):
    step, state = step_function(table)
    state = tf.repeat(tf.constant(state), beam_size)
    search = tf.function(lambda: beam_search(step, state, 3, START, END, LONGEST, beam_size, alpha))
    return search()


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_beam_that_holds_everything_equals_brute_force(seed, alpha):
    table = random_model(seed)
    everything = 3**LONGEST + sum(3**n for n in range(LONGEST))
    hypotheses = run_beam(table, everything, alpha)
    for source in range(3):
        wanted = brute_force(table, source, alpha)
        assert_same(found_by(hypotheses, source)[: len(wanted)], wanted)


@pytest.mark.parametrize("beam_size", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_narrow_beams_equal_the_search_in_plain_python(seed, beam_size):
    table = random_model(seed)
    hypotheses = run_beam(table, beam_size, 0.6)
    for source in range(3):
        assert_same(found_by(hypotheses, source), plain_beam_search(table, source, beam_size, 0.6))


@pytest.mark.parametrize("seed", range(10))
def test_a_beam_of_one_equals_greedy(seed):
    step, state = step_function(random_model(seed))
    greedy = tf.function(
        lambda: greedy_search(step, tf.constant(state), 3, START, END, LONGEST, 0.6)
    )()
    beam = run_beam(random_model(seed), 1, 0.6)
    np.testing.assert_array_equal(greedy.ids, beam.ids)
    np.testing.assert_allclose(greedy.scores, beam.scores, rtol=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_greedy_equals_plain_python(seed):
    table = random_model(seed)
    step, state = step_function(table)
    hypotheses = greedy_search(step, tf.constant(state), 3, START, END, LONGEST)
    for source in range(3):
        assert_same(found_by(hypotheses, source), plain_beam_search(table, source, 1, 0.0))


def test_length_penalty_is_that_of_wu_et_al():
    np.testing.assert_allclose(length_penalty(tf.constant([1, 7, 13]), 1.0), [1, 2, 3])
    assert float(length_penalty(31, 0.5)) == pytest.approx(6**0.5)
    assert float(length_penalty(31, 0.0)) == 1


def test_a_source_does_not_depend_on_the_others():
    """One of them ends at once, another goes on to the limit."""
    table = random_model(1)
    for (source, prefix), logits in table.items():
        if source == 0:
            logits[:] = [2, 1, 0, 9]
        if source == 1 and len(prefix) < LONGEST:
            logits[END] = -9
    hypotheses = run_beam(table, 2, 0.6)
    for source in range(3):
        assert_same(found_by(hypotheses, source), plain_beam_search(table, source, 2, 0.6))
