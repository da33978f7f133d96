import numpy as np
import pytest

from keras_transformer.errors import UserError
from keras_transformer.inspection.calibration import measure, plot
from keras_transformer.translation.calibration_error import Reliability, predict
from keras_transformer.translation.temperature import cross_fit
from tests.conftest import toy_pairs

PAIRS = toy_pairs(20, seed=6)


def test_predictions_are_measured_without_and_with_a_temperature(translator):
    before, after = measure(translator, PAIRS, 0.5)
    assert (before.name, after.name) == ("temperature 1", "temperature 0.500")
    for found, temperature in ((before, 1.0), (after, 0.5)):
        wanted = predict(translator, PAIRS, temperature)
        np.testing.assert_array_equal(found.predictions.confidence, wanted.confidence)
        assert found.reliability.error == Reliability.of(wanted).error


def test_by_default_the_temperatures_are_cross_fitted(translator):
    _, after = measure(translator, PAIRS)
    wanted = cross_fit(translator, PAIRS)
    np.testing.assert_array_equal(after.predictions.confidence, wanted.predictions.confidence)
    assert after.name == "temperatures {:.3f} and {:.3f}".format(*wanted.temperatures)


def test_diagrams_show_the_measured_bins(translator):
    measured = measure(translator, PAIRS, 0.5)
    figure = plot(measured)
    for axes, each in zip(figure.axes[:2], measured, strict=True):
        heights = [bar.get_height() for bar in axes.containers[0]]
        assert heights == each.reliability.accuracy.tolist()
        error = f"calibration error {each.reliability.error:.4f}"
        assert axes.get_title() == f"{each.name}\n{error}"


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "no sentence pairs"),
        ([("ba", "")] * 3, "no sentence pairs"),
        (PAIRS[:1], "two halves need at least two"),
        ([PAIRS[0], ("ba", "")] * 2, "two halves need at least two"),
    ],
)
def test_too_few_pairs_are_an_error(translator, pairs, message):
    with pytest.raises(UserError, match=message):
        measure(translator, pairs)
