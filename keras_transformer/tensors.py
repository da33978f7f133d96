"""Names for the types of tensors, for which TensorFlow and Keras have no annotations.

The names document signatures. A type checker treats each of them as `Any`.
"""

from typing import Any, TypeAlias

Tensor: TypeAlias = Any  # a `tf.Tensor`, a Keras tensor, or a value that converts to one
Variable: TypeAlias = Any  # a `tf.Variable` or a `keras.Variable`
Nest: TypeAlias = Any  # a nested structure of tensors, as in `tf.nest`
