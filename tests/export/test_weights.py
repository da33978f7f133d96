"""How an export holds weights; what is saved of them is in test_saved_model."""

import numpy as np

from keras_transformer.export.weights import OneVariable


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
