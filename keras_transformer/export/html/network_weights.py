"""The weights of a network in the form in which a page stores them, and back.

The names are Keras' paths without the name of the network. Matrices have one row per output: the
kernel (in, out) of a dense layer is transposed, the table (V, D) of an embedding is not.
"""

from collections.abc import Mapping

import keras
import numpy as np
from numpy.typing import NDArray

from keras_transformer.errors import CheckError
from keras_transformer.export.html.quantization import Quantized, quantize


def quantized(model: keras.Model, kind: str) -> dict[str, Quantized]:
    """Return {name: tensor} of all weights of a network.

    Args:
        model: the network.
        kind: "int8" or "float16", the form of the matrices.

    Raises:
        CheckError: If a weight is not finite, or too large for float16.
    """
    return {_name(each): _quantized(each, kind) for each in model.weights}


def _quantized(variable: keras.Variable, kind: str) -> Quantized:
    try:
        return quantize(_by_output(variable, variable.numpy()), kind)
    except CheckError as error:
        raise CheckError(f"{_name(variable)}: {error}") from error


def assign(model: keras.Model, tensors: Mapping[str, Quantized]) -> None:
    """Make the weights of a network those with which a page computes.

    Args:
        model: the network.
        tensors: {name: tensor} of all its weights.
    """
    for variable in model.weights:
        variable.assign(_by_output(variable, tensors[_name(variable)].dequantized()))


def _name(variable: keras.Variable) -> str:
    return variable.path.partition("/")[2]


def _by_output(variable: keras.Variable, value: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a value of a weight with one row per output; or, applied again, in Keras' form."""
    return value.T if variable.name == "kernel" else value
