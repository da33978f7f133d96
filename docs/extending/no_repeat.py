"""Greedy search that writes no id twice."""

import tensorflow as tf

from keras_transformer.kernels.dense import size
from keras_transformer.kernels.top_k import NEVER
from keras_transformer.search.greedy import GreedySearch, GreedyState
from keras_transformer.search.strategy import StepFunction
from keras_transformer.tensors import Nest, Tensor


class NoRepeatSearch(GreedySearch):
    """Greedy search in which the ids of the hypothesis so far are excluded."""

    def extend(self, position: Tensor, state: GreedyState, step: StepFunction) -> GreedyState:
        def step_without_repeats(
            ids: Tensor, position: Tensor, lineage: Tensor, network: Nest
        ) -> tuple[Tensor, Nest]:
            logits, network = step(ids, position, lineage, network)  # (n, 1, V)
            # With a shortlist, V is unknown when the search is traced.
            written = tf.one_hot(state.ids[:, 1:], size(logits, 2))  # (n, T, V)
            return logits + NEVER * tf.reduce_max(written, axis=1, keepdims=True), network

        return super().extend(position, state, step_without_repeats)
