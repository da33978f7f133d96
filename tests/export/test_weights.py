"""The variables of an export. test_signatures tests which of them are saved."""

import numpy as np

from keras_transformer.export.weights import OneVariable


def test_the_network_reads_its_weights_from_one_variable(translator):
    weights = translator.model.weights
    before = [variable.numpy() for variable in weights]
    row = OneVariable(translator)
    np.testing.assert_array_equal(row.row, np.concatenate([value.ravel() for value in before]))
    row.row.assign(row.row * 2)
    with row.used():
        for variable, value in zip(weights, before, strict=True):
            np.testing.assert_array_equal(variable.value, 2 * value)
