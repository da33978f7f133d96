"""The interface of a search strategy, and the loop that runs a strategy.

The score of a result is the sum of the log probabilities of its ids, divided by the length penalty.
"""

import abc
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

import tensorflow as tf

from keras_transformer.errors import UserError
from keras_transformer.search.execution import TensorFlowExecution, XlaExecution
from keras_transformer.search.settings import STRATEGIES, SearchSettings
from keras_transformer.tensors import Nest, Tensor

StepFunction: TypeAlias = Callable[[Tensor, Tensor, Tensor, Nest], tuple[Tensor, Nest]]
Execution: TypeAlias = TensorFlowExecution | XlaExecution
MIN_LIVE_SHARE = 0.85  # fraction of the batch; if fewer sources are live, the finished ones leave


class Hypotheses(NamedTuple):
    """The n best hypotheses of each source, the best first."""

    # int32 (B, n, T): without the start token. The end token, which is present if the hypothesis
    # ended within T positions, is followed by zeros.
    ids: Tensor
    # float32 (B, n): NEVER where a source has fewer than n hypotheses.
    scores: Tensor
    # bool (B,): whether a search of more than T positions would give the same hypotheses.
    done: Tensor


@dataclass(frozen=True)
class Target:
    """The special tokens and the maximum length of the hypotheses.

    Args:
        start: id of the start token.
        end: id of the end token.
        max_length: maximum number of ids T of a hypothesis in this search, including the end token;
            an int or a scalar tensor.
        limit: the largest `max_length` of any search for the same source; `max_length` by default.
    """

    start: int
    end: int
    max_length: Any
    limit: Any = None

    @property
    def longest(self) -> Any:
        """The `limit`, or `max_length` if there is none."""
        return self.max_length if self.limit is None else self.limit


class Strategy(abc.ABC):
    """A search strategy.

    The state of a search is a NamedTuple of tensors. Its field `rows`, int32 (n,), holds the
    indices of the sources that are still in the batch; its field `network` is the last argument of
    the step function. The first axis of all other tensors is n as well.

    Args:
        settings: the `SearchSettings`.
        target: the `Target`.
        execution: a `TensorFlowExecution` or an `XlaExecution`.
    """

    deterministic: ClassVar[bool] = True  # whether equal sources always yield equal hypotheses

    def __init__(self, settings: SearchSettings, target: Target, execution: Execution) -> None:
        self.settings = settings
        self.target = target
        self.execution = execution

    @staticmethod
    def width(settings: SearchSettings) -> int:
        """Return the number k of hypotheses that a step extends for each source."""
        return settings.n_best

    @abc.abstractmethod
    def initial_state(self, batch: Tensor, network: Nest) -> Any:
        """Return the state before the first position, for `batch` sources."""

    @abc.abstractmethod
    def extend(self, position: Tensor, state: Any, step: StepFunction) -> Any:
        """Return the state after one more position."""

    @abc.abstractmethod
    def done(self, state: Any) -> Tensor:
        """Return whether the search of each source is finished, bool (n,)."""

    @abc.abstractmethod
    def rank(self, position: Tensor, state: Any) -> Hypotheses:
        """Return the `Hypotheses` of a state in which `position` positions have been searched."""


def strategy_class(settings: SearchSettings) -> type[Strategy]:
    """Return the `Strategy` class that the settings select.

    Raises:
        UserError: If the strategy has fewer hypotheses than `n_best`.
    """
    is_greedy = settings.strategy == "beam" and settings.beam_size == 1
    module, name = STRATEGIES["greedy" if is_greedy else settings.strategy].split(":")
    strategy = getattr(importlib.import_module(module), name)
    width = strategy.width(settings)
    if settings.n_best > width:
        raise UserError(f"n_best must be at most {width} for {settings.strategy} search")
    return strategy


def search(strategy: Strategy, step: StepFunction, batch: Tensor, network: Nest) -> Hypotheses:
    """Search for the best hypotheses of each source.

    The search consists of TensorFlow operations, for use in a `tf.function`.

    Args:
        strategy: the `Strategy`.
        step: the step function.
        batch: number of sources B, a scalar tensor.
        network: the last argument of the first step.

    Returns:
        The `Hypotheses` of all sources, in the order of the batch.
    """

    def has_more(position: Tensor, state: Any, _: Hypotheses) -> Tensor:
        return (position < strategy.target.max_length) & ~tf.reduce_all(strategy.done(state))

    def extend(position: Tensor, state: Any, found: Hypotheses) -> tuple:
        state = strategy.extend(position, state, step)
        if strategy.execution.drops_finished:
            state, found = _drop_finished(strategy, position + 1, state, found)
        return position + 1, state, found

    first = strategy.initial_state(batch, network)
    found = _nothing_found(batch, strategy.settings.n_best, strategy.target.max_length)
    position, state, found = _loop(has_more, extend, (0, first, found))
    ranked = strategy.rank(position, state)
    return _replace_rows(found, state.rows, ranked) if strategy.execution.drops_finished else ranked


def _nothing_found(batch: Tensor, n_best: int, max_length: Any) -> Hypotheses:
    return Hypotheses(
        tf.zeros((batch, n_best, max_length), tf.int32),
        tf.zeros((batch, n_best), tf.float32),
        tf.zeros((batch,), tf.bool),
    )


def _drop_finished(
    strategy: Strategy, position: Tensor, state: Any, found: Hypotheses
) -> tuple[Any, Hypotheses]:
    """Move the finished sources to `found` if less than `MIN_LIVE_SHARE` of the state is live."""
    live = ~strategy.done(state)

    def drop() -> tuple[Any, Hypotheses]:
        kept = tf.where(live)[:, 0]
        ranked = _replace_rows(found, state.rows, strategy.rank(position, state))
        return tf.nest.map_structure(lambda tensor: tf.gather(tensor, kept), state), ranked

    share = tf.reduce_mean(tf.cast(live, tf.float32))
    return tf.cond(share < MIN_LIVE_SHARE, drop, lambda: (state, found))


def _replace_rows(found: Hypotheses, rows: Tensor, hypotheses: Hypotheses) -> Hypotheses:
    """Return `found` with the `hypotheses` of the sources `rows` in place of the old ones."""
    rows = rows[:, tf.newaxis]
    return Hypotheses(
        *(
            tf.tensor_scatter_nd_update(old, rows, new)
            for old, new in zip(found, hypotheses, strict=True)
        )
    )


def _loop(condition: Callable, body: Callable, first: tuple) -> tuple:
    """Run `tf.while_loop`; sources may leave the batch, and empty axes of the network may grow."""

    def leaving(tensor: Tensor) -> tf.TensorShape:
        return tf.TensorShape([None, *tensor.shape[1:]])

    def growing(tensor: Tensor) -> tf.TensorShape:
        return tf.TensorShape([None, *(size or None for size in tensor.shape[1:])])

    _, state, found = first
    shapes = tf.nest.map_structure(leaving, state._replace(network=()))
    shapes = shapes._replace(network=tf.nest.map_structure(growing, state.network))
    found_shapes = tf.nest.map_structure(leaving, found)
    invariants = (tf.TensorShape([]), shapes, found_shapes)
    return tf.while_loop(condition, body, first, shape_invariants=invariants)


def length_penalty(length: Tensor, alpha: float) -> Tensor:
    """Return the divisor of the log probability of `length` ids; 1 if alpha is 0.

    ((5 + length) / 6) ** alpha, where `length` includes the end token (Wu et al. 2016, section 7).
    """
    return tf.pow((5.0 + tf.cast(length, tf.float32)) / 6.0, alpha)


def start_ids(shape: tuple, target: Target) -> Tensor:
    """Return the ids (*shape, T + 1) of empty hypotheses: the start token, then zeros."""
    starts = tf.fill((*shape, 1), target.start)
    return tf.concat([starts, tf.zeros((*shape, target.max_length), tf.int32)], -1)


def write(ids: Tensor, position: Tensor, new: Tensor) -> Tensor:
    """Return ids (..., T) with `new` (...) at `position` of the last axis."""
    here = tf.range(tf.shape(ids)[-1]) == position
    return tf.where(here, new[..., tf.newaxis], ids)


def own_lineage(position: Tensor, batch: Tensor, width: int, max_length: Any) -> Tensor:
    """Return the lineage (batch, width, T) of hypotheses that never change their slots."""
    slots = tf.range(width)[:, tf.newaxis]  # (k, 1)
    is_past = tf.range(max_length) <= position  # (T,)
    return tf.tile(tf.where(is_past, slots, -1)[tf.newaxis], (batch, 1, 1))
