import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.translation import alignment, lexicon
from keras_transformer.translation.alignment import ITERATIONS
from keras_transformer.translation.lexicon import FLOOR, NULL, Lexicon

PAIRS = [
    ("the house", "das Haus"),
    ("the book", "das Buch"),
    ("a book", "ein Buch"),
    ("a big house", "ein großes Haus"),
    ("the big book is big", "das große Buch ist groß"),
]


def model_1(pairs):
    """Return {(target, source): p} by expectation maximization (Koehn 2010, figure 4.3)."""
    probability = defaultdict(lambda: 1.0)
    for _ in range(ITERATIONS):
        counts, totals = defaultdict(float), defaultdict(float)
        for source, target in pairs:
            target = [NULL, *target]
            for word in source:
                normal = sum(probability[other, word] for other in target)
                for other in target:
                    share = probability[other, word] / normal
                    counts[other, word] += share
                    totals[other] += share
        probability = defaultdict(float, {key: counts[key] / totals[key[0]] for key in counts})
    return {key: counts[key] / (totals[key[0]] + 1) for key in counts}


def wanted(source, target, probabilities):
    """Return the log probabilities of source words, given the result of `model_1`."""
    return [
        math.log(
            1.0
            if word in target
            else max(FLOOR, *(probabilities.get((other, word), 0) for other in [NULL, *target]))
        )
        for word in source
    ]


def test_tokens_are_explained_by_the_most_probable_token():
    split = [(source.lower().split(), target.lower().split()) for source, target in PAIRS]
    probabilities = model_1(split)
    learned = Lexicon.learn(PAIRS)
    for source, target in [("a house", "das Haus"), ("the big book", "Haus Buch große")]:
        others = [NULL, *target.lower().split()]
        best = [
            max(others, key=lambda other, word=word: probabilities.get((other, word), 0))
            for word in source.split()
        ]
        assert learned.explanations(source, target) == [others.index(each) - 1 for each in best]


def test_unknown_tokens_are_explained_by_themselves_or_not_at_all():
    learned = Lexicon.learn(PAIRS)
    assert learned.explanations("Zoe the", "x Zoe") == [1, -1]
    assert learned.explanations("Zoe", "") == [-1]


def test_probabilities_equal_those_of_model_1():
    split = [(source.lower().split(), target.lower().split()) for source, target in PAIRS]
    probabilities = model_1(split)
    learned = Lexicon.learn(PAIRS)
    for source, target in [*PAIRS, ("a house", "das Buch"), ("the car", "das Auto")]:
        found = learned.log_probabilities(source, target)
        expected = wanted(source.lower().split(), target.lower().split(), probabilities)
        assert found == pytest.approx(expected, abs=1e-5)


def test_words_that_occur_together_translate_each_other():
    """ "the" and "das" explain each other, so "house" and "Haus" do too."""
    learned = Lexicon.learn(PAIRS * 5)
    whole = learned.log_probabilities("The big house!", "Das große Haus!")
    partial = learned.log_probabilities("The big house!", "Das große Buch!")
    assert whole == pytest.approx(partial[[0, 1]].tolist() + [whole[2], 0.0])
    assert partial[2] < math.log(0.1) < math.log(0.3) < whole[2]


def test_copied_words_are_certain_and_other_unknown_words_improbable():
    learned = Lexicon.learn(PAIRS)
    found = learned.log_probabilities("Zorp wibbles 42", "zorp 42 Haus")
    assert found.tolist() == pytest.approx([0.0, math.log(FLOOR), 0.0])
    assert learned.log_probabilities("", "Haus").shape == (0,)
    assert learned.log_probabilities("house", "").tolist() < [0.0]


def test_a_copied_word_that_only_the_source_language_has_is_not_explained():
    learned = Lexicon.learn([*PAIRS, ("Paris", "Paris")])
    found = learned.log_probabilities("the house Paris zorp", "das house Paris zorp")
    foreign = learned.log_probabilities("the house Paris zorp", "das Paris zorp")
    assert found.tolist() == foreign.tolist()
    assert found[1] < -1.0
    assert found[2:].tolist() == [0.0, 0.0]


def test_a_loaded_lexicon_equals_the_saved_one(tmp_path):
    learned = Lexicon.learn([*PAIRS, ("naïve 猫", "naiv ▁ß")])
    learned.save(tmp_path / "lexicon.npz")
    loaded = Lexicon.load(tmp_path / "lexicon.npz")
    for source, target in PAIRS:
        found = loaded.log_probabilities(source, target)
        np.testing.assert_array_equal(found, learned.log_probabilities(source, target))
    (tmp_path / "lexicon.npz").write_bytes(b"PK nothing")
    with pytest.raises(UserError, match=r"lexicon\.npz: damaged"):
        Lexicon.load(tmp_path / "lexicon.npz")


def test_the_lexicon_of_a_run_is_the_one_in_its_manifest(tmp_path):
    """A lexicon that is not listed there is incomplete."""
    run = Run.create(tmp_path, Config())
    run.seal({})
    assert Lexicon.of(run) is None
    Lexicon.learn(PAIRS).save(run.lexicon_file())
    assert Lexicon.of(run) is None
    run.seal({})
    assert Lexicon.of(run).source_words == Lexicon.learn(PAIRS).source_words


def test_a_large_corpus_is_sampled(monkeypatch):
    """Of ten pairs with 2 * 3 cells each, every other pair is used."""
    monkeypatch.setattr(alignment, "MAX_CELLS", 30)
    pairs = [(f"a{i} b{i}", f"c{i} d{i}") for i in range(10)]
    learned = Lexicon.learn(pairs)
    known = [learned.log_probabilities(f"a{i}", f"c{i}")[0] > math.log(FLOOR) for i in range(10)]
    assert known == [True, False] * 5


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=5), st.text(), st.text())
def test_any_text_has_log_probabilities(pairs, source, target):
    learned = Lexicon.learn([*pairs, ("a", "b")])
    found = learned.log_probabilities(source, target)
    assert len(found) == len(lexicon.lower_tokens(source))
    assert np.all((found <= 0) & (found >= math.log(FLOOR) - 1e-9))
