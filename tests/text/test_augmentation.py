"""Changed sentence pairs in each epoch."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.text.augmentation import (
    LONGEST,
    AugmentedPairs,
    in_capitals,
    in_lower_case,
    joined,
    without_final_mark,
)
from keras_transformer.text.pair_files import TabSeparatedFile
from keras_transformer.text.pairs import Pairs
from tests.conftest import write_pairs
from tests.listed_pairs import ListedPairs

LANGUAGES = "en", "de"
SIDES = st.text(alphabet="aBß .?!", max_size=20)


class Sampled(Pairs):
    """Pairs that differ by epoch, like those of a sampled corpus."""

    def __init__(self, number=0):
        self.number = number

    def __iter__(self):
        return iter(
            [(f"The {self.number} is {i}.", f"Die {self.number} ist {i}.") for i in range(9)]
        )

    def epoch(self, number):
        return Sampled(number)


def numbered(count):
    return [(f"The number is {i}.", f"Die Zahl ist {i}.") for i in range(count)]


def augmented(pairs, share=1.0, seed=1):
    return AugmentedPairs(ListedPairs(pairs), share, LANGUAGES, seed)


def kind(pair, i):
    """Name the change of pair i of `numbered`, whose result is spelled out here."""
    forms = {
        (f"The number is {i}.", f"Die Zahl ist {i}."): "none",
        (f"the number is {i}.", f"Die Zahl ist {i}."): "lower case",
        (f"THE NUMBER IS {i}.", f"Die Zahl ist {i}."): "capitals",
        (f"The number is {i}", f"Die Zahl ist {i}"): "no mark",
        (
            f"The number is {i - 1}. The number is {i}.",
            f"Die Zahl ist {i - 1}. Die Zahl ist {i}.",
        ): "joined",
    }
    return forms[pair]


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_a_share_of_the_pairs_changes_in_each_way_equally_often(share):
    pairs = augmented(numbered(4000), share)
    counts = Counter(kind(pair, i) for i, pair in enumerate(pairs))
    # Binomial: the standard deviation is at most 27.4, for 1,000 of 4,000 pairs.
    assert abs(counts.pop("none", 0) - 4000 * (1 - share)) <= 110
    assert all(abs(count - 1000 * share) <= 110 for count in counts.values())
    assert len(counts) == (4 if share else 0)


def test_the_changes_depend_on_the_seed_and_the_epoch_only():
    lists = [
        list(augmented(numbered(50), 0.5, seed).epoch(number))
        for seed in (1, 2)
        for number in (0, 1)
        for _ in range(2)
    ]
    assert lists[::2] == lists[1::2]
    assert len({tuple(each) for each in lists}) == 4
    pairs = augmented(numbered(50), 0.5).epoch(3)
    assert list(pairs) == list(pairs)


def test_the_first_epoch_is_the_pairs_themselves():
    pairs = augmented(numbered(5))
    assert pairs.epoch(0) is pairs


def test_pairs_that_are_sampled_for_each_epoch_are_changed_too():
    pairs = AugmentedPairs(Sampled(), 0.0, LANGUAGES, seed=1)
    assert list(pairs.epoch(2)) == list(Sampled(2))


@given(st.lists(st.tuples(SIDES, SIDES), max_size=8), st.integers(0, 99))
def test_a_change_keeps_the_number_of_pairs_and_whether_a_side_is_empty(pairs, seed):
    found = list(augmented(pairs, seed=seed))
    assert [(bool(source), bool(target)) for source, target in found] == [
        (bool(source), bool(target)) for source, target in pairs
    ]


def test_only_the_source_changes_its_case():
    pair = "The Straße.", "Die Straße."
    assert in_lower_case(pair, "en") == ("the straße.", "Die Straße.")
    assert in_capitals(pair, "en") == ("THE STRASSE.", "Die Straße.")


@pytest.mark.parametrize("lang", ["tr", "az"])
def test_turkish_and_azerbaijani_have_two_letters_i(lang):
    pair = "İyi, Işık yarın burada.", "Fine."
    assert in_lower_case(pair, lang) == ("iyi, ışık yarın burada.", "Fine.")
    assert in_capitals(pair, lang) == ("İYİ, IŞIK YARIN BURADA.", "Fine.")


def test_augmented_pairs_change_case_as_in_the_language_of_the_source():
    pairs = ListedPairs([("Iki ısı", "Im i")] * 99)
    found = {source for source, _ in AugmentedPairs(pairs, 1.0, ("tr", "en"), seed=1)}
    assert found == {"Iki ısı", "ıki ısı", "IKİ ISI", "Iki ısı Iki ısı"}


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("Who?!", "Wer ?"), ("Who", "Wer")),
        (("Mr. T is here...", "Hr. T ist da…"), ("Mr. T is here", "Hr. T ist da")),
        (("वह घर गया।", "He went home."), ("वह घर गया", "He went home")),
        (("One.", "Eins"), ("One.", "Eins")),
        (("One", "Eins."), ("One", "Eins.")),
        (("?", "Was?"), ("?", "Was?")),
        (("", "."), ("", ".")),
    ],
)
def test_the_final_mark_is_removed_from_both_sides_or_none(pair, expected):
    assert without_final_mark(pair) == expected


def test_joined_pairs_have_both_sides_of_both_pairs():
    assert joined(("A.", "B."), ("C.", "D."), LANGUAGES) == ("A. C.", "B. D.")
    assert joined(("A.", "甲。"), ("C.", "乙。"), ("en", "zh")) == ("A. C.", "甲。乙。")


@pytest.mark.parametrize(
    "first", [("", ""), ("A.", ""), ("A" * LONGEST, "B."), ("A.", "B" * LONGEST)]
)
def test_a_pair_is_not_joined_with_an_empty_or_a_long_one(first):
    assert joined(first, ("C.", "D."), LANGUAGES) == ("C.", "D.")


def test_the_vocabulary_is_that_of_the_unchanged_pairs():
    assert list(augmented(numbered(20)).vocabulary()) == numbered(20)


def test_the_fingerprint_depends_on_the_pairs_and_all_arguments():
    pairs, others = ListedPairs(numbered(3)), ListedPairs(numbered(4))
    fingerprints = {
        AugmentedPairs(*arguments).fingerprint()
        for arguments in (
            (pairs, 0.5, LANGUAGES, 1),
            (others, 0.5, LANGUAGES, 1),
            (pairs, 0.4, LANGUAGES, 1),
            (pairs, 0.5, ("en", "zh"), 1),
            (pairs, 0.5, LANGUAGES, 2),
        )
    }
    assert len(fingerprints) == 5
    assert AugmentedPairs(pairs, 0.5, LANGUAGES, 1).fingerprint() in fingerprints


def test_an_edited_file_is_noticed(tmp_path):
    file = TabSeparatedFile(write_pairs(tmp_path / "pairs.tsv", [("a", "b")]))
    pairs = AugmentedPairs(file, 0.5, LANGUAGES, 1)
    pairs.fingerprint()
    assert pairs.is_unchanged()
    write_pairs(tmp_path / "pairs.tsv", [("a", "c")])
    assert not pairs.is_unchanged()
