"""The selection of the default decoding on validation pairs."""

import itertools
from dataclasses import asdict

import numpy as np
import pytest
import sacrebleu

from keras_transformer.search.settings import SearchSettings
from keras_transformer.translation.bleu import bleu_counts
from keras_transformer.translation.decoding import Decoding
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.tuning import (
    GRIDS,
    PENALTIES,
    STEP_GAIN,
    Candidates,
    plain_candidates,
    reranked_candidates,
    select_decoding,
    select_penalty,
    select_weights,
)
from tests.conftest import toy_pairs

PAIRS = toy_pairs(12, seed=8)


def row(*hypotheses, reference="a b c d e", **features):
    """Return the candidates of one sentence from (text, log probability, number of subwords)."""
    found = [[Translation(text, score, (0,) * (n + 1)) for text, score, n in hypotheses]]
    values = {name: np.array(features[name]) for name in features}
    return Candidates.of(found, values, [reference], "13a")


def stacked(*rows):
    """Return the candidates of all sentences, whose numbers of hypotheses are equal."""
    columns = zip(*((each[0], each[1], each[3]) for each in rows), strict=True)
    log_probabilities, lengths, counts = map(np.concatenate, columns)
    return Candidates(log_probabilities, lengths, {}, counts)


def chosen(candidates, penalty):
    return int(candidates.penalized(penalty).argmax())


def test_the_score_is_divided_by_the_penalty_of_wu_et_al():
    """13 subwords divide by (18 / 6) ** alpha, and one by 1: -5 / 3 is better than -2 > -5."""
    pair = row(("a", -2.0, 1), ("a b c d e", -5.0, 13))
    assert [chosen(pair, alpha) for alpha in (0.0, 0.8, 0.9, 1.0)] == [0, 0, 1, 1]


def test_the_penalty_with_the_highest_bleu_is_selected():
    """The first reference is found with a penalty of at least 1, the second of at most 1."""
    long = row(("a b", -2.0, 1), ("a b c d e", -5.0, 13))
    short = row(("a b c d e", -2.0, 1), ("a b c d e f g h", -10.0, 13))
    both = stacked(long, short)
    assert select_penalty(both) == 1.0
    assert both.bleu(both.penalized(1.0)) == pytest.approx(100)
    assert select_penalty(short) == 0.0, "1.5 is too large, all smaller ones are equally good"


def test_the_default_is_selected_if_no_other_penalty_is_better():
    assert select_penalty(row(("a b", -2.0, 2), ("x y", -9.0, 2))) == 1.5


def test_sentences_may_have_different_numbers_of_hypotheses():
    found = [[Translation("a b c d", -9.0, (0, 1))], [Translation(x, -1.0, (0, 1)) for x in "ab"]]
    candidates = Candidates.of(
        found, {"length_weight": np.array([1.0, 2.0, 3.0])}, ["a b c d"] * 2, "13a"
    )
    assert candidates.weighted({"length_weight": 2.0}).tolist() == [[-7, -np.inf], [3, 5]]
    counts = bleu_counts(["a b c d", "b"], ["a b c d"] * 2, "13a")
    found = candidates.best_counts(candidates.weighted({"length_weight": 2.0}))
    np.testing.assert_array_equal(found, counts)


def test_the_candidates_contain_the_result_of_the_search_for_every_penalty(translator):
    references = [reference for _, reference in PAIRS]
    sources = [source for source, _ in PAIRS]
    found = plain_candidates(translator, PAIRS, "13a")
    for penalty in PENALTIES[::3]:  # 0, 1.5 and 3: each is traced
        search = SearchSettings(length_penalty=penalty)
        texts = [best.text for best, *_ in translator.translate(sources, search)]
        wanted = sacrebleu.corpus_bleu(texts, [references]).score
        assert found.bleu(found.penalized(penalty)) == pytest.approx(wanted)


def test_features_count_by_their_weights():
    """-1 - 0.1 * 4 > -2 - 0.1 * 1, but -1 - 0.5 * 4 < -2 - 0.5 * 1."""
    pair = row(("a", -1.0, 1), ("b", -2.0, 1), lexicon_weight=[-4.0, -1.0])
    scores = [pair.weighted({"lexicon_weight": weight}) for weight in (0.1, 0.5)]
    assert [each.argmax() for each in scores] == [0, 1]
    others = pair.weighted({"reconstruction_weight": 0.5})
    assert others.tolist() == [[-1, -2]], "not among the features"


def test_the_weights_with_the_highest_bleu_are_selected():
    """Only a reconstruction weight of at least 0.3 finds the reference, as 0.2 is too small."""
    found = row(
        ("a b", -2.0, 1),
        ("a b c d e", -2.5, 1),
        lexicon_weight=[0.0, 0.0],
        reconstruction_weight=[-2.0, 0.0],
    )
    wanted = {"lexicon_weight": Decoding.lexicon_weight, "reconstruction_weight": 0.3}
    assert select_weights(found) == wanted
    without = found.with_features(["lexicon_weight"])
    assert select_weights(without) == {"lexicon_weight": Decoding.lexicon_weight}, "equally good"


def test_a_small_gain_does_not_change_the_default_weights():
    """The second hypothesis of the last sentence is better, but that counts little among 200."""
    long = " ".join("abcdefghijklmnopqrst")
    same = [Translation(long, -1.0, (0, 1)), Translation("x", -9.0, (0, 1))]
    last = [Translation("a b c x", -2.0, (0, 1)), Translation("a b c d", -2.5, (0, 1))]
    values = np.array([0.0, 0.0] * 200 + [-2.0, 0.0])
    names = {"reconstruction_weight": values}
    many = Candidates.of([same] * 200 + [last], names, [long] * 200 + ["a b c d"], "13a")
    default, better = ({"reconstruction_weight": weight} for weight in (0.2, 0.3))
    gain = many.bleu(many.weighted(better)) - many.bleu(many.weighted(default))
    assert 0 < gain < STEP_GAIN
    assert select_weights(many) == default


def test_no_other_weights_of_the_grid_are_better(translator, reranking):
    candidates = reranked_candidates(translator, reranking.reranker, PAIRS, "13a")
    names = list(candidates.features)
    chosen = select_weights(candidates)
    best = candidates.bleu(candidates.weighted(chosen)) - STEP_GAIN * steps(chosen)
    for values in itertools.product(*(GRIDS[name] for name in names)):
        weights = dict(zip(names, values, strict=True))
        assert candidates.bleu(candidates.weighted(weights)) - STEP_GAIN * steps(weights) <= best


def steps(weights):
    """Return the number of steps from the default weights, which are in the grids."""
    default = Decoding()
    return sum(
        abs(GRIDS[name].index(weight) - GRIDS[name].index(getattr(default, name)))
        for name, weight in weights.items()
    )


def test_the_weights_of_the_grids_are_valid():
    assert all(Decoding(**{name: value}) for name, grid in GRIDS.items() for value in grid)


def test_the_candidates_contain_the_result_of_reranking(translator, reranking):
    found = reranking.translate([source for source, _ in PAIRS])
    candidates = reranked_candidates(translator, reranking.reranker, PAIRS, "13a")
    texts = [best.text for best, *_ in found]
    wanted = sacrebleu.corpus_bleu(texts, [[reference for _, reference in PAIRS]]).score
    scores = candidates.weighted(asdict(reranking.reranker.decoding))
    assert candidates.bleu(scores) == pytest.approx(wanted)


def test_some_sentences_are_the_candidates_of_their_pairs(translator, reranking):
    some = reranked_candidates(translator, reranking.reranker, PAIRS, "13a").take(slice(0, None, 2))
    wanted = reranked_candidates(translator, reranking.reranker, PAIRS[::2], "13a")
    assert (some.counts == wanted.counts).all()
    scores = (each.weighted(asdict(Decoding())) for each in (some, wanted))
    np.testing.assert_allclose(*scores, rtol=1e-5)


def test_a_decoding_is_selected_with_and_without_reranking(translator, reranking):
    found = select_decoding(translator, reranking.reranker, PAIRS, "13a")
    assert found.length_penalty == select_penalty(plain_candidates(translator, PAIRS, "13a"))
    weights = select_weights(reranked_candidates(translator, reranking.reranker, PAIRS, "13a"))
    assert weights.items() <= asdict(found).items()
    assert "reconstruction_weight" not in weights, "the network was trained in one direction"
