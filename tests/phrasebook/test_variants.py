import random

import pytest

from keras_transformer.phrasebook.variants import named, unmarked, varied, with_other_mark

PAIR = "He met Anna's mother in Rome.", "Er hat in Rom Annas Mutter getroffen."


def test_frequencies_of_variants():
    """A pair without "he", "she" or British variants varies only in case and final mark."""
    pair = "We met Anna.", "Wir haben Anna getroffen."
    expected = {
        pair: 0.785,
        ("we met anna.", pair[1]): 0.0425,
        ("we met anna", "Wir haben Anna getroffen"): 0.0425,
        ("WE MET ANNA.", pair[1]): 0.05,
        ("We met Anna", "Wir haben Anna getroffen"): 0.08,
    }
    rand = random.Random(1)
    found = [varied(pair, rand) for _ in range(20_000)]
    assert set(found) == set(expected)
    for variant, share in expected.items():
        assert found.count(variant) / len(found) == pytest.approx(share, abs=0.01)


def test_a_name_replaces_the_subject_in_both_languages():
    rand = random.Random(2)
    found = {named(PAIR, rand) for _ in range(300)}
    assert PAIR in found
    for english, german in found - {PAIR}:
        name = english.removesuffix(" met Anna's mother in Rome.")
        assert german == f"{name} hat in Rom Annas Mutter getroffen."
        assert name not in ("He", "Er")


@pytest.mark.parametrize(
    "pair",
    [
        ("He", "Er"),
        ("Hear me!", "Erhöre mich!"),
        ("He is cold.", "Ihm ist kalt."),
        ("They left.", "Sie sind gegangen."),
        ("", ""),
    ],
)
def test_no_name_is_inserted_where_it_does_not_fit(pair):
    assert {named(pair, random.Random(seed)) for seed in range(50)} == {pair}


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("Why?", "Warum?"), ("Why", "Warum")),
        (("Wait...", "Warte ..."), ("Wait", "Warte ")),
        (("?!", "?!"), ("?!", "?!")),
        (("Hi", "Hallo"), ("Hi", "Hallo")),
    ],
)
def test_final_marks_are_removed(pair, expected):
    assert unmarked(pair) == expected


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("Hello!", "Hallo!"), ("Hello.", "Hallo.")),
        (("Yes.", "Ja."), ("Yes!", "Ja!")),
        (("Why?", "Warum?"), ("Why?", "Warum?")),
        (("Left", "Links"), ("Left", "Links")),
        (("Go.", "Geh!"), ("Go.", "Geh!")),
    ],
)
def test_final_period_and_exclamation_mark_are_swapped(pair, expected):
    assert with_other_mark(pair) == expected
