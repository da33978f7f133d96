"""The search of an export that XLA compiles: a graph that takes it where sentences are few."""

import tensorflow as tf

from keras_transformer.translation.compiled import Found, TensorSource

# With more sentences than this one ordinary search of them all is as fast.
MOST_COMPILED = 8


class CompiledSearch:
    """The search of `ordinary`, where XLA compiles what single sentences need.

    Args:
        alone: the `SentenceSearch`, for the best hypothesis.
        ordinary: source ids (B, S) -> ids (B, T) and scores (B,), for what is not compiled.
    """

    def __init__(self, alone, ordinary):
        self.alone = alone
        self.ordinary = _whole(ordinary)
        self.several = _whole(self._several)

    def __call__(self, source):
        """Source ids (B, S) -> ids (B, T) and scores (B,).

        A row of padding gives padding, with a score of 0.
        """
        is_alone = tf.shape(source)[0] == 1
        return tf.cond(is_alone, lambda: self._alone(source), lambda: self.several(source))

    def _alone(self, source):
        """The call for one source."""
        found = self._one(source[0])
        return found.ids, found.scores

    def _several(self, source):
        """The call for any other number of sources."""
        batch = tf.shape(source)[0]
        few = batch <= MOST_COMPILED
        # Not in the branch, where TensorFlow's C++ session fails with a loop of its own.
        rows = source[: tf.where(few, batch, 0)]
        found = tf.map_fn(self._one, rows, fn_output_signature=self._specifications())
        return tf.cond(
            few, lambda: (found.ids[:, 0], found.scores[:, 0]), lambda: self.ordinary(source)
        )

    def _specifications(self):
        """Those of a found sentence."""
        return Found(
            ids=tf.TensorSpec((1, self.alone.target_lengths[-1]), tf.int32),
            scores=tf.TensorSpec((1,), tf.float32),
            done=tf.TensorSpec((), tf.bool),
        )

    def _one(self, source):
        """Source ids (S,) -> `Found`."""
        found = self.alone(TensorSource(source))
        return found._replace(ids=tf.ensure_shape(found.ids, (1, self.alone.target_lengths[-1])))


def _whole(function):
    """A function that is not divided into its operations.

    Those of a branch that is not taken take time as well.
    """
    return tf.function(function, autograph=False, experimental_attributes={"_noinline": True})
