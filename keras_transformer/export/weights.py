"""How an export holds the weights of a network.

A graph hands each variable on, to every function and every branch that may use it. Of a search that
XLA has compiled, a hundred variables would be a good part of the time, though only the ordinary
search beside it reads them. So there they are one.
"""

import contextlib

import keras
import tensorflow as tf


class Variables(tf.Module):
    """A variable for each weight: for graphs that use them all the time.

    Args:
        translator: the `Translator` whose weights they are.
    """

    def __init__(self, translator):
        super().__init__()
        # Restored with a SavedModel is what is an attribute of the exported object; random states
        # of dropout are not needed.
        self.variables_used = [variable.value for variable in translator.model.weights]

    def used(self):
        """A context in which the network is called."""
        return contextlib.nullcontext()


class OneVariable(tf.Module):
    """One variable for all weights, which is divided for each call.

    Args:
        translator: the `Translator` whose weights they are.
    """

    def __init__(self, translator):
        super().__init__()
        self.translator = translator
        rows = [tf.reshape(variable.value, [-1]) for variable in translator.model.weights]
        self.row = tf.Variable(tf.concat(rows, axis=0), trainable=False)

    def used(self):
        """A context in which the network is called."""
        weights = self.translator.model.weights
        parts = tf.split(self.row, [variable.shape.num_elements() for variable in weights])
        return keras.StatelessScope(
            [
                (variable, tf.reshape(part, variable.shape))
                for variable, part in zip(weights, parts, strict=True)
            ]
        )
