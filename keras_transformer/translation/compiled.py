"""Compiled searches: batches by TensorFlow, and single sentences by XLA.

XLA compiles a function separately for each shape, so there must be few shapes, and no tensor may
grow. A bucket is a pair of maximum lengths, of the source and of the target. If a target longer
than its bucket could change the result, the search is repeated in the last bucket.

The search for one sentence takes so little time that overhead matters. Passing a hundred variables
to XLA takes as long as several steps of the search, so the weights are constants of the compiled
function. All other work that can be done inside this function is done there.
"""

import bisect
import functools
import math
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, Self

import keras
import numpy as np
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.search.settings import SearchSettings
from keras_transformer.search.strategy import Hypotheses, strategy_class
from keras_transformer.tensors import Tensor
from keras_transformer.text.batches import pad
from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.graph_shortlist import graph_ids
from keras_transformer.translation.network_search import FixedCaches, NetworkSearch
from keras_transformer.translation.shortlist import Shortlist

BUCKETS = ((12, 24), (20, 32), (30, 48))
# An exported graph can hold 2 GB: two searches, each with four bytes per weight, and the rest.
MOST_CONSTANTS = 250_000_000
MOST_SEARCHES = 8  # traced or compiled searches that are kept, one for each `SearchSettings`


def buckets_up_to(source_length: int, target_length: int) -> list[tuple[int, int]]:
    """Return the buckets up to these lengths, which are those of the last bucket."""
    shorter = [bucket for bucket in BUCKETS if bucket[0] < source_length]
    return [
        *((source, min(target, target_length)) for source, target in shorter),
        (source_length, target_length),
    ]


def constants(model: keras.Model) -> list[tuple[Any, np.ndarray]]:
    """Return pairs for a `keras.StatelessScope` in which the weights of a model are constants.

    Raises:
        UserError: If the network has too many weights for a graph.
    """
    count = sum(math.prod(variable.shape) for variable in model.weights)
    if count > MOST_CONSTANTS:
        raise UserError(
            f"the network has {count:,} weights; XLA can compile at most {MOST_CONSTANTS:,}"
        )
    return [(variable, variable.numpy()) for variable in model.weights]


class Found(NamedTuple):
    """The n best hypotheses of one sentence."""

    ids: Tensor  # int32 (n, T)
    scores: Tensor  # float32 (n,)
    done: Tensor  # bool (): False if longer targets could change the result


class Source(Protocol):
    """The ids of one source, to be padded to a bucket."""

    @property
    def ids(self) -> Any: ...

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
    """A `Source` in Python. It avoids TensorFlow operations, which would add to the latency."""

    ids: list[int]

    def bucket(self, lengths: Sequence[int]) -> int:
        return bisect.bisect_left(lengths[:-1], len(self.ids))

    def padded(self, length: Any) -> Tensor:
        return tf.constant([[*self.ids, *[PADDING] * (int(length) - len(self.ids))]])

    def shortlisted(self, shortlist: Shortlist) -> Tensor:
        return tf.constant(shortlist.ids([self.ids]))


class TensorSource(NamedTuple):
    """A `Source` in a graph."""

    ids: Tensor  # int32 (S,), padded

    def bucket(self, lengths: Sequence[int]) -> Tensor:
        return _bucket_of(lengths, tf.math.count_nonzero(self.ids, dtype=tf.int32))

    def padded(self, length: Any) -> Tensor:
        padding = tf.fill([tf.maximum(length - tf.shape(self.ids)[0], 0)], PADDING)
        return tf.concat([self.ids, padding], axis=0)[tf.newaxis, :length]

    def shortlisted(self, shortlist: Shortlist) -> Tensor:
        return graph_ids(shortlist, self.ids[tf.newaxis])


class SentenceSearch:
    """The search for one sentence, compiled by XLA.

    Args:
        network_search: the `NetworkSearch`.
        settings: the `SearchSettings`.
        buckets: pairs of lengths, in increasing order.
        shortlist: the `Shortlist`; by default, the search considers all target ids.

    Raises:
        UserError: If the network has too many weights.

    Attributes:
        source_lengths, target_lengths: the lengths of the buckets.
        compiled: a `tf.function` from source ids (1, S), padded to a bucket, and the ids of the
            shortlist (N,), if there is one, to `Found`.
    """

    def __init__(
        self,
        network_search: NetworkSearch,
        settings: SearchSettings,
        buckets: Sequence[tuple[int, int]],
        shortlist: Shortlist | None = None,
    ) -> None:
        self.network_search = network_search
        self.settings = settings
        self.shortlist = shortlist
        self.source_lengths, self.target_lengths = zip(*buckets, strict=True)
        self.weights = constants(network_search.model)
        # One function for all buckets: when XLA compiles it, the shape and so the bucket are known.
        self.compiled = tf.function(
            self._search_bucket,
            input_signature=[tf.TensorSpec((1, None), tf.int32), *shortlist_spec(shortlist)],
            jit_compile=True,
            autograph=False,
        )

    def __call__(self, source: Source) -> Found:
        """Search in the smallest bucket that fits and then, if necessary, in the last."""
        index = source.bucket(self.source_lengths)
        # The only element is the ids of the shortlist (N,), if there is one.
        listed = [] if self.shortlist is None else [source.shortlisted(self.shortlist)]
        first = self._in_bucket(source, _element(self.source_lengths, index), *listed)
        longest = self.source_lengths[-1]
        return tf.cond(first.done, lambda: first, lambda: self._in_bucket(source, longest, *listed))

    def _in_bucket(self, source: Source, length: Any, *shortlist: Tensor) -> Found:
        return Found(*self._traced(source.padded(length), *shortlist))

    @functools.cached_property
    def _traced(self) -> Callable[..., Found]:
        """`compiled` without the checks of `tf.function`, which take half as long as a step."""
        return self.compiled.get_concrete_function()

    def _search_bucket(self, source: Tensor, *shortlist: Tensor) -> Found:
        """Map the arguments of `compiled` to `Found`; T is that of the last bucket."""
        index = _bucket_of(self.source_lengths, tf.shape(source)[1])
        target_length = tf.gather(self.target_lengths, index)
        with keras.StatelessScope(self.weights):
            execution = FixedCaches(target_length)
            best = self.network_search(source, self.settings, execution, *shortlist)
        missing = self.target_lengths[-1] - target_length
        ids = tf.pad(best.ids[0], [[0, 0], [0, missing]], constant_values=PADDING)
        is_empty = source[0, 0] == PADDING  # a row of padding
        return Found(
            tf.ensure_shape(tf.where(is_empty, PADDING, ids), (None, self.target_lengths[-1])),
            tf.where(is_empty, 0.0, best.scores[0]),
            best.done[0] | (missing == 0) | is_empty,
        )


def _bucket_of(lengths: Sequence[int], length: Tensor) -> Tensor:
    """Return the index of the first of increasing lengths >= `length`, or else of the last."""
    shorter = tf.constant(lengths[:-1], tf.int32)
    return tf.searchsorted(shorter, length[tf.newaxis])[0]


def _element(lengths: Sequence[int], index: Any) -> Any:
    return lengths[index] if isinstance(index, int) else tf.gather(lengths, index)


class BatchSearch:
    """The search for batches, traced for each `SearchSettings`.

    The searches for the last few settings are kept.

    Args:
        network_search: the `NetworkSearch`.
        max_source_length: maximum number of source ids.
        shortlist: the `Shortlist`; by default, the search considers all target ids.
    """

    def __init__(
        self,
        network_search: NetworkSearch,
        max_source_length: int,
        shortlist: Shortlist | None = None,
    ) -> None:
        self.network_search = network_search
        self.max_source_length = max_source_length
        self.shortlist = shortlist
        self._traced = cached(self._trace)

    def __call__(self, sources: Sequence[list[int]], settings: SearchSettings) -> Hypotheses:
        """Search for translations.

        Args:
            sources: lists of ids.
            settings: the `SearchSettings`.

        Returns:
            `Hypotheses` (B, n, T), as NumPy arrays.
        """
        # TensorFlow mistakes the first call of each function for retracing and warns, unless the
        # function is concrete.
        traced = self._traced(settings).get_concrete_function()
        found = traced(tf.constant(pad(sources)), *self._shortlisted(sources))
        return Hypotheses(*(tensor.numpy() for tensor in found))

    def _shortlisted(self, sources: Sequence[list[int]]) -> list[Tensor]:
        """Return the ids of the shortlist (N,) of a batch, as the only element; [] without one."""
        if self.shortlist is None:
            return []
        return [tf.constant(self.shortlist.ids(sources))]

    def _trace(self, settings: SearchSettings) -> Any:
        return tf.function(
            lambda source, *listed: self.network_search(source, settings, None, *listed),
            input_signature=(
                tf.TensorSpec((None, None), tf.int32),
                *shortlist_spec(self.shortlist),
            ),
            autograph=False,
        )


def shortlist_spec(shortlist: Shortlist | None) -> list[Any]:
    """Return the `tf.TensorSpec` of the ids of a shortlist (N,); [] without one."""
    return [] if shortlist is None else [tf.TensorSpec((None,), tf.int32)]


def cached(make: Callable[[SearchSettings], Any]) -> Callable[[SearchSettings], Any]:
    """Return a function that keeps its last `MOST_SEARCHES` results, for use by several threads."""
    results, lock = functools.lru_cache(MOST_SEARCHES)(make), threading.Lock()

    def result(settings: SearchSettings) -> Any:
        with lock:  # threads that start together share one result
            return results(settings)

    return result


class XlaSearch(BatchSearch):
    """A `BatchSearch` that uses a `SentenceSearch` for a batch of one sentence.

    For given settings, XLA takes seconds to compile the search for the first sentence of each
    bucket, and with a shortlist for the first of each size. Each later sentence takes a few
    milliseconds.
    """

    def __init__(
        self,
        network_search: NetworkSearch,
        max_source_length: int,
        shortlist: Shortlist | None = None,
    ) -> None:
        super().__init__(network_search, max_source_length, shortlist)
        self._compiled = cached(self.sentence_search)

    @classmethod
    def of(cls, other: BatchSearch) -> Self:
        """Return the search by XLA that corresponds to another search."""
        return cls(other.network_search, other.max_source_length, other.shortlist)

    def __call__(self, sources: Sequence[list[int]], settings: SearchSettings) -> Hypotheses:
        if len(sources) > 1:
            return super().__call__(sources, settings)
        found = self._compiled(settings)(ListSource(*sources))
        return Hypotheses(*(tensor.numpy()[np.newaxis] for tensor in found))

    def sentence_search(self, settings: SearchSettings) -> SentenceSearch:
        """Return the `SentenceSearch` for settings, with the buckets that the network needs."""
        longest = self.network_search.limit(settings)
        buckets = buckets_up_to(self.max_source_length, longest)
        if not strategy_class(settings).deterministic:
            # A repeated search would draw other samples, and so draw long ones too rarely.
            buckets = [(source, longest) for source, _ in buckets]
        return SentenceSearch(self.network_search, settings, buckets, self.shortlist)
