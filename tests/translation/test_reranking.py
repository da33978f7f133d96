import numpy as np
import pytest

from keras_transformer.config import Config
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation import reranking
from keras_transformer.translation.reranking import (
    LEXICON_WEIGHT,
    NGRAM_WEIGHT,
    TRANSLATED,
    Reranker,
    Reranking,
    reranked,
)
from keras_transformer.translation.translation import Translation

ADJECTIVES = {"big": "große"} | {f"a{i}": f"A{i}" for i in range(20)}
NOUNS = {"house": "Haus", "book": "Buch"} | {f"n{i}": f"N{i}" for i in range(10)}
PAIRS = [
    (f"the {adjective}{noun}", f"das {translation}{NOUNS[noun]}")
    for noun in NOUNS
    for adjective, translation in [("", ""), *((f"{a} ", f"{b} ") for a, b in ADJECTIVES.items())]
]


class Beam:
    """A substitute for a translator that finds the same hypotheses for every sentence."""

    def __init__(self, *texts):
        self.found = [Translation(text, -0.1 * i, (1, i)) for i, text in enumerate(texts)]

    def translate(self, sentences, search, **options):
        self.search, self.options = search, options
        return [self.found[: search.n_best] for _ in sentences]


@pytest.fixture
def reranker():
    return Reranker.learn(PAIRS)


def test_a_translation_that_drops_a_word_is_ranked_lower(reranker):
    beam = Beam("das Haus", "das große Haus", "Haus das große")
    [found] = Reranking(beam, reranker).translate(
        ["the big house"], SearchSettings(beam_size=12, n_best=2), batch_size=5
    )
    assert [each.text for each in found] == ["das große Haus", "das Haus"]
    assert found[0].ids == (1, 1), "the other fields are unchanged"
    assert found[0].score == -0.1
    assert beam.search == SearchSettings(beam_size=12, n_best=12)
    assert beam.options == {"batch_size": 5}


def test_the_score_is_log_linear(reranker):
    the, big, house = reranker.lexicon.log_probabilities("the big house", "das Haus")
    assert big < TRANSLATED < min(the, house)
    wanted = (
        -0.5
        + LEXICON_WEIGHT * (2 * TRANSLATED + big)
        + NGRAM_WEIGHT * reranker.ngrams.scores("das Haus").sum()
    )
    found = reranker.score("the big house", Translation("das Haus", -0.5))
    assert found == pytest.approx(wanted)


def test_shares_are_a_softmax_of_the_scores(reranker):
    found = reranker.order("the house", Beam("das Haus", "das Buch", "x").found)
    scores = np.array([reranker.score("the house", each) for each in found])
    shares = np.exp([each.share for each in found])
    assert shares == pytest.approx(np.exp(scores) / np.exp(scores).sum())
    assert shares.tolist() == sorted(shares, reverse=True)


def test_the_result_of_greedy_search_is_unchanged(reranker):
    beam = Beam("das Buch", "das Haus")
    [[only]] = Reranking(beam, reranker).translate(["the house"], SearchSettings(beam_size=1))
    assert (only.text, only.share) == ("das Buch", 0.0)
    assert beam.search == SearchSettings(beam_size=1)


def test_a_run_stores_its_reranker(reranker, tmp_path):
    run = Run.create(tmp_path / "run", Config())
    assert Reranker.of(run) is None
    reranker.save(run)
    translation = Translation("das große Buch", -0.3)
    loaded = Reranker.of(Run.open(tmp_path / "run"))
    assert loaded.score("the big house", translation) == reranker.score(
        "the big house", translation
    )
    assert {"lexicon.npz", "ngrams.npz"} <= {path.name for path in run.other_files()}


def test_evenly_spaced_pairs_of_a_large_corpus_are_used(monkeypatch):
    monkeypatch.setattr(reranking, "MAX_PAIRS", 5)
    learned = Reranker.learn([(f"a{i}", f"b{i}") for i in range(10)])
    assert set(learned.lexicon.source_words) == {"a0", "a2", "a4", "a6", "a8"}
    assert {"b0", "b8"} <= set(learned.ngrams.words)
    assert "b9" not in learned.ngrams.words


def test_without_a_reranker_the_translator_is_returned(reranker):
    beam = Beam("das Haus")
    assert reranked(beam, None) is beam
    assert reranked(beam, reranker).translator is beam
