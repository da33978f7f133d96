import math
import random
from dataclasses import replace

import numpy as np
import pytest

from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.search.settings import SearchSettings
from keras_transformer.text.words import count_words, fold_case, words
from keras_transformer.translation import confidence
from keras_transformer.translation.confidence import Assessor, Calibration, Features
from keras_transformer.translation.lexicon import FLOOR, Lexicon
from keras_transformer.translation.translation import Translation
from tests.conftest import toy_pairs

LEXICON = Lexicon.learn(toy_pairs(200))


def test_words_are_counted_case_sensitively_and_folded():
    assert words("Don't eat 3 apples, O'Neil-Smith!") == [
        "don't",
        "eat",
        "apples",
        "o'neil-smith",
    ]
    counts = count_words(["A cat.", "a dog", "CAT"])
    assert counts == {"A": 1, "cat": 1, "a": 1, "dog": 1, "CAT": 1}
    assert fold_case(counts) == {"a": 2, "cat": 2, "dog": 1}


def test_confidence_is_a_logistic_function_of_standardized_features():
    calibration = Calibration((1.0, 0.0), (2.0, 1.0), (0.5, -1.0), 0.25, 0.5)
    # (3 - 1) / 2 * 0.5 - 2 + 0.25 = -1.25
    assert calibration.confidence((3.0, 2.0)) == pytest.approx(1 / (1 + math.exp(1.25)))


def test_fit_recovers_the_weights_and_is_calibrated():
    draw = random.Random(0)
    rows = [Features(*(draw.gauss(0, 1) for _ in range(4))) for _ in range(2000)]
    right = [draw.random() < 1 / (1 + math.exp(row.unfamiliar / 2 - 2 * row.mean)) for row in rows]
    calibration = confidence.fit(rows, right)
    slopes = np.array(calibration.weights) / np.array(calibration.scale)
    assert slopes == pytest.approx([2, -0.5, 0, 0], abs=0.3)
    found = np.array([calibration.confidence(row) for row in rows])
    # A share of about p of the translations with a confidence of about p is right.
    for low in (0.2, 0.4, 0.6):
        chosen = (found >= low) & (found < low + 0.2)
        assert np.mean(np.array(right)[chosen]) == pytest.approx(found[chosen].mean(), abs=0.08)
    below = np.mean([p < calibration.threshold for p, ok in zip(found, right, strict=True) if ok])
    assert below == pytest.approx(confidence.FALSE_ALARMS, abs=0.01)


@pytest.mark.parametrize("right", [True, False])
def test_fit_accepts_labels_that_are_all_equal(right):
    calibration = confidence.fit([Features(-1, 0, -1, 0), Features(-2, 1, -1, -1)], [right] * 2)
    assert math.isfinite(calibration.confidence((-1, 0, -1, 0)))
    assert calibration.threshold == 1.0 if not right else calibration.threshold < 1.0


@pytest.fixture(scope="module")
def found(translator):
    sentences = [source for source, _ in toy_pairs(70, seed=3)]
    return sentences, [
        best for best, *_ in translator.translate(sentences, SearchSettings(beam_size=1))
    ]


def test_log_probabilities_equal_a_softmax_in_numpy(translator, found):
    """NumPy computes them for one sentence at a time, without padding."""
    sentences, translations = found
    logs = Assessor(translator, {}, LEXICON).log_probabilities(sentences, translations)
    for sentence, translation, values in zip(sentences, translations, logs, strict=True):
        read, wanted = translation.ids[:-1], translation.ids[1:]
        source = np.array([translator.source_subwords.encode(sentence)])
        logits = translator.model((source, np.array([read])), training=False).numpy()[0]
        scores = logits[np.arange(len(wanted)), wanted] - np.log(np.exp(logits).sum(axis=-1))
        assert values == pytest.approx(scores, abs=1e-4)


def test_features_of_a_translation(translator, found):
    sentences, translations = found
    assessor = Assessor(translator, {"ba": 3}, LEXICON)
    made = [Translation("Anna lo", 0.0, translations[0].ids, share=-0.5)]
    [features] = assessor.features(["ba Anna zzz"], made)
    assert features.unfamiliar == pytest.approx(1 / 4 + 1), "a copied word is familiar"
    assert features.untranslated == pytest.approx(math.log(FLOOR)), "of zzz"
    assert features.share == -0.5
    [logs] = assessor.log_probabilities(["ba Anna zzz"], made)
    assert features.mean == pytest.approx(logs.mean())


def test_a_translation_that_was_not_reranked_counts_as_average(translator, found):
    [sentence, *_], [translation, *_] = found
    weights = Calibration((0.0, 0.0, 0.0, -0.7), (1.0,) * 4, (0.1, 0.0, 0.0, 2.0), 0.0, 0.5)
    assessor = Assessor(translator, {}, LEXICON, weights)
    average, unknown, sure = (
        assessor.assess([sentence], [replace(translation, share=share)])[0].confidence
        for share in (-0.7, None, 0.0)
    )
    assert average == unknown < sure


def test_an_assessment_contains_the_reasons_for_doubt(translator, found):
    sentences, translations = found
    always = Calibration((0.0,) * 4, (1.0,) * 4, (0.0,) * 4, 0.0, 0.6)
    assessor = Assessor(translator, {"ba": 1}, LEXICON, always)
    empty = Translation("", 0.0)
    lost, none = assessor.assess([f"{sentences[0]} 猫", ""], [translations[0], empty])
    assert (lost.confidence, lost.unsure, lost.lost_characters) == (0.5, True, "猫")
    assert set(lost.unknown_words) <= {*sentences[0].split(), "猫"} - {"ba"}
    assert set(lost.least_certain) <= set(translations[0].text.split())
    assert (none.confidence, none.unsure) == (1.0, False)
    wrong = Translation("ki ki", 0.0, translations[0].ids)
    [assessment] = assessor.assess(["ba lo zzz?"], [wrong])
    assert assessment.untranslated == ("ba",), "excludes unknown words and punctuation"


def test_assessing_requires_a_calibration(translator, found):
    sentences, translations = found
    with pytest.raises(ValueError, match="the assessor has no calibration"):
        Assessor(translator, {}, LEXICON).assess(sentences, translations)


@pytest.fixture
def calibrated_run(tmp_path):
    run = Run.create(tmp_path / "run", Config())
    run.save_words({"ba": 2}, {"lo": 1})
    LEXICON.save(run.lexicon_file())
    run.save_calibration(
        {"center": [0], "scale": [1], "weights": [1], "bias": 0.5, "threshold": 0.25}
    )
    return run


def test_a_run_stores_its_assessor(translator, calibrated_run):
    assessor = Assessor.of(translator, calibrated_run)
    assert assessor.counts == {"ba": 2}
    assert assessor.lexicon.source_words == LEXICON.source_words
    assert assessor.calibration.threshold == 0.25
    calibrated_run.remove_calibration()
    assert Assessor.of(translator, calibrated_run) is None


def test_a_loaded_lexicon_is_not_loaded_again(translator, calibrated_run):
    calibrated_run.lexicon_file().write_bytes(b"damaged")
    assert Assessor.of(translator, calibrated_run, LEXICON).lexicon is LEXICON
    with pytest.raises(UserError, match=r"lexicon\.npz: damaged"):
        Assessor.of(translator, calibrated_run)


def test_a_damaged_calibration_is_reported(translator, calibrated_run):
    calibrated_run.save_calibration({"center": [0]})
    with pytest.raises(UserError, match="damaged calibration"):
        Assessor.of(translator, calibrated_run)


def test_calibrate_fits_all_features(translator, found):
    sentences, translations = found
    references = [best.text if i % 2 else "zzz" for i, best in enumerate(translations)]
    assessor = Assessor(translator, {}, LEXICON)
    calibration = confidence.calibrate(assessor, sentences, translations, references)
    assert len(calibration.weights) == len(Features._fields)
    assert 0 < calibration.threshold < 1
