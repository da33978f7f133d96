import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.errors import UserError
from keras_transformer.translation import ngrams
from keras_transformer.translation.ngrams import BACKOFF, END, START, Ngrams

SENTENCES = ["a b c a b", "a b a", "c c c c c", "b", "a b c d"]


def stupid_backoff(sentences, order):
    """Return the score of Brants et al. (2007), equation 5, as a function of words.

    Unlike in the paper, an unknown word counts as 0.4 occurrences.
    """
    counts, total = Counter(), 0
    for sentence in sentences:
        words = [START, *sentence.split(), END]
        total += len(words)
        for size in range(1, order + 1):
            counts.update(zip(*(words[i:] for i in range(size)), strict=False))

    def score(words):
        if counts[words]:
            return counts[words] / (counts[words[:-1]] if len(words) > 1 else total)
        return BACKOFF * (score(words[1:]) if len(words) > 1 else BACKOFF / total)

    return score


@given(
    st.lists(st.lists(st.sampled_from("abcde")).map(" ".join), min_size=1, max_size=8),
    st.lists(st.sampled_from("abcdef")),
    st.integers(1, 4),
)
def test_scores_equal_those_of_stupid_backoff(sentences, words, order):
    score = stupid_backoff(sentences, order)
    learned = Ngrams.learn(sentences, order)
    order = len(learned.keys)  # less if all sentences are short
    framed = [START, *words, END]
    expected = [
        score(tuple(framed[max(end - order, 0) : end])) for end in range(2, len(framed) + 1)
    ]
    assert learned.scores(" ".join(words)) == pytest.approx(np.log(expected).tolist())


def test_seen_word_sequences_score_better():
    learned = Ngrams.learn(SENTENCES)
    assert learned.scores("a b c").sum() > learned.scores("c b a").sum()
    assert learned.scores("").shape == (1,)  # the end
    assert np.isfinite(learned.scores("völlig unbekannt 猫")).all()


def test_loaded_counts_equal_the_saved_ones(tmp_path):
    learned = Ngrams.learn([*SENTENCES, "groß 猫"])
    learned.save(tmp_path / "ngrams.npz")
    loaded = Ngrams.load(tmp_path / "ngrams.npz")
    for sentence in [*SENTENCES, "d c groß"]:
        np.testing.assert_array_equal(loaded.scores(sentence), learned.scores(sentence))
    (tmp_path / "ngrams.npz").write_bytes((tmp_path / "ngrams.npz").read_bytes()[:-30])
    with pytest.raises(UserError, match=r"ngrams\.npz: damaged"):
        Ngrams.load(tmp_path / "ngrams.npz")


def test_a_large_corpus_is_sampled(monkeypatch):
    """Of eight sentences with three tokens each, every other sentence is used."""
    monkeypatch.setattr(ngrams, "MAX_TOKENS", 12)
    learned = Ngrams.learn([f"w{i}" for i in range(8)])
    known = [learned.scores(f"w{i}")[0] > math.log(BACKOFF / 4) for i in range(8)]
    assert known == [True, False] * 4


@given(
    st.lists(st.lists(st.sampled_from("abcde")).map(" ".join), min_size=1, max_size=8),
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3),
)
def test_the_score_of_one_word_is_that_of_the_paper(sentences, words):
    model, score = Ngrams.learn(sentences, 4), stupid_backoff(sentences, 4)
    wanted = math.log(score((START, *words)))
    assert model.log_score([START, *words[:-1]], words[-1]) == pytest.approx(wanted)
