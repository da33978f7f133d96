import itertools
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.encoding import Category, Encoding, PairIds, ordered_map
from tests.text.letters import LetterSubwords, random_pairs

SENTENCES = st.text("abcdefgh", max_size=7)


def letters(longest=(6, 5), sizes=(100, 100)):
    return Encoding(*map(LetterSubwords, sizes), *longest)


@given(st.lists(st.tuples(SENTENCES, SENTENCES), max_size=30))
def test_sides_are_interleaved_and_each_pair_has_a_category(pairs):
    """Start and end included, sources have at most 4 letters and targets at most 3."""
    expected, kept = [], []
    for source, target in pairs:
        if not source or not target:
            expected.append(Category.EMPTY)
        elif len(source) > 4 or len(target) > 3:
            expected.append(Category.TOO_LONG)
        else:
            expected.append(Category.KEPT)
            kept += [[98, *(ord(c) - 94 for c in side), 99] for side in (source, target)]
    ids = PairIds.concatenate(letters().encode_all(pairs))
    assert ids.categories.tolist() == expected
    assert ids.rows.lists() == kept


def test_many_pairs_are_encoded_in_their_order():
    pairs = random_pairs(7000, longest=3)
    ids = PairIds.concatenate(letters().encode_all(iter(pairs)))
    first_letters = [row[1] for row in ids.rows.lists()]
    assert first_letters == [ord(side[0]) - 94 for pair in pairs for side in pair]


@pytest.mark.parametrize(
    ("sizes", "dtype"), [((2**16, 9), np.uint16), ((9, 2**16 + 1), np.int32), ((9, 9), np.uint16)]
)
def test_ids_take_two_bytes_if_they_fit(sizes, dtype):
    encoding = letters(sizes=sizes)
    assert encoding.dtype == dtype
    [chunk] = encoding.encode_all([("a", "b")])
    assert chunk.rows.ids.dtype == dtype


def test_the_fingerprint_depends_on_subwords_and_limits():
    others = [letters((6, 6)), letters((7, 5)), letters(sizes=(100, 99)), letters(sizes=(99, 100))]
    prints = {each.fingerprint() for each in (letters(), *others)}
    assert len(prints) == 5
    assert letters().fingerprint() in prints


# Threads


def test_results_are_in_the_order_of_the_items():
    first_may_end = threading.Event()

    def work(item):
        if item == 0:
            assert first_may_end.wait(60)
        if item == 2:
            first_may_end.set()
        return item * item

    assert list(ordered_map(work, range(50), workers=2)) == [n * n for n in range(50)]


def test_items_are_read_only_when_they_are_needed():
    read = []
    items = (read.append(n) or n for n in itertools.count())
    results = ordered_map(str, items, workers=2)
    assert [next(results) for _ in range(3)] == ["0", "1", "2"]
    assert len(read) < 10
    results.close()


def test_errors_in_threads_and_in_items_are_raised():
    with pytest.raises(ZeroDivisionError):
        list(ordered_map(lambda n: 1 // n, [1, 0, 1]))
    with pytest.raises(KeyError, match="item"):
        list(ordered_map(str, (_ for _ in [1] if {}["item"])))
