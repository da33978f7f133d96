"""The selection of the default decoding on validation pairs."""

from dataclasses import asdict

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.decoding import Decoding
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.tuning import (
    GRIDS,
    PENALTIES,
    Candidates,
    coordinate_search,
    corpus_bleu,
    plain_candidates,
    reranked_candidates,
    select_decoding,
    select_penalty,
    select_values,
)
from tests.conftest import toy_pairs

PAIRS = toy_pairs(12, seed=8)


def candidates(*hypotheses, reference="a b c d e", **features):
    """Return candidates from (text, log probability, number of ids)."""
    found = [Translation(text, score, (0,) * (n + 1)) for text, score, n in hypotheses]
    return Candidates.of(found, {name: np.array(features[name]) for name in features}, reference)


def test_the_score_is_divided_by_the_penalty_of_wu_et_al():
    """13 ids divide by (18 / 6) ** alpha, and one id by 1: -5 / 3 is better than -2 > -5."""
    pair = candidates(("a", -2.0, 1), ("a b c d e", -5.0, 13))
    assert [pair.best(alpha, {}) for alpha in (0.0, 0.8, 0.9, 1.0)] == [0, 0, 1, 1]


def test_the_penalty_with_the_highest_bleu_is_selected():
    """The first reference is found with a penalty of at least 1, the second of at most 1."""
    long = candidates(("a b", -2.0, 1), ("a b c d e", -5.0, 13))
    short = candidates(("a b c d e", -2.0, 1), ("a b c d e f g h", -10.0, 13))
    assert select_penalty([long, short]) == 1.0
    assert corpus_bleu([long, short], 1.0) == pytest.approx(100)
    assert select_penalty([short]) == 0.0, "1.5 is too large, all smaller ones are equally good"


def test_the_default_is_selected_if_no_other_penalty_is_better():
    assert select_penalty([candidates(("a b", -2.0, 2), ("x y", -9.0, 2))]) == 1.5


def test_the_candidates_contain_the_result_of_the_search_for_every_penalty(translator):
    references = [reference for _, reference in PAIRS]
    sources = [source for source, _ in PAIRS]
    found = plain_candidates(translator, PAIRS)
    for penalty in PENALTIES:
        search = SearchSettings(length_penalty=penalty)
        texts = [best.text for best, *_ in translator.translate(sources, search)]
        wanted = sacrebleu.corpus_bleu(texts, [references]).score
        assert corpus_bleu(found, penalty) == pytest.approx(wanted)


def test_features_count_by_their_weights():
    """-1 - 0.1 * 4 > -2 - 0.1 * 1, but -1 - 0.5 * 4 < -2 - 0.5 * 1."""
    pair = candidates(("a", -1.0, 1), ("b", -2.0, 1), lexicon_weight=[-4.0, -1.0])
    assert [pair.best(0.0, {"lexicon_weight": weight}) for weight in (0.1, 0.5)] == [0, 1]
    assert pair.best(0.0, {"reconstruction_weight": 0.5}) == 0, "not among the features"


def test_the_weights_with_the_highest_bleu_are_selected():
    """Only a reconstruction weight of at least 0.3 finds the reference."""
    row = candidates(
        ("a b", -2.0, 1),
        ("a b c d e", -2.5, 1),
        lexicon_weight=[0.0, 0.0],
        ngram_weight=[0.0, 0.0],
        reconstruction_weight=[-2.0, 0.0],
    )
    assert select_values([row]) == {
        "reranked_length_penalty": 1.5,
        "lexicon_weight": 0.15,
        "ngram_weight": 0.05,
        "reconstruction_weight": 0.3,
    }


def test_the_grids_contain_the_defaults():
    defaults = asdict(Decoding())
    assert all(defaults[name] in grid for name, grid in GRIDS.items())
    assert all(Decoding(**{name: value}) for name, grid in GRIDS.items() for value in grid)


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3))
def test_no_change_of_a_single_value_improves_the_result(table):
    def score(values):
        return table[values["row"]][values["column"]]

    start = {"row": 1, "column": 1}
    best = coordinate_search(score, start, {"row": range(3), "column": range(3)})
    assert score(best) == max(row[best["column"]] for row in table)
    assert score(best) == max(table[best["row"]])
    assert score(best) > score(start) or best == start


def test_the_candidates_contain_the_result_of_reranking(translator, reranking):
    found = reranking.translate([source for source, _ in PAIRS])
    candidates = reranked_candidates(translator, reranking.reranker, PAIRS)
    weights = asdict(reranking.reranker.decoding)
    texts = [best.text for best, *_ in found]
    wanted = sacrebleu.corpus_bleu(texts, [[reference for _, reference in PAIRS]]).score
    penalty = weights["reranked_length_penalty"]
    assert corpus_bleu(candidates, penalty, weights) == pytest.approx(wanted)


def test_a_decoding_is_selected_with_and_without_reranking(translator, reranking):
    found = select_decoding(translator, reranking.reranker, PAIRS)
    assert found.length_penalty == select_penalty(plain_candidates(translator, PAIRS))
    values = select_values(reranked_candidates(translator, reranking.reranker, PAIRS))
    assert values.items() <= asdict(found).items()
    assert found.reconstruction_weight == 0.0, "the network was trained in one direction"
