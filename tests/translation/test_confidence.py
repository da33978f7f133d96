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
from keras_transformer.translation.confidence import (
    Assessor,
    Calibration,
    Features,
    saved_temperature,
)
from keras_transformer.translation.forced import ForcedDecoding
from keras_transformer.translation.lexicon import FLOOR, Lexicon
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.word_probabilities import Word
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


@pytest.mark.parametrize("share", [0.02, 0.06, 0.5, 0.98])
def test_the_mean_confidence_is_the_share_of_right_translations(share):
    """The bias is hardly penalized. With a share of 0.06, Newton's method alone diverges."""
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(500, 4))
    rows[:, 2] = np.where(draw.random(500) < 1.5 * share, 0, -9) + draw.normal(size=500) * 0.1
    quality = rows[:, 0] + rows[:, 2]
    right = quality > np.quantile(quality, 1 - share)
    calibration = confidence.fit([Features(*row) for row in rows], right)
    found = np.array([calibration.confidence(row) for row in rows])
    assert found.mean() == pytest.approx(share, abs=0.005)
    assert found[right].mean() > found[~right].mean() + 0.2


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


def test_features_of_a_translation(translator, found):
    sentences, translations = found
    assessor = Assessor(translator, {"ba": 3}, LEXICON)
    made = [Translation("Anna lo", 0.0, translations[0].ids, share=-0.5)]
    [features] = assessor.features(["ba Anna zzz"], made)
    assert features.unfamiliar == pytest.approx(1 / 4 + 1), "a copied word is familiar"
    assert features.untranslated == pytest.approx(math.log(FLOOR)), "of zzz"
    assert features.share == -0.5
    [logs] = assessor.forced.log_probabilities(["ba Anna zzz"], made)
    assert features.mean == pytest.approx(logs.mean())
    at_half = Assessor(translator, {"ba": 3}, LEXICON, temperature=0.5)
    [features] = at_half.features(["ba Anna zzz"], made)
    [logs] = ForcedDecoding(translator, 0.5).log_probabilities(["ba Anna zzz"], made)
    assert features.mean == pytest.approx(np.exp(logs).mean()), "a mean of probabilities"


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


def test_the_least_certain_words_are_those_with_the_smallest_probability(translator, monkeypatch):
    """A word has the product of the probabilities of its subwords; a corrected one has none."""
    ids = translator.target_subwords.encode("ba lo ki")
    assert translator.target_subwords.labels(ids[1:-1]) == ["▁b", "a", "▁l", "o", "▁k", "i"]
    assessor = Assessor(translator, {}, LEXICON, Calibration(*[(1.0,) * 4] * 3, 0.0, 0.5))
    logs = np.log(np.array([0.6, 0.7, 0.1, 0.1, 0.3, 0.9, 0.9]))  # ba 0.42, lo 0.01, ki 0.27
    monkeypatch.setattr(assessor.forced, "log_probabilities", lambda *_: [logs])
    corrected = Translation("ba Anna ki", 0.0, tuple(ids))
    [found] = assessor.assess(["ba lo ki"], [corrected])
    assert found.least_certain == ("ki", "ba")


def test_least_certain_words_are_listed_without_the_marks_after_them():
    words = [Word("...", 0.2), Word("ki.", 0.1), Word("ba,", 0.9), Word("Dr.-ba", 0.3)]
    assert confidence._least_certain(words) == ("ki", "...", "Dr.-ba")


def test_assessing_requires_a_calibration(translator, found):
    sentences, translations = found
    with pytest.raises(ValueError, match="the assessor has no calibration"):
        Assessor(translator, {}, LEXICON).assess(sentences, translations)


@pytest.fixture
def calibrated_run(tmp_path):
    run = Run.create(tmp_path / "run", Config())
    run.save_words({"ba": 2}, {"lo": 1})
    LEXICON.save(run.lexicon_file())
    ones = [1.0] * len(Features._fields)
    run.save_calibration(
        {"center": ones, "scale": ones, "weights": ones, "bias": 0.5, "threshold": 0.25}
    )
    return run


def test_a_run_stores_its_assessor(translator, calibrated_run):
    assessor = Assessor.of(translator, calibrated_run)
    assert assessor.counts == {"ba": 2}
    assert assessor.lexicon.source_words == LEXICON.source_words
    assert assessor.calibration.threshold == 0.25
    calibrated_run.remove_calibration()
    assert Assessor.of(translator, calibrated_run) is None


def test_the_calibration_of_an_earlier_version_is_used_as_before(translator, calibrated_run, found):
    """It has no temperature, and its first feature is a mean log probability."""
    sentences, translations = found
    assert saved_temperature(calibrated_run) is None
    assessor = Assessor.of(translator, calibrated_run)
    logs = ForcedDecoding(translator).log_probabilities(sentences, translations)
    features = assessor.features(sentences, translations)
    assert [each.mean for each in features] == [float(values.mean()) for values in logs]
    for one, other in zip(
        assessor.forced.log_probabilities(sentences, translations),
        ForcedDecoding(translator).log_probabilities(sentences, translations),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)


def test_a_run_stores_its_temperature(translator, calibrated_run, found):
    values = calibrated_run.calibration()
    calibrated_run.save_calibration(values | {"temperature": 0.5})
    assert saved_temperature(calibrated_run) == 0.5
    assessor = Assessor.of(translator, calibrated_run)
    wanted = ForcedDecoding(translator, 0.5).log_probabilities(*found)
    for one, other in zip(assessor.forced.log_probabilities(*found), wanted, strict=True):
        np.testing.assert_array_equal(one, other)
    calibrated_run.remove_calibration()
    assert saved_temperature(calibrated_run) is None


@pytest.mark.parametrize("temperature", [0, -1, "warm"])
def test_a_temperature_must_be_a_positive_number(translator, calibrated_run, temperature):
    calibrated_run.save_calibration(calibrated_run.calibration() | {"temperature": temperature})
    for load in (lambda: saved_temperature(calibrated_run), lambda: Calibration.of(calibrated_run)):
        with pytest.raises(UserError, match="damaged calibration"):
            load()


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
    assessor = Assessor(translator, {}, LEXICON, temperature=0.7)
    calibration = confidence.calibrate(assessor, sentences, translations, references)
    assert len(calibration.weights) == len(Features._fields)
    assert 0 < calibration.threshold < 1
    assert calibration.temperature == 0.7
    logs = ForcedDecoding(translator, 0.7).log_probabilities(sentences, translations)
    means = [np.exp(values).mean() for values in logs]
    assert calibration.center[0] == pytest.approx(np.mean(means), rel=1e-5)
