"""Names for the types of tensors, which neither TensorFlow nor Keras annotates.

They document a signature; a type checker treats each of them as `Any`.
"""

from typing import Any, TypeAlias

Tensor: TypeAlias = Any  # a `tf.Tensor`, a Keras tensor, or what converts to one
Variable: TypeAlias = Any  # a `tf.Variable` or a `keras.Variable`
Nest: TypeAlias = Any  # a nest of tensors: tuples, lists and dicts of them
