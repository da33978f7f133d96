"""The cross-attention of one sentence pair during training, as TensorBoard's files contain it."""

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

TAG = "attention/weights"
PLUGIN = "keras_transformer"  # the owner of the format; TensorBoard ignores formats of others


class RecordedAttention(NamedTuple):
    """The cross-attention of a network, at some step of its training, for a given target.

    Attributes:
        step: number of steps taken.
        epoch: number of epochs completed, with the completed part of the current one.
        sentence: the source.
        reference: its translation, which the decoder reads (teacher forcing).
        source: subwords of the source (S), with start and end.
        target: subwords of the target (T), with start and end.
        weights: float32 array (L, H, T, S) for L decoder layers; each row sums to 1.
    """

    step: int
    epoch: float
    sentence: str
    reference: str
    source: Sequence[str]
    target: Sequence[str]
    weights: NDArray[np.float32]

    def labels(self) -> bytes:
        """Return all but the step and the weights, as JSON in UTF-8."""
        names = ("epoch", "sentence", "reference", "source", "target")
        return json.dumps({name: getattr(self, name) for name in names}).encode("utf-8")

    @classmethod
    def parse(cls, step: int, labels: bytes, weights: NDArray) -> "RecordedAttention":
        """Return the attention with these `labels`.

        Raises:
            ValueError: If the labels are invalid, or do not match the weights.
        """
        try:
            recorded = cls(step=step, weights=np.asarray(weights, np.float32), **json.loads(labels))
            recorded._check()
        except (TypeError, RecursionError) as error:
            raise ValueError(f"invalid labels: {error}") from error
        return recorded

    def _check(self) -> None:
        texts = [self.sentence, self.reference, *self.source, *self.target]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("labels must be strings")
        float(self.epoch)
        shape = self.weights.shape
        if len(shape) != 4 or shape[2:] != (len(self.target), len(self.source)):
            raise ValueError(
                f"weights {shape} do not fit {len(self.target)} target and {len(self.source)} "
                "source subwords"
            )
