"""The selection of the default decoding on validation pairs."""

import numpy as np
import pytest
import sacrebleu

from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.decoding import Decoding
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.tuning import (
    PENALTIES,
    Candidates,
    corpus_bleu,
    plain_candidates,
    reranked_candidates,
    select_decoding,
    select_penalty,
)
from tests.conftest import toy_pairs

PAIRS = toy_pairs(12, seed=8)


def candidates(*hypotheses, reference="a b c d e"):
    """Return candidates from (text, log probability, number of ids)."""
    found = [Translation(text, score, (0,) * (n + 1)) for text, score, n in hypotheses]
    return Candidates.of(found, [0.0] * len(found), reference)


def test_the_score_is_divided_by_the_penalty_of_wu_et_al():
    """13 ids divide by (18 / 6) ** alpha, and one id by 1: -5 / 3 is better than -2 > -5."""
    pair = candidates(("a", -2.0, 1), ("a b c d e", -5.0, 13))
    assert [pair.best(alpha) for alpha in (0.0, 0.8, 0.9, 1.0)] == [0, 0, 1, 1]


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


def test_what_reranking_adds_counts(translator, reranking):
    found = reranking.translate([source for source, _ in PAIRS])
    [*rows] = reranked_candidates(translator, reranking.reranker, PAIRS)
    penalty = reranking.reranker.decoding.reranked_length_penalty
    texts = [best.text for best, *_ in found]
    wanted = sacrebleu.corpus_bleu(texts, [[reference for _, reference in PAIRS]]).score
    assert corpus_bleu(rows, penalty) == pytest.approx(wanted)


def test_the_values_of_a_run_are_selected_on_the_pairs(translator, reranking):
    decoding = select_decoding(translator, reranking.reranker, PAIRS)
    plain = plain_candidates(translator, PAIRS)
    assert decoding == Decoding(
        decoding.length_penalty,
        select_penalty(reranked_candidates(translator, reranking.reranker, PAIRS)),
    )
    scores = [corpus_bleu(plain, penalty) for penalty in PENALTIES]
    assert corpus_bleu(plain, decoding.length_penalty) == np.max(scores)
