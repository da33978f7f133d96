"""New and old pairs in each epoch."""

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.augmentation import AugmentedPairs
from keras_transformer.text.mixing import MixedPairs, RepeatedPairs, WithoutSources
from keras_transformer.text.pair_files import TabSeparatedFile
from keras_transformer.text.pairs import Pairs
from tests.conftest import write_pairs
from tests.listed_pairs import ListedPairs


class Numbered(Pairs):
    """Pairs that differ by epoch, like those of a sampled corpus."""

    def __init__(self, name, count, number=0):
        self.name, self.count, self.number = name, count, number

    def __iter__(self):
        for each in range(self.count):
            yield f"{self.name}{self.number}", str(each)

    def epoch(self, number):
        return Numbered(self.name, self.count, number)


def old_of(pairs):
    return [pair for pair in pairs if pair[0].startswith("old")]


@given(st.integers(1, 50), st.integers(1, 50), st.floats(0, 0.99), st.integers(0, 3))
def test_each_epoch_has_all_new_pairs_and_a_share_of_old_ones(new, old, share, number):
    mixed = MixedPairs(Numbered("new", new), Numbered("old", old), share, seed=5).epoch(number)
    pairs = list(mixed)
    assert pairs[:new] == list(Numbered("new", new, number))
    chosen = pairs[new:]
    assert set(chosen) <= set(Numbered("old", old, number))
    assert max(Counter(chosen).values(), default=1) == 1
    # A share p of all pairs: p / (1 - p) old pairs for each new one, rounded to whole pairs.
    wanted = new * share / (1 - share)
    assert abs(len(chosen) - min(old, wanted)) <= 0.5
    assert list(mixed) == pairs


def test_old_pairs_are_drawn_anew_for_each_epoch_and_with_each_seed(tmp_path):
    new, old = (
        Numbered("new", 20),
        TabSeparatedFile(write_pairs(tmp_path / "old.tsv", [("old", str(i)) for i in range(500)])),
    )
    draws = [
        old_of(MixedPairs(new, old, 0.5, seed).epoch(number))
        for seed in (1, 2)
        for number in (0, 1)
    ]
    assert all(len(draw) == 20 for draw in draws)
    assert len({tuple(draw) for draw in draws}) == 4


def test_over_many_epochs_every_old_pair_is_drawn_equally_often():
    old = ListedPairs([("old", str(each)) for each in range(40)])  # the same in each epoch
    mixed = MixedPairs(Numbered("new", 10), old, 0.5, seed=1)
    counts = Counter(pair for number in range(400) for pair in old_of(mixed.epoch(number)))
    # Binomial with 400 draws of probability 1/4: mean 100, standard deviation 8.7.
    assert len(counts) == 40
    assert all(60 < count < 140 for count in counts.values())


def test_the_vocabulary_is_that_of_all_pairs():
    mixed = MixedPairs(Numbered("new", 3), Numbered("old", 30), 0.5, seed=1)
    wanted = [*Numbered("new", 3), *Numbered("old", 30)]
    assert list(mixed.vocabulary()) == wanted
    assert list(mixed.vocabulary()) == wanted


def test_the_fingerprint_depends_on_both_corpora_the_share_and_the_seed():
    new, old = Numbered("new", 3), Numbered("old", 30)
    fingerprints = {
        MixedPairs(*arguments).fingerprint()
        for arguments in (
            (new, old, 0.5, 1),
            (Numbered("new", 4), old, 0.5, 1),
            (new, Numbered("old", 31), 0.5, 1),
            (new, old, 0.4, 1),
            (new, old, 0.5, 2),
        )
    }
    assert len(fingerprints) == 5
    assert MixedPairs(new, old, 0.5, 1).fingerprint() in fingerprints


def test_an_edited_file_is_noticed(tmp_path):
    new, old = (TabSeparatedFile(write_pairs(tmp_path / name, [("a", "b")])) for name in "no")
    mixed = MixedPairs(new, old, 0.5, seed=1)
    mixed.fingerprint()
    assert mixed.is_unchanged()
    write_pairs(tmp_path / "o", [("a", "c")])
    assert not mixed.is_unchanged()
    write_pairs(tmp_path / "o", [("a", "b")])
    write_pairs(tmp_path / "n", [("a", "c")])
    assert not mixed.is_unchanged()


@given(st.integers(1, 30), st.integers(0, 50), st.integers(0, 3))
def test_few_pairs_are_repeated_until_there_are_enough(count, least, number):
    pairs = Numbered("new", count)
    repeated = RepeatedPairs(pairs, least).epoch(number)
    counts = Counter(repeated)
    times = next(n for n in itertools.count(1) if n * count >= least)
    assert counts == dict.fromkeys(pairs.epoch(number), times)
    assert list(repeated.vocabulary()) == list(pairs.epoch(number))
    assert repeated.is_unchanged()
    assert repeated.fingerprint() != RepeatedPairs(pairs, least + 1).fingerprint()


@given(st.integers(1, 30), st.integers(0, 50), st.integers(0, 30), st.integers(0, 3))
def test_repetitions_can_be_left_out(count, least, old, number):
    new = Numbered("new", count)
    repeated = RepeatedPairs(new, least)
    mixed = MixedPairs(repeated, Numbered("old", old), 0.5, seed=1).epoch(number)
    assert list(repeated.once()) == list(new)
    assert list(mixed.once()) == list(mixed.once()) == [*new.epoch(number), *old_of(mixed)]
    augmented = AugmentedPairs(mixed, 0.0, ("en", "de"), seed=1).epoch(number)
    assert list(augmented.once()) == list(mixed.once())


def test_the_number_of_repetitions_is_in_the_name(tmp_path):
    new, old = (
        TabSeparatedFile(write_pairs(tmp_path / name, [("a", "b"), ("c", "d")])) for name in "no"
    )
    mixed = MixedPairs(RepeatedPairs(new, 5), old, 0.5, seed=1)
    assert str(mixed) == f"{tmp_path}/n (each pair 3 times) mixed with {tmp_path}/o"
    assert str(RepeatedPairs(new, 2)) == f"{tmp_path}/n"


def test_no_pairs_can_be_repeated():
    assert list(RepeatedPairs(Numbered("new", 0), 10)) == []


words = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("xyz")), max_size=20)


@given(words, words)
def test_pairs_with_the_sources_of_others_are_left_out(pairs, others):
    rest = WithoutSources(ListedPairs(pairs), ListedPairs(others))
    wanted = [pair for pair in pairs if all(pair[0] != other[0] for other in others)]
    assert list(rest) == list(rest.vocabulary()) == list(rest.vocabulary()) == wanted
    assert rest.is_unchanged()


def test_each_epoch_is_without_the_sources_of_others():
    rest = WithoutSources(Numbered("old", 5), ListedPairs([("old2", "0")]))
    assert list(rest.epoch(2)) == []
    assert list(rest.epoch(3)) == list(Numbered("old", 5, 3))


def test_the_fingerprint_depends_on_the_others():
    pairs, *others = (ListedPairs([(name, "x")]) for name in "abc")
    assert len({WithoutSources(pairs, each).fingerprint() for each in others}) == 2
