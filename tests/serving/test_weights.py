"""How an export holds weights; what is saved of them is in test_saved_model."""

from types import SimpleNamespace

import numpy as np
import pytest

from keras_transformer.errors import UserError
from keras_transformer.serving.weights import MOST_CONSTANTS, OneVariable, constants


def test_one_variable(translator):
    """In its context the network has the weights that it had when the variable was made."""
    weights = translator.model.weights
    before = [variable.numpy() for variable in weights]
    row = OneVariable(translator)
    np.testing.assert_array_equal(row.row, np.concatenate([value.ravel() for value in before]))
    row.row.assign(row.row * 2)
    with row.used():
        for variable, value in zip(weights, before, strict=True):
            np.testing.assert_array_equal(variable.value, 2 * value)


def test_constants(translator):
    for variable, value in constants(translator):
        np.testing.assert_array_equal(variable, value)


def test_too_many_for_a_graph():
    table = SimpleNamespace(shape=(MOST_CONSTANTS // 64 + 1, 64))
    network = SimpleNamespace(model=SimpleNamespace(weights=[table]))
    with pytest.raises(UserError, match="--xla: the network has more than 250,000,000 weights"):
        constants(network)
