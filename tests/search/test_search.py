"""The searches against brute force and a search written in plain Python."""

import functools
import itertools

import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.kernels.top_k import NEVER
from keras_transformer.search.beam import BeamSearch
from keras_transformer.search.execution import TensorFlowExecution, XlaExecution
from keras_transformer.search.greedy import GreedySearch
from keras_transformer.search.settings import STRATEGIES, SearchSettings
from keras_transformer.search.strategy import Target, length_penalty, search, strategy_class

VOCAB, START, END, LONGEST = 4, 2, 3, 4
XLA = XlaExecution()  # one object, so that each search is traced once


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


def logits_of(table):
    return np.array([table[key] for key in table], np.float32)


def step_function(table, logits=None):
    """The table as a step, and the first state for a beam of any size.

    Other logits may replace those of the table, since all tables have the same keys. The state is
    the number of each source's empty prefix (B,), and the numbers of the prefixes that the
    hypotheses of each position had, in their slots (B, positions, k).
    """
    numbers = {key: i for i, key in enumerate(table)}
    logits = logits_of(table) if logits is None else logits
    following = np.zeros((len(table), VOCAB), np.int32)
    for (source, prefix), number in numbers.items():
        for i in range(VOCAB):
            following[number, i] = numbers.get((source, (*prefix, i)), 0)

    def step(ids, position, lineage, state):
        first, memory = state
        tf.debugging.assert_equal(lineage[:, :, position + 1 :], -1)
        before = tf.maximum(lineage[:, :, tf.maximum(position - 1, 0)], 0)  # (B, k)
        newest = tf.pad(memory, [[0, 0], [1, 0], [0, 0]])[:, -1]  # there is none at first
        parents = tf.gather(newest, before, batch_dims=1)
        continued = tf.gather_nd(following, tf.stack([parents, ids], axis=-1))
        new = tf.where(position == 0, first[:, tf.newaxis], continued)  # (B, k)
        return tf.gather(logits, new), (first, tf.concat([memory, new[:, tf.newaxis]], axis=1))

    def state(beam_size):
        first = tf.constant([numbers[source, ()] for source in range(3)])
        return first, tf.zeros((3, 0, beam_size), tf.int32)

    return step, state


def penalty(length, alpha):
    return ((5 + length) / 6) ** alpha


def brute_force(table, source, alpha):
    """Every hypothesis that ends after at least one id and within the limit: (score, ids), the best
    first.
    """
    found = []
    others = [i for i in range(VOCAB) if i != END]
    for length in range(2, LONGEST + 1):
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
            if ids[-1] == END and length > 1
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


@functools.cache
def traced(kind, settings, execution=None):
    """Return a function of the logits of a table that searches for all three sources."""

    @tf.function(autograph=False)
    def found(logits):
        step, state = step_function(random_model(0), logits)
        strategy = kind(settings, Target(START, END, LONGEST), execution or TensorFlowExecution())
        return search(strategy, step, tf.constant(3), state(kind.width(settings)))

    return found


def run(table, kind, settings, execution=None):
    """Run a search strategy over all three sources."""
    return traced(kind, settings, execution)(tf.constant(logits_of(table)))


def run_beam(table, beam_size, alpha, n_best=None, execution=None):
    settings = SearchSettings(beam_size=beam_size, length_penalty=alpha, n_best=n_best or beam_size)
    return run(table, BeamSearch, settings, execution)


def run_greedy(table, alpha=0.0, execution=None):
    return run(table, GreedySearch, SearchSettings("greedy", length_penalty=alpha), execution)


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


@pytest.mark.parametrize("n_best", [1, 2, 3])
@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("seed", range(6))
def test_asking_for_fewer_gives_the_first_of_all(seed, alpha, n_best):
    """Although the search ends sooner."""
    table = random_model(seed, sharpness=4.0)
    hypotheses = run_beam(table, 3, alpha, n_best=n_best)
    assert hypotheses.ids.shape[1] == n_best
    for source in range(3):
        wanted = plain_beam_search(table, source, 3, alpha)[:n_best]
        assert_same(found_by(hypotheses, source), wanted)


def test_the_search_ends_when_nothing_better_can_come():
    """With a certain end after 0, two positions are enough for the best, but not for two."""
    table = {key: np.array([0.0, 0.0, 0.0, 20.0]) for key in random_model(0)}
    for (_, prefix), logits in table.items():
        if prefix in ((), (1,), (2,)):
            logits[:] = [9, 0, 0, -20]
    positions = []

    def steps_of(n_best):
        step, state = step_function(table)

        def counted(ids, position, lineage, state):
            positions.append(int(position))
            return step(ids, position, lineage, state)

        positions.clear()
        settings = SearchSettings(beam_size=2, length_penalty=0.6, n_best=n_best)
        strategy = BeamSearch(settings, Target(START, END, LONGEST), TensorFlowExecution())
        search(strategy, counted, tf.constant(3), state(2))
        return len(positions)

    assert steps_of(1) == 2
    assert steps_of(2) == 3


@pytest.mark.parametrize("execution", [None, XLA])
def test_no_translation_is_empty(execution):
    """Even if the network ends it at once; the scores are those that the network gives the ids."""
    table = random_model(0)
    for (_, prefix), logits in table.items():
        if not prefix:
            logits[END] = 30
    found = [run_greedy(table, execution=execution)]
    found += [run_beam(table, beam_size, 0.0, execution=execution) for beam_size in (1, 3)]
    for hypotheses, beam_size in zip(found, (1, 1, 3), strict=True):
        for source in range(3):
            results = found_by(hypotheses, source)
            assert not any(ids[0] == END for _, ids in results)
            assert_same(results, plain_beam_search(table, source, beam_size, 0.0))


@pytest.mark.parametrize("beam_size", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_a_search_without_penalty_keeps_the_best_hypothesis_for_every_penalty(seed, beam_size):
    """So one search suffices to compare penalties."""
    table = random_model(seed)
    kept = run_beam(table, beam_size, 0.0)
    for source, alpha in itertools.product(range(3), (0.5, 1.0, 3.0)):
        found = [(score, trimmed(ids)) for score, ids in found_by(kept, source)]
        ended = [each for each in found if each[1][-1] == END] or found
        best = max((score / penalty(len(ids), alpha), ids) for score, ids in ended)
        assert_same([best], plain_beam_search(table, source, beam_size, alpha)[:1])


@pytest.mark.parametrize("alpha", [0.6, 2.0])
@pytest.mark.parametrize("max_length", range(1, LONGEST + 1))
def test_a_shorter_search_knows_whether_a_longer_one_finds_the_same(max_length, alpha):
    settings = SearchSettings(beam_size=3, length_penalty=alpha)
    target = Target(START, END, max_length, limit=LONGEST)
    strategy = BeamSearch(settings, target, TensorFlowExecution())
    done = set()
    for seed in range(20):
        table = random_model(seed)
        step, state = step_function(table)
        hypotheses = search(strategy, step, tf.constant(3), state(3))
        done |= {*hypotheses.done.numpy().tolist()}
        for source in np.flatnonzero(hypotheses.done):
            wanted = plain_beam_search(table, source, 3, alpha)[:1]
            assert_same(found_by(hypotheses, source), wanted)
    assert done == ({False, True} if max_length > 1 else {False})


@pytest.mark.parametrize("seed", range(10))
def test_a_beam_of_one_equals_greedy(seed):
    greedy = run_greedy(random_model(seed), 0.6)
    beam = run_beam(random_model(seed), 1, 0.6)
    np.testing.assert_array_equal(greedy.ids, beam.ids)
    np.testing.assert_allclose(greedy.scores, beam.scores, rtol=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_greedy_equals_plain_python(seed):
    table = random_model(seed)
    hypotheses = run_greedy(table)
    for source in range(3):
        assert_same(found_by(hypotheses, source), plain_beam_search(table, source, 1, 0.0))


@pytest.mark.parametrize("seed", range(5))
def test_sources_that_stay_in_the_batch_change_nothing(seed):
    table = random_model(seed, sharpness=4.0)
    pairs = [
        (run_beam(table, 2, 0.6), run_beam(table, 2, 0.6, execution=XLA)),
        (run_greedy(table), run_greedy(table, execution=XLA)),
    ]
    for leaving, staying in pairs:
        np.testing.assert_array_equal(leaving.ids, staying.ids)
        np.testing.assert_allclose(leaving.scores, staying.scores, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("execution", [None, XLA])
def test_no_hypothesis_has_a_forbidden_id(execution):
    """Even if the beam has room for more hypotheses than there are."""
    table = random_model(0)
    for logits in table.values():
        logits[1] = NEVER
    hypotheses = run_beam(table, 40, 0.6, execution=execution)
    for source in range(3):
        wanted = [each for each in brute_force(table, source, 0.6) if 1 not in each[1]]
        found = [each for each in found_by(hypotheses, source) if each[0] > NEVER]
        assert_same(found[: len(wanted)], wanted)
        assert not any(1 in ids for _, ids in found)


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


def test_a_new_strategy_cannot_return_more_hypotheses_than_it_has(monkeypatch):
    monkeypatch.setitem(STRATEGIES, "new", "keras_transformer.search.greedy:GreedySearch")
    assert strategy_class(SearchSettings("new")) is GreedySearch
    with pytest.raises(UserError, match="n_best must be at most 1 for new search"):
        strategy_class(SearchSettings("new", n_best=2))
