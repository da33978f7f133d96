"""The history of a training run, read from the files that training writes for TensorBoard."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboard.util.tensor_util import make_ndarray

from keras_transformer.errors import UserError, reason
from keras_transformer.inspection.history import recorded_attention
from keras_transformer.inspection.history.recorded_attention import RecordedAttention
from keras_transformer.runs.directories import check_has_config
from keras_transformer.runs.layout import LOGS

TRAINING_LOSS, VALIDATION_LOSS = "train/loss", "validation/loss"
PERPLEXITY, BLEU = "validation/perplexity", "validation/bleu"
ACCURACY, LEARNING_RATE = "train/accuracy", "train/learning_rate"
THROUGHPUT = "train/target_tokens_per_second"
CURVES = (
    TRAINING_LOSS,
    VALIDATION_LOSS,
    PERPLEXITY,
    BLEU,
    ACCURACY,
    LEARNING_RATE,
    THROUGHPUT,
)


class Curve(NamedTuple):
    """A figure at some of the steps of a training.

    Attributes:
        steps: int64 array (n,), increasing.
        values: float64 array (n,).
    """

    steps: NDArray[np.int64]
    values: NDArray[np.float64]


class History(NamedTuple):
    """The history of a training run.

    Attributes:
        directory: the run directory.
        curves: {name in `CURVES`: `Curve`}, without points if none was recorded.
        attention: the `RecordedAttention` of a sentence pair, in the order of the steps; empty if
            none was recorded.
    """

    directory: Path
    curves: Mapping[str, Curve]
    attention: Sequence[RecordedAttention]

    @property
    def name(self) -> str:
        """The name of the run directory."""
        return Path(os.path.abspath(self.directory)).name


class Point(NamedTuple):
    """A value in a file: a number, or weights with their labels; `time` is in seconds."""

    time: float
    step: int
    name: str
    value: Any
    labels: bytes


def read_history(directory: str | os.PathLike[str]) -> History:
    """Read the history of a run.

    Each time training is started or resumed, it writes another file. What earlier files contain
    about the steps since then is superseded: these steps were repeated.

    Args:
        directory: the run directory, of which only the logs are read.

    Raises:
        NoRun: If the directory contains no run.
        UserError: If the run has no logs, or they cannot be read.
    """
    directory = Path(directory)
    check_has_config(directory)
    points: dict[str, dict[int, Point]] = {name: {} for name in (*CURVES, recorded_attention.TAG)}
    # Names of files have whole seconds only.
    for session in sorted(_sessions(directory / LOGS), key=lambda session: session[0].time):
        _add(points, session)
    if not any(points.values()):
        raise UserError(f"{directory / LOGS}: no curves here")
    recorded = points.pop(recorded_attention.TAG)
    curves = {name: _curve(found) for name, found in points.items()}
    return History(directory, curves, _attention(directory / LOGS, recorded))


def _sessions(logs: Path) -> Iterator[list[Point]]:
    """Yield the points of each file that has any."""
    for path in sorted(logs.glob("*tfevents*")):
        try:
            events = EventFileLoader(str(path)).Load()
            points = [point for event in events for point in _points(event)]
        except (tf.errors.OpError, DecodeError, TypeError, ValueError) as error:
            raise UserError(f"{path}: cannot be read: {reason(error)}") from error
        if points:
            yield points


def _points(event: Any) -> Iterator[Point]:
    """Yield the values of an event that belong to the history."""
    for value in event.summary.value:
        if value.tag in CURVES or value.tag == recorded_attention.TAG:
            content = value.metadata.plugin_data.content
            array = make_ndarray(value.tensor)
            found = float(array) if value.tag in CURVES else array
            yield Point(event.wall_time, event.step, value.tag, found, content)


def _add(points: Mapping[str, dict[int, Point]], session: Sequence[Point]) -> None:
    """Add the points of a session to those of earlier ones, which they supersede."""
    for found in points.values():
        for step in [step for step in found if step >= session[0].step]:
            del found[step]
    for point in session:
        points[point.name][point.step] = point


def _curve(points: Mapping[int, Point]) -> Curve:
    steps = sorted(points)
    values = [points[step].value for step in steps]
    return Curve(np.array(steps, np.int64), np.array(values, np.float64))


def _attention(logs: Path, points: Mapping[int, Point]) -> list[RecordedAttention]:
    try:
        ordered = [points[step] for step in sorted(points)]
        return [RecordedAttention.parse(each.step, each.labels, each.value) for each in ordered]
    except ValueError as error:
        raise UserError(f"{logs}: damaged: {error}") from error
