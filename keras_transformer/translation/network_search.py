"""The search with a network: source ids in, hypotheses out, as TensorFlow operations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import keras
import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.kernels import vocabulary_projection
from keras_transformer.kernels.dense import size
from keras_transformer.kernels.top_k import BLOCK
from keras_transformer.kernels.vocabulary_projection import Projection
from keras_transformer.model.caches import FixedCache, GrowingCache
from keras_transformer.model.transformer import Transformer
from keras_transformer.search.execution import TensorFlowExecution, XlaExecution
from keras_transformer.search.settings import SearchSettings
from keras_transformer.search.strategy import (
    Hypotheses,
    StepFunction,
    Target,
    search,
    strategy_class,
)
from keras_transformer.tensors import Nest, Tensor
from keras_transformer.text.subwords import PADDING


class GrowingCaches(TensorFlowExecution):
    """Execution by TensorFlow, with caches that grow."""

    def max_length(self, limit: int) -> Any:
        """Return the maximum number of ids of a hypothesis, given the `limit` of the search."""
        return limit

    def caches(self, model: Transformer, batch: Tensor, width: int) -> Nest:
        """Return the empty caches of the decoder for `width` hypotheses per source."""
        return model.decoder.caches(GrowingCache, batch)

    def mask(self, lineage: Tensor, position: Tensor) -> Tensor | None:
        """Return the `lineage_mask` of a lineage (B, k, T) for the slots of the caches.

        A single hypothesis has no slots of others, and needs no mask.
        """
        return None if lineage.shape[1] == 1 else lineage_mask(lineage[:, :, : position + 1])

    def projection(self, table: Tensor, bias: Tensor) -> Projection:
        """Return the `vocabulary_projection` that is fastest in this execution."""
        return vocabulary_projection.by_kernel(table, bias)


@dataclass(frozen=True)
class FixedCaches(XlaExecution):
    """Execution by XLA, with caches of a fixed size.

    The methods are those of `GrowingCaches`.

    Args:
        length: maximum number of ids of a hypothesis, an int or a scalar tensor that XLA can
            evaluate at compile time.
    """

    length: Any

    def max_length(self, limit: int) -> Any:
        return self.length

    def caches(self, model: Transformer, batch: Tensor, width: int) -> Nest:
        return model.decoder.caches(FixedCache, batch, self.length * width)

    def mask(self, lineage: Tensor, position: Tensor) -> Tensor | None:
        return lineage_mask(lineage)

    def projection(self, table: Tensor, bias: Tensor) -> Projection:
        return vocabulary_projection.by_blocks(table, bias)


NetworkExecution: TypeAlias = GrowingCaches | FixedCaches


class NetworkSearch:
    """Searches for the translations that a network finds most probable.

    Args:
        model: the `Transformer`.
        start: id of the start token of targets.
        end: id of the end token of targets.
        suppressed: target ids that must not be generated.
        max_length: maximum number of ids of a translation, including the end token.
    """

    def __init__(
        self, model: Transformer, start: int, end: int, suppressed: Sequence[int], max_length: int
    ) -> None:
        self.model = model
        self.start = start
        self.end = end
        self.suppressed = suppressed
        self.max_length = max_length

    def limit(self, settings: SearchSettings) -> int:
        """Return the maximum number of ids that the network and the settings allow."""
        return min(self.max_length, settings.max_length or self.max_length)

    def __call__(
        self,
        source: Tensor,
        settings: SearchSettings,
        execution: NetworkExecution | None = None,
        shortlist: Tensor | None = None,
    ) -> Hypotheses:
        """Search for translations.

        With a shortlist, the scores are those of a network that knows no other ids: the
        probabilities of the ids of the shortlist add up to 1.

        Args:
            source: ids (B, S).
            settings: the `SearchSettings`.
            execution: `GrowingCaches`, the default, or `FixedCaches`.
            shortlist: the target ids (N,) that the search considers, in increasing order,
                including padding, start and end; all by default.

        Returns:
            `Hypotheses` (B, n, T).

        Raises:
            UserError: If the beam is larger than the vocabulary or the shortlist. A shortlist whose
                size is unknown when the search is traced is not checked: after the first position,
                a larger beam then has fewer hypotheses than it could have.
        """
        self._check_beam(settings, shortlist)
        execution = execution or GrowingCaches()
        kind, limit = strategy_class(settings), self.limit(settings)
        ends = self.start, self.end
        if shortlist is not None:
            ends = tuple(_places(shortlist, ends))
        target = Target(*ends, execution.max_length(limit), limit)
        batch, width = tf.shape(source)[0], kind.width(settings)
        with _weights_read_once(self.model):
            network = self.model.encode(source), execution.caches(self.model, batch, width)
            step = self._step(execution, shortlist)
            found = search(kind(settings, target, execution), step, batch, network)
        if shortlist is None:
            return found
        return found._replace(ids=tf.gather(_in_whole_blocks(shortlist), found.ids))

    def _check_beam(self, settings: SearchSettings, shortlist: Tensor | None) -> None:
        """Raise a `UserError` if the first position has fewer ids than the beam has hypotheses."""
        excluded = {*self.suppressed, self.end}
        count = self.model.final_layer.bias.shape[0] - len(excluded)
        if shortlist is not None and shortlist.shape[0] is not None:
            # It has these three ids; which of the other suppressed ids it has is unknown.
            excluded &= {PADDING, self.start, self.end}
            count = min(count, shortlist.shape[0] - len(excluded))
        if settings.strategy == "beam" and settings.beam_size > count:
            ids = "vocabulary" if shortlist is None else "shortlist"
            raise UserError(
                f"beam_size must be at most {count} for this {ids}, not {settings.beam_size}"
            )

    def _step(self, execution: NetworkExecution, shortlist: Tensor | None) -> StepFunction:
        """Return the step function of a search; its `network` is (encoded source, caches).

        The ids that the function is given, and those of its logits, are places in the shortlist.
        """
        project = self._projection(execution, shortlist)
        listed = None if shortlist is None else _in_whole_blocks(shortlist)

        def step(ids: Tensor, position: Tensor, lineage: Tensor, network: Nest) -> tuple:
            source, caches = network
            if listed is not None:
                ids = tf.gather(listed, ids)
            mask = execution.mask(lineage, position)
            features, caches = self.model.step(ids, position, caches, source, mask)
            return project(features), (source, caches)

        return step

    def _projection(self, execution: NetworkExecution, shortlist: Tensor | None) -> Projection:
        """Return the function that turns features (B, k, D) into logits (B, k, V)."""
        return execution.projection(*self._output_weights(shortlist))

    def _output_weights(self, shortlist: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return the table and the bias of the logits that the search computes."""
        weights = *self.model.final_weights(), self.suppressed
        if shortlist is None:
            return vocabulary_projection.padded(*weights)
        return vocabulary_projection.restricted(*weights, shortlist)


def _places(shortlist: Tensor, ids: Sequence[int]) -> Tensor:
    """Return the places of some ids in a shortlist (N,)."""
    return tf.unstack(tf.searchsorted(shortlist, tf.constant(ids, shortlist.dtype)))


def _in_whole_blocks(shortlist: Tensor) -> Tensor:
    """Return a shortlist (N,) with padding in the places that `restricted` adds.

    A hypothesis with such a place has the score `NEVER`, as when the beam is larger than N.
    """
    return tf.pad(shortlist, [[0, -size(shortlist, 0) % BLOCK]], constant_values=PADDING)


def _weights_read_once(model: Transformer) -> keras.StatelessScope:
    """Return a scope in which each weight is read once, not once per position."""
    values = [(variable, tf.convert_to_tensor(variable)) for variable in model.weights]
    return keras.StatelessScope(values)


def lineage_mask(lineage: Tensor) -> Tensor:
    """Return the mask that hides all slots of a cache but those of a hypothesis's ancestors.

    Args:
        lineage: (B, k, t) for t positions.

    Returns:
        float32 tensor (B, 1, k, t * k), 1 where a slot is hidden.
    """
    width = lineage.shape[1]
    hidden = tf.one_hot(lineage, width, on_value=0.0, off_value=1.0)  # (B, k, t, k)
    shape = tf.shape(lineage)
    return tf.reshape(hidden, (shape[0], 1, width, shape[2] * width))
