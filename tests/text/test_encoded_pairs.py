import pytest

from keras_transformer.errors import UserError
from keras_transformer.text.corpus import open_pairs
from keras_transformer.text.encoded_pairs import (
    BothDirections,
    CachedPairs,
    EncodedPairs,
    SavedPairs,
    Survey,
)
from keras_transformer.text.encoding import Encoding
from keras_transformer.text.hold_out import hold_out
from keras_transformer.text.mixing import MixedPairs, RepeatedPairs
from tests.listed_pairs import ListedPairs
from tests.text.letters import LetterSubwords, random_pairs

LIMITS = 41, 42


def encoded(pairs):
    return EncodedPairs(pairs, Encoding(LetterSubwords(), LetterSubwords(), *LIMITS))


def cached(path, pairs, size=100, limits=LIMITS):
    return CachedPairs(path, pairs, Encoding(LetterSubwords(size), LetterSubwords(), *limits))


def lists(pairs, size):
    """Return the pools of pairs as lists of ids."""
    rows = pairs.rows.lists()
    return [
        [(rows[source], rows[target]) for source, target in zip(*pool, strict=True)]
        for pool in pairs.pools(size)
    ]


def test_too_long_and_empty_pairs_are_excluded_and_counted():
    pairs = encoded([("abc", "ab"), ("a" * 40, "b"), ("a", "b" * 41), ("", "b"), ("a", "")])
    # The width of the pair kept is 5, the length of its source, raised to the minimum of 6.
    assert pairs.survey() == Survey(kept=1, empty=2, too_long=2, widths=6)
    assert lists(pairs, 9) == [[([98, 3, 4, 5, 99], [98, 3, 4, 99])]]
    assert pairs.sample(9) == [("abc", "ab")]


def test_repeated_pairs_are_dropped_once():
    """Each of the four pairs is there three times, and the old pair once."""
    new = ListedPairs([("abc", "ab"), ("a" * 40, "b"), ("", "b"), ("ab", "ab")])
    pairs = MixedPairs(RepeatedPairs(new, 12), ListedPairs([("a" * 40, "c")]), 0.5, seed=1)
    assert encoded(pairs).survey() == Survey(kept=6, empty=1, too_long=2, widths=6 * 6)


def test_widths_are_added_up():
    """The widths are 12, the source; 9, the target without its last id; and the minimum of 6."""
    pairs = encoded([("a" * 10, "b"), ("a", "b" * 8), ("a", "b")])
    assert pairs.survey() == Survey(kept=3, widths=12 + 9 + 6)


def test_pairs_of_the_maximum_length_are_kept():
    assert encoded([("a" * 39, "b" * 40)]).survey().kept == 1


@pytest.mark.parametrize("pairs", [[], [("", "b")]])
def test_there_may_be_no_pairs(pairs):
    assert encoded(pairs).survey() == Survey(empty=len(pairs))
    assert encoded(pairs).sample(3) == []
    assert lists(encoded(pairs), 3) == []


def test_pools_have_the_order_of_the_pairs():
    pairs = encoded([("a" * n, "b" * n) for n in range(1, 8)])
    targets = [[len(target) - 2 for _, target in pool] for pool in lists(pairs, 3)]
    assert targets == [[1, 2, 3], [4, 5, 6], [7]]


def test_samples_do_not_depend_on_the_order_of_pairs():
    pairs = [(f"{'abc'[i % 3]}{'x' * (i % 30)}{'abcdefgh'[i % 8]}", "a") for i in range(120)]
    assert len(set(pairs)) == 120
    once, again = encoded(pairs).sample(30), encoded(pairs[::-1]).sample(30)
    assert once == again
    assert len(once) == 30
    assert set(once) < set(pairs)
    assert set(once) != set(pairs[:30])


def test_both_directions_adds_reversed_pairs_that_fit():
    both = BothDirections(encoded([("ab", "c"), ("a", "b" * 40), ("d", "e")]))
    assert lists(both, 2) == [
        [
            ([98, 3, 4, 99], [98, 5, 99]),
            ([98, 3, 99], [98, *[4] * 40, 99]),
            ([98, 5, 99], [98, 3, 4, 99]),  # the second pair reversed has a source of 42 ids
        ],
        [([98, 6, 99], [98, 7, 99]), ([98, 7, 99], [98, 6, 99])],
    ]


@pytest.mark.parametrize(("share", "count"), [(0.25, 5), (0.5, 10), (1.0, 20), (0.01, 0)])
def test_a_share_of_the_pairs_is_reversed_and_none_twice(share, count):
    pairs = encoded([("a" * n, "b") for n in range(2, 22)])
    both = BothDirections(pairs, share, seed=[1, 2])
    [pool] = lists(both, 100)
    assert pool[:20] == lists(pairs, 100)[0], "all pairs come first, in their order"
    reversals = [len(target) - 2 for _, target in pool[20:]]
    assert len(reversals) == len(set(reversals)) == count
    assert all(source == [98, 4, 99] for source, _ in pool[20:])


def test_the_choice_of_reversed_pairs_depends_on_the_seed_alone():
    pairs = encoded([("a" * n, "b") for n in range(2, 41)])
    once, again, other = (
        lists(BothDirections(pairs, 0.5, seed), 10) for seed in ([1, 2], [1, 2], [1, 3])
    )
    assert once == again
    assert once != other
    both = BothDirections(pairs, 0.5, [1, 2])
    assert lists(both, 10) == lists(both, 10), "each reading is the same"


class Sampled(ListedPairs):
    """Pairs that differ in each epoch."""

    def epoch(self, number):
        return self if number == 0 else Sampled(self.pairs[number:])


def test_epochs_of_a_fixed_corpus_share_their_ids():
    pairs = encoded(ListedPairs([("a", "b")]))
    assert pairs.epoch(3) is pairs
    listed = encoded([("a", "b")])
    assert listed.epoch(3) is listed


def test_epochs_of_a_sampled_corpus_have_their_own_ids(tmp_path):
    sampled = Sampled([("a", "b"), ("c", "d"), ("e", "f")])
    for pairs in (encoded(sampled), cached(tmp_path / "some.ids", sampled)):
        assert pairs.survey().kept == 3
        assert pairs.epoch(1).sample(9) == [("c", "d"), ("e", "f")]
        assert pairs.epoch(0) is pairs
        assert lists(pairs.epoch(2), 9) == [[([98, 7, 99], [98, 8, 99])]]


def test_the_built_in_corpus_differs_by_epoch():
    pairs = open_pairs((), "en", "de")
    assert pairs.epoch(0) is pairs
    assert pairs.epoch(1).fingerprint() != pairs.fingerprint()


# Ids in a file


def test_ids_are_read_from_the_file_while_nothing_changes(tmp_path):
    path, pairs = tmp_path / "some.ids", random_pairs(50)
    wanted = encoded(pairs)
    first = cached(path, ListedPairs(pairs))
    assert lists(first, 20) == lists(wanted, 20)
    written = path.stat()
    again = ListedPairs(pairs)
    assert lists(cached(path, again), 20) == lists(wanted, 20)
    assert cached(path, again).survey() == wanted.survey()
    assert again.times_read == 1, "for the fingerprint"
    assert cached(path, again).sample(7) == wanted.sample(7)
    assert path.stat() == written


@pytest.mark.parametrize(
    ("pairs", "options"),
    [
        ([("ab", "c"), ("d", "f")], {}),
        ([("d", "e"), ("ab", "c")], {}),
        ([("ab", "c"), ("d", "e")], {"size": 99}),
        ([("ab", "c"), ("d", "e")], {"limits": (3, 3)}),
    ],
)
def test_ids_are_encoded_again_after_a_change(tmp_path, pairs, options):
    path = tmp_path / "some.ids"
    original = ListedPairs([("ab", "c"), ("d", "e")])
    assert cached(path, original).survey().kept == 2
    changed = cached(path, ListedPairs(pairs), **options)
    expected = [(s, t) for s, t in pairs if len(s) + 2 <= options.get("limits", LIMITS)[0]]
    assert changed.sample(9) == cached(path, ListedPairs(pairs), **options).sample(9)
    assert sorted(changed.sample(9)) == sorted(expected)
    assert lists(changed, 9) == lists(encoded(expected), 9)


def test_damaged_files_are_replaced_with_a_warning(tmp_path, caplog):
    path, pairs = tmp_path / "some.ids", random_pairs(50)
    cached(path, ListedPairs(pairs)).survey()
    content = path.read_bytes()
    path.write_bytes(content[:-9])
    assert lists(cached(path, ListedPairs(pairs)), 20) == lists(encoded(pairs), 20)
    assert caplog.messages == [f"{path} is damaged; the sentence pairs are encoded again"]
    assert path.read_bytes() == content


@pytest.mark.parametrize("split", ["all", "held out"])
def test_pairs_that_change_while_they_are_encoded_are_an_error(tmp_path, split):
    content = [("ab", "c"), ("d", "e"), ("f", "g")]
    listed = ListedPairs(content)
    pairs = cached(tmp_path / "some.ids", listed if split == "all" else hold_out(listed)[0])
    listed.pairs = [("ab", "c"), ("d", "e"), ("f", "h")]  # after the fingerprint was computed
    with pytest.raises(UserError, match="changed while it was read"):
        pairs.survey()
    assert not list(tmp_path.iterdir())
    listed.pairs = content
    assert pairs.survey().kept > 0


def test_other_workers_only_read_the_file(tmp_path):
    path, pairs = tmp_path / "some.ids", random_pairs(20)
    encoding = Encoding(LetterSubwords(), LetterSubwords(), *LIMITS)
    with pytest.raises(UserError, match=r"some\.ids: cannot be read"):
        SavedPairs(path, ListedPairs(pairs), encoding).survey()
    assert not path.exists()
    cached(path, ListedPairs(pairs)).survey()
    assert lists(SavedPairs(path, ListedPairs(pairs), encoding), 20) == lists(encoded(pairs), 20)
    with pytest.raises(UserError, match="contains the ids of other pairs"):
        SavedPairs(path, ListedPairs(pairs[1:]), encoding).survey()


def test_a_file_that_cannot_be_written_is_an_error(tmp_path):
    pairs = cached(tmp_path / "missing" / "some.ids", ListedPairs([("a", "b")]))
    with pytest.raises(UserError, match=r"missing/some\.ids: cannot be written"):
        pairs.survey()
