import keras
import numpy as np
import pytest

from keras_transformer.training.optimizer import Adam
from keras_transformer.training.schedule import CustomSchedule

RANDOM = np.random.default_rng(4)


@pytest.mark.parametrize("settings", [{}, {"global_clipnorm": 0.1}, {"weight_decay": 0.1}])
def test_steps_equal_those_of_keras(settings):
    start = [RANDOM.normal(size=shape).astype(np.float32) for shape in ((3, 4), (5,))]
    steps = [[RANDOM.normal(size=w.shape).astype(np.float32) for w in start] for _ in range(5)]
    rate = CustomSchedule(8, warmup_steps=3, peak=0.1)
    ends = []
    for kind in (Adam, keras.optimizers.Adam):
        weights = [keras.Variable(value) for value in start]
        optimizer = kind(rate, beta_1=0.9, beta_2=0.98, epsilon=1e-9, **settings)
        for gradients in steps:
            optimizer.apply(gradients, weights)
        ends.append([*weights, *optimizer.variables[2:]])
    for ours, theirs in zip(*ends, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-6)


def test_it_comes_back_from_its_config():
    optimizer = Adam(0.5, beta_2=0.98)
    twin = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(optimizer))
    assert isinstance(twin, Adam)
    assert twin.beta_2 == 0.98
