"""The search for single sentences, compiled by XLA.

XLA compiles a function separately for each shape, so there must be few shapes, and no tensor may
grow. A bucket is a pair of maximum lengths, of the source and of the target. If a target longer
than its bucket could change the result, the search is repeated in the last bucket.

The search for one sentence takes so little time that overhead matters. Passing a hundred variables
to XLA takes as long as several steps of the search, so the weights are constants of the compiled
function. All other work that can be done inside this function is done there.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import keras
import numpy as np
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.search.settings import SearchSettings
from keras_transformer.search.strategy import Hypotheses, strategy_class
from keras_transformer.tensors import Tensor
from keras_transformer.text.subwords import PADDING
from keras_transformer.translation.batch_search import BatchSearch, cached, shortlist_spec
from keras_transformer.translation.network_search import FixedCaches, NetworkSearch
from keras_transformer.translation.paddable_source import ListSource, PaddableSource, bucket_of
from keras_transformer.translation.shortlist import Shortlist

BUCKETS = ((12, 24), (20, 32), (30, 48))
# An exported graph can hold 2 GB: two searches, each with four bytes per weight, and the rest.
MAX_CONSTANTS = 250_000_000


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
    if count > MAX_CONSTANTS:
        raise UserError(
            f"the network has {count:,} weights; XLA can compile at most {MAX_CONSTANTS:,}"
        )
    return [(variable, variable.numpy()) for variable in model.weights]


class Found(NamedTuple):
    """The n best hypotheses of one sentence."""

    ids: Tensor  # int32 (n, T)
    scores: Tensor  # float32 (n,)
    done: Tensor  # bool (): False if longer targets could change the result


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

    def __call__(self, source: PaddableSource) -> Found:
        """Search in the smallest bucket that fits and then, if necessary, in the last."""
        index = source.bucket(self.source_lengths)
        # The only element is the ids of the shortlist (N,), if there is one.
        listed = [] if self.shortlist is None else [source.shortlisted(self.shortlist)]
        first = self._in_bucket(source, _element(self.source_lengths, index), *listed)
        longest = self.source_lengths[-1]
        return tf.cond(first.done, lambda: first, lambda: self._in_bucket(source, longest, *listed))

    def _in_bucket(self, source: PaddableSource, length: Any, *shortlist: Tensor) -> Found:
        return Found(*self._traced(source.padded(length), *shortlist))

    @functools.cached_property
    def _traced(self) -> Callable[..., Found]:
        """`compiled` without the checks of `tf.function`, which take half as long as a step."""
        return self.compiled.get_concrete_function()

    def _search_bucket(self, source: Tensor, *shortlist: Tensor) -> Found:
        """Map the arguments of `compiled` to `Found`; T is that of the last bucket."""
        index = bucket_of(self.source_lengths, tf.shape(source)[1])
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


def _element(lengths: Sequence[int], index: Any) -> Any:
    return lengths[index] if isinstance(index, int) else tf.gather(lengths, index)


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
