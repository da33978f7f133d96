"""`best_by_probability` and `best_by_logit` against `tf.math.top_k` over `tf.nn.log_softmax`."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.kernels.top_k import (
    BLOCK,
    NEVER,
    best_by_logit,
    best_by_probability,
    best_in_blocks,
    bounded_log,
    in_blocks,
)
from keras_transformer.tensors import Tensor

KERNELS = best_by_probability, best_by_logit
Kernel: TypeAlias = Callable[[Tensor, Tensor, int], tuple[Tensor, Tensor, Tensor]]
VOCAB_SIZES = st.sampled_from([BLOCK, 100, 3 * BLOCK, 10 * BLOCK, 1000])


def by_tensorflow(scores: Tensor, logits: Tensor, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return the best continuations, by `tf.math.top_k` over the whole vocabulary."""
    batch, beam_size, vocab_size = logits.shape
    totals = scores[..., tf.newaxis] + tf.nn.log_softmax(logits)
    best, places = tf.math.top_k(tf.reshape(totals, (batch, beam_size * vocab_size)), count)
    return best, places // vocab_size, places % vocab_size


@given(
    vocab_size=VOCAB_SIZES,
    batch=st.integers(1, 3),
    beam_size=st.integers(1, 4),
    count=st.integers(1, 12),
    kernel=st.sampled_from(KERNELS),
    seed=st.integers(0, 1000),
)
def test_result_equals_top_k_of_log_softmax(
    vocab_size: int, batch: int, beam_size: int, count: int, kernel: Kernel, seed: int
) -> None:
    draw = np.random.default_rng(seed)
    scores = tf.constant(draw.normal(size=(batch, beam_size)), tf.float32)
    logits = tf.constant(draw.normal(size=(batch, beam_size, vocab_size)), tf.float32)
    best, parents, ids = kernel(scores, logits, count)
    wanted_best, wanted_parents, wanted_ids = by_tensorflow(scores, logits, count)
    np.testing.assert_array_equal(parents, wanted_parents)
    np.testing.assert_array_equal(ids, wanted_ids)
    np.testing.assert_allclose(best, wanted_best, rtol=1e-4, atol=1e-5)


@given(
    vocab_size=VOCAB_SIZES,
    beam_size=st.integers(1, 3),
    count=st.integers(1, 8),
    kernel=st.sampled_from(KERNELS),
    seed=st.integers(0, 1000),
)
def test_gradients_equal_those_of_top_k_of_log_softmax(
    vocab_size: int, beam_size: int, count: int, kernel: Kernel, seed: int
) -> None:
    draw = np.random.default_rng(seed)
    scores = tf.constant(draw.normal(size=(2, beam_size)), tf.float32)
    logits = tf.constant(draw.normal(size=(2, beam_size, vocab_size)), tf.float32)
    upstream = tf.constant(draw.normal(size=(2, count)), tf.float32)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([scores, logits])
        best, *_ = kernel(scores, logits, count)
        wanted, *_ = by_tensorflow(scores, logits, count)
    for x in (scores, logits):
        np.testing.assert_allclose(
            tape.gradient(best, x, upstream), tape.gradient(wanted, x, upstream), atol=1e-4
        )


@pytest.mark.parametrize("kernel", KERNELS)
def test_xla_finds_the_same(kernel: Kernel) -> None:
    draw = np.random.default_rng(0)
    scores = tf.constant(draw.normal(size=(1, 4)), tf.float32)
    logits = tf.constant(draw.normal(size=(1, 4, 10 * BLOCK)), tf.float32)
    compiled = tf.function(kernel, jit_compile=True)
    best, parents, ids = compiled(scores, logits, 8)
    wanted_best, wanted_parents, wanted_ids = by_tensorflow(scores, logits, 8)
    np.testing.assert_array_equal(parents, wanted_parents)
    np.testing.assert_array_equal(ids, wanted_ids)
    np.testing.assert_allclose(best, wanted_best, rtol=1e-4)


@pytest.mark.parametrize("kernel", KERNELS)
def test_best_ids_may_all_be_in_one_block(kernel: Kernel) -> None:
    logits = np.zeros((1, 2, 4 * BLOCK), np.float32)
    logits[0, 1, BLOCK : BLOCK + 3] = [7, 9, 8]
    _, parents, ids = kernel(tf.zeros((1, 2)), tf.constant(logits), 3)
    np.testing.assert_array_equal(parents, [[1, 1, 1]])
    np.testing.assert_array_equal(ids, [[BLOCK + 1, BLOCK + 2, BLOCK]])


@pytest.mark.parametrize("kernel", KERNELS)
def test_probabilities_below_the_range_of_float32_have_finite_scores(kernel: Kernel) -> None:
    logits = tf.constant([[[0.0, 300.0, NEVER, -1.0]]])
    best, _, ids = kernel(tf.zeros((1, 1)), logits, 1)
    assert (best.numpy().item(), ids.numpy().item()) == (0, 1)
    assert np.isfinite(kernel(tf.zeros((1, 1)), logits, 4)[0]).all()


@pytest.mark.parametrize("kernel", KERNELS)
def test_forbidden_ids_have_the_score_never(kernel: Kernel) -> None:
    logits = tf.constant([[[0.0, 300.0, NEVER, -1.0]]])
    best, _, ids = kernel(tf.zeros((1, 1)), logits, 4)
    assert best.numpy()[ids.numpy() == 2].item() < NEVER / 2
    assert 2 not in ids.numpy()[best.numpy() > NEVER / 2]


def test_logarithms_are_bounded_by_never() -> None:
    found = bounded_log(tf.constant([1.0, 0.5, 1e-37, 0.0]))
    np.testing.assert_allclose(found, [0, np.log(0.5), np.log(1e-37), NEVER], rtol=1e-5)


@pytest.mark.parametrize(
    ("vocab_size", "count", "size"),
    [(4 * BLOCK, 3, BLOCK), (4 * BLOCK, 4, 1), (4 * BLOCK + 1, 3, 1)],
)
def test_blocks_and_their_maxima(vocab_size: int, count: int, size: int) -> None:
    """A vocabulary is not split if it is no multiple of `BLOCK`, or if every block is needed."""
    values = np.random.default_rng(0).normal(size=(2, 1, vocab_size)).astype(np.float32)
    blocks, maxima = in_blocks(tf.constant(values), count)
    rows = values.reshape(2, -1, size)
    np.testing.assert_array_equal(blocks, rows)
    np.testing.assert_array_equal(maxima, rows.max(-1).reshape(2, 1, -1))


def test_best_in_blocks_equals_top_k_of_the_sums() -> None:
    draw = np.random.default_rng(0)
    scores = draw.normal(size=(3, 2)).astype(np.float32)
    values = draw.normal(size=(3, 2, 4 * BLOCK)).astype(np.float32)
    best, parents, ids = best_in_blocks(tf.constant(scores), in_blocks(tf.constant(values), 5), 5)
    sums = (scores[..., np.newaxis] + values).reshape(3, -1)
    wanted = np.argsort(-sums, axis=-1)[:, :5]
    np.testing.assert_array_equal(parents * 4 * BLOCK + ids, wanted)
    np.testing.assert_allclose(best, np.take_along_axis(sums, wanted, -1), rtol=1e-6)
