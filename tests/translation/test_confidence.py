from dataclasses import replace

import numpy as np
import pytest

from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.translation import confidence
from keras_transformer.translation.confidence import Assessor
from keras_transformer.translation.confidence_features import Features
from keras_transformer.translation.confidence_model import ConfidenceModel, saved_temperature
from keras_transformer.translation.forced import ForcedDecoding
from keras_transformer.translation.lexicon import Lexicon
from keras_transformer.translation.translation import Translation
from keras_transformer.translation.word_probabilities import Word
from tests.conftest import toy_pairs

LEXICON = Lexicon.learn(toy_pairs(200))
ALWAYS = ConfidenceModel((0.0,) * 4, (1.0,) * 4, (0.0,) * 4, 0.0, 0.6)


@pytest.fixture(scope="module")
def assessor(translator):
    """Knows the word "ba". Its confidence is always 0.5."""
    return Assessor(translator, {"ba": 1}, LEXICON, ALWAYS)


def test_a_translation_that_was_not_reranked_counts_as_average(translator, found):
    [sentence, *_], [translation, *_] = found
    weights = ConfidenceModel((0.0, 0.0, 0.0, -0.7), (1.0,) * 4, (0.1, 0.0, 0.0, 2.0), 0.0, 0.5)
    assessor = Assessor(translator, {}, LEXICON, weights)
    average, unknown, sure = (
        assessor.assess([sentence], [replace(translation, share=share)])[0].confidence
        for share in (-0.7, None, 0.0)
    )
    assert average == unknown < sure


def test_an_assessment_contains_the_reasons_for_doubt(assessor, found):
    sentences, translations = found
    empty = Translation("", 0.0)
    lost, none = assessor.assess([f"{sentences[0]} 猫", ""], [translations[0], empty])
    assert (lost.confidence, lost.unsure, lost.lost_characters) == (0.5, True, "猫")
    assert (none.confidence, none.unsure) == (1.0, False)
    wrong = Translation("ki ki", 0.0, translations[0].ids)
    [assessment] = assessor.assess(["ba lo zzz?"], [wrong])
    assert assessment.untranslated == ("ba",), "excludes unknown words and punctuation"


@pytest.mark.parametrize(("threshold", "unsure"), [(0.4, False), (0.5, False), (0.6, True)])
def test_a_translation_with_a_confidence_below_the_threshold_is_unsure(
    assessor, found, monkeypatch, threshold, unsure
):
    [sentence, *_], [translation, *_] = found
    monkeypatch.setattr(assessor, "model", replace(ALWAYS, threshold=threshold))
    [assessment] = assessor.assess([sentence], [translation])
    assert assessment.lost_characters == ""
    assert (assessment.confidence, assessment.unsure) == (0.5, unsure)


@pytest.mark.parametrize(
    ("sentence", "translation", "unknown"),
    [
        ("ba zzz", "lo", ("zzz",)),
        ("ba zzz", "zzz", ()),
        ("Ba lo zzz", "ki", ("lo", "zzz")),
        ("ba 猫", "lo", ("猫",)),
    ],
)
def test_unknown_words_are_in_neither_the_training_data_nor_the_translation(
    translator, assessor, sentence, translation, unknown
):
    ids = translator.target_subwords.encode(translation)
    [found] = assessor.assess([sentence], [Translation(translation, 0.0, tuple(ids))])
    assert found.unknown_words == unknown


def test_the_least_certain_words_are_those_with_the_smallest_probability(translator, monkeypatch):
    """A word has the product of the probabilities of its subwords; a corrected one has none."""
    ids = translator.target_subwords.encode("ba lo ki")
    assert translator.target_subwords.labels(ids[1:-1]) == ["▁b", "a", "▁l", "o", "▁k", "i"]
    assessor = Assessor(translator, {}, LEXICON, ConfidenceModel(*[(1.0,) * 4] * 3, 0.0, 0.5))
    logs = np.log(np.array([0.6, 0.7, 0.1, 0.1, 0.3, 0.9, 0.9]))  # ba 0.42, lo 0.01, ki 0.27
    monkeypatch.setattr(assessor.extractor.forced, "log_probabilities", lambda *_: [logs])
    corrected = Translation("ba Anna ki", 0.0, tuple(ids))
    [found] = assessor.assess(["ba lo ki"], [corrected])
    assert found.least_certain == ("ki", "ba")


def test_least_certain_words_are_listed_without_the_marks_after_them():
    words = [Word("...", 0.2), Word("ki.", 0.1), Word("ba,", 0.9), Word("Dr.-ba", 0.3)]
    assert confidence._least_certain(words) == ("ki", "...", "Dr.-ba")


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
    assert assessor.extractor.counts == {"ba": 2}
    assert assessor.extractor.lexicon.source_words == LEXICON.source_words
    assert assessor.model.threshold == 0.25
    calibrated_run.remove_calibration()
    assert Assessor.of(translator, calibrated_run) is None


def test_the_calibration_of_an_earlier_version_is_used_as_before(translator, calibrated_run, found):
    """It has no temperature, and its first feature is a mean log probability."""
    sentences, translations = found
    assert saved_temperature(calibrated_run) is None
    assessor = Assessor.of(translator, calibrated_run)
    logs = ForcedDecoding(translator).log_probabilities(sentences, translations)
    evidence = assessor.extractor.evidence(sentences, translations)
    means = [assessor.extractor.features(each).mean for each in evidence]
    assert means == [float(values.mean()) for values in logs]
    for one, other in zip(
        assessor.extractor.forced.log_probabilities(sentences, translations),
        logs,
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)


def test_a_run_stores_its_temperature(translator, calibrated_run, found):
    values = calibrated_run.calibration()
    calibrated_run.save_calibration(values | {"temperature": 0.5})
    assert saved_temperature(calibrated_run) == 0.5
    assessor = Assessor.of(translator, calibrated_run)
    wanted = ForcedDecoding(translator, 0.5).log_probabilities(*found)
    for one, other in zip(assessor.extractor.forced.log_probabilities(*found), wanted, strict=True):
        np.testing.assert_array_equal(one, other)
    calibrated_run.remove_calibration()
    assert saved_temperature(calibrated_run) is None


def test_a_loaded_lexicon_is_not_loaded_again(translator, calibrated_run):
    calibrated_run.lexicon_file().write_bytes(b"damaged")
    assert Assessor.of(translator, calibrated_run, LEXICON).extractor.lexicon is LEXICON
    with pytest.raises(UserError, match=r"lexicon\.npz: damaged"):
        Assessor.of(translator, calibrated_run)


def test_a_damaged_calibration_is_reported(translator, calibrated_run):
    calibrated_run.save_calibration({"center": [0]})
    with pytest.raises(UserError, match="damaged calibration"):
        Assessor.of(translator, calibrated_run)
