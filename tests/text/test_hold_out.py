"""Pairs that are held out for validation."""

import pytest

from keras_transformer.errors import UserError
from keras_transformer.text.hold_out import hold_out
from tests.listed_pairs import ListedPairs


@pytest.mark.parametrize(
    ("count", "held_out"), [(2, 1), (10, 1), (100, 10), (300, 20), (1000, 50), (30_000, 1000)]
)
def test_holding_out_splits_the_pairs(count, held_out):
    pairs = ListedPairs([(f"sentence {i}", str(i)) for i in range(count)])
    train, validation = map(list, hold_out(pairs))
    assert len(validation) == held_out
    assert sorted(train + validation) == sorted(pairs)
    assert not set(train) & set(validation)


def test_pairs_with_an_empty_side_are_not_held_out():
    """CRC-32 of nothing is 0, the smallest checksum. A tenth of 100 complete pairs is held out."""
    full = [(f"sentence {i}", str(i)) for i in range(100)]
    empty = [("", ""), (" ", "5"), *((f"no target {i}", "") for i in range(200))]
    train, validation = map(list, hold_out(ListedPairs([*empty, *full])))
    assert len(validation) == 10
    assert set(validation) < set(full)
    assert set(train) == {*empty, *full} - set(validation)


def test_pairs_with_the_same_source_stay_together():
    pairs = ListedPairs([(f"sentence {i % 50}", str(i)) for i in range(1000)])
    train, validation = map(list, hold_out(pairs))
    assert not {source for source, _ in train} & {source for source, _ in validation}
    assert validation


def test_a_single_source_cannot_be_held_out():
    with pytest.raises(UserError, match="too few sentence pairs .* setting validation"):
        hold_out(ListedPairs([("a", "b"), ("a", "c")]))


def test_nothing_cannot_be_held_out():
    with pytest.raises(UserError, match="no sentence pairs$"):
        hold_out(ListedPairs([]))


def test_both_sides_of_a_split_have_their_own_fingerprints():
    pairs = ListedPairs([(f"sentence {i}", str(i)) for i in range(100)])
    changed = ListedPairs([*pairs.pairs[:-1], ("sentence 99", "ninety-nine")])
    prints = [part.fingerprint() for whole in (pairs, changed) for part in hold_out(whole)]
    assert len({*prints, pairs.fingerprint(), changed.fingerprint()}) == 6
    assert [part.fingerprint() for part in hold_out(pairs)] == prints[:2]


def test_fingerprints_are_those_that_existing_runs_have_saved():
    """These were recorded from earlier code: with others, no existing run could be resumed."""
    pairs = ListedPairs([(f"sentence {i}", str(i)) for i in range(100)])
    assert pairs.fingerprint() == "eee7d0211bbeb1fa4a6f20aae0d1761f4f6e3fcce4acf7413c214a1223aec16b"
    assert [part.fingerprint() for part in hold_out(pairs)] == [
        "b36836b71dc4efaa0d6230d618ebece5c625726b1bb35b76d7732761314d750c",
        "83d59c25840f2a363021aa47f5729bfab9fb0e60f7fe499690dd4b324cd379cc",
    ]
