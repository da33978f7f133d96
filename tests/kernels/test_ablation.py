"""The built-ins of `benchmarks/kernels.py` compute the same as the kernels that they replace."""

from collections.abc import Callable

import numpy as np
import pytest
import tensorflow as tf

from benchmarks.ablation import replacements
from keras_transformer.kernels import dense, linear_cross_entropy, top_k, vocabulary_projection
from keras_transformer.tensors import Tensor


def normal(*shape: int) -> Tensor:
    return tf.random.stateless_normal(shape, (1, len(shape)))


@pytest.mark.parametrize("transpose_b", [False, True])
def test_dense(transpose_b: bool) -> None:
    x, bias = normal(2, 3, 4), normal(5)
    kernel = normal(5, 4) if transpose_b else normal(4, 5)
    np.testing.assert_allclose(
        replacements.dense(x, kernel, bias, tf.nn.relu, transpose_b),
        dense.dense(x, kernel, bias, tf.nn.relu, transpose_b),
        rtol=1e-5,
        atol=1e-6,
    )


def test_a_projection_by_the_table() -> None:
    features, table, bias = normal(2, 3, 4), normal(2 * top_k.BLOCK, 4), normal(2 * top_k.BLOCK)
    np.testing.assert_allclose(
        replacements.by_table(table, bias)(features),
        vocabulary_projection.by_blocks(table, bias)(features),
        rtol=1e-5,
        atol=1e-5,
    )


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_linear_cross_entropy(smoothing: float) -> None:
    inputs = normal(20, 4), normal(11, 4), normal(11), tf.range(20) % 11, smoothing
    np.testing.assert_allclose(
        replacements.projected_crossentropy(*inputs),
        linear_cross_entropy.projected_crossentropy(*inputs),
        rtol=1e-5,
    )


@pytest.mark.parametrize(
    "best_continuations", [replacements.top_k_of_vocabulary, replacements.blocks_of_log_softmax]
)
@pytest.mark.parametrize("kernel", [top_k.best_by_probability, top_k.best_by_logit])
def test_best_continuations(
    best_continuations: Callable[..., tuple[Tensor, ...]],
    kernel: Callable[..., tuple[Tensor, ...]],
) -> None:
    inputs = normal(2, 3), normal(2, 3, 4 * top_k.BLOCK), 5
    found, wanted = best_continuations(*inputs), kernel(*inputs)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)
