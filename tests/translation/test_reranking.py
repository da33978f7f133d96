import numpy as np
import pytest

from keras_transformer.config import Config
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation import reranking
from keras_transformer.translation.decoding import Decoding
from keras_transformer.translation.reranking import Reranker, Reranking, reranked
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
        ["the big house"], SearchSettings(beam_size=12, n_best=3), batch_size=5
    )
    assert [each.text for each in found] == ["das große Haus", "Haus das große", "das Haus"]
    assert found[0].ids == (1, 1), "the other fields are unchanged"
    assert found[0].score == -0.1
    assert beam.search == SearchSettings(beam_size=12, n_best=12)
    assert beam.options == {"batch_size": 5}


def test_hypotheses_with_the_same_text_are_returned_once(reranker):
    texts = ["das Haus", "das große Haus", "das Haus", "das große Haus", "Haus"]
    search = SearchSettings(beam_size=5, n_best=3)
    [found] = Reranking(Beam(*texts), reranker).translate(["the house"], search)
    assert sorted(each.text for each in found) == ["Haus", "das Haus", "das große Haus"]
    by_text = {each.text: each.score for each in found}
    assert by_text["das Haus"] == 0.0, "the better of the two"
    assert by_text["das große Haus"] == -0.1


def test_samples_with_the_same_text_are_all_returned(reranker):
    search = SearchSettings("sampling", n_best=3)
    [found] = Reranking(Beam(*["das Haus"] * 3), reranker).translate(["the house"], search)
    assert [each.text for each in found] == ["das Haus"] * 3


class Characters:
    """A feature: the number of characters of the source and of the translation."""

    def values(self, sources, translations):
        pairs = zip(sources, translations, strict=True)
        return np.array([len(source) + len(each.text) for source, each in pairs], float)


def test_the_score_is_log_linear(reranker):
    sources, found = ["the big house", "the house"], Beam("das Haus", "das große Haus").found
    weighted = Reranker(
        reranker.lexicon, reranker.ngrams, Decoding(1.5, 0.5, 0.2, 0.3, 0.4), Characters()
    )
    length, adequacy, fluency = (
        feature.values(sources, found) for feature in reranker.features.values()
    )
    assert length.tolist() == [1, 1]
    wanted = [0.5, 0.4] + 0.2 * adequacy + 0.3 * fluency + 0.4 * np.array([13 + 8, 9 + 14])
    assert weighted.scores(sources, found) == pytest.approx(wanted)


def test_reconstruction_counts_only_with_a_weight(reranker):
    plain = reranker.scores(["a"], Beam("b").found)
    unweighted = Decoding(reconstruction_weight=0.0)
    with_feature = Reranker(reranker.lexicon, reranker.ngrams, unweighted, Characters())
    assert with_feature.scores(["a"], Beam("b").found) == plain
    weighted = with_feature.by(Decoding(reconstruction_weight=2.0))
    assert weighted.scores(["a"], Beam("b").found) == pytest.approx(plain + 4.0)


def test_shares_are_a_softmax_of_the_scores(reranker):
    hypotheses = Beam("das Haus", "das Buch", "x").found
    [found, [only]] = reranker.order(["the house", "the"], [hypotheses, hypotheses[2:]])
    scores = reranker.scores(["the house"] * 3, found)
    shares = np.exp([each.share for each in found])
    assert shares == pytest.approx(np.exp(scores) / np.exp(scores).sum())
    assert shares.tolist() == sorted(shares, reverse=True)
    assert (only.text, only.share) == ("x", 0.0)
    assert reranker.order([], []) == []


def test_the_default_search_has_a_wide_beam_and_no_length_penalty(reranker):
    beam = Beam("das Haus")
    Reranking(beam, reranker).translate(["the house"])
    assert beam.search == SearchSettings(beam_size=12, n_best=12, length_penalty=0.0)


def test_the_result_of_greedy_search_is_unchanged(reranker):
    beam = Beam("das Buch", "das Haus")
    [[only]] = Reranking(beam, reranker).translate(["the house"], SearchSettings(beam_size=1))
    assert (only.text, only.share) == ("das Buch", 0.0)
    assert beam.search == SearchSettings(beam_size=1)


def test_a_run_stores_its_reranker_and_the_weights(reranker, tmp_path):
    run = Run.create(tmp_path / "run", Config())
    assert Reranker.of(run) is None
    reranker.save(run)
    run.save_decoding({"lexicon_weight": 0.3})
    arguments = ["the big house"], [Translation("das große Buch", -0.3)]
    loaded = Reranker.of(Run.open(tmp_path / "run"))
    assert loaded.decoding == Decoding(lexicon_weight=0.3)
    assert loaded.by(Decoding()).scores(*arguments) == reranker.scores(*arguments)
    assert {"lexicon.npz", "ngrams.npz", "decoding.json"} <= {f.name for f in run.other_files()}


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
