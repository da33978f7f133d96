"""Fingerprints of pairs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.pair_files import open_files
from tests.listed_pairs import ListedPairs
from tests.text.test_pair_files import write


def of_files(tmp_path, sources, targets):
    """Return the fingerprint of two parallel files."""
    paths = write(tmp_path / "corpus.en", *sources), write(tmp_path / "corpus.de", *targets)
    return open_files(paths).fingerprint()


def test_equal_pairs_have_equal_fingerprints_in_any_file_format(tmp_path):
    parallel = of_files(tmp_path, ["one", "two"], ["eins", "zwei"])
    columns = write(tmp_path / "corpus.tsv", "one\teins\tremark", "", " two \tzwei")
    assert open_files([columns]).fingerprint() == parallel
    assert len(parallel) == 64


@pytest.mark.parametrize(
    ("sources", "targets"),
    [
        (["one", "twp"], ["eins", "zwei"]),  # the text, not its size
        (["two", "one"], ["zwei", "eins"]),  # the order
        (["eins", "zwei"], ["one", "two"]),  # the direction
        (["onee", "two"], ["ins", "zwei"]),  # the boundary between source and target
        (["one", "eins4 4 two"], ["", "zwei"]),  # the boundary between pairs
        (["one"], ["eins"]),
        ([], []),
    ],
)
def test_other_pairs_have_other_fingerprints(tmp_path, sources, targets):
    original = of_files(tmp_path, ["one", "two"], ["eins", "zwei"])
    assert of_files(tmp_path, sources, targets) != original


@given(st.lists(st.tuples(st.text(), st.text())), st.lists(st.tuples(st.text(), st.text())))
def test_only_equal_pairs_have_equal_fingerprints(one, two):
    same = ListedPairs(one).fingerprint() == ListedPairs(two).fingerprint()
    assert same == (one == two)
    assert ListedPairs(one).fingerprint() == ListedPairs(list(one)).fingerprint()
