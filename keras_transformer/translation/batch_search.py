"""The search for batches, traced as a graph of TensorFlow."""

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from keras_transformer.search.settings import SearchSettings
from keras_transformer.search.strategy import Hypotheses
from keras_transformer.tensors import Tensor
from keras_transformer.text.batches import pad
from keras_transformer.translation.network_search import NetworkSearch
from keras_transformer.translation.shortlist import Shortlist

MAX_SEARCHES = 8  # traced or compiled searches that are kept, one for each `SearchSettings`


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
    """Return a function that keeps its last `MAX_SEARCHES` results, for use by several threads."""
    results, lock = functools.lru_cache(MAX_SEARCHES)(make), threading.Lock()

    def result(settings: SearchSettings) -> Any:
        with lock:  # threads that start together share one result
            return results(settings)

    return result
