import collections
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keras_transformer.text.batches import estimated_batches, make_batches, pad
from keras_transformer.text.encoded_pairs import BothDirections, EncodedPairs
from keras_transformer.text.encoding import Encoding
from tests.text.letters import LetterSubwords, random_pairs


def encoded(pairs, longest=(41, 42)):
    return EncodedPairs(pairs, Encoding(LetterSubwords(), LetterSubwords(), *longest))


def rows(batches):
    """Return all pairs in batches as tuples of ids, without padding."""
    return [
        (tuple(s[s != 0]), tuple(t[t != 0]))
        for source, target in batches
        for s, t in zip(source, target, strict=True)
        if s.any()
    ]


def as_arrays(dataset):
    return list(dataset.as_numpy_iterator())


def as_tuples(pairs):
    """Return the ids of pairs of letters."""
    encode = LetterSubwords().encode
    return [(tuple(encode(source)), tuple(encode(target))) for source, target in pairs]


PAIRS = random_pairs(1000)

# An independent description of all batches, pair by pair


def expected_batches(pairs, limits, reversals, batching, batch_size, shuffle_buffer, seed):
    """Yield the batches of `make_batches`, as lists of rows."""
    kept = [pair for pair in as_tuples(pairs) if fits(pair, limits)]
    random = np.random.default_rng(seed)
    for first in range(0, len(kept), shuffle_buffer):
        pool = kept[first : first + shuffle_buffer]
        if reversals:
            pool = pool + [pair[::-1] for pair in pool if fits(pair[::-1], limits)]
        if seed is not None:
            pool = [pool[i] for i in random.permutation(len(pool))]
        if batching == "fixed":
            batches = [pool[i : i + batch_size] for i in range(0, len(pool), batch_size)]
        else:
            batches = expected_buckets(pool, batch_size * max(limits[0], limits[1] - 1))
        if seed is not None:
            batches = [batches[i] for i in random.permutation(len(batches))]
        for batch in batches:
            sizes = (batch_size, *limits) if batching == "fixed" else widest(batch)
            yield tuple(expected_array(batch, side, sizes) for side in (0, 1))


def fits(pair, limits):
    return all(2 < len(side) <= limit for side, limit in zip(pair, limits, strict=True))


def width(pair):
    """Return the positions that a pair takes, of which there are at least 6."""
    return max(6, len(pair[0]), len(pair[1]) - 1)


def expected_buckets(pool, positions):
    """Return batches, widest first, and among equal widths the one with the longer target."""
    left = sorted(pool, key=lambda pair: (-width(pair), len(pair[0]) - len(pair[1])))
    batches = []
    while left:
        size = max(1, positions // width(left[0]))
        batches.append(left[:size])
        left = left[size:]
    if len(batches) > 1 and len(batches[-1]) < len(batches[-2]):
        both = batches[-2] + batches[-1]
        batches[-2:] = both[: -(len(both) // 2)], both[-(len(both) // 2) :]
    return batches


def widest(batch):
    return (len(batch), *(max(len(pair[side]) for pair in batch) for side in (0, 1)))


def expected_array(batch, side, sizes):
    length = sizes[1 + side]
    padded = [[*pair[side], *[0] * (length - len(pair[side]))] for pair in batch]
    return padded + [[0] * length] * (sizes[0] - len(batch))


LETTERS = st.text("abc", max_size=9)


@settings(max_examples=60)
@given(
    pairs=st.lists(st.tuples(LETTERS, LETTERS), max_size=40),
    limits=st.tuples(st.integers(4, 12), st.integers(4, 12)),
    reversals=st.booleans(),
    batching=st.sampled_from(["fixed", "bucketed"]),
    batch_size=st.integers(1, 5),
    shuffle_buffer=st.integers(1, 50),
    seed=st.none() | st.integers(0, 9) | st.lists(st.integers(0, 9), min_size=1, max_size=2),
)
def test_batches_are_those_of_the_slow_description(pairs, limits, reversals, **options):
    ids = encoded(pairs, limits)
    batches = make_batches(BothDirections(ids) if reversals else ids, **options)
    expected = list(expected_batches(pairs, limits, reversals, **options))
    assert [(s.tolist(), t.tolist()) for s, t in as_arrays(batches)] == expected


# Properties of batches


@pytest.mark.parametrize("batching", ["fixed", "bucketed"])
def test_batches_contain_every_pair_once(batching):
    batches = as_arrays(make_batches(encoded(PAIRS), batching, 64, 300, seed=1))
    assert collections.Counter(rows(batches)) == collections.Counter(as_tuples(PAIRS))
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
    pairs = encoded([("a" * 10, "b" * 11)] * 8 + [("a" * 10, "b" * 5)] * 5, (12, 13))
    batches = as_arrays(make_batches(pairs, "bucketed", 10, 100))
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
    batches = make_batches(encoded(PAIRS), "fixed", 8, 300)
    assert rows(as_arrays(batches)) == as_tuples(PAIRS)


@pytest.mark.parametrize("batching", ["fixed", "bucketed"])
def test_batches_of_both_directions_contain_every_pair_twice(batching):
    pairs = BothDirections(encoded(PAIRS))
    batches = as_arrays(make_batches(pairs, batching, 64, 300, seed=1))
    wanted = as_tuples(PAIRS)
    assert collections.Counter(rows(batches)) == collections.Counter(
        wanted + [(target, source) for source, target in wanted]
    )


def test_pairs_are_encoded_only_when_batches_are_read():
    class Unread:
        def __iter__(self):
            raise AssertionError

    batches = make_batches(encoded(Unread()), "bucketed", 4, 50, seed=0)
    assert [spec.dtype.name for spec in batches.element_spec] == ["int32", "int32"]


@pytest.mark.parametrize("batching", ["fixed", "bucketed"])
def test_the_number_of_batches_is_estimated(batching):
    pairs = encoded(PAIRS)
    found = estimated_batches(pairs.survey(), batching, 16, 41, 42)
    widths = sum(map(width, as_tuples(PAIRS)))
    assert found == math.ceil(len(PAIRS) / 16 if batching == "fixed" else widths / (16 * 41))
    made = len(as_arrays(make_batches(pairs, batching, 16, 100_000, seed=1)))
    assert found == pytest.approx(made, rel=0.1)


def test_the_wider_side_determines_the_number_of_bucketed_batches():
    """A target of 21 ids takes 20 positions, as many as a source of 20 ids."""
    survey = encoded(PAIRS).survey()._replace(widths=1000)
    assert estimated_batches(survey, "bucketed", 5, 10, 21) == 10
    assert estimated_batches(survey, "bucketed", 5, 20, 11) == 10


def test_pad_appends_zeros():
    np.testing.assert_array_equal(pad([[1, 2, 3], [4]]), [[1, 2, 3], [4, 0, 0]])
    np.testing.assert_array_equal(pad([[1]], (2, 2)), [[1, 0], [0, 0]])
