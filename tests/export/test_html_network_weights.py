"""The weights of networks of every kind, as a page stores them."""

import itertools

import keras
import numpy as np
import pytest

from keras_transformer.errors import CheckError
from keras_transformer.export.html.network_weights import assign, quantized
from keras_transformer.model.options import Options
from keras_transformer.model.transformer import Transformer

KINDS = list(itertools.product(["none", "output", "all"], [False, True]))


def network(tied_embeddings="all", norm_first=True):
    """Return a small network with one encoder layer and two decoder layers."""
    keras.utils.set_random_seed(1)
    options = Options(norm_first=norm_first, tied_embeddings=tied_embeddings, decoder_layers=2)
    sizes = {"input_vocab_size": 13 if tied_embeddings == "all" else 11, "target_vocab_size": 13}
    model = Transformer(1, 8, 2, 20, **sizes, maximum_position_encoding=9, options=options)
    model.build(((None, None), (None, None)))
    for variable in model.weights:
        variable.assign(variable + keras.random.normal(variable.shape, stddev=0.1))
    return model


def names_of(layer, has_cross_attention=False):
    """Return the names of the weights of a layer, as docs and the page's engine know them."""
    attention = ["mha/kernel", "mha/bias", "mha/dense/kernel", "mha/dense/bias"]
    feed_forward = [
        f"ffn/{part}/{kind}" for part in ("inner", "outer") for kind in ("kernel", "bias")
    ]
    sublayers = {"self_attention": attention, "feed_forward": feed_forward}
    sublayers |= {"cross_attention": attention} if has_cross_attention else {}
    residual = ["residual/layernorm/gamma", "residual/layernorm/beta"]
    return {
        f"{layer}/{sublayer}/{name}"
        for sublayer, own in sublayers.items()
        for name in own + residual
    }


@pytest.mark.parametrize(("tied_embeddings", "norm_first"), KINDS)
def test_the_names_are_those_that_the_page_knows(tied_embeddings, norm_first):
    wanted = names_of("encoder/layer1")
    wanted |= names_of("decoder/layer1", True) | names_of("decoder/layer2", True)
    wanted |= {"encoder/embedding/embedding/embeddings", "final_layer/bias"}
    if tied_embeddings != "all":
        wanted.add("decoder/embedding/embedding/embeddings")
    if tied_embeddings == "none":
        wanted.add("final_layer/kernel")
    if norm_first:
        stacks = itertools.product(["encoder", "decoder"], ["gamma", "beta"])
        wanted |= {f"{stack}/final_layernorm/{name}" for stack, name in stacks}
    assert set(quantized(network(tied_embeddings, norm_first), "int8")) == wanted


def test_matrices_have_a_row_for_each_output():
    model = network("none")
    tensors = quantized(model, "float16")
    inner = model.encoder.enc_layers[0].feed_forward.ffn.layers[0]
    shapes = {
        "encoder/embedding/embedding/embeddings": (11, 8),
        "final_layer/kernel": (13, 8),
        "encoder/layer1/self_attention/mha/kernel": (24, 8),
        "encoder/layer1/feed_forward/ffn/inner/kernel": (20, 8),
        "encoder/layer1/feed_forward/ffn/outer/kernel": (8, 20),
        "encoder/layer1/feed_forward/ffn/inner/bias": (20,),
    }
    assert {name: tensors[name].values.shape for name in shapes} == shapes
    kernel = tensors["encoder/layer1/feed_forward/ffn/inner/kernel"].dequantized()
    np.testing.assert_allclose(kernel.T, inner.get_weights()[0], rtol=1e-3)
    square = tensors["encoder/layer1/self_attention/mha/dense/kernel"].dequantized()
    wanted = model.encoder.enc_layers[0].self_attention.mha.dense.get_weights()[0]
    np.testing.assert_allclose(square.T, wanted, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize(("tied_embeddings", "norm_first"), KINDS)
@pytest.mark.parametrize(("kind", "tolerance"), [("int8", 0.05), ("float16", 0.005)])
def test_a_network_with_the_weights_of_a_page_is_similar(
    tied_embeddings, norm_first, kind, tolerance
):
    """A transposed or exchanged matrix would change the logits, which are of order 1."""
    model = network(tied_embeddings, norm_first)
    inputs = keras.ops.array([[3, 7, 2, 5]]), keras.ops.array([[4, 8, 1]])
    before = model(inputs, training=False).numpy()
    tensors = quantized(model, kind)
    assign(model, tensors)
    after = model(inputs, training=False).numpy()
    assert 0 < np.abs(after - before).max() < tolerance * np.abs(before).max()
    again = quantized(model, kind)
    for name, tensor in tensors.items():
        np.testing.assert_allclose(again[name].dequantized(), tensor.dequantized(), rtol=1e-6)


def test_an_error_names_the_weight():
    model = network()
    bias = model.decoder.dec_layers[1].feed_forward.ffn.layers[0].bias
    bias.assign(bias + np.inf)
    with pytest.raises(
        CheckError, match="^decoder/layer2/feed_forward/ffn/inner/bias: a weight is"
    ):
        quantized(model, "int8")
