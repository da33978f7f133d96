import unicodedata

import numpy as np
import pytest
import sacrebleu
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.batches import pad
from keras_transformer.text.pair_files import open_files
from keras_transformer.translation.calibration_error import Reliability, errors_found, predict
from keras_transformer.translation.evaluation import (
    evaluate,
    evaluate_translations,
    read_translations,
    score_references,
    score_text,
    translate_timed,
)
from keras_transformer.translation.evaluation_report import format_report
from tests.conftest import toy_pairs

PAIRS = toy_pairs(30, seed=6)
GREEDY = SearchSettings("greedy")


def test_bleu_equals_the_formula_of_papineni():
    """Papineni et al. (2002): precisions, and a penalty for 5 words instead of 6."""
    scores = score_text(["a b c d e"], ["a b c d x e"], tokenize="none")
    np.testing.assert_allclose(scores.precisions, [100, 75, 200 / 3, 50])
    assert scores.brevity_penalty == pytest.approx(np.exp(1 - 6 / 5))
    wanted = 100 * np.exp(1 - 6 / 5) * (1 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25
    assert scores.bleu == pytest.approx(wanted)
    assert "tok:none" in scores.bleu_signature
    assert scores.chrf_signature.startswith("nrefs:1|case:mixed")


def test_chrf_is_that_of_sacrebleu():
    hypotheses, references = ["The man is here.", "a b"], ["the man was here .", "a b c"]
    wanted = sacrebleu.corpus_chrf(hypotheses, [references]).score
    assert score_text(hypotheses, references).chrf == wanted
    assert 0 < wanted < 100
    assert score_text(["A B"], ["a b"]).chrf < 100
    assert score_text(["A B"], ["a b"], lowercase=True).chrf == 100


def test_case_and_tokenization_are_optional():
    cased, tokens = ["The man is here."], ["the man is here ."]
    assert score_text(cased, tokens).bleu < 100
    assert score_text(cased, tokens, lowercase=True).bleu == pytest.approx(100)
    assert score_text(cased, tokens, tokenize="none", lowercase=True).bleu < 100


def test_perplexity_and_accuracy_equal_those_in_numpy(translator):
    fit = score_references(translator, PAIRS, batch_size=4)
    loss, correct, tokens = 0.0, 0, 0
    for source, target in PAIRS:  # one at a time, without padding
        wanted = translator.target_subwords.encode(target)
        ids = pad([translator.source_subwords.encode(source)]), pad([wanted[:-1]])
        logits = translator.model(tuple(map(tf.constant, ids)))[0].numpy().astype(np.float64)
        probabilities = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
        loss -= np.log(probabilities[range(len(wanted) - 1), wanted[1:]]).sum()
        correct += np.sum(logits.argmax(-1) == wanted[1:])
        tokens += len(wanted) - 1
    assert fit.perplexity == pytest.approx(np.exp(loss / tokens), rel=1e-4)
    assert fit.accuracy == pytest.approx(correct / tokens)
    assert (fit.tokens, fit.left_out) == (tokens, 0)


def test_too_long_and_empty_pairs_are_excluded_and_counted(translator):
    fit = score_references(translator, [*PAIRS, ("ba " * 100, "ba"), ("ba", "")])
    assert fit.left_out == 2
    assert fit == score_references(translator, PAIRS)._replace(left_out=2)


def test_without_a_pair_to_score_there_is_no_perplexity(translator):
    fit = score_references(translator, [("ba " * 100, "ba"), ("ba", "")])
    assert (fit.tokens, fit.left_out) == (0, 2)
    assert fit.perplexity is fit.accuracy is fit.calibration_error is fit.uncalibrated_error is None
    report, _ = evaluate(translator, [("ba be", "")], search=GREEDY)
    assert "no perplexity: all 1 pairs are too long or empty" in format_report(report).splitlines()


def test_each_long_sentence_is_warned_about_once(translator, caplog):
    """The warm-up, which translates the shortest sentence, does not warn."""
    translate_timed(translator, ["ba " * 120, "ba " * 100], search=GREEDY)
    assert [message[:7] for message in caplog.messages] == ["line 1:", "line 2:"]


def test_calibration_errors_equal_those_of_the_predictions(translator):
    fit = score_references(translator, PAIRS, temperature=0.5)
    plain, calibrated = (predict(translator, PAIRS, temperature) for temperature in (1.0, 0.5))
    assert fit.temperature == 0.5
    assert fit.uncalibrated_error == pytest.approx(Reliability.of(plain).error, abs=1e-5)
    assert fit.calibration_error == pytest.approx(Reliability.of(calibrated).error, abs=1e-5)
    assert fit.errors_found == pytest.approx(errors_found(calibrated), abs=0.01)
    without = score_references(translator, PAIRS)
    assert without.calibration_error == without.uncalibrated_error == fit.uncalibrated_error
    assert without.temperature is None
    assert without[:4] == fit[:4], "the temperature changes neither perplexity nor accuracy"


def test_speed_counts_sentences_and_subwords_per_second(translator):
    sources = [source for source, _ in PAIRS]
    found, speed = translate_timed(translator, sources, search=GREEDY)
    wanted = [best for best, *_ in translator.translate(sources, GREEDY)]
    assert found == [best.text for best in wanted]
    assert speed.sentences_per_second == pytest.approx(len(sources) / speed.seconds)
    tokens = sum(len(best.ids) - 1 for best in wanted)  # without the start token
    assert speed.tokens_per_second == pytest.approx(tokens / speed.seconds)


def test_a_report_contains_every_score(translator, tmp_path):
    report, translations = evaluate(translator, PAIRS, {"tokenize": "none"}, search=GREEDY)
    assert report["bleu"] == score_text(translations, [t for _, t in PAIRS], "none").bleu
    text = format_report(report)
    for figure in ("bleu", "chrf"):
        assert f"{report[figure]:.2f}" in text
        assert report[f"{figure}_signature"] in text
    assert f"perplexity {report['perplexity']:.3f}" in text
    plain = f"{report['uncalibrated_error']:.4f}"
    assert f"calibration error {plain} (the run has no temperature)" in text
    assert f"; {100 * report['errors_found']:.1f} % of the wrongly predicted" in text
    calibrated = format_report(report | {"temperature": 0.5, "calibration_error": 0.25})
    assert f"calibration error 0.2500 at temperature 0.500 ({plain} at temperature 1)" in calibrated
    assert "\n1 sentence translated in" in format_report(report | {"sentences": 1})
    scored = evaluate_translations(translations, PAIRS, tokenize="none")
    assert scored.items() <= report.items()
    assert "perplexity" not in format_report(scored)


def test_evaluate_scores_the_reranked_translations(translator):
    """The reranker of this test prefers the shortest translation."""

    class Shortest:
        def order(self, sources, found):
            return [sorted(each, key=lambda translation: len(translation.text)) for each in found]

    sources = [source for source, _ in PAIRS]
    _, translations = evaluate(
        translator, PAIRS, {}, Shortest(), search=SearchSettings(beam_size=3)
    )
    found = translator.translate(sources, SearchSettings(beam_size=3, n_best=3))
    assert translations == [min((each.text for each in three), key=len) for three in found]


def test_letters_of_translations_are_composed_like_those_of_references(tmp_path):
    decomposed = unicodedata.normalize("NFD", "Grüße an Jörg und Änne.")
    (tmp_path / "pairs.tsv").write_text(f"a\t{decomposed}\n", encoding="utf-8")
    (tmp_path / "translations.txt").write_text(f"{decomposed}\n", encoding="utf-8")
    [(_, reference)] = open_files([str(tmp_path / "pairs.tsv")])
    found = read_translations(tmp_path / "translations.txt", 1)
    assert score_text(found, [reference]).bleu == pytest.approx(100)


def test_the_numbers_of_translations_and_references_must_be_equal(tmp_path):
    file = tmp_path / "translations.txt"
    file.write_text("a\nb\n")
    with pytest.raises(UserError, match="translations.txt: 2 lines for 30 references"):
        read_translations(file, len(PAIRS))
    with pytest.raises(UserError, match="no sentence pairs"):
        evaluate_translations([], [])
    with pytest.raises(UserError, match="no such file"):
        read_translations(tmp_path / "none", len(PAIRS))
