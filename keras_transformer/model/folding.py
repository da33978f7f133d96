"""Layer normalizations folded into the weights beside them, for a faster search.

With pre-norm, the layers add vectors to a residual stream, and read it through normalizations that
products follow. If all vectors that are added have mean 0, so does the stream, and it need not be
centered again. The scale and the offset of a normalization can be part of the product that follows.
What remains of the normalization is the division by the root mean square (Jiang et al. 2023,
*Pre-RMSNorm and Pre-CRMSNorm Transformers*, section 3). The results are equal but for rounding.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import keras
import numpy as np

from keras_transformer.kernels.dense import Dense
from keras_transformer.kernels.dropout import Dropout
from keras_transformer.kernels.layer_normalization import LayerNormalization
from keras_transformer.model.attention import MultiHeadAttention
from keras_transformer.model.sublayers import (
    CrossAttention,
    FeedForward,
    PreNormResidual,
    SelfAttention,
)
from keras_transformer.model.transformer import Transformer
from keras_transformer.tensors import Variable

MAX_WEIGHTS = 100_000_000
Sublayer: TypeAlias = SelfAttention | CrossAttention | FeedForward


def folded(model: Transformer) -> Transformer:
    """Return an equal network whose sublayers only divide by the root mean square.

    It has its own weights, and is not meant for training. The model itself is returned if it is
    post-norm, so that its stream consists of normalized vectors; if its layers are not those of
    this package; if it does not compute in float32; or if it is so large that normalizations take
    hardly any of its time.
    """
    if not _can_be_folded(model):
        return model
    options = model.options._replace(folded=True)
    result = Transformer(**model.settings, options=options, name=model.name, dtype="float32")
    result.build(None)
    values = {variable.path: variable for variable in model.weights}
    if values.keys() ^ _paths(result.weights) != _paths(_folded_weights(model)):
        return model  # it has layers beside those that `_sublayers` yields
    for variable in result.weights:
        variable.assign(values[variable.path])
    for new, old in zip(_sublayers(result), _sublayers(model), strict=True):
        _fold(new, old.residual.layernorm)
    return result


def _can_be_folded(model: Transformer) -> bool:
    return (
        model.dtype_policy.name == "float32"
        and model.count_params() <= MAX_WEIGHTS
        and all(map(_is_known, _sublayers(model)))
    )


def _is_known(sublayer: Sublayer) -> bool:
    """Return whether a sublayer consists of the layers that `_fold` expects."""
    if type(sublayer) not in (SelfAttention, CrossAttention, FeedForward):
        return False
    residual = sublayer.residual
    if type(residual) is not PreNormResidual or type(residual.layernorm) is not LayerNormalization:
        return False
    if isinstance(sublayer, FeedForward):
        return _is_known_network(sublayer.ffn)
    return type(sublayer.mha) is MultiHeadAttention


def _is_known_network(network: keras.Sequential) -> bool:
    """Return whether a feed-forward network begins and ends with products that have biases."""
    if [*map(type, network.layers)] != [Dense, Dropout, Dense]:
        return False
    inner, _, outer = network.layers
    return inner.use_bias and outer.use_bias and outer.activation is keras.activations.linear


def _folded_weights(model: Transformer) -> list[Variable]:
    """Return the weights that a folded network lacks: scales and offsets of its sublayers."""
    normalizations = [sublayer.residual.layernorm for sublayer in _sublayers(model)]
    return [weight for each in normalizations for weight in (each.gamma, each.beta)]


def _paths(weights: Iterable[Variable]) -> set[str]:
    return {weight.path for weight in weights}


def _sublayers(model: Transformer) -> Iterator[Sublayer]:
    """Yield all sublayers of a network."""
    for layer in model.encoder.enc_layers:
        yield from (layer.self_attention, layer.feed_forward)
    for layer in model.decoder.dec_layers:
        yield from (layer.self_attention, layer.cross_attention, layer.feed_forward)


def _fold(sublayer: Sublayer, layernorm: LayerNormalization) -> None:
    """Fold a normalization into the first and the last weights of a sublayer."""
    first, last, columns = _first_and_last(sublayer)
    _scale_and_shift(first, columns, layernorm)
    for variable in (last.kernel, last.bias):
        variable.assign(variable - np.mean(variable.numpy(), axis=-1, keepdims=True))


def _first_and_last(sublayer: Sublayer) -> tuple[MultiHeadAttention | Dense, Dense, int]:
    """Return the layers with the first and the last product of a sublayer.

    The number is that of the first columns of the first kernel that multiply a normalized vector.
    The keys and values of attention to the source come from the encoder, whose last layer is a
    normalization of its own.
    """
    if isinstance(sublayer, FeedForward):
        inner, _, outer = sublayer.ffn.layers
        return inner, outer, inner.units
    mha = sublayer.mha
    parts = 1 if isinstance(sublayer, CrossAttention) else 3  # queries, keys and values
    return mha, mha.dense, parts * mha.d_model


def _scale_and_shift(layer: Any, columns: int, layernorm: LayerNormalization) -> None:
    """Fold the scale and the offset of a normalization into columns of the following product.

    (x gamma + beta) W + b = x (gamma W) + (beta W + b)
    """
    kernel, bias = layer.kernel.numpy(), layer.bias.numpy()
    bias[:columns] += layernorm.beta.numpy() @ kernel[:, :columns]
    kernel[:, :columns] *= layernorm.gamma.numpy()[:, np.newaxis]
    layer.kernel.assign(kernel)
    layer.bias.assign(bias)
