"""How well the probabilities of a network are calibrated, and pictures of it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from keras_transformer.errors import UserError
from keras_transformer.pictures.reliability import Diagram, plot_reliability
from keras_transformer.pictures.saving import NotebookFigure
from keras_transformer.translation.calibration_error import (
    Pair,
    Predictions,
    Reliability,
    errors_found,
    predict,
)
from keras_transformer.translation.temperature import cross_fit
from keras_transformer.translation.translator import Translator


class Measured(NamedTuple):
    """The calibration of the predictions of the subwords of references.

    Attributes:
        name: the temperature or temperatures, as text.
        predictions: the `Predictions`.
    """

    name: str
    predictions: Predictions

    @property
    def reliability(self) -> Reliability:
        """The predictions in bins."""
        return Reliability.of(self.predictions)

    @property
    def errors_found(self) -> float | None:
        """The fraction of the wrong predictions that are among the least confident ones.

        None if no prediction is wrong.
        """
        return errors_found(self.predictions)


def measure(
    translator: Translator, pairs: Sequence[Pair], temperature: float | None = None
) -> list[Measured]:
    """Measure the calibration without a temperature, and with one.

    Args:
        translator: a `Translator`.
        pairs: (source, reference) strings.
        temperature: a temperature that was fitted to other pairs. By default, half of the pairs are
            predicted at the temperature fitted to the other half, and vice versa.

    Raises:
        UserError: If there are too few pairs.
    """
    before = Measured("temperature 1", predict(translator, pairs))
    if not len(before.predictions.right):
        raise UserError("no sentence pairs to measure: all are empty or too long")
    if temperature is not None:
        after = predict(translator, pairs, temperature)
        return [before, Measured(f"temperature {temperature:.3f}", after)]
    fitted = cross_fit(translator, pairs)
    name = "temperatures {:.3f} and {:.3f}".format(*fitted.temperatures)
    return [before, Measured(name, fitted.predictions)]


def plot(measured: Iterable[Measured]) -> NotebookFigure:
    """Plot a reliability diagram for each measurement."""
    diagrams = [
        Diagram(f"{name}\ncalibration error {found.error:.4f}", *found)
        for name, found in ((each.name, each.reliability) for each in measured)
    ]
    return plot_reliability(diagrams, "the most probable next subword", "subwords")
