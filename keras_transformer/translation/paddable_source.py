"""The ids of one source, to be padded to one of a few lengths: in Python or in a graph."""

import bisect
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import tensorflow as tf

from keras_transformer.tensors import Tensor
from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.graph_shortlist import graph_ids
from keras_transformer.translation.shortlist import Shortlist


class PaddableSource(Protocol):
    """The ids of one source, to be padded to a bucket."""

    def bucket(self, lengths: Sequence[int]) -> Any:
        """Return the index of the first of increasing lengths that holds all ids, or the last."""
        ...

    def padded(self, length: Any) -> Tensor:
        """Return the ids (1, length), with padding added or removed."""
        ...

    def shortlisted(self, shortlist: Shortlist) -> Tensor:
        """Return the target ids (N,) that a shortlist has for the source."""
        ...


class ListSource(NamedTuple):
    """A `PaddableSource` in Python.

    It avoids TensorFlow operations, which would add to the latency.
    """

    ids: list[int]

    def bucket(self, lengths: Sequence[int]) -> int:
        return bisect.bisect_left(lengths[:-1], len(self.ids))

    def padded(self, length: Any) -> Tensor:
        return tf.constant([[*self.ids, *[PADDING] * (int(length) - len(self.ids))]])

    def shortlisted(self, shortlist: Shortlist) -> Tensor:
        return tf.constant(shortlist.ids([self.ids]))


class TensorSource(NamedTuple):
    """A `PaddableSource` in a graph."""

    ids: Tensor  # int32 (S,), padded

    def bucket(self, lengths: Sequence[int]) -> Tensor:
        return bucket_of(lengths, tf.math.count_nonzero(self.ids, dtype=tf.int32))

    def padded(self, length: Any) -> Tensor:
        padding = tf.fill([tf.maximum(length - tf.shape(self.ids)[0], 0)], PADDING)
        return tf.concat([self.ids, padding], axis=0)[tf.newaxis, :length]

    def shortlisted(self, shortlist: Shortlist) -> Tensor:
        return graph_ids(shortlist, self.ids[tf.newaxis])


def bucket_of(lengths: Sequence[int], length: Tensor) -> Tensor:
    """Return the index of the first of increasing lengths >= `length`, or else of the last."""
    shorter = tf.constant(lengths[:-1], tf.int32)
    return tf.searchsorted(shorter, length[tf.newaxis])[0]
