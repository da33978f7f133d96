"""A folded network against the network that it is made from, and against NumPy."""

from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from keras_transformer.kernels.dense import Dense
from keras_transformer.kernels.dropout import Dropout
from keras_transformer.model import encoder, folding, sublayers
from keras_transformer.model.attention import MultiHeadAttention
from keras_transformer.model.caches import GrowingCache
from keras_transformer.model.encoder import EncoderLayer
from keras_transformer.model.folding import folded
from keras_transformer.model.normalization import Centering, UnscaledRMSNormalization
from keras_transformer.model.options import Options
from keras_transformer.model.sublayers import FeedForward
from keras_transformer.model.transformer import Transformer
from tests.model.ids import SOURCE, TARGET


def network(**options: Any) -> Transformer:
    """Return a network in which no weight has the value of its initializer."""
    model = Transformer(
        num_layers=2,
        d_model=16,
        num_heads=4,
        dff=24,
        input_vocab_size=23,
        target_vocab_size=23,
        maximum_position_encoding=12,
        options=Options(**options),
    )
    model.build(None)
    draw = np.random.default_rng(1)
    for variable in model.weights:
        variable.assign(variable + draw.normal(scale=0.3, size=variable.shape))
    return model


def features(model: Transformer) -> tf.Tensor:
    """Return the features (B, T, D) of `TARGET`, computed step by step."""
    source, caches = model.encode(SOURCE), model.decoder.caches(GrowingCache, 2)
    found = []
    for position in range(TARGET.shape[1]):
        ids = TARGET[:, position, tf.newaxis]
        one, caches = model.step(ids, position, caches, source)
        found.append(one)
    return tf.concat(found, axis=1)


@pytest.fixture(scope="module", params=["none", "output", "all"])
def model(request: pytest.FixtureRequest) -> Transformer:
    return network(norm_first=True, tied_embeddings=request.param, decoder_layers=3)


def test_logits_and_attention_are_equal(model: Transformer) -> None:
    wanted, weights = model((SOURCE, TARGET), return_attention=True)
    logits, found = folded(model)((SOURCE, TARGET), return_attention=True)
    np.testing.assert_allclose(logits, wanted, rtol=1e-4, atol=1e-4)
    for kind in ("encoder", "decoder", "cross"):
        np.testing.assert_allclose(getattr(found, kind), getattr(weights, kind), atol=1e-5)


def test_steps_are_equal(model: Transformer) -> None:
    np.testing.assert_allclose(features(folded(model)), features(model), rtol=1e-4, atol=1e-4)


def test_only_the_last_normalizations_have_weights(model: Transformer) -> None:
    sublayers = 2 * 2 + 3 * 3
    depth = 16
    assert model.count_params() - folded(model).count_params() == sublayers * 2 * depth


def test_the_network_itself_is_unchanged(model: Transformer) -> None:
    before = [variable.numpy() for variable in model.weights]
    folded(model)
    for variable, value in zip(model.weights, before, strict=True):
        np.testing.assert_array_equal(variable.numpy(), value)


def test_post_norm_is_not_folded() -> None:
    model = network(norm_first=False)
    assert folded(model) is model


def test_a_large_network_or_another_dtype_is_not_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    model = network(norm_first=True)
    monkeypatch.setattr(folding, "MAX_WEIGHTS", model.count_params() - 1)
    assert folded(model) is model
    monkeypatch.undo()
    half = Transformer(num_layers=1, d_model=8, dtype="float16", options=Options(norm_first=True))
    half.build(None)
    assert folded(half) is half


def test_the_name_of_the_network_does_not_matter() -> None:
    model = Transformer(num_layers=1, d_model=8, options=Options(norm_first=True), name="mine")
    model.build(None)
    assert folded(model).name == "mine"


@pytest.mark.parametrize(
    "layers",
    [
        [keras.layers.Dense(24), keras.layers.Dense(24), keras.layers.Dense(16)],
        [Dense(24, use_bias=False), Dropout(0), Dense(16)],
        [Dense(24), Dropout(0), Dense(16, use_bias=False)],
        [Dense(24), Dropout(0), Dense(16, activation="relu")],
    ],
)
def test_another_feed_forward_network_is_not_folded(
    monkeypatch: pytest.MonkeyPatch, layers: list[keras.Layer]
) -> None:
    def other(*arguments: Any, **settings: Any) -> keras.Sequential:
        copies = [layer.from_config(layer.get_config()) for layer in layers]
        return keras.Sequential(copies, name="ffn")

    monkeypatch.setattr(sublayers, "point_wise_feed_forward_network", other)
    model = network(norm_first=True)
    assert folded(model) is model


def test_other_attention_is_not_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Doubled(MultiHeadAttention):
        def attend(self, *arguments: Any, **settings: Any) -> tuple[tf.Tensor, tf.Tensor]:
            output, weights = super().attend(*arguments, **settings)
            return 2 * output, weights

    monkeypatch.setattr(sublayers, "MultiHeadAttention", Doubled)
    model = network(norm_first=True)
    assert folded(model) is model


def test_a_layer_with_another_sublayer_is_not_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Longer(EncoderLayer):
        def __init__(self, *arguments: Any, **settings: Any) -> None:
            super().__init__(*arguments, **settings)
            d_model, _, *rest = arguments
            self.second = FeedForward(d_model, *rest, name="second")

        def build(self, input_shape: Any) -> None:
            super().build(input_shape)
            self.second.build(input_shape)

        def call(
            self, x: tf.Tensor, training: bool | None = None, mask: tf.Tensor | None = None
        ) -> tuple[tf.Tensor, tf.Tensor]:
            x, weights = super().call(x, training=training, mask=mask)
            return self.second(x, training=training), weights

    monkeypatch.setattr(encoder, "EncoderLayer", Longer)
    model = network(norm_first=True)
    assert folded(model) is model


def test_only_pre_norm_has_the_option() -> None:
    with pytest.raises(ValueError, match="norm_first"):
        Transformer(options=Options(folded=True))


def test_another_normalization_is_not_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(options: Options, name: str, *dtype: Any) -> keras.Layer:
        return keras.layers.RMSNormalization(name=name)

    monkeypatch.setattr(sublayers, "normalization", other)
    model = network(norm_first=True)
    assert folded(model) is model


@given(scale=st.floats(0.01, 100), shift=st.floats(-10, 10), seed=st.integers(0, 100))
def test_centering_and_division_are_layer_normalization(
    scale: float, shift: float, seed: int
) -> None:
    x = np.random.default_rng(seed).normal(shift, scale, size=(2, 3, 16)).astype(np.float32)
    wanted = keras.layers.LayerNormalization(epsilon=1e-6)(x)
    found = UnscaledRMSNormalization(1e-6)(Centering()(x))
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)


def test_root_mean_square_by_numpy() -> None:
    x = np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)
    root = np.sqrt(12.5 + 1e-6)
    np.testing.assert_allclose(
        UnscaledRMSNormalization(1e-6)(x), [[3 / root, 4 / root], [0, 0]], rtol=1e-6
    )
