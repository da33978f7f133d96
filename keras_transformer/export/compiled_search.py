"""The search of an export for XLA: small batches are searched by a compiled function."""

from collections.abc import Callable

import tensorflow as tf

from keras_transformer.tensors import Tensor
from keras_transformer.translation.paddable_source import TensorSource
from keras_transformer.translation.xla_search import Found, SentenceSearch

# For larger batches, one ordinary search of the whole batch is as fast.
MAX_COMPILED = 8


class CompiledSearch:
    """A search that uses XLA, one sentence at a time, if the batch is small.

    Args:
        alone: the `SentenceSearch`, of which only the best hypothesis is used.
        ordinary: the search for larger batches, source ids (B, S) -> target ids (B, T) and scores
            (B,).
    """

    def __init__(self, alone: SentenceSearch, ordinary: Callable[[Tensor], tuple]) -> None:
        self.alone = alone
        self.ordinary = _not_inlined(ordinary)
        self.several = _not_inlined(self._several)

    def __call__(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return target ids (B, T) and scores (B,) for source ids (B, S).

        A row of padding yields a row of padding with a score of 0.
        """
        is_alone = tf.shape(source)[0] == 1
        return tf.cond(is_alone, lambda: self._alone(source), lambda: self.several(source))

    def _alone(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the result of `__call__` for one source."""
        found = self._one(source[0])
        return found.ids, found.scores

    def _several(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Return the result of `__call__` for any other number of sources."""
        batch = tf.shape(source)[0]
        few = batch <= MAX_COMPILED
        # The loop is not inside the branch, because TensorFlow's C++ session fails on such loops.
        rows = source[: tf.where(few, batch, 0)]
        found = tf.map_fn(self._one, rows, fn_output_signature=self._specifications())
        return tf.cond(
            few, lambda: (found.ids[:, 0], found.scores[:, 0]), lambda: self.ordinary(source)
        )

    def _specifications(self) -> Found:
        """Return the `tf.TensorSpec`s of the result for one sentence."""
        return Found(
            ids=tf.TensorSpec((1, self.alone.target_lengths[-1]), tf.int32),
            scores=tf.TensorSpec((1,), tf.float32),
            done=tf.TensorSpec((), tf.bool),
        )

    def _one(self, source: Tensor) -> Found:
        """Return the best hypothesis for the ids (S,) of one source."""
        found = self.alone(TensorSource(source))
        if self.alone.settings.n_best > 1:
            found = found._replace(ids=found.ids[:1], scores=found.scores[:1])
        return found._replace(ids=tf.ensure_shape(found.ids, (1, self.alone.target_lengths[-1])))


def _not_inlined(function: Callable[[Tensor], tuple]) -> Callable[[Tensor], tuple]:
    """Return a `tf.function` that TensorFlow does not inline.

    Operations of inlined functions take time even in a branch that is not taken.
    """
    return tf.function(function, autograph=False, experimental_attributes={"_noinline": True})
