"""`Alignment` against expectation maximization with dictionaries."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.translation.alignment import ITERATIONS, Alignment

NULL = 0
WORDS = st.lists(st.integers(1, 6), max_size=5)
ROWS = st.lists(st.tuples(WORDS, WORDS.map(lambda words: [NULL, *words])), min_size=1, max_size=6)


def by_dictionaries(rows):
    """Return {(given, word): expected count} as in Koehn (2010), figure 4.3."""
    probability, counts = defaultdict(lambda: 1.0), {}
    for _ in range(ITERATIONS):
        counts, totals = defaultdict(float), defaultdict(float)
        for words, givens in rows:
            for word in words:
                normal = sum(probability[each, word] for each in givens)
                for each in givens:
                    counts[each, word] += probability[each, word] / normal
                    totals[each] += probability[each, word] / normal
        probability = {key: counts[key] / totals[key[0]] for key in counts}
    return counts


def learned(rows):
    return Alignment.learn([tuple(np.array(side, np.uint16) for side in row) for row in rows])


@given(ROWS)
def test_counts_equal_those_of_plain_dictionaries(rows):
    found, wanted = learned(rows), by_dictionaries(rows)
    keys = list(zip(found.givens.tolist(), found.words.tolist(), strict=True))
    assert keys == sorted(wanted)
    assert found.counts.tolist() == pytest.approx([wanted[key] for key in keys])
    for given_word, total in zip(found.givens, found.totals, strict=True):
        assert total == pytest.approx(found.counts[found.givens == given_word].sum())


@given(ROWS)
def test_each_word_is_explained_once(rows):
    """The expected counts of a word add up to the number of times that it occurs."""
    found = learned(rows)
    occurrences = np.bincount([word for words, _ in rows for word in words], minlength=7)
    assert np.bincount(found.words, found.counts, 7).tolist() == pytest.approx(occurrences.tolist())


@pytest.mark.parametrize("longest", [3, 200])
def test_the_rest_of_a_long_row_is_ignored(longest, monkeypatch):
    """A row of a million cells would take gigabytes if there were many."""
    monkeypatch.setattr("keras_transformer.translation.alignment.LONGEST_ROW", longest)
    row = list(range(1, 1001)), [NULL, *range(1, 1000)]
    found = learned([row])
    assert set(found.words.tolist()) == set(range(1, longest + 1))
    assert set(found.givens.tolist()) == set(range(longest))


def test_words_that_occur_together_explain_each_other():
    """1 always occurs with 4, so 5 and 6 explain the others, as in "das Haus", "das Buch"."""
    found = learned([([4, 5], [NULL, 1, 2]), ([4, 6], [NULL, 1, 3])] * 5)
    best = {int(g): int(w) for g, w, _ in sorted(zip(*found[:3], strict=True), key=lambda x: x[2])}
    assert (best[2], best[3]) == (5, 6)
