import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.rows import Rows, offsets_of

LISTS = st.lists(st.lists(st.integers(0, 1000), max_size=6), max_size=12)
SOME = st.lists(st.integers(0, 10**6), max_size=12)


def numbers_of(lists, drawn):
    """Return drawn integers as valid numbers of lists."""
    return np.array([each % len(lists) for each in drawn if lists], np.int64)


@given(LISTS)
def test_rows_are_the_lists_that_they_were_made_of(lists):
    rows = Rows.of(lists)
    assert rows.lists() == lists
    assert len(rows) == len(lists)
    assert rows.offsets.tolist() == [0, *itertools.accumulate(map(len, lists))]


@given(LISTS, SOME)
def test_rows_can_be_taken_in_any_order(lists, drawn):
    numbers = numbers_of(lists, drawn)
    rows = Rows.of(lists)
    assert rows.take(numbers).lists() == [lists[n] for n in numbers]
    assert rows.lengths(numbers).tolist() == [len(lists[n]) for n in numbers]


@given(st.lists(LISTS, max_size=4))
def test_concatenating_preserves_all_rows(parts):
    assert Rows.concatenate(map(Rows.of, parts)).lists() == sum(parts, [])


def test_concatenating_preserves_the_type_of_ids():
    small = Rows(np.array([1, 2], np.uint16), offsets_of(np.array([2])))
    assert Rows.concatenate([small, small]).ids.dtype == np.uint16


@given(LISTS)
def test_ids_can_be_added_at_both_ends(lists):
    assert Rows.of(lists).between(7, 8).lists() == [[7, *row, 8] for row in lists]


@given(LISTS.filter(bool), SOME.filter(bool), st.integers(0, 2), st.integers(0, 2))
def test_padding_appends_zeros(lists, drawn, more_rows, more_columns):
    numbers = numbers_of(lists, drawn)
    longest = max(len(lists[n]) for n in numbers)
    rows = Rows.of(lists)
    expected = [lists[n] + [0] * (longest - len(lists[n])) for n in numbers]
    assert rows.padded(numbers).tolist() == expected
    shape = len(numbers) + more_rows, longest + more_columns
    array = rows.padded(numbers, shape)
    assert array.tolist() == [
        *(row + [0] * more_columns for row in expected),
        *([0] * shape[1] for _ in range(more_rows)),
    ]
    assert array.dtype == np.int32


def test_rows_longer_than_the_shape_are_an_error():
    with pytest.raises(ValueError, match="shape|size|boolean|assign"):
        Rows.of([[1, 2, 3]]).padded(np.array([0]), (1, 2))
