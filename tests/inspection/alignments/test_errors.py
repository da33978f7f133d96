"""The error rate of word alignments."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.inspection.alignments.errors import (
    Reference,
    diagonal,
    errors,
    pharaoh,
    transposed,
)

LINKS = st.frozensets(st.tuples(st.integers(0, 9), st.integers(0, 9)))


def reference(sure, possible=()):
    return Reference(frozenset(sure), frozenset([*sure, *possible]))


def test_the_error_rate_follows_the_definition():
    """|A| = 3, |S| = 2, |A ∩ S| = 1, |A ∩ P| = 2, so the rate is 1 - (1 + 2) / (3 + 2)."""
    truth = reference([(0, 0), (1, 1)], [(2, 1)])
    found = errors([[(0, 0), (2, 1), (2, 2)]], [truth])
    assert found == pytest.approx((2 / 3, 1 / 2, 0.4))


def test_links_are_counted_over_all_pairs():
    """1 - (1 + 0 + 1 + 0) / (1 + 1 + 1 + 3), not the mean of 0 and 1."""
    truth = reference([(0, 0)]), reference([(0, 0), (1, 1), (2, 2)])
    assert errors([[(0, 0)], [(0, 1)]], truth).error_rate == pytest.approx(1 - 2 / 6)


def test_a_repeated_link_counts_once():
    assert errors([[(0, 0), (0, 0)]], [reference([(0, 0)])]) == (1.0, 1.0, 0.0)


def test_nothing_has_no_errors():
    assert errors([[]], [reference([])]) == (1.0, 1.0, 0.0)
    assert errors([], []) == (1.0, 1.0, 0.0)


@given(LINKS, LINKS, LINKS)
def test_alignments_between_sure_and_possible_are_perfect(sure, possible, chosen):
    truth = reference(sure, possible)
    links = sure | (chosen & possible)
    assert errors([links], [truth]).error_rate == pytest.approx(0)


@given(LINKS, LINKS, LINKS)
def test_the_opposite_direction_has_the_same_errors(sure, possible, links):
    truth = reference(sure, possible)
    opposite = errors([[(j, i) for i, j in links]], [transposed(truth)])
    assert opposite == errors([links], [truth])


def test_the_diagonal_links_words_at_the_same_relative_position():
    assert diagonal(3, 3) == [(0, 0), (1, 1), (2, 2)]
    assert diagonal(2, 4) == [(0, 0), (0, 1), (1, 2), (1, 3)]
    assert diagonal(4, 2) == [(0, 0), (2, 1)]
    assert diagonal(0, 2) == diagonal(2, 0) == []


@given(LINKS)
def test_the_pharaoh_format_contains_all_links_in_order(links):
    text = pharaoh(links)
    assert re.fullmatch(r"(\d+-\d+( \d+-\d+)*)?", text)
    assert [tuple(map(int, each.split("-"))) for each in text.split()] == sorted(links)
