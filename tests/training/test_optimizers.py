import keras
import numpy as np
import pytest

from keras_transformer.config import Config
from keras_transformer.kernels.optimizers import Adam, Muon
from keras_transformer.text.batches import Survey
from keras_transformer.training.optimizers import make_muon, make_optimizer
from keras_transformer.training.precision import dtype_policy
from keras_transformer.training.schedule import CustomSchedule

RANDOM = np.random.default_rng(4)


ADAM = {"beta_1": 0.9, "beta_2": 0.98, "epsilon": 1e-9}
MUON = {"adam_beta_1": 0.9, "adam_beta_2": 0.98, "epsilon": 1e-9, "ns_steps": 3}
MUON |= {"adam_weight_decay": None, "weight_decay": None}


@pytest.mark.parametrize("more", [{}, {"global_clipnorm": 0.1}])
@pytest.mark.parametrize(
    ("ours", "theirs", "settings"),
    [(Adam, keras.optimizers.Adam, ADAM), (Muon, keras.optimizers.Muon, MUON)],
)
def test_steps_match_those_of_keras(ours, theirs, settings, more):
    shapes = {"wide": (3, 7), "tall": (8, 3), "embedding": (6, 4), "bias": (5,)}
    start = {name: RANDOM.normal(size=shape).astype("float32") for name, shape in shapes.items()}
    steps = [[RANDOM.normal(size=shape) for shape in shapes.values()] for _ in range(5)]
    rate = CustomSchedule(8, warmup_steps=3, peak=0.1)
    ends = []
    for kind in (ours, theirs):
        weights = [keras.Variable(value, name=name) for name, value in start.items()]
        optimizer = kind(rate, **settings, **more)
        for gradients in steps:
            gradients = [keras.ops.cast(gradient, "float32") for gradient in gradients]
            optimizer.apply(gradients, weights)
        ends.append([*weights, *optimizer.variables[2:]])
    for mine, expected in zip(*ends, strict=True):
        np.testing.assert_allclose(mine, expected, rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("shape", [(20, 60), (60, 20), (30, 30)])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_muon_moves_singular_values_towards_1_and_keeps_the_vectors(shape, dtype):
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


def test_muon_computes_in_the_dtype_of_the_network():
    with dtype_policy("mixed_bfloat16"):
        assert make_muon(0.1).product_dtype == "bfloat16"
    assert make_muon(0.1).product_dtype == "float32"


@pytest.mark.parametrize(
    "optimizer", [Adam(0.5, beta_2=0.98), Muon(0.5, product_dtype="bfloat16", adam_beta_2=0.98)]
)
def test_an_optimizer_is_restored_from_its_config(optimizer):
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(optimizer))
    assert type(twin) is type(optimizer)
    assert twin.get_config() == optimizer.get_config()


def test_adam_has_the_constants_of_the_paper():
    config = Config().with_settings({"clip_norm": 0.5}).resolved()
    optimizer = make_optimizer(config, Survey(kept=60, widths=600))
    assert (optimizer.beta_1, optimizer.beta_2, optimizer.epsilon) == (0.9, 0.98, 1e-9)
    assert optimizer.global_clipnorm == 0.5


def test_no_clipping_by_default():
    optimizer = make_optimizer(Config().resolved(), Survey(kept=60, widths=600))
    assert optimizer.global_clipnorm is None
