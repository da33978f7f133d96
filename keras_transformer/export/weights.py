"""The weights of a network in an export: one variable for each weight, or one for all of them.

A TensorFlow graph passes each variable as an argument to every function and every branch that may
read it. With a search compiled by XLA, passing a hundred variables would take a substantial part of
the latency, although only the ordinary search for larger batches reads them. Such an export
therefore stores all weights in one variable.
"""

import contextlib
from typing import TypeAlias

import keras
import tensorflow as tf

from keras_transformer.translation.translator import Translator


class Variables(tf.Module):
    """One variable for each weight, for graphs that read the variables in every call.

    Args:
        translator: the `Translator` whose weights are exported.
    """

    def __init__(self, translator: Translator) -> None:
        super().__init__()
        # A SavedModel restores only the variables that are attributes of the exported object. The
        # random states of dropout are not among the weights, and are not needed.
        self.variables_used = [variable.value for variable in translator.model.weights]

    def used(self) -> contextlib.nullcontext:
        """Return a context in which the network reads these variables."""
        return contextlib.nullcontext()


class OneVariable(tf.Module):
    """One variable for all weights, which is split in each call.

    Args:
        translator: the `Translator` whose weights are exported.
    """

    def __init__(self, translator: Translator) -> None:
        super().__init__()
        self.translator = translator
        rows = [tf.reshape(variable.value, [-1]) for variable in translator.model.weights]
        self.row = tf.Variable(tf.concat(rows, axis=0), trainable=False)

    def used(self) -> keras.StatelessScope:
        """Return a context in which the network reads its weights from this variable."""
        weights = self.translator.model.weights
        parts = tf.split(self.row, [variable.shape.num_elements() for variable in weights])
        return keras.StatelessScope(
            [
                (variable, tf.reshape(part, variable.shape))
                for variable, part in zip(weights, parts, strict=True)
            ]
        )


Weights: TypeAlias = Variables | OneVariable
