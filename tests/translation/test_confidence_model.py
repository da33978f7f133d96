import math
import random
from dataclasses import asdict

import numpy as np
import pytest

from keras_transformer.config import Config
from keras_transformer.errors import UserError
from keras_transformer.runs.run import Run
from keras_transformer.translation.confidence_features import FeatureExtractor, Features
from keras_transformer.translation.confidence_model import (
    FALSE_ALARMS,
    ConfidenceModel,
    calibrate,
    fit,
    saved_temperature,
)
from keras_transformer.translation.forced import ForcedDecoding
from keras_transformer.translation.lexicon import Lexicon
from tests.conftest import toy_pairs

LEXICON = Lexicon.learn(toy_pairs(200))


def test_confidence_is_a_logistic_function_of_standardized_features():
    model = ConfidenceModel((1.0, 0.0), (2.0, 1.0), (0.5, -1.0), 0.25, 0.5)
    # (3 - 1) / 2 * 0.5 - 2 + 0.25 = -1.25
    assert model.confidence((3.0, 2.0)) == pytest.approx(1 / (1 + math.exp(1.25)))


def test_fit_recovers_the_weights_and_is_calibrated():
    draw = random.Random(0)
    rows = [Features(*(draw.gauss(0, 1) for _ in range(4))) for _ in range(2000)]
    right = [draw.random() < 1 / (1 + math.exp(row.unfamiliar / 2 - 2 * row.mean)) for row in rows]
    model = fit(rows, right)
    slopes = np.array(model.weights) / np.array(model.scale)
    assert slopes == pytest.approx([2, -0.5, 0, 0], abs=0.3)
    found = np.array([model.confidence(row) for row in rows])
    # A share of about p of the translations with a confidence of about p is right.
    for low in (0.2, 0.4, 0.6):
        chosen = (found >= low) & (found < low + 0.2)
        assert np.mean(np.array(right)[chosen]) == pytest.approx(found[chosen].mean(), abs=0.08)
    below = np.mean([p < model.threshold for p, ok in zip(found, right, strict=True) if ok])
    assert below == pytest.approx(FALSE_ALARMS, abs=0.01)


@pytest.mark.parametrize("share", [0.02, 0.06, 0.5, 0.98])
def test_the_mean_confidence_is_the_share_of_right_translations(share):
    """The bias is hardly penalized. With a share of 0.06, Newton's method alone diverges."""
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(500, 4))
    rows[:, 2] = np.where(draw.random(500) < 1.5 * share, 0, -9) + draw.normal(size=500) * 0.1
    quality = rows[:, 0] + rows[:, 2]
    right = quality > np.quantile(quality, 1 - share)
    model = fit([Features(*row) for row in rows], right)
    found = np.array([model.confidence(row) for row in rows])
    assert found.mean() == pytest.approx(share, abs=0.005)
    assert found[right].mean() > found[~right].mean() + 0.2


@pytest.mark.parametrize("right", [True, False])
def test_fit_accepts_labels_that_are_all_equal(right):
    model = fit([Features(-1, 0, -1, 0), Features(-2, 1, -1, -1)], [right] * 2)
    assert math.isfinite(model.confidence((-1, 0, -1, 0)))
    assert model.threshold == 1.0 if not right else model.threshold < 1.0


@pytest.mark.parametrize("temperature", [0, -1, "warm"])
def test_a_temperature_must_be_a_positive_number(tmp_path, temperature):
    run = Run.create(tmp_path / "run", Config())
    model = ConfidenceModel((0.0,) * 4, (1.0,) * 4, (0.0,) * 4, 0.0, 0.5)
    run.save_calibration(asdict(model) | {"temperature": temperature})
    for load in (lambda: saved_temperature(run), lambda: ConfidenceModel.of(run)):
        with pytest.raises(UserError, match="damaged calibration"):
            load()


def test_calibrate_fits_all_features(translator, found):
    sentences, translations = found
    references = [best.text if i % 2 else "zzz" for i, best in enumerate(translations)]
    extractor = FeatureExtractor(translator, {}, LEXICON, temperature=0.7)
    model = calibrate(extractor, sentences, translations, references)
    assert len(model.weights) == len(Features._fields)
    assert 0 < model.threshold < 1
    assert model.temperature == 0.7
    logs = ForcedDecoding(translator, 0.7).log_probabilities(sentences, translations)
    means = [np.exp(values).mean() for values in logs]
    assert model.center[0] == pytest.approx(np.mean(means), rel=1e-5)
