"""Datastores of runs."""

import math
import shutil
import sys
from collections import Counter

import numpy as np
import pytest
import sacrebleu

from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.training import datastore_building
from keras_transformer.training.corpora import open_training_corpus
from keras_transformer.training.datastore_building import (
    SHARES,
    TEMPERATURES,
    Predictions,
    Scoring,
    build_datastore,
    features,
    with_neighbors,
)
from keras_transformer.translation.datastore import Interpolation, Neighbors
from keras_transformer.translation.forced import ForcedDecoding
from keras_transformer.translation.reranking import Reranker
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.translator import Translator
from tests.conftest import toy_pairs


@pytest.fixture
def run(small_run, tmp_path):
    shutil.copytree(small_run, tmp_path / "run")
    return Run.open(tmp_path / "run")


@pytest.fixture
def constant_bleu(monkeypatch):
    """Let no translations be scored, which takes most of the time of building a datastore."""
    monkeypatch.setattr(Scoring, "bleu", lambda *_: 1.0)


def test_the_probabilities_are_those_of_forced_decoding(translator):
    pairs = toy_pairs(5, seed=3)
    found = np.concatenate([batch[2] for batch in features(translator, pairs)])
    targets = [
        Translation(target, 0.0, tuple(translator.target_subwords.encode(target)))
        for _, target in pairs
    ]
    expected = ForcedDecoding(translator).log_probabilities([s for s, _ in pairs], targets)
    np.testing.assert_allclose(np.sort(found), np.sort(np.exp(np.concatenate(expected))), rtol=1e-4)


def test_the_perplexity_is_that_of_interpolated_probabilities():
    """Two of three neighbors of the first subword agree, and none of the second."""
    distances = np.float32([[1, 2, 3], [1, 1, 1]])
    neighbors = Neighbors(distances, np.int32([[7, 8, 7], [1, 2, 3]]))
    found = Predictions(np.array([0.5, 0.25]), neighbors, np.int32([7, 9]))
    weights = [math.exp(-d / 2) for d in (1, 2, 3)]
    first = 0.6 * 0.5 + 0.4 * (weights[0] + weights[2]) / sum(weights)
    expected = math.exp(-(math.log(first) + math.log(0.6 * 0.25)) / 2)
    assert found.perplexity(Interpolation(0.4, 2.0)) == pytest.approx(expected, rel=1e-6)


def test_the_temperature_is_that_of_the_lowest_perplexity():
    """If only the nearest neighbor agrees, a low temperature is best, and otherwise a high one."""
    distances = np.float32([[1, 2, 3]] * 10)
    for ids, chosen in (([5, 4, 4], min), ([4, 5, 5], max)):
        neighbors = Neighbors(distances, np.int32([ids] * 10))
        best = Predictions(np.full(10, 0.5), neighbors, np.full(10, 5)).best_by_share()
        assert [each.share for each in best] == list(SHARES)
        assert all(each.temperature == pytest.approx(chosen(TEMPERATURES)) for each in best)


def test_neighbors_at_equal_distances_have_equal_weights():
    neighbors = Neighbors(np.float32([[2, 2]]), np.int32([[5, 4]]))
    for each in Predictions(np.array([0.5]), neighbors, np.int32([5])).best_by_share():
        np.testing.assert_allclose(neighbors.weights(each.temperature), [[0.5, 0.5]])


def test_a_run_translates_with_its_datastore(run):
    built = build_datastore(run)
    subwords = Translator.of(run).target_subwords
    expected = Counter()
    for _, target in open_training_corpus(run.config).train:
        expected.update(subwords.encode(target)[1:])
    assert Counter(built.datastore.ids.tolist()) == expected
    assert built.datastore.interpolation.share in SHARES
    assert 0 <= built.bleu <= 100
    translator = Translator.of(run, neighbors=True)
    search = translator.batch_search.network_search
    assert search.datastore.interpolation == built.datastore.interpolation
    [[best]] = translator.translate(["ba lo"])
    assert best.score < 0


@pytest.mark.usefixtures("constant_bleu")
def test_a_large_corpus_is_sampled(run, monkeypatch):
    monkeypatch.setattr(datastore_building, "MAX_PAIRS", 50)
    ends = build_datastore(run).datastore.ids == Translator.of(run).target_subwords.end
    assert 25 < ends.sum() <= 50


@pytest.mark.parametrize("best", [SHARES[0], SHARES[3]])
def test_the_share_with_the_best_bleu_is_chosen(run, monkeypatch, best):
    def bleu(_, translator):
        search = translator.batch_search.network_search
        if not hasattr(search, "datastore"):
            return 20.0
        return 50 - abs(search.datastore.interpolation.share - best)

    monkeypatch.setattr(Scoring, "bleu", bleu)
    built = build_datastore(run)
    assert built.datastore.interpolation.share == best
    assert (built.bleu, built.network_bleu) == (50, 20)


def test_the_choice_is_by_a_sample_of_the_validation_pairs_that_fit(run, monkeypatch, tmp_path):
    path, long = tmp_path / "validation.tsv", ("ba " * 200, "BA " * 200)
    pairs = [long, ("", "x"), *toy_pairs(30, seed=9)]
    path.write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    used = []

    def bleu(scoring, _):
        used.append(scoring.pairs)
        return 1.0

    monkeypatch.setattr(Scoring, "bleu", bleu)
    monkeypatch.setattr(datastore_building, "MAX_SENTENCES", 25)
    changed = run.config.with_settings({"validation": (str(path),)})
    build_datastore(Run.create(run.directory, changed))
    assert len(used[0]) == 25
    assert set(used[0]) <= set(toy_pairs(30, seed=9))
    assert all(each == used[0] for each in used)


@pytest.mark.parametrize("setting", ["train", "validation"])
def test_pairs_none_of_which_fit_are_an_error(run, tmp_path, setting):
    path = tmp_path / "long.tsv"
    pairs = [f"{'ba ' * count}\t{'BA ' * count}\n" for count in range(200, 230)]
    path.write_text("".join(pairs), encoding="utf-8")
    changed = run.config.with_settings({setting: (str(path),)})
    with pytest.raises(UserError, match=r"long.tsv: no sentence pairs left: all are empty or too"):
        build_datastore(Run.create(run.directory, changed))


@pytest.mark.usefixtures("constant_bleu")
def test_a_translator_with_neighbors_keeps_its_default_search(run):
    translator = Translator.of(run)
    translator.search = SearchSettings(beam_size=7)
    other = with_neighbors(translator, build_datastore(run).datastore)
    assert other.search == translator.search
    assert other.restore == translator.restore


@pytest.mark.usefixtures("constant_bleu")
def test_the_pairs_are_those_that_the_files_contain_now(run, tmp_path):
    whole = len(build_datastore(run).datastore.ids)
    path = tmp_path / "other.tsv"
    path.write_text("".join(f"{a}\t{b}\n" for a, b in toy_pairs(100, seed=9)), encoding="utf-8")
    moved = Run.create(run.directory, run.config.with_settings({"train": (str(path),)}))
    assert 0 < len(build_datastore(moved).datastore.ids) < 0.7 * whole


def test_the_bleu_is_that_of_reranked_translations(run, reranking):
    translator = Translator.of(run)
    sources = [source for source, _ in toy_pairs(10, seed=5)]
    found = [best.text for best, *_ in reranking.translate(sources)]
    pairs = [(source, text or "none") for source, text in zip(sources, found, strict=True)]
    expected = sacrebleu.corpus_bleu(found, [[text for _, text in pairs]]).score
    scoring = Scoring(pairs, Reranker.of(run, translator), "13a")
    assert scoring.bleu(translator) == pytest.approx(expected)


def test_without_faiss_no_keys_are_computed(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    monkeypatch.delattr(datastore_building, "features")
    with pytest.raises(UserError, match="nearest neighbors need faiss"):
        build_datastore(run)
