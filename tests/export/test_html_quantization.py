"""Quantized matrices: bounds of the errors, and the exact numbers of float16."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from keras_transformer.errors import CheckError
from keras_transformer.export.html.quantization import quantize

matrices = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, max_side=8),
    elements=st.floats(-(2.0**100), 2.0**100, width=32),
)


@given(matrices)
def test_the_error_of_int8_is_at_most_half_a_step(matrix):
    stored = quantize(matrix, "int8")
    assert stored.values.dtype == np.int8
    assert stored.values.min() >= -127
    # A scale is a float32: its relative error is 2**-24 for normal numbers. The error of rounding
    # a product or quotient is as small.
    largest = np.abs(matrix.astype(np.float64)).max(axis=1)
    np.testing.assert_allclose(stored.scales, largest / 127, rtol=2**-23, atol=2**-149)
    error = np.abs(stored.dequantized().astype(np.float64) - matrix)
    bound = stored.scales.astype(np.float64) / 2 + largest * 2**-22 + 127 * 2.0**-149
    assert (error <= bound[:, np.newaxis]).all()


def test_rows_have_scales_of_their_own():
    matrix = np.array([[127, -63.6, 0], [0, 0.5, 1.27], [0, 0, 0]], np.float32)
    stored = quantize(matrix, "int8")
    assert stored.values.tolist() == [[127, -64, 0], [0, 50, 127], [0, 0, 0]]
    np.testing.assert_array_equal(stored.scales, np.array([1, 0.01, 0], np.float32))
    np.testing.assert_array_equal(
        stored.dequantized(),
        np.array(
            [[127, -64, 0], [0, np.float32(0.01) * 50, np.float32(0.01) * 127], [0] * 3], "f4"
        ),
    )


def test_the_page_computes_with_single_precision_products():
    """The contract with the page: value = float32(scale * integer)."""
    matrix = np.random.default_rng(0).normal(size=(20, 30)).astype(np.float32)
    stored = quantize(matrix, "int8")
    exact = stored.values.astype(np.float64) * stored.scales.astype(np.float64)[:, np.newaxis]
    np.testing.assert_array_equal(stored.dequantized(), exact.astype(np.float32))


@given(arrays(np.float32, (3, 4), elements=st.floats(-65504, 65504, width=32)))
def test_float16_is_that_of_numpy(matrix):
    stored = quantize(matrix, "float16")
    assert (stored.kind, stored.values.dtype, stored.scales) == ("float16", np.float16, None)
    np.testing.assert_array_equal(stored.dequantized(), matrix.astype(np.float16).astype("f4"))


@pytest.mark.parametrize("kind", ["int8", "float16"])
def test_vectors_stay_exact(kind):
    vector = np.array([1e-30, 1e30, 1 / 3], np.float32)
    stored = quantize(vector, kind)
    assert stored.kind == "float32"
    np.testing.assert_array_equal(stored.dequantized(), vector)


@pytest.mark.parametrize("kind", ["int8", "float16"])
@pytest.mark.parametrize("shape", [(4,), (2, 2)])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_rejected(kind, shape, value):
    weight = np.ones(shape, np.float32)
    weight.flat[-1] = value
    with pytest.raises(CheckError, match="not a finite number"):
        quantize(weight, kind)


def test_numbers_too_large_for_float16_are_rejected():
    """65520 is the smallest number that IEEE 754 rounds to infinity."""
    quantize(np.array([[65519]], np.float32), "float16")
    with pytest.raises(CheckError, match="a weight of 65520 is too large for float16"):
        quantize(np.array([[-65520]], np.float32), "float16")
