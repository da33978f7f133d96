import numpy as np
import pytest
import tensorflow as tf

from keras_transformer.kernels import vocabulary_projection as final_layer
from keras_transformer.kernels.top_k import BLOCK, NEVER

V, D = 2 * BLOCK + 5, 8
NUMBERS = np.random.default_rng(0)
TABLE = NUMBERS.normal(size=(V, D)).astype(np.float32)
BIAS = NUMBERS.normal(size=V).astype(np.float32)
LAYERS = [final_layer.by_kernel, final_layer.by_table, final_layer.by_blocks]


@pytest.mark.parametrize("vocab_size", [BLOCK, BLOCK + 1, V])
def test_filled_up_to_blocks(vocab_size):
    """What is added, and what is never to be chosen, has no chance."""
    table, bias = final_layer.filled(tf.constant(TABLE[:vocab_size]), BIAS[:vocab_size], [0, 3])
    assert bias.shape[0] % BLOCK == 0
    assert bias.shape[0] - vocab_size < BLOCK
    np.testing.assert_array_equal(table[:vocab_size], TABLE[:vocab_size])
    chosen = np.arange(bias.shape[0]) < vocab_size
    chosen[[0, 3]] = False
    np.testing.assert_array_equal(bias[chosen], BIAS[:vocab_size][chosen[:vocab_size]])
    assert (bias[~chosen].numpy() < NEVER / 2).all()


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("xla", [False, True])
@pytest.mark.parametrize(("batch", "hypotheses"), [(1, 1), (1, 5), (3, 4)])
def test_logits(layer, xla, batch, hypotheses):
    features = NUMBERS.normal(size=(batch, hypotheses, D)).astype(np.float32)
    table, bias = final_layer.filled(tf.constant(TABLE), BIAS, [])
    logits = tf.function(layer(table, bias), jit_compile=xla)(tf.constant(features))
    np.testing.assert_allclose(logits[..., :V], features @ TABLE.T + BIAS, rtol=1e-5, atol=1e-5)
    assert logits.shape == (batch, hypotheses, bias.shape[0])


def test_logits_are_float32():
    weights = final_layer.filled(tf.constant(TABLE), BIAS, [])
    for layer in LAYERS:
        assert layer(*weights)(tf.zeros((1, 2, D), tf.bfloat16)).dtype == tf.float32
