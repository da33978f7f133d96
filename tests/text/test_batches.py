import collections

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.batches import (
    BothDirections,
    EncodedPairs,
    Survey,
    bucketed_batches,
    fixed_batches,
    make_batches,
    pad,
)


class LetterSubwords:
    """A substitute for `Subwords` with one id per letter."""

    def encode(self, sentence):
        return [98, *(ord(letter) - ord("a") + 3 for letter in sentence), 99]


def encoded(pairs, longest=(41, 42)):
    return EncodedPairs(pairs, LetterSubwords(), LetterSubwords(), *longest)


def random_pairs(count, longest=39, seed=0):
    draw = np.random.default_rng(seed)

    def sentence():
        return "".join(draw.choice(list("abcdefgh"), draw.integers(1, longest + 1)))

    return [(sentence(), sentence()) for _ in range(count)]


def rows(batches):
    """Return all pairs in batches as tuples of ids, without padding."""
    return [
        (tuple(s[s != 0]), tuple(t[t != 0]))
        for source, target in batches
        for s, t in zip(source, target, strict=True)
        if s.any()
    ]


def as_arrays(dataset):
    return [(source.numpy(), target.numpy()) for source, target in dataset]


PAIRS = random_pairs(1000)


@pytest.mark.parametrize("batching", ["fixed", "bucketed"])
def test_batches_contain_every_pair_once(batching):
    pairs = encoded(PAIRS)
    batches = as_arrays(make_batches(pairs, batching, 64, 300, seed=1))
    wanted = collections.Counter((tuple(s), tuple(t)) for s, t in pairs)
    assert collections.Counter(rows(batches)) == wanted
    assert sum(wanted.values()) == 1000
    assert {array.dtype for batch in batches for array in batch} == {np.dtype(np.int32)}


def test_fixed_batches_have_the_shapes_of_the_tutorial():
    batches = as_arrays(make_batches(encoded(PAIRS), "fixed", 64, 100_000, seed=1))
    assert {(s.shape, t.shape) for s, t in batches} == {((64, 41), (64, 42))}
    assert len(batches) == 16


def test_no_bucketed_batch_has_more_positions_than_the_widest():
    pairs = encoded(PAIRS + random_pairs(1000, longest=8))
    batches = as_arrays(make_batches(pairs, "bucketed", 16, 100_000, seed=1))
    for source, target in batches:
        width = max(source.shape[1], target.shape[1] - 1)
        assert len(source) * width <= 16 * 41
        assert width == 41 or len(source) <= 16 * 41 // width
    assert any(len(source) > 32 for source, _ in batches)


def test_no_bucketed_batch_is_small():
    """Rare lengths, at both ends of a Gaussian, share a batch with other lengths."""
    lengths = np.clip(np.random.default_rng(0).normal(14, 5, 1000).astype(int), 1, 39)
    pairs = encoded([("a" * length, "b" * length) for length in lengths])
    batches = as_arrays(make_batches(pairs, "bucketed", 4, 100_000, seed=1))
    positions = [source.size for source, _ in batches]
    assert min(positions) > 0.5 * max(positions)
    assert len({source.shape[1] for source, _ in batches}) > 15


def test_the_last_two_bucketed_batches_have_similar_sizes():
    pool = [([1] * 12, [1] * 13)] * 8 + [([1] * 12, [1] * 7)] * 5
    batches = list(bucketed_batches(pool, 10, 12, 13))
    assert [source.shape for source, _ in batches] == [(7, 12), (6, 12)]
    assert [target.shape for _, target in batches] == [(7, 13), (6, 13)]


def test_bucketed_batches_contain_little_padding():
    batches = as_arrays(make_batches(encoded(random_pairs(4000)), "bucketed", 64, 100_000, seed=1))
    for side in (0, 1):
        assert all(batch[side].any(axis=0).all() for batch in batches)
    real = sum((source != 0).sum() for source, _ in batches)
    assert real / sum(source.size for source, _ in batches) > 0.75


@pytest.mark.parametrize("batching", ["fixed", "bucketed"])
def test_the_seed_determines_the_order(batching):
    def run(seed):
        return as_arrays(make_batches(encoded(PAIRS), batching, 8, 300, seed))

    once, again, other = run(3), run(3), run([3, 1])
    assert all(
        np.array_equal(a, b)
        for one, two in zip(once, again, strict=True)
        for a, b in zip(one, two, strict=True)
    )
    assert rows(once) != rows(other)


def test_without_a_seed_pairs_are_not_shuffled():
    pairs = encoded(PAIRS)
    wanted = [(tuple(s), tuple(t)) for s, t in pairs]
    assert rows(as_arrays(make_batches(pairs, "fixed", 8, 300))) == wanted


def test_too_long_and_empty_pairs_are_excluded_and_counted():
    pairs = encoded([("abc", "ab"), ("a" * 40, "b"), ("a", "b" * 41), ("", "b"), ("a", "")])
    # The width of the pair kept is 5, the length of its source, raised to the minimum of 6.
    assert pairs.survey() == Survey(kept=1, empty=2, too_long=2, widths=6)
    assert list(pairs) == [([98, 3, 4, 5, 99], [98, 3, 4, 99])]
    assert pairs.sample(9) == [("abc", "ab")]


def test_samples_do_not_depend_on_the_order_of_pairs():
    pairs = [(f"{'abc'[i % 3]}{'x' * (i % 30)}{'abcdefgh'[i % 8]}", "a") for i in range(120)]
    assert len(set(pairs)) == 120
    once, again = encoded(pairs).sample(30), encoded(pairs[::-1]).sample(30)
    assert once == again
    assert len(once) == 30
    assert set(once) < set(pairs)
    assert set(once) != set(pairs[:30])


def test_pairs_of_the_maximum_length_are_kept():
    pairs = encoded([("a" * 39, "b" * 40)])
    assert pairs.survey().kept == 1
    [(source, target)] = as_arrays(make_batches(pairs, "bucketed", 64, 10))
    assert (source.shape, target.shape) == ((1, 41), (1, 42))


def test_only_one_pool_is_read_ahead():
    """An infinite corpus yields its first batches."""

    class Endless:
        def __iter__(self):
            while True:
                yield "abc", "abc"

    batches = make_batches(encoded(Endless()), "bucketed", 4, 50, seed=0)
    assert len(list(batches.take(3))) == 3


def test_both_directions_adds_reversed_pairs_that_fit():
    both = BothDirections(encoded([("ab", "c"), ("a", "b" * 40), ("d", "e")]))
    assert list(both.pools(2)) == [
        [
            ([98, 3, 4, 99], [98, 5, 99]),
            ([98, 3, 99], [98, *[4] * 40, 99]),
            ([98, 5, 99], [98, 3, 4, 99]),  # the second pair reversed has a source of 42 ids
        ],
        [([98, 6, 99], [98, 7, 99]), ([98, 7, 99], [98, 6, 99])],
    ]


@pytest.mark.parametrize("batching", ["fixed", "bucketed"])
def test_batches_of_both_directions_contain_every_pair_twice(batching):
    pairs = encoded(PAIRS)
    batches = as_arrays(make_batches(BothDirections(pairs), batching, 64, 300, seed=1))
    wanted = [(tuple(s), tuple(t)) for s, t in pairs]
    assert collections.Counter(rows(batches)) == collections.Counter(
        wanted + [(target, source) for source, target in wanted]
    )


@st.composite
def pools(draw):
    """Draw the maximum lengths of sources and targets, and pairs of at most these lengths."""
    lengths = draw(st.tuples(st.integers(3, 12), st.integers(3, 12)))
    sides = [st.lists(st.integers(1, 50), min_size=1, max_size=length) for length in lengths]
    return lengths, draw(st.lists(st.tuples(*sides), min_size=1, max_size=40))


@given(pools(), st.integers(1, 5))
@pytest.mark.parametrize("divide", [fixed_batches, bucketed_batches])
def test_dividing_a_pool_preserves_its_pairs(divide, lengths_and_pool, batch_size):
    lengths, pool = lengths_and_pool
    batches = divide(pool, batch_size, *lengths)
    wanted = collections.Counter((tuple(s), tuple(t)) for s, t in pool)
    assert collections.Counter(rows(batches)) == wanted


def test_pad_appends_zeros():
    np.testing.assert_array_equal(pad([[1, 2, 3], [4]]), [[1, 2, 3], [4, 0, 0]])
    np.testing.assert_array_equal(pad([[1]], (2, 2)), [[1, 0], [0, 0]])
