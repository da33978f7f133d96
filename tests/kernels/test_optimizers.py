"""Adam and Muon against the optimizers of Keras."""

import keras
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from keras_transformer.kernels.optimizers import Adam, Muon

RANDOM = np.random.default_rng(4)

# Muon orthogonalizes matrices, but neither embeddings nor biases.
SHAPES = {"wide": (3, 7), "tall": (8, 3), "embedding": (6, 4), "bias": (5,)}
DECAY = keras.optimizers.schedules.InverseTimeDecay(0.1, decay_steps=2, decay_rate=0.5)
ADAM: dict[str, object] = {"beta_1": 0.9, "beta_2": 0.98, "epsilon": 1e-9}
MUON: dict[str, object] = {
    "adam_beta_1": 0.9,
    "adam_beta_2": 0.98,
    "epsilon": 1e-9,
    "ns_steps": 3,
    "adam_weight_decay": None,
    "weight_decay": None,
}


def final_state(
    optimizer: keras.optimizers.Optimizer,
    start: dict[str, NDArray[np.float32]],
    steps: list[list[NDArray[np.float32]]],
) -> list[NDArray[np.float32]]:
    """Return the weights and the state of the optimizer after some steps of gradients."""
    weights = [keras.Variable(value, name=name) for name, value in start.items()]
    for gradients in steps:
        optimizer.apply([keras.ops.convert_to_tensor(each) for each in gradients], weights)
    return [np.asarray(variable) for variable in [*weights, *optimizer.variables[1:]]]


@pytest.mark.parametrize("more", [{}, {"global_clipnorm": 0.1}, {"learning_rate": 0.02}])
@pytest.mark.parametrize(
    ("ours", "theirs", "constants"),
    [(Adam, keras.optimizers.Adam, ADAM), (Muon, keras.optimizers.Muon, MUON)],
)
def test_updates_equal_those_of_keras(
    ours: type, theirs: type, constants: dict[str, object], more: dict[str, object]
) -> None:
    start = {name: RANDOM.normal(size=shape).astype("float32") for name, shape in SHAPES.items()}
    steps = [
        [RANDOM.normal(size=shape).astype("float32") for shape in SHAPES.values()] for _ in range(5)
    ]
    arguments = {"learning_rate": DECAY} | constants | more
    found, wanted = (final_state(kind(**arguments), start, steps) for kind in (ours, theirs))
    for mine, expected in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, expected, rtol=2e-4, atol=1e-5)


@settings(max_examples=20)
@given(
    shape=st.lists(st.integers(1, 5), max_size=3),
    scale=st.sampled_from([1e-6, 1.0, 1e4]),
    seed=st.integers(0, 100),
)
def test_adam_equals_that_of_keras_for_any_shape(shape: list[int], scale: float, seed: int) -> None:
    draw = np.random.default_rng(seed)
    start = {"weight": draw.normal(size=shape).astype("float32")}
    steps = [[np.asarray(draw.normal(size=shape) * scale, "float32")] for _ in range(3)]
    found, wanted = (
        final_state(kind(0.01, **ADAM), start, steps) for kind in (Adam, keras.optimizers.Adam)
    )
    for mine, expected in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, expected, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("shape", [(20, 60), (60, 20), (30, 30)])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_muon_keeps_singular_vectors_and_brings_values_near_1(
    shape: tuple[int, int], dtype: str
) -> None:
    size = min(shape)
    left = np.linalg.qr(RANDOM.normal(size=(shape[0], size)))[0]
    right = np.linalg.qr(RANDOM.normal(size=(shape[1], size)))[0]
    matrix = (left * np.linspace(1, 2, size)) @ right.T
    found = Muon(product_dtype=dtype).zeropower_via_newtonschulz5(
        keras.ops.convert_to_tensor(matrix, "float32"), steps=3
    )
    inner = left.T @ np.asarray(found) @ right  # diagonal, with the singular values
    # Jordan et al. 2024 choose the coefficients so that values end up between 0.7 and 1.2.
    assert np.all(np.abs(np.diag(inner) - 1) < 0.4)
    np.testing.assert_allclose(inner - np.diag(np.diag(inner)), 0, atol=0.05)


def test_amsgrad_is_an_error() -> None:
    with pytest.raises(ValueError, match="amsgrad is not supported"):
        Adam(amsgrad=True)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (Adam, {"learning_rate": 0.5, "beta_2": 0.75}),
        (Muon, {"learning_rate": 0.5, "adam_beta_2": 0.75, "product_dtype": "bfloat16"}),
    ],
)
def test_config_round_trip(kind: type, settings: dict[str, object]) -> None:
    optimizer = kind(**settings)
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(optimizer))
    assert type(twin) is type(optimizer)
    assert twin.get_config() == optimizer.get_config()
    assert {name: getattr(twin, name) for name in settings} == settings
